#include "routh/figure/marks.h"

namespace routh::internal {

std::string law_colour(Law law) {
  switch (law) {
    case Law::energetic:
      return "#d55e00";
    case Law::poisson:
      return "#0072b2";
    case Law::newton:
      return "#009e73";
    case Law::unified:
      return "#b0508e";
    case Law::classical:
      return "#5a5a5a";
  }
  return "#000000";
}

std::string law_dash(Law law) {
  switch (law) {
    case Law::energetic:
    case Law::poisson:
    case Law::newton:
      return "";
    case Law::unified:
      return "6 3";
    case Law::classical:
      return "2 3";
  }
  return "";
}

void draw_end_mark(Drawing& document, Law law, PagePoint at, double radius) {
  const Pen pen{.stroke = "#ffffff", .width = 0.9, .fill = law_colour(law)};
  const double r = radius;
  const auto [x, y] = at;
  switch (law) {
    case Law::energetic:
      return document.circle(at, r, pen);
    case Law::poisson:
      return document.rect({x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r}, pen);
    case Law::newton:
      return document.polygon({{x, y - 1.2 * r}, {x + 1.1 * r, y + 0.8 * r}, {x - 1.1 * r, y + 0.8 * r}}, pen);
    case Law::unified:
      return document.polygon({{x, y - 1.3 * r}, {x + 1.3 * r, y}, {x, y + 1.3 * r}, {x - 1.3 * r, y}}, pen);
    case Law::classical:
      return document.polygon({{x, y + 1.2 * r}, {x + 1.1 * r, y - 0.8 * r}, {x - 1.1 * r, y - 0.8 * r}}, pen);
  }
}

void draw_start_mark(Drawing& document, PagePoint at) {
  document.circle(at, 4.5, {.stroke = "#ffffff", .width = 1.2, .fill = "#000000"});
}

void draw_halt_mark(Drawing& document, PagePoint at) { document.circle(at, 9, {.stroke = "#000000", .width = 1.4}); }

}  // namespace routh::internal
