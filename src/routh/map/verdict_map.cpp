#include "routh/map/verdict_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "routh/base/error.h"
#include "routh/map/map_curves.h"
#include "routh/map/map_workers.h"

namespace routh {

namespace {

using Outcome = MapWorkers::Outcome;
using Share = MapWorkers::Share;

constexpr double curves_begin = 0.6;  // share of the work, for `progress`

enum class PointState : std::uint8_t { unknown, filled, queued, evaluated };

// Grid points x0 … x1, y0 … y1, both ends included.
struct Cell {
  int x0, y0, x1, y1;
  bool is_unit() const { return x1 - x0 <= 1 && y1 - y0 <= 1; }
};

class MapBuilder {
 public:
  MapBuilder(VerdictMap& map, MapWorkers& workers) : map_(map), workers_(workers), states_(map.kinds.size()) {}

  Outcome all();
  Outcome adaptive(int coarse);

 private:
  std::size_t index(int column, int row) const { return map_.index(column, row); }
  void queue(int column, int row);
  void queue_corners(const Cell& cell);
  Outcome evaluate_queue(Share share);
  bool is_uniform(const Cell& cell) const;
  void fill(const Cell& cell);
  double blend(const Cell& cell, int column, int row) const;
  Outcome divide(std::vector<Cell> cells);
  void queue_unlike_pairs(int column, int row);
  void queue_unlike_neighbours(std::size_t point);
  Outcome follow_boundaries();

