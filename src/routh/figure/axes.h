// Axes of a plot: ranges, 1-2-5 ticks, and the panel that maps data to the page and draws frame, ticks and labels.
#pragma once

#include <string>
#include <vector>

#include "routh/figure/svg.h"

namespace routh::internal {

struct AxisRange {
  double low = 0;
  double high = 1;
  double width() const { return high - low; }
};

// Grows to hold the values added to it; empty until the first.
class RangeBuilder {
 public:
  void add(double value);
  // The range with a margin on both sides (a share of its width); [−1, 1] when nothing or only zero was added.
  AxisRange with_margin(double share) const;

 private:
  bool empty_ = true;
  double low_ = 0;
  double high_ = 0;
};

// Multiples of 1, 2 or 5 times a power of ten inside the range, about `target` of them, at least two.
std::vector<double> ticks(const AxisRange& range, int target);
// The labels of ticks, all with the same number of decimals.
std::vector<std::string> tick_labels(const std::vector<double>& values);

// A power of ten (a multiple of three) taken out of an axis whose numbers would be unreadable; 0 for everyday sizes.
int engineering_exponent(double largest);
// "v_{n} [m/s]", or "v_{n} [10^{-6} m/s]" when an exponent was taken out.
std::string axis_label(const std::string& symbol, const std::string& unit, int exponent);

struct PlotPoint {
  double x = 0;
  double y = 0;
};

struct PanelLabels {
  std::string title;
  std::string x;
  std::string y;
  double y_distance = 52;  // from the frame to the label of the y axis [px], see `tick_room`
};

// One pair of axes on the page.
class PlotPanel {
 public:
  PlotPanel(Drawing& document, const PageRect& frame, const AxisRange& x, const AxisRange& y);

  // The same, with one unit as long on the page in x as in y: the range that is too short is widened about its middle.
  static PlotPanel with_equal_axes(Drawing& document, const PageRect& frame, AxisRange x, AxisRange y);

  PagePoint map(const PlotPoint& point) const;
  const PageRect& frame() const { return frame_; }
  const AxisRange& x() const { return x_; }
  const AxisRange& y() const { return y_; }

  // Background grid and zero lines, to be drawn before the data; frame, ticks and labels, after it.
  void draw_grid() const;
  void draw_frame(const PanelLabels& labels) const;

  // How far the tick labels of the y axis reach from the frame [px].
  double tick_room() const;

  // A vertical band over [from, to], cut to the frame.
  void draw_band(double from, double to, const std::string& colour) const;
  // A curve, cut to the frame.
  void draw_curve(const std::vector<PlotPoint>& points, const Pen& pen) const;
  bool contains(const PlotPoint& point) const;

 private:
  Drawing& document_;
  PageRect frame_;
  AxisRange x_;
  AxisRange y_;
};

}  // namespace routh::internal
