// A picture, and the files it can be written to: SVG for the web, PNG for slides and notes, PDF for print.
#pragma once

#include <functional>
#include <string>

#include "routh/figure/drawing.h"

namespace routh::internal {

struct Picture {
  double width = 0, height = 0;  // [px], 96 to the inch
  std::string title;             // for screen readers and for the properties of a file
  std::string description;       // the same in a sentence
  std::function<void(Drawing&)> draw;
};

// The same picture gives the same bytes; those of PNG and PDF depend on the fonts of the machine.
std::string to_svg(const Picture& picture);
// The last two are drawn by Cairo and throw RuntimeFailure where it fails: out of memory, a page too large.
inline constexpr double usual_png_scale = 2;
std::string to_png(const Picture& picture, double scale = usual_png_scale);  // `scale` pixels for one of SVG's
std::string to_pdf(const Picture& picture);

}  // namespace routh::internal
