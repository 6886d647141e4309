// A built-in sans-serif face made of strokes: printable ASCII, Greek, the signs of mechanics, accents. Lines of text
// become polylines, to be drawn with a round pen.
#pragma once

#include <string_view>
#include <vector>

#include "routh/figure/drawing.h"

namespace routh::internal {

// One stroke of a letter on the page, drawn with a pen of that width.
struct LetterStroke {
  std::vector<PagePoint> points;
  double pen_width = 1;
};

enum class Markup { none, scripts };

// The strokes of a line of text that begins at (0, 0), its baseline along x, y downwards. They lie, pen included,
// between x = 0 and the text's width.
std::vector<LetterStroke> text_strokes(std::string_view text, const TextStyle& style, Markup markup);

// The width of a line of text [px] in this face. Other sans-serif faces differ by a tenth or so.
double text_width(std::string_view text, double size, Markup markup);

}  // namespace routh::internal
