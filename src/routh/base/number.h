// Decimal numbers from text, the same on every machine and in every locale.
#pragma once

#include <string_view>

namespace routh::internal {

enum class NumberFault {
  none,
  not_a_number,   // anything that is not a decimal number
  decimal_comma,  // 1,5
  leading_zero,   // 010, which some readers take for eight
  hexadecimal,    // 0x10
  not_finite,     // nan, inf and their spellings
  too_large,      // 1e999
  too_small,      // 1e-999: not zero, yet nearer to zero than any double
};

struct ParsedNumber {
  double value = 0;  // finite, and never a negative zero; zero unless the fault is `none`
  NumberFault fault = NumberFault::none;
};

// Reads the whole token as [+|-] digits [. digits] [e [+|-] digits]. No allocation.
ParsedNumber parse_number(std::string_view token);

// Whether the token is a number as JSON writes them (so that it can be copied into JSON) and fits a double.
bool is_json_number(std::string_view token);

// What is wrong, as the end of a sentence that names the token.
const char* explain(NumberFault fault);

}  // namespace routh::internal
