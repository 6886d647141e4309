#include "routh/figure/force_figure.h"

#include <cmath>

#include "routh/figure/axes.h"
#include "routh/figure/legend.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr double page_width = 760, panel_height = 210, panel_step = 268, top = 74, left = 92, right = 24;
// Told apart without colour vision too [Okabe and Ito 2008]: normal, first and second tangent.
const char* const colours[] = {"#0072b2", "#d55e00", "#009e73"};

double component(const ContactVector& v, int k) { return k == 0 ? v.n : k == 1 ? v.t1 : v.t2; }

struct Curves {
  std::string symbol, unit;
  ContactVector CoursePoint::*part;
};

void draw_panel(Drawing& page, const ForceFigure& figure, const Curves& curves, double place, bool last) {
  const int rows = figure.dimension == Dimension::planar ? 2 : 3;
  RangeBuilder range, times;
  double largest = 0;
  for (const CoursePoint& point : figure.course.points)
    for (int k = 0; k < rows; ++k) largest = std::max(largest, std::abs(component(point.*curves.part, k)));
  const int exponent = engineering_exponent(largest), time_exponent = engineering_exponent(figure.course.duration);
  const double unit = elementary::pow(10.0, exponent), time_unit = elementary::pow(10.0, time_exponent);
  for (const CoursePoint& point : figure.course.points) {
    times.add(point.time / time_unit);
    for (int k = 0; k < rows; ++k) range.add(component(point.*curves.part, k) / unit);
  }
  range.add(0);
  const PlotPanel plot(page, {left, place, page_width - left - right, panel_height}, times.with_margin(0.02),
                       range.with_margin(0.08));
  plot.draw_grid();
  const auto draw = [&](const auto& value, const Pen& pen) {
    std::vector<PlotPoint> points;
    for (const CoursePoint& point : figure.course.points)
      points.push_back({point.time / time_unit, value(point) / unit});
    plot.draw_curve(points, pen);
  };
  if (curves.part == &CoursePoint::force)
    for (const double side : {-1.0, 1.0})
      draw([&](const CoursePoint& point) { return side * figure.friction * point.force.n; },
           {"#888888", 1, "4 3", {}, 1});
  for (int k = 0; k < rows; ++k)
    draw([&](const CoursePoint& point) { return component(point.*curves.part, k); }, {colours[k], 1.8, {}, {}, 1});
  PanelLabels labels;
  if (last) labels.x = axis_label("t", "s", time_exponent);
  labels.y = axis_label(curves.symbol, curves.unit, exponent);
  labels.y_distance = plot.tick_room() + 10;
  plot.draw_frame(labels);
}

void draw_forces(Drawing& page, const ForceFigure& figure) {
  page.plain_text({left, 26}, figure.title, {15, "#222222", Anchor::start, 0, true});
  Legend legend(page, {left, 52}, page_width - right);
  const auto sample = [&](const Pen& pen) {
    return [&page, pen](PagePoint from, PagePoint to) { page.line(from, to, pen); };
  };
  legend.add("normal", sample({colours[0], 1.8, {}, {}, 1}));
  legend.add(figure.dimension == Dimension::planar ? "tangent" : "first tangent", sample({colours[1], 1.8, {}, {}, 1}));
  if (figure.dimension == Dimension::spatial) legend.add("second tangent", sample({colours[2], 1.8, {}, {}, 1}));
  legend.add("friction cone", sample({"#888888", 1, "4 3", {}, 1}));
  draw_panel(page, figure, {"force", "N", &CoursePoint::force}, top, false);
  draw_panel(page, figure, {"velocity", "m/s", &CoursePoint::velocity}, top + panel_step, true);
}

}  // namespace

Picture force_picture(const ForceFigure& figure) {
  return {page_width, top + 2 * panel_step + 4, figure.title,
          "Forces and velocities of one contact through a spring and a dashpot, over time.",
          [figure](Drawing& page) { draw_forces(page, figure); }};
}

}  // namespace routh::internal
