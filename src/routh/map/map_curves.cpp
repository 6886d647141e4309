// Boundaries by marching squares on kinds.
//
// A side of a unit square of the grid whose ends differ is crossed by a boundary; the crossing is bisected. Going round
// a square the kind changes 0, 2, 3 or 4 times:
//   2   one curve passes;
//   3   three kinds meet: a knot, at which three curves end;
//   4   opposite corners of one kind may be joined through the middle, which is then looked at: two curves pass, each
//       cutting off a corner. Else, or if no opposite corners agree, a knot of four curves.
#include "routh/map/map_curves.h"

#include <algorithm>
#include <array>

namespace routh::internal {

namespace {

using Outcome = MapWorkers::Outcome;
using Share = MapWorkers::Share;

constexpr int none = -1;
constexpr int most_halvings = 60;

enum class Along { x, y };

struct Crossing {
  int column, row;  // of its lower end
  Along along;
  double x = 0, y = 0;
  enum class Round { first, second } round = Round::first;
  // The next crossing on either side, or a knot (numbered after the crossings), or none.
  std::array<int, 2> links = {none, none};
  bool used = false;
};

// A square in which more than one curve passes or ends.
struct Knot {
  int column, row;
  std::array<int, 4> crossings;  // of the sides, `none` where not crossed
  int cut_first = none;          // two curves: the first of the two opposite corners that they cut off
  double x = 0, y = 0;
};

class CurveTracer {
 public:
  CurveTracer(VerdictMap& map, double tolerance)
      : map_(map),
        x_tolerance_(tolerance * (map.x.high - map.x.low)),
        y_tolerance_(tolerance * (map.y.high - map.y.low)) {}

  void find_crossings();
  void plan_rounds();
  Outcome locate(MapWorkers& workers, Share share);
  void join();

 private:
  int crossing_at(int column, int row, Along along) const;
  std::array<int, 4> corners(int column, int row) const;
  void pass_square(int column, int row);
  double guess(const Crossing& crossing, double low, double high) const;
  void locate_crossing(MapProbe& probe, Crossing& crossing) const;
  void settle_knot(MapProbe& probe, Knot& knot) const;
  void locate_knot(MapProbe& probe, Knot& knot) const;
  void link(int a, int b);
  void walk(int first);
  void append(MapCurve& curve, int node) const;
  bool is_end(int node) const { return node == none || node >= static_cast<int>(crossings_.size()); }

