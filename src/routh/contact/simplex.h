// Simplices of up to four points of a difference a − b, for the method of Gilbert, Johnson and Keerthi.
#pragma once

#include <array>
#include <limits>

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

// Weights of the point of the plane, line or space through the corners that is nearest to the origin. Whether it lies
// within them, with all weights positive.
inline bool weigh(Simplex& s) {
  const Vector3 o = s.corner[0].w;
  const auto edge = [&](std::size_t i) { return s.corner[i].w - o; };
  double sum = 0;
  if (s.count == 2) {
    const Vector3 u = edge(1);
    const double square = dot(u, u);
    if (!(square > 0)) return false;
    s.corner[1].weight = sum = -dot(o, u) / square;
  } else if (s.count == 3) {
    const Vector3 u = edge(1), w = edge(2), n = cross(u, w);
    const double square = dot(n, n);
    if (!(square > 1e-28 * dot(u, u) * dot(w, w))) return false;
    s.corner[1].weight = -dot(n, cross(o, w)) / square;
    s.corner[2].weight = -dot(n, cross(u, o)) / square;
    sum = s.corner[1].weight + s.corner[2].weight;
  } else if (s.count == 4) {
    const Vector3 u = edge(1), w = edge(2), t = edge(3);
    const double volume = dot(u, cross(w, t));
    if (!(std::abs(volume) > 1e-14 * norm(u) * norm(w) * norm(t))) return false;
    s.corner[1].weight = -dot(o, cross(w, t)) / volume;
    s.corner[2].weight = -dot(u, cross(o, t)) / volume;
    s.corner[3].weight = -dot(u, cross(w, o)) / volume;
    sum = s.corner[1].weight + s.corner[2].weight + s.corner[3].weight;
  }
  s.corner[0].weight = 1 - sum;
  for (int i = 0; i < s.count; ++i)
    if (!(s.corner[static_cast<std::size_t>(i)].weight > 0)) return false;
  return true;
}

// The part of the simplex nearest to the origin: of all its faces that have a foot within themselves the nearest, which
// cannot go wrong by rounding. The corner added last is in it.
inline Simplex reduced(const Simplex& s) {
  Simplex best;
  double least = std::numeric_limits<double>::infinity();
  const int last = s.count - 1;
  for (int mask = 0; mask < 1 << last; ++mask) {
    Simplex part;
    for (int i = 0; i < last; ++i)
      if (mask & 1 << i) part.corner[static_cast<std::size_t>(part.count++)] = s.corner[static_cast<std::size_t>(i)];
    part.corner[static_cast<std::size_t>(part.count++)] = s.corner[static_cast<std::size_t>(last)];
    if (!weigh(part)) continue;
    const Vector3 v = part.nearest();
    const double square = part.count == 4 ? 0 : dot(v, v);
    if (square < least) least = square, best = part;
  }
  return best;
}

}  // namespace routh::internal
