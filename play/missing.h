// What the C++ library of emscripten 3.1.6 (LLVM 14) lacks of C++20 and our sources use. Included before everything
// else when they are compiled for the page, and nowhere else.
#pragma once

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <version>

#ifndef __cpp_lib_bit_cast
#include <type_traits>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif

#ifndef __cpp_lib_to_chars
namespace std {

// Decimal numbers, correctly rounded as strtod of the C library does it.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string_view text(first, static_cast<size_t>(last - first));
  const size_t length = min(text.find_first_not_of("0123456789.eE+-"), text.size());
  if (length == 0 || text[0] == '+') return {first, errc::invalid_argument};
  const string digits(text.substr(0, length));
  char* end = nullptr;
  errno = 0;
  const double read = strtod(digits.c_str(), &end);
  if (end == digits.c_str()) return {first, errc::invalid_argument};
  if (errno == ERANGE) return {first + (end - digits.c_str()), errc::result_out_of_range};
  value = read;
  return {first + (end - digits.c_str()), errc()};
}

}  // namespace std
#endif
