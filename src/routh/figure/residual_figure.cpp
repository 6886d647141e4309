#include "routh/figure/residual_figure.h"

#include <algorithm>

#include "routh/figure/axes.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr double page_width = 760, panel_height = 170, panel_step = 222, top = 66, left = 84, right = 24;
// Told apart without colour vision too [Okabe and Ito 2008].
const char* const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

std::string colour_of(std::size_t channel) { return colours[channel % std::size(colours)]; }

void draw_legend(Drawing& page, const ResidualFigure& figure) {
  double x = left;
  for (std::size_t k = 0; k < figure.channels.size() && x < page_width - 100; ++k) {
    page.circle({x, 42}, 3.5, {{}, 1, {}, colour_of(k), 1});
    page.plain_text({x + 8, 46}, figure.channels[k], {12, "#222222", Anchor::start, 0, false});
    x += 26 + 6.8 * static_cast<double>(figure.channels[k].size());
  }
}

void draw_residuals(Drawing& page, const ResidualFigure& figure) {
  const std::size_t channels = std::max<std::size_t>(1, figure.channels.size());
  std::size_t rows = 1;
  for (const ResidualPanel& panel : figure.panels)
    rows = std::max(rows, (panel.residuals.size() + channels - 1) / channels);
  const AxisRange x{0, static_cast<double>(rows) + 1};
  page.plain_text({left, 24}, figure.title, {15, "#222222", Anchor::start, 0, true});
  draw_legend(page, figure);
  double place = top + 14;
  for (const ResidualPanel& panel : figure.panels) {
    RangeBuilder range;
    for (const double r : panel.residuals) range.add(r), range.add(-r);
    AxisRange y = range.with_margin(0.08);
    const int exponent = engineering_exponent(y.high);
    const double unit = elementary::pow(10.0, exponent);
    y = {y.low / unit, y.high / unit};
    const PlotPanel plot(page, {left, place, page_width - left - right, panel_height}, x, y);
    plot.draw_grid();
    for (std::size_t k = 0; k < panel.residuals.size(); ++k) {
      const PlotPoint point{static_cast<double>(k / channels) + 1, panel.residuals[k] / unit};
      page.circle(plot.map(point), rows > 300 ? 1.4 : 2.6, {{}, 1, {}, colour_of(k % channels), 0.8});
    }
    PanelLabels labels;
    labels.title = panel.title;
    if (&panel == &figure.panels.back()) labels.x = "row of the data";
    labels.y = axis_label("residual", figure.unit, exponent);
    labels.y_distance = plot.tick_room() + 10;
    plot.draw_frame(labels);
    place += panel_step;
  }
}

}  // namespace

Picture residual_picture(const ResidualFigure& figure) {
  return {page_width, top + panel_step * static_cast<double>(figure.panels.size()) + 10, figure.title,
          "Residuals of a fit over the rows of the data, a panel for each law.",
          [figure](Drawing& page) { draw_residuals(page, figure); }};
}

}  // namespace routh::internal
