// What a fit leaves unexplained: residuals over the number of the measurement, a panel for each model.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace routh::internal {

struct ResidualPanel {
  std::string title;
  std::vector<double> residuals;  // in the order of the data, channel by channel within each row
};

struct ResidualPicture {
  std::string title;
  std::vector<std::string> channels;  // what was measured in each row; colours and legend follow it
  std::vector<ResidualPanel> panels;  // one below the other, all to the same scale
};

// An SVG picture; the same residuals give the same bytes.
std::string residual_svg(const ResidualPicture& picture);

}  // namespace routh::internal
