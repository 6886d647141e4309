// The key of a plot: samples and names from left to right, in as many rows as they need.
#pragma once

#include <string>

#include "routh/figure/drawing.h"
#include "routh/figure/text_width.h"

namespace routh::internal {

// How wide a name is taken to be: from its bytes, or from its letters with a tenth to spare for wider faces.
enum class NameWidth { from_bytes, from_letters };

class Legend {
 public:
  // Rows begin at `origin` (the baseline of the first name) and end before `right`.
  Legend(Drawing& document, PagePoint origin, double right, NameWidth measure = NameWidth::from_bytes)
      : document_(document), origin_(origin), right_(right), measure_(measure), at_(origin) {}

  // `draw_sample(from, to)` draws between two points of a row.
  template <class Draw>
  void add(const std::string& label, Draw draw_sample) {
    const double width = sample_width + 8 + name_width(label) + 16;
    if (at_.x + width > right_) at_ = {origin_.x, at_.y + row_height};
    draw_sample(PagePoint{at_.x, at_.y - 4}, PagePoint{at_.x + sample_width, at_.y - 4});
    document_.text({at_.x + sample_width + 8, at_.y}, label, {.size = name_size});
    at_.x += width;
  }

 private:
  static constexpr double name_size = 12.5;
  static constexpr double sample_width = 26;
  static constexpr double row_height = 22;

  // Estimates for the common sans-serif faces.
  double name_width(const std::string& label) const {
    switch (measure_) {
      case NameWidth::from_bytes:
        return 7.0 * static_cast<double>(label.size());
      case NameWidth::from_letters:
        return 1.1 * text_width(label, name_size, Markup::scripts);
    }
    return 0;
  }

  Drawing& document_;
  PagePoint origin_;
  double right_;
  NameWidth measure_;
  PagePoint at_;
};

}  // namespace routh::internal