  VerdictMap& map_;
  MapWorkers& workers_;
  std::vector<PointState> states_;
  std::vector<std::size_t> queue_;
};

void MapBuilder::queue(int column, int row) {
  PointState& state = states_[index(column, row)];
  if (state == PointState::queued || state == PointState::evaluated) return;
  state = PointState::queued;
  queue_.push_back(index(column, row));
}

void MapBuilder::queue_corners(const Cell& cell) {
  queue(cell.x0, cell.y0);
  queue(cell.x1, cell.y0);
  queue(cell.x0, cell.y1);
  queue(cell.x1, cell.y1);
}

// Leaves the queue as it is, for those who want to see what came of it.
Outcome MapBuilder::evaluate_queue(Share share) {
  const std::size_t columns = static_cast<std::size_t>(map_.x.points);
  return workers_.run(queue_.size(), share, [&](MapProbe& probe, std::size_t k) {
    const std::size_t point = queue_[k];
    const int column = static_cast<int>(point % columns), row = static_cast<int>(point / columns);
    const MapValue value = probe(map_.x.at(column), map_.y.at(row));
    map_.kinds[point] = value.kind;
    map_.numbers[point] = value.number;
    states_[point] = PointState::evaluated;
  });
}

Outcome MapBuilder::all() {
  for (int row = 0; row < map_.y.points; ++row)
    for (int column = 0; column < map_.x.points; ++column) queue(column, row);
  return evaluate_queue({0, curves_begin});
}

bool MapBuilder::is_uniform(const Cell& cell) const {
  const int kind = map_.kind(cell.x0, cell.y0);
  return kind == map_.kind(cell.x1, cell.y0) && kind == map_.kind(cell.x0, cell.y1) &&
         kind == map_.kind(cell.x1, cell.y1);
}

// Bilinear between the corners; the nearest corner where one of them is infinite.
double MapBuilder::blend(const Cell& cell, int column, int row) const {
  const double u = static_cast<double>(column - cell.x0) / (cell.x1 - cell.x0);
  const double v = static_cast<double>(row - cell.y0) / (cell.y1 - cell.y0);
  const double low = map_.numbers[index(cell.x0, cell.y0)], low_right = map_.numbers[index(cell.x1, cell.y0)];
  const double high = map_.numbers[index(cell.x0, cell.y1)], high_right = map_.numbers[index(cell.x1, cell.y1)];
  const double value = (1 - v) * ((1 - u) * low + u * low_right) + v * ((1 - u) * high + u * high_right);
  if (std::isfinite(value)) return value;
  return v < 0.5 ? (u < 0.5 ? low : low_right) : (u < 0.5 ? high : high_right);
}

void MapBuilder::fill(const Cell& cell) {
  const int kind = map_.kind(cell.x0, cell.y0);
  for (int row = cell.y0; row <= cell.y1; ++row) {
    for (int column = cell.x0; column <= cell.x1; ++column) {
      const std::size_t point = index(column, row);
      if (states_[point] != PointState::unknown) continue;
      map_.kinds[point] = kind;
      map_.numbers[point] = blend(cell, column, row);
      states_[point] = PointState::filled;
    }
  }
}

// Cells of one kind are filled, the others divided in the middle; level by level, so that the order of evaluation, and
// with it the map, does not depend on the threads.
Outcome MapBuilder::divide(std::vector<Cell> cells) {
  double reported = curves_begin / 2;
  while (!cells.empty()) {
    std::vector<Cell> parts;
    for (const Cell& cell : cells) {
      if (is_uniform(cell)) {
        fill(cell);
      } else if (!cell.is_unit()) {
        const int xm = (cell.x0 + cell.x1) / 2, ym = (cell.y0 + cell.y1) / 2;
        const bool in_x = xm > cell.x0, in_y = ym > cell.y0;
        parts.push_back({cell.x0, cell.y0, in_x ? xm : cell.x1, in_y ? ym : cell.y1});
        if (in_x) parts.push_back({xm, cell.y0, cell.x1, in_y ? ym : cell.y1});
        if (in_y) parts.push_back({cell.x0, ym, in_x ? xm : cell.x1, cell.y1});
        if (in_x && in_y) parts.push_back({xm, ym, cell.x1, cell.y1});
      }
    }
    queue_.clear();
    for (const Cell& part : parts) queue_corners(part);
    const double next = (reported + curves_begin) / 2;
    if (evaluate_queue({reported, next}) == Outcome::stopped) return Outcome::stopped;
    reported = next;
    cells = std::move(parts);
  }
  return Outcome::done;
}

// With the neighbours that follow it in the order of the grid.
void MapBuilder::queue_unlike_pairs(int column, int row) {
  const int kind = map_.kind(column, row);
  const auto compare = [&](int x, int y) {
    if (map_.kind(x, y) == kind) return;
    queue(column, row);
    queue(x, y);
  };
  if (column + 1 < map_.x.points) compare(column + 1, row);
  if (row + 1 == map_.y.points) return;
  if (column > 0) compare(column - 1, row + 1);
  compare(column, row + 1);
  if (column + 1 < map_.x.points) compare(column + 1, row + 1);
}

void MapBuilder::queue_unlike_neighbours(std::size_t point) {
  const std::size_t columns = static_cast<std::size_t>(map_.x.points);
  const int column = static_cast<int>(point % columns), row = static_cast<int>(point / columns);
  for (int y = std::max(row - 1, 0); y <= std::min(row + 1, map_.y.points - 1); ++y)
    for (int x = std::max(column - 1, 0); x <= std::min(column + 1, map_.x.points - 1); ++x)
      if (map_.kind(x, y) != map_.kinds[point]) queue(x, y);
}

// Afterwards neighbours of different kinds are both evaluated. Then a region that was met once is right as a whole:
// from a point of it that is right, a neighbour that belongs to it and is not right would differ, hence be evaluated.
Outcome MapBuilder::follow_boundaries() {
  queue_.clear();
  for (int row = 0; row < map_.y.points; ++row)
    for (int column = 0; column < map_.x.points; ++column) queue_unlike_pairs(column, row);
  while (!queue_.empty()) {
    std::vector<int> filled(queue_.size());
    for (std::size_t k = 0; k < queue_.size(); ++k) filled[k] = map_.kinds[queue_[k]];
    if (evaluate_queue({curves_begin, curves_begin}) == Outcome::stopped) return Outcome::stopped;
    const std::vector<std::size_t> seen = std::move(queue_);
    queue_.clear();
    for (std::size_t k = 0; k < seen.size(); ++k)
      if (map_.kinds[seen[k]] != filled[k]) queue_unlike_neighbours(seen[k]);
  }
  return Outcome::done;
}

std::vector<int> lattice_lines(int points, int step) {
  std::vector<int> lines;
  for (int k = 0; k < points - 1; k += step) lines.push_back(k);
  lines.push_back(points - 1);
  return lines;
}

Outcome MapBuilder::adaptive(int coarse) {
  // The nine points of the first cells are the corners of cells half as large.
  const int step = std::max(1, coarse / 2);
  const std::vector<int> columns = lattice_lines(map_.x.points, step), rows = lattice_lines(map_.y.points, step);
  for (const int row : rows)
    for (const int column : columns) queue(column, row);
  if (evaluate_queue({0, curves_begin / 2}) == Outcome::stopped) return Outcome::stopped;
  std::vector<Cell> cells;
  for (std::size_t j = 0; j + 1 < rows.size(); ++j)
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
      cells.push_back({columns[i], rows[j], columns[i + 1], rows[j + 1]});
  if (divide(std::move(cells)) == Outcome::stopped) return Outcome::stopped;
  return follow_boundaries();
}

void check_axis(const MapAxis& axis, const char* which) {
  if (!(std::isfinite(axis.low) && std::isfinite(axis.high) && axis.low < axis.high))
    throw InputError({}, fmt::format("the {} axis of the map runs from {} to {}", which, axis.low, axis.high),
                     "give two finite numbers, the smaller first");
  if (axis.points < 2)
    throw InputError({}, fmt::format("the {} axis of the map has {} points", which, axis.points), "give at least 2");
}

}  // namespace

VerdictMap compute_map(const MapAxis& x, const MapAxis& y, const MapSource& source, const MapOptions& options) {
  check_axis(x, "x");
  check_axis(y, "y");
  VerdictMap map;
  map.x = x;
  map.y = y;
  const std::size_t count = static_cast<std::size_t>(x.points) * static_cast<std::size_t>(y.points);
  map.kinds.assign(count, -1);
  map.numbers.assign(count, 0);
  MapWorkers workers(source, options);
  Outcome outcome = Outcome::done;
  {
    MapBuilder builder(map, workers);
    switch (options.refinement) {
      case MapRefinement::adaptive:
        outcome = builder.adaptive(options.coarse);
        break;
      case MapRefinement::full:
        outcome = builder.all();
        break;
    }
  }
  if (outcome == Outcome::done && options.curve_tolerance > 0)
    outcome = trace_curves(map, workers, {curves_begin, 1}, options.curve_tolerance);
  map.complete = outcome == Outcome::done;
  map.evaluations = workers.evaluations();
  if (map.complete) workers.report(1);
  return map;
}

}  // namespace routh
