// The shapes of the letters of the stroke font.
#pragma once

#include <cstdint>
#include <string_view>

namespace routh::internal {

// In hundredths of the size of the text, y upwards from the baseline; capitals are 72 high, small letters 52.
// The path is a list of commands with numbers:
//   M x y                   begins a stroke
//   L x y                   a straight line
//   C x1 y1 x2 y2 x y       a cubic Bézier curve
//   A cx cy rx ry a0 a1     begins a stroke: an arc of an ellipse between two angles [degrees, anticlockwise]
//   a cx cy rx ry a0 a1     the same, going on from the last point
struct Glyph {
  std::uint32_t code = 0;
  int advance = 0;
  std::string_view path;
};

// The glyph of a character, or a small box.
const Glyph& find_glyph(std::uint32_t code);

// A character that is made of another one.
struct Composite {
  std::uint32_t code = 0;
  std::uint32_t base = 0;
  std::uint32_t accent = 0;  // a combining character, or zero
  double scale = 1;          // of a raised or lowered figure
  double raise = 0;          // hundredths of the size
};
// Nothing for a character that is not composed.
const Composite* find_composite(std::uint32_t code);

// Whether the character stands over the letter before it. Its glyph is centred on x = 0 and begins at y = 0, which is
// put a little above that letter.
bool is_combining(std::uint32_t code);

}  // namespace routh::internal
