// A verdict over a plane of two variables, refined where it changes.
//
// The plane is a grid of columns × rows points. First cells of `coarse` points a side are judged by nine points:
// corners, middles of the sides, centre. Where all agree the cell is filled without looking further; else it is
// divided, and its parts, judged by their corners, until the grid is reached. Then every point that was filled but
// stands beside a point of another kind (eight neighbours) is looked at as well, and so on from each that turns out
// different.
//
// So a region (points of one kind joined through their eight neighbours) comes out point by point as in the full map
// as soon as any look falls into it, however thin it is. A region into which no look falls is missed: an island smaller
// than half a coarse cell, or one thinner than that between the looks, or a strip thinner than the grid, which is a row
// of separate points. `full` is there for that, and so is a smaller `coarse`.
//
// Boundaries are located between neighbouring points by bisection and joined to curves (marching squares on kinds), so
// that they are sharp whatever the grid. Where three or more kinds meet, curves end.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace routh {

struct MapAxis {
  double low = 0, high = 1;  // finite, low < high
  int points = 200;          // at least 2

  double at(int k) const { return low + (high - low) * k / (points - 1); }
};

// What is known at a point. Kinds are small whole numbers; −1: the point does not exist (no such posture), for
// boundaries a kind like the others.
struct MapValue {
  int kind = -1;
  double number = 0;  // one number beside it, for shading and for data; infinite is allowed. A point with NaN is taken
                      // as one that does not exist: kind −1, number 0
};

// Called from several threads at once, each with its own copy from `MapSource`. The source itself is called from the
// thread of `compute_map` only.
using MapFunction = std::function<MapValue(double x, double y)>;
using MapSource = std::function<MapFunction()>;

enum class MapRefinement {
  adaptive,  // as above; `number` is exact at evaluated points and bilinear inside filled cells (of the nearest corner
             // where a corner is infinite)
  full,      // every point is evaluated
};

struct MapOptions {
  MapRefinement refinement = MapRefinement::adaptive;
  int coarse = 16;                             // side of the first cells, in points
  int threads = 0;                             // 0: as many as the machine has
  double curve_tolerance = 1e-6;               // boundaries to this share of the plane; 0 or less: no curves
  std::function<void(double share)> progress;  // now and then, rising to 1, from the thread of `compute_map`
  const std::atomic<bool>* stop = nullptr;     // set from outside: the map ends early, `complete` is false
};

struct MapCurve {
  int kind_a = 0, kind_b = 0;  // the kinds it separates, smaller first
  std::vector<double> x, y;    // a polyline; closed when its ends coincide
};

struct VerdictMap {
  MapAxis x, y;
  std::vector<int> kinds;       // row by row, y rising; x fastest
  std::vector<double> numbers;  // the same
  std::vector<MapCurve> curves;
  long evaluations = 0;  // of the function, curves included
  bool complete = true;  // else points not reached have kind −1, and there are no curves

  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(x.points) + static_cast<std::size_t>(column);
  }
  int kind(int column, int row) const { return kinds[index(column, row)]; }
};

// The same map whatever the number of threads. What the function or `progress` throws comes out of here; if it throws
// at several points, that of the first in the order of evaluation. Throws `InputError` for an axis that is none.
VerdictMap compute_map(const MapAxis& x, const MapAxis& y, const MapSource& source, const MapOptions& options);

// The least number over the plane, sought from the lowest points of the grid by ever smaller steps: a dip between the
// points of the grid that none of them shows is missed. None where no point exists, or none has a finite number.
struct MapExtreme {
  double number = 0, x = 0, y = 0;
};
std::optional<MapExtreme> least_number(const VerdictMap& map, const MapSource& source);

}  // namespace routh
