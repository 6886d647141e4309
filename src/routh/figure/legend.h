// The key of a plot: samples and names from left to right, in as many rows as they need.
#pragma once

#include <string>

#include "routh/figure/svg.h"

namespace routh {

class Legend {
 public:
  // Rows begin at `origin` (the baseline of the first name) and end before `right`.
  Legend(SvgDocument& document, PagePoint origin, double right)
      : document_(document), origin_(origin), right_(right), at_(origin) {}

  // `draw_sample(from, to)` draws between two points of a row.
  template <class Draw>
  void add(const std::string& label, Draw draw_sample) {
    // Widths of text are estimates for the common sans-serif faces.
    const double width = sample_width + 8 + 7.0 * static_cast<double>(label.size()) + 16;
    if (at_.x + width > right_) at_ = {origin_.x, at_.y + row_height};
    draw_sample(PagePoint{at_.x, at_.y - 4}, PagePoint{at_.x + sample_width, at_.y - 4});
    document_.text({at_.x + sample_width + 8, at_.y}, label, {.size = 12.5});
    at_.x += width;
  }

 private:
  static constexpr double sample_width = 26;
  static constexpr double row_height = 22;

  SvgDocument& document_;
  PagePoint origin_;
  double right_;
  PagePoint at_;
};

}  // namespace routh
