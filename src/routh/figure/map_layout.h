// Where the parts of a map's picture go: the key beside the frame, labels beside their marks, titles that fit.
#pragma once

#include <string>
#include <vector>

#include "routh/figure/drawing.h"

namespace routh::internal {

// The text cut to lines at spaces so that each is at most `width` wide, where that can be done.
std::vector<std::string> wrap_text(const std::string& markup, double size, double width);

// A size between `smallest` and `size` at which a plain text fits into the width, and the text, cut with "…" if it
// fits at none.
struct FittedText {
  std::string text;
  double size = 0;
};
FittedText fit_plain_text(const std::string& text, double size, double smallest, double width);

// A label and the mark that it belongs to.
struct LabelRequest {
  PagePoint mark;
  double width = 0;
};
struct LabelPlace {
  PagePoint baseline;  // where the text starts
  PageRect box;        // what it covers
};
inline constexpr double label_size = 12;

// Places the labels one after the other: each at the side of its mark where it overlaps least with labels placed
// before, with marks, with lines (given by points along them) and with what lies outside of the frame. All boxes lie
// within the frame if they fit into it.
std::vector<LabelPlace> place_labels(const std::vector<LabelRequest>& requests, const std::vector<PagePoint>& on_lines,
                                     const PageRect& frame);
// How far apart those points are to be [px].
inline constexpr double line_sampling = 4;

}  // namespace routh::internal
