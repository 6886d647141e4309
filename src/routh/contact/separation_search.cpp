#include "routh/contact/separation_search.h"

#include <algorithm>

#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The part of the sphere between three directions m, or in the plane of the circle between two, with the points of
// A − B least along them.
struct Cell {
  std::array<Vector3, 3> m, w;
  double bound = infinite;
};

// m_j·x of a point for every corner.
using Row = std::array<double, 3>;

class Search {
 public:
  Search(const SupportDifference& bodies, Dimension dimension, double size)
      : bodies_(bodies), corners_(dimension == Dimension::planar ? 2 : 3), size_(size) {}

  BoundedSeparation run(const Vector3& start) {
    best_.normal = start, best_.separation = separation(start);
    if (!(best_.separation > 0)) climb(start);
    for (const double gap : tolerances::separation_gaps_relative)
      if (best_.separation > 0 || divide(gap * size_)) break;
    if (best_.separation > 0) part();
    return best_;
  }

 private:
  struct Foot {
    Simplex corners;
    Vector3 normal;  // from the point to its foot
    double distance = 0;
  };

  // The point of A − B nearest to a point outside.
  Foot foot_of(const Vector3& point, const Vector3& towards) const {
    const auto corner = [&](const Vector3& n) {
      Corner c = bodies_.least(n);
      c.w -= point;
      return c;
    };
    Foot foot;
    Simplex s;
    s.corner[0] = corner(towards);
    s.count = 1;
    for (int step = 0; step < tolerances::gjk_steps_max; ++step) {
      const Vector3 v = s.nearest();
      foot = {s, towards, norm(v)};
      if (!(foot.distance > 0)) break;
      foot.normal = (1 / foot.distance) * v;
      const Corner next = corner(foot.normal);
      if (foot.distance - dot(foot.normal, next.w) <= tolerances::foot_gap_relative * size_) break;
      Simplex grown = s;
      grown.corner[static_cast<std::size_t>(grown.count++)] = next;
      s = reduced(grown);
      if (s.count == 0 || s.count == 4) break;
      const Vector3 nearer = s.nearest();
      if (!(dot(nearer, nearer) < foot.distance * foot.distance)) break;
    }
    for (Corner& each : foot.corners.corner) each.w += point;
    return foot;
  }

  double separation(const Vector3& n) const { return dot(n, bodies_.least(n).w); }

  // From a plane that touches A − B to a better one: of a point L behind it no point of A − B is nearer than L, and the
  // plane across the way to its foot is no nearer to the origin. At a maximum that foot is the origin's.
  void climb(Vector3 n) {
    double s = separation(n);
    if (s > best_.separation) best_ = {n, s, infinite, {}};
    const double L = tolerances::foot_distance_relative * size_;
    Foot foot;
    for (int step = 0; step < tolerances::climb_steps_max; ++step) {
      foot = foot_of((s - L) * n, n);
      const double next = separation(foot.normal);
      if (next > best_.separation || (next == best_.separation && best_.corners.count == 0))
        best_ = {foot.normal, next, infinite, foot.corners};
      if (!(next > s + tolerances::foot_gap_relative * size_)) break;
      n = foot.normal, s = next;
    }
    const std::size_t place = static_cast<std::size_t>(climbs_++) % feet_.size();
    feet_[place] = foot.corners.nearest();
  }

  // Shapes apart: their distance.
  void part() {
    const Foot foot = foot_of({}, best_.normal);
    const double s = separation(foot.normal);
    if (s > best_.separation) best_ = {foot.normal, s, infinite, foot.corners};
    best_.bound = std::max(foot.distance, best_.separation);
  }

  Row row(const Cell& cell, const Vector3& x) const {
    Row r{};
    for (std::size_t j = 0; j < corners_; ++j) r[j] = dot(cell.m[j], x);
    return r;
  }

  double greatest(const Row& r) const { return *std::max_element(r.begin(), r.begin() + static_cast<long>(corners_)); }

  // Over the points between two the least of what they bound: where the bounds of two corners are equal.
  double between(const Row& p, const Row& q) const {
    double least = infinite;
    for (std::size_t j = 0; j < corners_; ++j)
      for (std::size_t k = 0; k < j; ++k) {
        const double at_p = p[j] - p[k], at_q = q[j] - q[k];
        if (!(at_p * at_q < 0)) continue;
        const double t = at_p / (at_p - at_q);
        Row mixed{};
        for (std::size_t i = 0; i < corners_; ++i) mixed[i] = (1 - t) * p[i] + t * q[i];
        least = std::min(least, greatest(mixed));
      }
    return least;
  }

