#include "paper.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

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

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::misprint:
      return "misprint";
    case Verdict::mismatch:
      return "MISMATCH";
  }
  return "";
}

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

ComparedValue compare(const PrintedValue& printed, const OurValue& ours) {
  ComparedValue out;
  out.printed = printed;
  out.ours = ours;
  const bool documented = !printed.misprint.empty();
  const Verdict agreement = documented ? Verdict::misprint : Verdict::ok;
  const std::string& reference = documented ? printed.computed : printed.printed;
  if (!ours.word.empty()) {
    out.verdict = ours.word == reference ? agreement : Verdict::mismatch;
    return out;
  }
  const Decimal shown = parse_decimal(printed.printed, printed.where);
  const Decimal expected = parse_decimal(reference, printed.where);
  out.difference = ours.number - shown.value;
  out.tolerance = std::pow(10.0, -expected.decimals);
  // The print itself is a decimal: allow for its rounding to binary.
  const bool agrees = std::abs(ours.number - expected.value) <= out.tolerance * (1 + 1e-9);
  out.verdict = agrees ? agreement : Verdict::mismatch;
  return out;
}

std::string format_ours(const ComparedValue& value) {
  if (!value.ours.word.empty()) return value.ours.word;
  const int decimals = parse_decimal(value.printed.printed, value.printed.where).decimals;
  return fmt::format("{:.{}f}", value.ours.number, decimals + 2);
}

}  // namespace routh
