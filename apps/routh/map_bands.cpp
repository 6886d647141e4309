#include "map_bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "routh/figure/axes.h"
#include "tolerances.h"

namespace routh {

namespace {

constexpr int coarse_points = 41;
constexpr std::size_t fewest_levels = 4, most_levels = 8;
constexpr double outliers = 0.02;    // share at each end that does not choose levels
constexpr double many_decades = 50;  // a positive range wider than this factor has levels by decades

// 1, 2 and 5 in every decade, or powers of ten, or every second of them, ...: the finest with few enough.
std::vector<double> decade_levels(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const auto inside = [&](int step, std::initializer_list<double> digits) {
    std::vector<double> levels;
    for (int decade = first; decade <= last; decade += step)
      for (const double digit : digits)
        if (const double level = digit * std::pow(10.0, decade); level >= low && level <= high) levels.push_back(level);
    return levels;
  };
  std::vector<double> levels = inside(1, {1, 2, 5});
  for (int step = 1; levels.size() > most_levels; ++step) levels = inside(step, {1});
  return levels;
}

std::vector<double> even_levels(double low, double high) {
  std::vector<double> levels;
  for (int target = 6; levels.size() < fewest_levels && target < 16; ++target) levels = ticks({low, high}, target);
  return levels;
}

}  // namespace

int Bands::of(double number) const {
  if (std::isinf(number)) return finite() + (number > 0 ? 0 : 1);
  return static_cast<int>(std::upper_bound(levels.begin(), levels.end(), number) - levels.begin());
}

Bands choose_bands(MapAxis x, MapAxis y, const MapSource& source, MapOptions options) {
  x.points = std::min(x.points, coarse_points);
  y.points = std::min(y.points, coarse_points);
  options.refinement = MapRefinement::full;
  options.curve_tolerance = 0;
  options.progress = nullptr;
  const VerdictMap map = compute_map(x, y, source, options);
  std::vector<double> numbers;
  for (std::size_t k = 0; k < map.kinds.size(); ++k)
    if (map.kinds[k] >= 0 && std::isfinite(map.numbers[k])) numbers.push_back(map.numbers[k]);
  Bands bands{{}, map.evaluations};
  if (numbers.empty()) return bands;
  std::sort(numbers.begin(), numbers.end());
  const auto rank = static_cast<std::size_t>(outliers * static_cast<double>(numbers.size() - 1));
  const double low = numbers[rank], high = numbers[numbers.size() - 1 - rank];
  if (!(high - low > tolerances::band_range_relative * std::max(std::abs(low), std::abs(high)))) return bands;
  bands.levels = low > 0 && high / low > many_decades ? decade_levels(low, high) : even_levels(low, high);
  // A level at the very end would make a band that holds nothing.
  std::erase_if(bands.levels, [&](double level) { return level <= numbers.front() || level > numbers.back(); });
  return bands;
}

MapSource in_bands(const MapSource& source, const Bands& bands) {
  return [=]() -> MapFunction {
    return [read = source(), bands](double x, double y) -> MapValue {
      const MapValue value = read(x, y);
      return value.kind < 0 ? value : MapValue{bands.of(value.number), value.number};
    };
  };
}

std::string band_name(const Bands& bands, int band, std::string_view symbol) {
  const std::string before = symbol.empty() ? "" : std::string(symbol) + " ";
  const auto level = [&](int k) { return fmt::format("{:.6g}", bands.levels[static_cast<std::size_t>(k)] + 0.0); };
  if (band == bands.finite()) return "infinite";
  if (band > bands.finite()) return "minus infinite";
  if (bands.levels.empty()) return before + "finite";
  if (band == 0) return before + "< " + level(0);
  if (band == bands.finite() - 1) return before + ">= " + level(band - 1);
  return before + level(band - 1) + " to " + level(band);
}

std::string band_colour(const Bands& bands, int band) {
  if (band >= bands.finite()) return band == bands.finite() ? "#bbbbbb" : "#888888";
  // Yellow to blue, each darker than the one before: readable in grey and by the colour-blind.
  constexpr std::array<std::array<double, 3>, 5> anchors = {
      {{255, 250, 205}, {186, 222, 170}, {98, 182, 182}, {52, 118, 172}, {36, 52, 120}}};
  const double share = bands.finite() > 1 ? static_cast<double>(band) / (bands.finite() - 1) : 0.5;
  const double place = share * (anchors.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
  std::string colour = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    const double part = anchors[k][c] + (place - static_cast<double>(k)) * (anchors[k + 1][c] - anchors[k][c]);
    colour += fmt::format("{:02x}", static_cast<int>(std::lround(part)));
  }
  return colour;
}

}  // namespace routh
