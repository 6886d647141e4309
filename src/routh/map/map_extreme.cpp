// The least number of a map: from the local minima of its grid by a pattern search [Hooke and Jeeves 1961].
#include <algorithm>
#include <array>
#include <cmath>

#include "routh/map/map_workers.h"
#include "routh/map/tolerances.h"
#include "routh/map/verdict_map.h"

namespace routh {

namespace {

bool exists(const VerdictMap& map, int column, int row) {
  return map.kind(column, row) >= 0 && std::isfinite(map.numbers[map.index(column, row)]);
}

// Points of the grid that none of their neighbours is below, the lowest first.
std::vector<MapExtreme> grid_minima(const VerdictMap& map) {
  std::vector<MapExtreme> minima;
  for (int row = 0; row < map.y.points; ++row)
    for (int column = 0; column < map.x.points; ++column) {
      if (!exists(map, column, row)) continue;
      const double here = map.numbers[map.index(column, row)];
      bool least = true;
      for (int r = std::max(row - 1, 0); r <= std::min(row + 1, map.y.points - 1); ++r)
        for (int c = std::max(column - 1, 0); c <= std::min(column + 1, map.x.points - 1); ++c)
          least = least && !(exists(map, c, r) && map.numbers[map.index(c, r)] < here);
      if (least) minima.push_back({here, map.x.at(column), map.y.at(row)});
    }
  std::stable_sort(minima.begin(), minima.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  minima.resize(std::min(minima.size(), internal::tolerances::extreme_starts));
  return minima;
}

// Steps to the lowest of eight neighbours, or half as long where none is lower.
MapExtreme descend(const VerdictMap& map, MapExtreme at, internal::MapProbe& probe) {
  double share = 1;
  const double wide = (map.x.high - map.x.low) / (map.x.points - 1),
               high = (map.y.high - map.y.low) / (map.y.points - 1);
  for (int step = 0; step < internal::tolerances::extreme_steps_max && share > internal::tolerances::extreme_step_least;
       ++step) {
    MapExtreme best = at;
    for (const auto& [i, j] : {std::array{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
      const double x = std::clamp(at.x + i * share * wide, map.x.low, map.x.high);
      const double y = std::clamp(at.y + j * share * high, map.y.low, map.y.high);
      const MapValue value = probe(x, y);
      if (value.kind >= 0 && std::isfinite(value.number) && value.number < best.number) best = {value.number, x, y};
    }
    if (!(best.number < at.number)) share *= 0.5;
    at = best;
  }
  return at;
}

}  // namespace

std::optional<MapExtreme> least_number(const VerdictMap& map, const MapSource& source) {
  std::optional<MapExtreme> least;
  internal::MapProbe probe(source());
  for (const MapExtreme& start : grid_minima(map))
    if (const MapExtreme found = descend(map, start, probe); !least || found.number < least->number) least = found;
  return least;
}

}  // namespace routh
