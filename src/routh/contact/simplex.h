// Simplices of up to four points of a difference a − b, for the method of Gilbert, Johnson and Keerthi.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "routh/contact/tolerances.h"
#include "routh/math/spatial.h"

namespace routh::internal {

struct Corner {
  int a = 0, b = 0;  // vertices of the two hulls
  Vector3 w;         // a − b
  double weight = 1;
};

struct Simplex {
  std::array<Corner, 4> corner;
  int count = 0;

  Vector3 nearest() const {
    Vector3 v;
    for (int i = 0; i < count; ++i)
      v += corner[static_cast<std::size_t>(i)].weight * corner[static_cast<std::size_t>(i)].w;
    return v;
  }
};

// Weights of the point of the plane, line or space through up to four points that is nearest to the origin. Whether it
// lies within them, with all weights positive.
inline bool weigh(const std::array<const Vector3*, 4>& points, int count, std::array<double, 4>& weight) {
  const Vector3& o = *points[0];
  double sum = 0;
  if (count == 2) {
    const Vector3 u = *points[1] - o;
    const double square = dot(u, u);
    if (!(square > 0)) return false;
    weight[1] = sum = -dot(o, u) / square;
  } else if (count == 3) {
    const Vector3 u = *points[1] - o, w = *points[2] - o, n = cross(u, w);
    const double square = dot(n, n);
    if (!(square > tolerances::simplex_area_squared * dot(u, u) * dot(w, w))) return false;
    weight[1] = -dot(n, cross(o, w)) / square;
    weight[2] = -dot(n, cross(u, o)) / square;
    sum = weight[1] + weight[2];
  } else if (count == 4) {
    const Vector3 u = *points[1] - o, w = *points[2] - o, t = *points[3] - o;
    const double volume = dot(u, cross(w, t));
    const double sides = std::sqrt(dot(u, u)) * std::sqrt(dot(w, w)) * std::sqrt(dot(t, t));
    if (!(std::abs(volume) > tolerances::simplex_volume * sides)) return false;
    weight[1] = -dot(o, cross(w, t)) / volume;
    weight[2] = -dot(u, cross(o, t)) / volume;
    weight[3] = -dot(u, cross(w, o)) / volume;
    sum = weight[1] + weight[2] + weight[3];
  }
  weight[0] = 1 - sum;
  for (int i = 0; i < count; ++i)
    if (!(weight[static_cast<std::size_t>(i)] > 0)) return false;
  return true;
}

inline bool weigh(Simplex& s) {
  std::array<const Vector3*, 4> points{};
  std::array<double, 4> weight{};
  for (std::size_t i = 0; i < 4; ++i) points[i] = &s.corner[i].w;
  const bool within = weigh(points, s.count, weight);
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.count); ++i) s.corner[i].weight = weight[i];
  return within;
}

// The part of the simplex nearest to the origin: of all its faces that have a foot within themselves the nearest, which
// cannot go wrong by rounding. The corner added last is in it.
inline Simplex reduced(const Simplex& s) {
  const int last = s.count - 1;
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  std::array<double, 4> best_weight{};
  for (int mask = 0; mask < 1 << last; ++mask) {
    std::array<const Vector3*, 4> points{};
    std::array<double, 4> weight{};
    std::size_t count = 0;
    for (int i = 0; i < last; ++i)
      if (mask & 1 << i) points[count++] = &s.corner[static_cast<std::size_t>(i)].w;
    points[count++] = &s.corner[static_cast<std::size_t>(last)].w;
    if (!weigh(points, static_cast<int>(count), weight)) continue;
    Vector3 v;
    for (std::size_t i = 0; i < count; ++i) v += weight[i] * *points[i];
    const double square = count == 4 ? 0 : dot(v, v);
    if (square < least) least = square, best = mask, best_weight = weight;
  }
  Simplex part;
  if (best < 0) return part;
  const auto take = [&](int i) {
    const auto to = static_cast<std::size_t>(part.count++);
    part.corner[to] = s.corner[static_cast<std::size_t>(i)];
    part.corner[to].weight = best_weight[to];
  };
  for (int i = 0; i < last; ++i)
    if (best & 1 << i) take(i);
  take(last);
  return part;
}

}  // namespace routh::internal
