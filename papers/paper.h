// A paper's numbers beside ours: those it prints, and those its formulas give.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/base/error.h"
#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh {

// One printed number, one printed word (a mode), or a formula that the paper prints without numbers.
struct PrintedValue {
  std::string quantity;
  std::string printed;
  std::string formula;  // instead of `printed`: "(38)"
  std::string unit;
  std::string computed;  // what follows instead of a misprint
  std::string misprint;  // why the printed value does not follow; empty when it should
  Location where;
};

struct PrintedGroup {
  std::string title;
  std::optional<Law> law;
  std::optional<double> restitution;
  std::optional<double> friction;
  std::vector<PrintedValue> values;
};

struct Paper {
  std::string title;
  std::vector<PrintedGroup> groups;
};

// What we get for a printed value: a number, or a word.
struct OurValue {
  double number = 0;
  std::string word;               // not empty: compare as text
  std::optional<double> formula;  // what the paper's formula gives, term by term as it stands there
};

enum class Verdict { ok, misprint, mismatch };
constexpr auto names_of(Verdict) {
  return name_table<Verdict>({{Verdict::ok, "ok"}, {Verdict::misprint, "misprint"}, {Verdict::mismatch, "MISMATCH"}});
}

struct ComparedValue {
  PrintedValue printed;
  OurValue ours;
  double difference = 0;  // ours − printed
  double tolerance = 0;   // one unit of the last printed digit; of a formula, 1e-7 of its value
  Verdict verdict = Verdict::mismatch;
};

struct ComparedGroup {
  PrintedGroup printed;
  std::vector<ComparedValue> values;
};

struct ComparedPaper {
  std::string name;  // of its folder
  std::string title;
  std::vector<ComparedGroup> groups;

  int count(Verdict verdict) const;
  int size() const;
};

// Compares to the last printed digit; a documented misprint must agree with what it says follows instead, and must not
// agree with what is printed. Throws InputError when a number is not a plain decimal, or when a formula is asked for
// that we do not have.
ComparedValue compare(const PrintedValue& printed, const OurValue& ours);

// What the paper says: a number as printed, a word, or "(38) 0.663614".
std::string format_printed(const ComparedValue& value);
// Ours with two digits more than printed, or than what follows instead.
std::string format_ours(const ComparedValue& value);

}  // namespace routh
