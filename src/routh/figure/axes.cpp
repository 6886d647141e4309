#include "routh/figure/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/figure/text_width.h"
#include "routh/figure/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

const std::string grid_colour = "#e4e4e4";
const std::string zero_colour = "#9a9a9a";
const std::string frame_colour = "#222222";
constexpr double pixels_per_tick = 62;

int tick_target(double pixels) { return std::max(2, static_cast<int>(pixels / pixels_per_tick)); }

}  // namespace

void RangeBuilder::add(double value) {
  low_ = empty_ ? value : std::min(low_, value);
  high_ = empty_ ? value : std::max(high_, value);
  empty_ = false;
}

AxisRange RangeBuilder::with_margin(double share) const {
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (empty_ || size == 0) return {-1, 1};
  // A range narrower than a millionth of its values cannot carry distinct tick labels: widen it.
  const double width = std::max(high_ - low_, tolerances::axis_width_relative * size);
  const double middle = low_ / 2 + high_ / 2;
  return {middle - width * (0.5 + share), middle + width * (0.5 + share)};
}

std::vector<double> ticks(const AxisRange& range, int target) {
  const double raw = range.width() / target;
  if (!(raw > 0) || !std::isfinite(raw)) return {};
  const double power = elementary::pow(10.0, std::floor(elementary::log10(raw)));
  const auto multiples = [&](double step) {
    std::vector<double> out;
    const double slack = tolerances::tick_slack * step;
    for (double k = std::ceil((range.low - slack) / step); k * step <= range.high + slack; ++k) out.push_back(k * step);
    return out;
  };
  // One tick alone shows no scale: then steps are finer.
  std::vector<double> out;
  for (const double step : {10.0, 5.0, 2.0, 1.0, 0.5, 0.2, 0.1})
    if (step * power >= raw || out.size() < 2) out = multiples(step * power);
  return out;
}

std::vector<std::string> tick_labels(const std::vector<double>& values) {
  int decimals = 0;
  if (values.size() > 1) {
    const double step = values[1] - values[0];
    decimals = std::clamp(static_cast<int>(std::ceil(-elementary::log10(step) - tolerances::tick_slack)), 0, 12);
  }
  std::vector<std::string> out;
  for (const double value : values) {
    std::string text = fmt::format("{:.{}f}", value + 0.0, decimals);
    if (text.find_first_of("123456789") == std::string::npos) text = "0";
    if (text.front() == '-') text.replace(0, 1, "\xE2\x88\x92");  // U+2212, a minus as wide as the digits
    out.push_back(text);
  }
  return out;
}

int engineering_exponent(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  if (largest >= tolerances::plain_axis_min && largest < tolerances::plain_axis_max) return 0;
  return 3 * static_cast<int>(std::floor(elementary::log10(largest) / 3));
}

std::string axis_label(const std::string& symbol, const std::string& unit, int exponent) {
  if (exponent == 0) return fmt::format("{} [{}]", symbol, unit);
  return fmt::format("{} [10^{{{}{}}} {}]", symbol, exponent < 0 ? "\xE2\x88\x92" : "", std::abs(exponent), unit);
}

PlotPanel::PlotPanel(Drawing& document, const PageRect& frame, const AxisRange& x, const AxisRange& y)
    : document_(document), frame_(frame), x_(x), y_(y) {}

PlotPanel PlotPanel::with_equal_axes(Drawing& document, const PageRect& frame, AxisRange x, AxisRange y) {
  const double unit = std::max(x.width() / frame.width, y.width() / frame.height);
  const auto widen = [unit](AxisRange& range, double pixels) {
    const double middle = range.low / 2 + range.high / 2;
    range = {middle - unit * pixels / 2, middle + unit * pixels / 2};
  };
  widen(x, frame.width);
  widen(y, frame.height);
  return PlotPanel(document, frame, x, y);
}

