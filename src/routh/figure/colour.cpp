#include "routh/figure/colour.h"

namespace routh::internal {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool parse_colour(std::string_view text, Colour& colour) {
  if ((text.size() != 7 && text.size() != 4) || text[0] != '#') return false;
  const std::size_t digits = text.size() == 7 ? 2 : 1;
  int parts[3] = {0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      const int digit = hex_digit(text[1 + digits * i + (digits == 2 ? k : 0)]);
      if (digit < 0) return false;
      parts[i] = 16 * parts[i] + digit;
    }
  colour = {static_cast<std::uint8_t>(parts[0]), static_cast<std::uint8_t>(parts[1]),
            static_cast<std::uint8_t>(parts[2])};
  return true;
}

}  // namespace routh::internal