  // The point between the three that bounds all corners alike, if there is one.
  double within(const Cell& cell) const {
    const Vector3 up = cross(cell.m[1] - cell.m[0], cell.m[2] - cell.m[0]);
    const auto& w = cell.w;
    const double p = dot(up, cross(w[1], w[2])), q = dot(up, cross(w[2], w[0])), r = dot(up, cross(w[0], w[1]));
    const bool inside = (p > 0 && q > 0 && r > 0) || (p < 0 && q < 0 && r < 0);
    return inside ? greatest(row(cell, (1 / (p + q + r)) * (p * w[0] + q * w[1] + r * w[2]))) : infinite;
  }

  // On the flat triangle between the corners; above zero on the sphere more by what that lies within it.
  double bound(const Cell& cell) const {
    std::array<Row, 3> rows;
    double least = corners_ == 3 ? within(cell) : infinite;
    for (std::size_t i = 0; i < corners_; ++i) {
      rows[i] = row(cell, cell.w[i]);
      least = std::min(least, greatest(rows[i]));
      for (std::size_t k = 0; k < i; ++k) least = std::min(least, between(rows[i], rows[k]));
    }
    for (std::size_t f = 0; f < std::min(feet_.size(), static_cast<std::size_t>(climbs_)); ++f) {
      const Row foot = row(cell, feet_[f]);
      least = std::min(least, greatest(foot));
      for (std::size_t i = 0; i < corners_; ++i) least = std::min(least, between(foot, rows[i]));
    }
    constexpr double octant = 1.7320508075688772;  // of the largest triangle: 1 over the distance of its plane
    return least > 0 ? octant * least : least;
  }

  // Eight octants about the best normal; in the plane four quarters.
  void spread() {
    depth_ = 0;
    const Vector3 n = best_.normal;
    const Matrix3 frame = rotation_from_z(n);
    const bool planar = corners_ == 2;
    const Vector3 x = planar ? Vector3{-n.y, n.x, 0} : column_x(frame), y = column_y(frame);
    for (int octant = 0; octant < (planar ? 4 : 8); ++octant) {
      Cell cell;
      cell.m = {octant & 1 ? -n : n, octant & 2 ? -x : x, octant & 4 ? -y : y};
      for (std::size_t j = 0; j < corners_; ++j) cell.w[j] = bodies_.least(cell.m[j]).w;
      cell.bound = bound(cell);
      stack_[depth_++] = cell;
    }
  }

  // Whether the bounds came to within `gap` of the best before the patience was over.
  bool divide(double gap) {
    spread();
    for (int splits = 0; depth_ > 0;) {
      const Cell cell = stack_[--depth_];
      if (cell.bound <= best_.separation + gap) continue;
      if (++splits > tolerances::separation_splits_max || depth_ + 2 > stack_.size()) return false;
      std::size_t i = 0, k = 1;  // the longest side
      double cosine = dot(cell.m[0], cell.m[1]);
      for (std::size_t j = 0; j < 2 && corners_ == 3; ++j)
        if (dot(cell.m[j], cell.m[2]) < cosine) cosine = dot(cell.m[j], cell.m[2]), i = j, k = 2;
      Vector3 middle = cell.m[i] + cell.m[k];
      middle = (1 / norm(middle)) * middle;
      const Vector3 w = bodies_.least(middle).w;
      if (dot(middle, w) > best_.separation + 0.5 * gap) climb(middle);
      if (best_.separation > 0) return true;
      Cell one = cell, two = cell;
      one.m[i] = two.m[k] = middle;
      one.w[i] = two.w[k] = w;
      one.bound = std::min(cell.bound, bound(one)), two.bound = std::min(cell.bound, bound(two));
      if (one.bound > two.bound) std::swap(one, two);
      stack_[depth_++] = one, stack_[depth_++] = two;
    }
    best_.bound = best_.separation + gap;
    return true;
  }

  const SupportDifference& bodies_;
  std::size_t corners_;
  double size_;
  BoundedSeparation best_;
  std::array<Vector3, 3> feet_;  // points of A − B: of the last maxima
  int climbs_ = 0;
  // Depth first: each halving leaves one triangle more, and after some sixty there is nothing left to halve.
  std::array<Cell, 8 + 64> stack_;
  std::size_t depth_ = 0;
};

}  // namespace

BoundedSeparation search_separation(const SupportDifference& bodies, Dimension dimension, double size,
                                    const Vector3& start) {
  return Search(bodies, dimension, size).run(start);
}

}  // namespace routh::internal
