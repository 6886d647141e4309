// The look of each law in a picture: colour, line, end mark. The colours stay apart for colour-blind readers and in
// print; the marks stay apart without colour.
#pragma once

#include <string>

#include "routh/figure/drawing.h"
#include "routh/impact/problem.h"

namespace routh::internal {

std::string law_colour(Law law);
// Laws without a path of their own are drawn dashed.
std::string law_dash(Law law);
// The end mark of a law, `radius` pixels large.
void draw_end_mark(Drawing& document, Law law, PagePoint at, double radius);
void draw_start_mark(Drawing& document, PagePoint at);
void draw_halt_mark(Drawing& document, PagePoint at);

}  // namespace routh::internal
