#include "routh/figure/cell_sampler.h"

#include <algorithm>
#include <cmath>

namespace routh::internal {

namespace {

constexpr int samples = 4;  // along a side of a pixel

// For each sample the interval between lines that it falls into, or −1. The lines rise or fall.
std::vector<int> intervals(const std::vector<double>& lines, double scale, int pixels) {
  std::vector<int> out(static_cast<std::size_t>(pixels) * samples, -1);
  const double sign = lines.front() < lines.back() ? 1 : -1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double at = (static_cast<double>(i) + 0.5) / samples / scale;
    const auto after = std::upper_bound(lines.begin(), lines.end(), sign * at,
                                        [sign](double wanted, double line) { return wanted < sign * line; });
    if (after != lines.begin() && after != lines.end()) out[i] = static_cast<int>(after - lines.begin()) - 1;
  }
  return out;
}

}  // namespace

CellSampler::CellSampler(const CellGrid& grid, double scale, int width, int height)
    : grid_(grid),
      colours_(grid.colours.size()),
      drawn_(grid.colours.size()),
      columns_(intervals(grid.x_lines, scale, width)),
      rows_(intervals(grid.y_lines, scale, height)) {
  for (std::size_t i = 0; i < colours_.size(); ++i) drawn_[i] = parse_colour(grid.colours[i], colours_[i]);
}

const Colour* CellSampler::sample(int column, int row) const {
  if (column < 0 || row < 0) return nullptr;
  const int value = grid_.cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) +
                                static_cast<std::size_t>(column)];
  const auto index = static_cast<std::size_t>(value);
  return value >= 0 && index < colours_.size() && drawn_[index] ? &colours_[index] : nullptr;
}

CellSampler::Mean CellSampler::mean(int x, int y) const {
  const int* column = &columns_[static_cast<std::size_t>(x) * samples];
  const int* row = &rows_[static_cast<std::size_t>(y) * samples];
  // Most pixels lie within one cell.
  if (column[0] == column[samples - 1] && row[0] == row[samples - 1]) {
    const Colour* colour = sample(column[0], row[0]);
    return colour != nullptr ? Mean{*colour, 1} : Mean{};
  }
  double red = 0, green = 0, blue = 0;
  int covered = 0;
  for (int k = 0; k < samples * samples; ++k) {
    const Colour* colour = sample(column[k % samples], row[k / samples]);
    if (colour == nullptr) continue;
    red += colour->red;
    green += colour->green;
    blue += colour->blue;
    ++covered;
  }
  if (covered == 0) return {};
  const auto whole = [covered](double sum) { return static_cast<std::uint8_t>(std::lround(sum / covered)); };
  return {{whole(red), whole(green), whole(blue)}, static_cast<double>(covered) / (samples * samples)};
}

}  // namespace routh::internal
