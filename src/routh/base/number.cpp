#include "routh/base/number.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

namespace routh::internal {

namespace {

bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }

std::string lower_case(std::string_view token) {
  std::string text(token.substr(0, 16));
  for (char& ch : text)
    if (ch >= 'A' && ch <= 'Z') ch = static_cast<char>(ch - 'A' + 'a');
  return text;
}

// Why a token that is no decimal number is none; only for the message.
NumberFault diagnose(std::string_view token) {
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) token.remove_prefix(1);
  const std::string text = lower_case(token);
  for (const char* spelling : {"nan", ".nan", "inf", ".inf", "infinity"})
    if (text == spelling) return NumberFault::not_finite;
  if (text.starts_with("0x")) return NumberFault::hexadecimal;
  const bool comma = std::count(token.begin(), token.end(), ',') == 1 && !token.empty() && is_digit(token.front()) &&
                     std::all_of(token.begin(), token.end(), [](char ch) { return is_digit(ch) || ch == ','; });
  return comma ? NumberFault::decimal_comma : NumberFault::not_a_number;
}

// `from_chars` says only "out of range"; the side follows from the sign of the exponent, or else from the whole part.
NumberFault range_fault(std::string_view digits) {
  const std::size_t exponent = digits.find_first_of("eE");
  if (exponent != std::string_view::npos && exponent + 1 < digits.size())
    return digits[exponent + 1] == '-' ? NumberFault::too_small : NumberFault::too_large;
  return digits.front() == '0' || digits.front() == '.' ? NumberFault::too_small : NumberFault::too_large;
}

}  // namespace

ParsedNumber parse_number(std::string_view token) {
  std::string_view digits = token;
  if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) digits.remove_prefix(1);
  const bool begins = !digits.empty() &&
                      (is_digit(digits.front()) || (digits.front() == '.' && digits.size() > 1 && is_digit(digits[1])));
  if (!begins) return {0, diagnose(token)};

  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size()) return {0, diagnose(token)};
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) return {0, NumberFault::leading_zero};
  if (error == std::errc::result_out_of_range) return {0, range_fault(digits)};
  if (error != std::errc()) return {0, NumberFault::not_a_number};
  const bool negative = token.front() == '-' && value != 0;
  return {negative ? -value : value, NumberFault::none};
}

bool is_json_number(std::string_view token) {
  // JSON allows no plus sign in front and wants a digit on both sides of the point.
  if (parse_number(token).fault != NumberFault::none || token.front() == '+') return false;
  const std::size_t point = token.find('.');
  return point == std::string_view::npos ||
         (point > 0 && is_digit(token[point - 1]) && point + 1 < token.size() && is_digit(token[point + 1]));
}

const char* explain(NumberFault fault) {
  switch (fault) {
    case NumberFault::none:
      return "is a number";
    case NumberFault::not_a_number:
      return "is not a number";
    case NumberFault::decimal_comma:
      return "has a decimal comma; write a point";
    case NumberFault::leading_zero:
      return "begins with a zero, which some readers take for an octal number; leave the zero out";
    case NumberFault::hexadecimal:
      return "is hexadecimal; write it in decimal";
    case NumberFault::not_finite:
      return "is not finite";
    case NumberFault::too_large:
      return "is too large for a double (the largest is about 1.8e308)";
    case NumberFault::too_small:
      return "is too small for a double (the smallest is about 4.9e-324); write 0 if zero is meant";
  }
  return "";
}

}  // namespace routh::internal