  VerdictMap& map_;
  double x_tolerance_, y_tolerance_;
  std::vector<Crossing> crossings_;
  std::vector<int> on_x_, on_y_;  // crossing of the side that begins at a point
  std::vector<Knot> knots_;
  std::vector<std::size_t> first_, second_;  // crossings by round
};

int CurveTracer::crossing_at(int column, int row, Along along) const {
  return (along == Along::x ? on_x_ : on_y_)[map_.index(column, row)];
}

std::array<int, 4> CurveTracer::corners(int column, int row) const {
  return {map_.kind(column, row), map_.kind(column + 1, row), map_.kind(column + 1, row + 1),
          map_.kind(column, row + 1)};
}

void CurveTracer::find_crossings() {
  on_x_.assign(map_.kinds.size(), none);
  on_y_.assign(map_.kinds.size(), none);
  const auto add = [&](int column, int row, Along along) {
    (along == Along::x ? on_x_ : on_y_)[map_.index(column, row)] = static_cast<int>(crossings_.size());
    crossings_.push_back({column, row, along});
  };
  for (int row = 0; row < map_.y.points; ++row) {
    for (int column = 0; column < map_.x.points; ++column) {
      const int kind = map_.kind(column, row);
      if (column + 1 < map_.x.points && map_.kind(column + 1, row) != kind) add(column, row, Along::x);
      if (row + 1 < map_.y.points && map_.kind(column, row + 1) != kind) add(column, row, Along::y);
    }
  }
  for (int row = 0; row + 1 < map_.y.points; ++row)
    for (int column = 0; column + 1 < map_.x.points; ++column) pass_square(column, row);
}

// Side k runs from corner k to corner k + 1.
void CurveTracer::pass_square(int column, int row) {
  const std::array<int, 4> sides = {crossing_at(column, row, Along::x), crossing_at(column + 1, row, Along::y),
                                    crossing_at(column, row + 1, Along::x), crossing_at(column, row, Along::y)};
  int first = none, last = none, crossed = 0;
  for (const int side : sides) {
    if (side == none) continue;
    if (first == none) first = side;
    last = side;
    ++crossed;
  }
  if (crossed == 2) link(first, last);
  if (crossed > 2) knots_.push_back({column, row, sides});
}

void CurveTracer::link(int a, int b) {
  const auto point = [&](int from, int to) {
    if (from >= static_cast<int>(crossings_.size())) return;
    std::array<int, 2>& links = crossings_[static_cast<std::size_t>(from)].links;
    (links[0] == none ? links[0] : links[1]) = to;
  };
  point(a, b);
  point(b, a);
}

// About every other crossing waits for its two neighbours on the curve, which then say where to look.
void CurveTracer::plan_rounds() {
  using Round = Crossing::Round;
  const auto can_guide = [&](int node) {
    return !is_end(node) && crossings_[static_cast<std::size_t>(node)].round == Round::first;
  };
  for (std::size_t k = 0; k < crossings_.size(); ++k) {
    Crossing& crossing = crossings_[k];
    if (can_guide(crossing.links[0]) && can_guide(crossing.links[1])) crossing.round = Round::second;
    (crossing.round == Round::first ? first_ : second_).push_back(k);
  }
}

Outcome CurveTracer::locate(MapWorkers& workers, Share share) {
  const double middle = share.from + 0.75 * (share.to - share.from);
  const auto in_first = [&](MapProbe& probe, std::size_t item) {
    if (item < first_.size())
      locate_crossing(probe, crossings_[first_[item]]);
    else
      settle_knot(probe, knots_[item - first_.size()]);
  };
  const auto in_second = [&](MapProbe& probe, std::size_t item) { locate_crossing(probe, crossings_[second_[item]]); };
  if (workers.run(first_.size() + knots_.size(), {share.from, middle}, in_first) == Outcome::stopped)
    return Outcome::stopped;
  return workers.run(second_.size(), {middle, share.to}, in_second);
}

// Where the line through the crossings on either side meets this side of the grid; `low` if it does not.
double CurveTracer::guess(const Crossing& crossing, double low, double high) const {
  if (crossing.round == Crossing::Round::first) return low;
  const Crossing& p = crossings_[static_cast<std::size_t>(crossing.links[0])];
  const Crossing& q = crossings_[static_cast<std::size_t>(crossing.links[1])];
  const bool along_x = crossing.along == Along::x;
  const double level = along_x ? map_.y.at(crossing.row) : map_.x.at(crossing.column);
  const double p_level = along_x ? p.y : p.x, q_level = along_x ? q.y : q.x;
  if (p_level == q_level) return low;
  const double p_at = along_x ? p.x : p.y, q_at = along_x ? q.x : q.y;
  const double at = p_at + (q_at - p_at) * ((level - p_level) / (q_level - p_level));
  return at > low && at < high ? at : low;
}

// Between the kind of the lower end and anything else: if a third kind lies between, its near boundary. From a guess
// the bracket grows until it holds the crossing; then bisection.
void CurveTracer::locate_crossing(MapProbe& probe, Crossing& crossing) const {
  const int kind = map_.kind(crossing.column, crossing.row);
  const bool along_x = crossing.along == Along::x;
  const double x = map_.x.at(crossing.column), y = map_.y.at(crossing.row);
  double low = along_x ? x : y;
  double high = along_x ? map_.x.at(crossing.column + 1) : map_.y.at(crossing.row + 1);
  const double tolerance = along_x ? x_tolerance_ : y_tolerance_;
  const auto narrow = [&](double at) {
    const MapValue value = along_x ? probe(at, y) : probe(x, at);
    (value.kind == kind ? low : high) = at;
  };
  const double start = guess(crossing, low, high);
  if (start > low) {
    double below = start - 0.99 * tolerance, above = start + 0.99 * tolerance;
    for (double reach = 4 * tolerance; below > low; below -= reach, reach *= 4) narrow(below);
    for (double reach = 4 * tolerance; above > low && above < high; above += reach, reach *= 4) narrow(above);
  }
  for (int k = 0; k < most_halvings && high - low > 2 * tolerance; ++k) narrow(0.5 * (low + high));
  crossing.x = along_x ? 0.5 * (low + high) : x;
  crossing.y = along_x ? y : 0.5 * (low + high);
}

void CurveTracer::settle_knot(MapProbe& probe, Knot& knot) const {
  const std::array<int, 4> kinds = corners(knot.column, knot.row);
  const bool all_crossed = std::find(knot.crossings.begin(), knot.crossings.end(), none) == knot.crossings.end();
  const bool even_agree = kinds[0] == kinds[2], odd_agree = kinds[1] == kinds[3];
  if (all_crossed && (even_agree || odd_agree)) {
    const double x = 0.5 * (map_.x.at(knot.column) + map_.x.at(knot.column + 1));
    const double y = 0.5 * (map_.y.at(knot.row) + map_.y.at(knot.row + 1));
    const int middle = probe(x, y).kind;
    if (even_agree && middle == kinds[0]) knot.cut_first = 1;
    if (odd_agree && middle == kinds[1]) knot.cut_first = 0;
  }
  if (knot.cut_first == none) locate_knot(probe, knot);
}

int distinct(std::array<int, 4> kinds) {
  std::sort(kinds.begin(), kinds.end());
  return static_cast<int>(std::unique(kinds.begin(), kinds.end()) - kinds.begin());
}

struct Patch {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int distinct = 0;  // kinds at its corners
};

// The patch in which most kinds meet, of those of a lattice of points; the first of several.
template <std::size_t lines>
Patch richest(MapProbe& probe, const std::array<double, lines>& x, const std::array<double, lines>& y) {
  std::array<std::array<int, lines>, lines> kinds;
  for (std::size_t j = 0; j < lines; ++j)
    for (std::size_t i = 0; i < lines; ++i) kinds[j][i] = probe(x[i], y[j]).kind;
  Patch best;
  for (std::size_t j = 0; j + 1 < lines; ++j) {
    for (std::size_t i = 0; i + 1 < lines; ++i) {
      const int count = distinct({kinds[j][i], kinds[j][i + 1], kinds[j + 1][i + 1], kinds[j + 1][i]});
      if (count > best.distinct) best = {x[i], y[j], x[i + 1], y[j + 1], count};
    }
  }
  return best;
}

// Lines half as far apart as `low` and `high`, from one distance before them to one behind, within the axis.
std::array<double, 7> around(double low, double high, const MapAxis& axis) {
  std::array<double, 7> lines;
  for (std::size_t k = 0; k < lines.size(); ++k)
    lines[k] = std::clamp(low + (high - low) * (0.5 * static_cast<double>(k) - 1), axis.low, axis.high);
  return lines;
}

// Quarters the square and goes on with the quarter in which most kinds meet, while there are three. When there are not,
// what met on the grid does not meet in this square (a third kind, thinner than the grid, lies between two of its
// corners): the squares around it are looked at too.
void CurveTracer::locate_knot(MapProbe& probe, Knot& knot) const {
  double x0 = map_.x.at(knot.column), x1 = map_.x.at(knot.column + 1);
  double y0 = map_.y.at(knot.row), y1 = map_.y.at(knot.row + 1);
  for (int k = 0; k < most_halvings && (x1 - x0 > 2 * x_tolerance_ || y1 - y0 > 2 * y_tolerance_); ++k) {
    Patch patch = richest<3>(probe, {x0, 0.5 * (x0 + x1), x1}, {y0, 0.5 * (y0 + y1), y1});
    if (patch.distinct < 3) patch = richest<7>(probe, around(x0, x1, map_.x), around(y0, y1, map_.y));
    if (patch.distinct < 3) break;
    x0 = patch.x0;
    x1 = patch.x1;
    y0 = patch.y0;
    y1 = patch.y1;
  }
  knot.x = 0.5 * (x0 + x1);
  knot.y = 0.5 * (y0 + y1);
}

void CurveTracer::append(MapCurve& curve, int node) const {
  const std::size_t n = static_cast<std::size_t>(node), count = crossings_.size();
  curve.x.push_back(n < count ? crossings_[n].x : knots_[n - count].x);
  curve.y.push_back(n < count ? crossings_[n].y : knots_[n - count].y);
}

// From a crossing, away from its end if it has one, to the next end or round to itself.
void CurveTracer::walk(int first) {
  const Crossing& start = crossings_[static_cast<std::size_t>(first)];
  const int here = map_.kind(start.column, start.row);
  const int there =
      start.along == Along::x ? map_.kind(start.column + 1, start.row) : map_.kind(start.column, start.row + 1);
  MapCurve curve;
  curve.kind_a = std::min(here, there);
  curve.kind_b = std::max(here, there);
  std::size_t side = is_end(start.links[0]) ? 0 : 1;
  int from = start.links[side], node = first;
  if (from != none && is_end(from)) append(curve, from);
  while (!is_end(node) && !crossings_[static_cast<std::size_t>(node)].used) {
    Crossing& crossing = crossings_[static_cast<std::size_t>(node)];
    crossing.used = true;
    append(curve, node);
    if (node != first) side = crossing.links[0] == from ? 0 : 1;
    from = node;
    node = crossing.links[1 - side];
  }
  if (node != none) append(curve, node);  // a knot, or the first crossing again: closed
  map_.curves.push_back(std::move(curve));
}

void CurveTracer::join() {
  for (std::size_t k = 0; k < knots_.size(); ++k) {
    const Knot& knot = knots_[k];
    if (knot.cut_first == none) {
      for (const int crossing : knot.crossings)
        if (crossing != none) link(crossing, static_cast<int>(crossings_.size() + k));
    } else {
      // Corner c is cut off by a curve through sides c − 1 and c.
      const std::size_t c = static_cast<std::size_t>(knot.cut_first);
      link(knot.crossings[(c + 3) % 4], knot.crossings[c]);
      link(knot.crossings[c + 1], knot.crossings[c + 2]);
    }
  }
  for (std::size_t k = 0; k < crossings_.size(); ++k)
    if (!crossings_[k].used && (is_end(crossings_[k].links[0]) || is_end(crossings_[k].links[1])))
      walk(static_cast<int>(k));
  for (std::size_t k = 0; k < crossings_.size(); ++k)
    if (!crossings_[k].used) walk(static_cast<int>(k));
}

}  // namespace

Outcome trace_curves(VerdictMap& map, MapWorkers& workers, Share share, double tolerance) {
  CurveTracer tracer(map, tolerance);
  tracer.find_crossings();
  tracer.plan_rounds();
  const Outcome outcome = tracer.locate(workers, share);
  if (outcome == Outcome::done) tracer.join();
  return outcome;
}

}  // namespace routh::internal
