// Colours as numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace routh::internal {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};
// "#rrggbb" or "#rgb"; anything else is no colour.
bool parse_colour(std::string_view text, Colour& colour);

}  // namespace routh::internal