PagePoint PlotPanel::map(const PlotPoint& point) const {
  // Far outside the frame a coordinate only has to stay a number that viewers can read.
  const auto readable = [](double pixels) {
    return std::clamp(pixels, -tolerances::page_reach_max, tolerances::page_reach_max);
  };
  return {readable(frame_.x + frame_.width * (point.x - x_.low) / x_.width()),
          readable(frame_.y + frame_.height * (y_.high - point.y) / y_.width())};
}

bool PlotPanel::contains(const PlotPoint& point) const {
  return point.x >= x_.low && point.x <= x_.high && point.y >= y_.low && point.y <= y_.high;
}

void PlotPanel::draw_grid() const {
  const Pen grid{.stroke = grid_colour, .width = 0.8};
  const Pen zero{.stroke = zero_colour, .width = 1};
  const double right = frame_.x + frame_.width;
  const double bottom = frame_.y + frame_.height;
  const auto vertical = [&](double x, const Pen& pen) {
    const double at = map({x, y_.low}).x;
    document_.line({at, frame_.y}, {at, bottom}, pen);
  };
  const auto horizontal = [&](double y, const Pen& pen) {
    const double at = map({x_.low, y}).y;
    document_.line({frame_.x, at}, {right, at}, pen);
  };
  for (const double x : ticks(x_, tick_target(frame_.width))) vertical(x, grid);
  for (const double y : ticks(y_, tick_target(frame_.height))) horizontal(y, grid);
  if (x_.low < 0 && x_.high > 0) vertical(0, zero);
  if (y_.low < 0 && y_.high > 0) horizontal(0, zero);
}

void PlotPanel::draw_frame(const PanelLabels& labels) const {
  const Pen pen{.stroke = frame_colour, .width = 1};
  const double bottom = frame_.y + frame_.height;
  document_.rect(frame_, pen);

  const TextStyle below{.size = 12, .anchor = Anchor::middle};
  const std::vector<double> xs = ticks(x_, tick_target(frame_.width));
  const std::vector<std::string> x_texts = tick_labels(xs);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double at = map({xs[i], y_.low}).x;
    document_.line({at, bottom}, {at, bottom + 5}, pen);
    document_.text({at, bottom + 18}, x_texts[i], below);
  }

  const TextStyle beside{.size = 12, .anchor = Anchor::end};
  const std::vector<double> ys = ticks(y_, tick_target(frame_.height));
  const std::vector<std::string> y_texts = tick_labels(ys);
  for (std::size_t i = 0; i < ys.size(); ++i) {
    const double at = map({x_.low, ys[i]}).y;
    document_.line({frame_.x - 5, at}, {frame_.x, at}, pen);
    document_.text({frame_.x - 8, at + 4.2}, y_texts[i], beside);
  }

  const double middle_x = frame_.x + frame_.width / 2;
  const double middle_y = frame_.y + frame_.height / 2;
  document_.text({middle_x, bottom + 38}, labels.x, {.size = 14, .anchor = Anchor::middle});
  document_.text({frame_.x - labels.y_distance, middle_y}, labels.y,
                 {.size = 14, .anchor = Anchor::middle, .angle = -90});
  if (!labels.title.empty())
    document_.text({middle_x, frame_.y - 10}, labels.title,
                   {.size = 13, .colour = "#555555", .anchor = Anchor::middle});
}

double PlotPanel::tick_room() const {
  double widest = 0;
  for (const std::string& label : tick_labels(ticks(y_, tick_target(frame_.height))))
    widest = std::max(widest, text_width(label, 12, Markup::none));
  return 8 + widest;
}

void PlotPanel::draw_band(double from, double to, const std::string& colour) const {
  const double left = map({std::max(from, x_.low), 0}).x;
  const double right = map({std::min(to, x_.high), 0}).x;
  if (right > left) document_.rect({left, frame_.y, right - left, frame_.height}, {.fill = colour});
}

void PlotPanel::draw_curve(const std::vector<PlotPoint>& points, const Pen& pen) const {
  std::vector<PagePoint> page;
  page.reserve(points.size());
  for (const PlotPoint& point : points) page.push_back(map(point));
  document_.begin_clip(frame_);
  document_.polyline(page, pen);
  document_.end_clip();
}

}  // namespace routh::internal
