#include "support/overlap_proof.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace testing_support {

namespace {

using Long = long double;
using Wide = std::array<Long, 3>;

template <class T>
T dot(const std::array<T, 3>& a, const std::array<T, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
std::array<T, 3> cross(const std::array<T, 3>& a, const std::array<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
std::array<T, 3> plus(const std::array<T, 3>& a, T s, const std::array<T, 3>& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
Direction unit(const Direction& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

// min over a of n·a − max over b of n·b, with the difference of the two points
double parted_by(const Convex& a, const Convex& b, const Direction& n, Direction* difference = nullptr) {
  const Direction p = a.lowest(n), q = b.lowest({-n[0], -n[1], -n[2]});
  const Direction d = plus(p, -1.0, q);
  if (difference) *difference = d;
  return dot(d, n);
}

// The point of least norm of the convex hull of up to four points, of which only those stay that it lies between.
Wide least_of(std::vector<Wide>& points) {
  Wide best{};
  Long least = std::numeric_limits<Long>::infinity();
  std::vector<Wide> kept;
  const auto take = [&](const Wide& x, std::initializer_list<Wide> between) {
    if (!(dot(x, x) < least)) return;
    least = dot(x, x), best = x, kept = between;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    take(points[i], {points[i]});
    for (std::size_t j = 0; j < i; ++j) {
      const Wide e = plus(points[j], Long(-1), points[i]);
      const Long s = -dot(points[i], e) / dot(e, e);
      if (s > 0 && s < 1) take(plus(points[i], s, e), {points[i], points[j]});
      for (std::size_t k = 0; k < j; ++k) {
        const Wide f = plus(points[k], Long(-1), points[i]), n = cross(e, f);
        const Long square = dot(n, n);
        if (!(square > 0)) continue;
        const Wide x = {n[0] * dot(points[i], n) / square, n[1] * dot(points[i], n) / square,
                        n[2] * dot(points[i], n) / square};
        const Wide y = plus(x, Long(-1), points[i]);
        const Long u = dot(cross(y, f), n) / square, v = dot(cross(e, y), n) / square;
        if (u > 0 && v > 0 && u + v < 1) take(x, {points[i], points[j], points[k]});
      }
    }
  }
  points = kept;
  return best;
}

}  // namespace

Direction turned(const Turn& turn, const Direction& x) {
  const Direction u = {turn[1], turn[2], turn[3]}, once = cross(u, x);
  return plus(plus(x, 2 * turn[0], once), 2.0, cross(u, once));
}

Direction Convex::lowest(const Direction& n) const {
  const Direction d = turned({turn[0], -turn[1], -turn[2], -turn[3]}, n);
  Direction x = {};
  switch (kind) {
    case Kind::corners: {
      double least = std::numeric_limits<double>::infinity();
      for (const Direction& corner : corners)
        if (const double height = dot(d, corner); height < least) least = height, x = corner;
      break;
    }
    case Kind::cylinder: {
      const double across = std::hypot(d[0], d[1]);
      if (across > 0) x = {-half[0] * d[0] / across, -half[0] * d[1] / across, 0};
      x[2] = d[2] > 0 ? -half[2] : half[2];
      break;
    }
    case Kind::ellipsoid: {
      const double length = std::hypot(half[0] * d[0], half[1] * d[1], half[2] * d[2]);
      for (std::size_t i = 0; i < 3; ++i) x[i] = -half[i] * half[i] * d[i] / length;
      break;
    }
    case Kind::half_space:
      break;
  }
  if (round > 0) x = plus(x, -round / std::sqrt(dot(d, d)), d);
  return plus(turned(turn, x), 1.0, place);
}

double proven_depth(const Convex& a, const Convex& b, double enough, Direction& n) {
  double best = -std::numeric_limits<double>::infinity();  // separation
  const auto take = [&](const Direction& d) {
    const double here = parted_by(a, b, d);
    if (here > best) best = here, n = d;
    return best >= -enough;
  };
  if (b.kind == Convex::Kind::half_space) {  // it has one face
    take(turned(b.turn, {0, 0, 1}));
    return -best;
  }
  if (take(unit(n))) return -best;
  // Axes of both. Then the first is moved by `enough` along n: a direction that parts the two then is one along which
  // they overlap by no more than that. From the point of their difference that is nearest to the origin, over ever more
  // of its corners.
  std::minstd_rand random;
  std::uniform_real_distribution<double> spread(-1, 1);
  const auto planar = [](const Convex& it) {
    return it.kind == Convex::Kind::corners &&
           std::all_of(it.corners.begin(), it.corners.end(), [](const Direction& x) { return x[2] == 0; }) &&
           it.place[2] == 0 && it.turn[1] == 0 && it.turn[2] == 0;
  };
  const bool in_plane = planar(a) && planar(b);
  for (const Convex* it : {&a, &b})
    for (std::size_t axis = 0; axis < (in_plane ? 2 : 3); ++axis)
      for (const double sense : {-1.0, 1.0}) {
        Direction d = {};
        d[axis] = sense;
        if (take(turned(it->turn, d))) return -best;
      }
  for (int round = 0; round < 20; ++round) {
    const Direction along = n;
    std::vector<Wide> points;
    Direction d = n, difference;
    for (int step = 0; step < 300; ++step) {
      parted_by(a, b, d, &difference);
      const Wide p = {Long(difference[0]) + Long(enough * along[0]), Long(difference[1]) + Long(enough * along[1]),
                      Long(difference[2]) + Long(enough * along[2])};
      if (std::find(points.begin(), points.end(), p) != points.end()) break;
      points.push_back(p);
      const Wide x = least_of(points);
      const Long length = std::sqrt(dot(x, x));
      if (!(length > 0)) break;
      d = {double(x[0] / length), double(x[1] / length), double(x[2] / length)};
      if (take(d)) return -best;
      if (points.size() > 3) break;
    }
    // Otherwise from the best direction near the best so far.
    for (double width = 1; width > 1e-9; width *= 0.8) {
      const Direction by = {width * spread(random), width * spread(random), in_plane ? 0 : width * spread(random)};
      if (take(unit(plus(n, 1.0, by)))) return -best;
    }
  }
  return -best;
}

}  // namespace testing_support
