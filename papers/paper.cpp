#include "papers/paper.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "papers/tolerances.h"
#include "routh/math/elementary.h"

namespace routh {

namespace {

struct Decimal {
  double value = 0;
  int decimals = 0;
};

Decimal parse_decimal(const std::string& text, const Location& where) {
  Decimal out;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, out.value, std::chars_format::fixed);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(out.value))
    throw InputError(where, fmt::format("'{}' is not a decimal number", printable(text)),
                     "write it as printed, in quotes");
  const std::size_t point = text.find('.');
  out.decimals = point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
  return out;
}

}  // namespace

int ComparedPaper::count(Verdict verdict) const {
  int found = 0;
  for (const ComparedGroup& group : groups)
    for (const ComparedValue& value : group.values) found += value.verdict == verdict ? 1 : 0;
  return found;
}

int ComparedPaper::size() const {
  int total = 0;
  for (const ComparedGroup& group : groups) total += static_cast<int>(group.values.size());
  return total;
}

namespace {

bool agree(double ours, double reference, double tolerance) {
  // The print itself is a decimal: allow for its rounding to binary.
  return std::abs(ours - reference) <= tolerance * (1 + tolerances::printed_rounding);
}

double last_digit(const Decimal& decimal) { return elementary::pow(10.0, -decimal.decimals); }

Verdict compare_words(const PrintedValue& printed, const std::string& ours) {
  if (printed.misprint.empty()) return ours == printed.printed ? Verdict::ok : Verdict::mismatch;
  return ours == printed.computed && ours != printed.printed ? Verdict::misprint : Verdict::mismatch;
}

// What the paper says, and how near ours must be to it.
struct Reference {
  double value = 0;
  double tolerance = 0;
};

Reference said(const PrintedValue& printed, const OurValue& ours) {
  if (printed.formula.empty()) {
    const Decimal shown = parse_decimal(printed.printed, printed.where);
    return {shown.value, last_digit(shown)};
  }
  if (!ours.formula)
    throw InputError(printed.where, fmt::format("no formula is known for '{}'", printable(printed.quantity)),
                     "write `printed` and a number");
  return {*ours.formula, tolerances::formula_relative * std::abs(*ours.formula)};
}

}  // namespace

ComparedValue compare(const PrintedValue& printed, const OurValue& ours) {
  ComparedValue out;
  out.printed = printed;
  out.ours = ours;
  if (!ours.word.empty()) {
    out.verdict = compare_words(printed, ours.word);
    return out;
  }
  const Reference reference = said(printed, ours);
  out.difference = ours.number - reference.value;
  out.tolerance = reference.tolerance;
  const bool as_printed = agree(ours.number, reference.value, reference.tolerance);
  if (printed.misprint.empty()) {
    out.verdict = as_printed ? Verdict::ok : Verdict::mismatch;
    return out;
  }
  const Decimal follows = parse_decimal(printed.computed, printed.where);
  out.tolerance = last_digit(follows);
  const bool as_computed = agree(ours.number, follows.value, out.tolerance);
  out.verdict = as_computed && !as_printed ? Verdict::misprint : Verdict::mismatch;
  return out;
}

std::string format_printed(const ComparedValue& value) {
  if (value.printed.formula.empty()) return value.printed.printed;
  return fmt::format("{} {:.6g}", value.printed.formula, value.ours.formula.value_or(0));
}

std::string format_ours(const ComparedValue& value) {
  if (!value.ours.word.empty()) return value.ours.word;
  if (!value.printed.formula.empty()) return fmt::format("{:.6g}", value.ours.number);
  int decimals = parse_decimal(value.printed.printed, value.printed.where).decimals;
  if (!value.printed.computed.empty())
    decimals = std::max(decimals, parse_decimal(value.printed.computed, value.printed.where).decimals);
  return fmt::format("{:.{}f}", value.ours.number, decimals + 2);
}

}  // namespace routh
