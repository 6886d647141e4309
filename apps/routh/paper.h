// A paper's printed numbers beside ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/base/error.h"
#include "routh/impact/problem.h"

namespace routh {

// One printed number, or one printed word (a mode).
struct PrintedValue {
  std::string quantity;
  std::string printed;
  std::string unit;
  std::string computed;  // what follows instead of a misprint
  std::string misprint;  // why the printed value does not follow; empty when it should
  Location where;
};

struct PrintedGroup {
  std::string title;
  std::optional<Law> law;
  std::optional<double> restitution;
  std::vector<PrintedValue> values;
};

struct Paper {
  std::string title;
  std::vector<PrintedGroup> groups;
};

// What we get for a printed value: a number, or a word.
struct OurValue {
  double number = 0;
  std::string word;  // not empty: compare as text
};

enum class Verdict { ok, misprint, mismatch };
const char* name(Verdict verdict);

struct ComparedValue {
  PrintedValue printed;
  OurValue ours;
  double difference = 0;  // ours − printed
  double tolerance = 0;   // one unit of the last printed digit
  Verdict verdict = Verdict::mismatch;
};

struct ComparedGroup {
  std::string title;
  std::optional<Law> law;
  std::optional<double> restitution;
  std::vector<ComparedValue> values;
};

struct ComparedPaper {
  std::string name;  // of its folder
  std::string title;
  std::vector<ComparedGroup> groups;

  int count(Verdict verdict) const;
  int size() const;
};

// Compares to the last printed digit; a documented misprint must agree with what it says follows instead.
// Throws InputError when `printed` is neither a plain decimal nor, for a word, text.
ComparedValue compare(const PrintedValue& printed, const OurValue& ours);

// Ours with two digits more than printed.
std::string format_ours(const ComparedValue& value);

}  // namespace routh
