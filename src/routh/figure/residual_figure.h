// What a fit leaves unexplained: residuals over the number of the measurement, a panel for each model, each to a scale
// of its own: beside one that is far off the others would be lines.
#pragma once

#include <string>
#include <vector>

#include "routh/figure/picture.h"

namespace routh::internal {

struct ResidualPanel {
  std::string title;
  std::vector<double> residuals;  // in the order of the data, channel by channel within each row
};

struct ResidualFigure {
  std::string title;
  std::vector<std::string> channels;  // what was measured in each row; colours and legend follow it
  std::string unit;                   // of all of them; with markup
  std::vector<ResidualPanel> panels;  // one below the other
};

Picture residual_picture(const ResidualFigure& figure);

}  // namespace routh::internal
