// Points of solids whose hulls are known.
#pragma once

#include <cmath>
#include <vector>

#include "routh/math/spatial.h"
#include "support/random_problems.h"

namespace testing_support {

inline std::vector<routh::Vector3> cube_points(double half) {
  std::vector<routh::Vector3> points;
  for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
  return points;
}

// Cyclic permutations of (0, ±1, ±φ).
inline std::vector<routh::Vector3> icosahedron_points() {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  std::vector<routh::Vector3> points;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-golden, golden}) {
      points.push_back({0, a, b});
      points.push_back({a, b, 0});
      points.push_back({b, 0, a});
    }
  return points;
}

// (±1, ±1, ±1) and cyclic permutations of (0, ±1/φ, ±φ).
inline std::vector<routh::Vector3> dodecahedron_points() {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  std::vector<routh::Vector3> points = cube_points(1);
  for (const double a : {-1 / golden, 1 / golden})
    for (const double b : {-golden, golden}) {
      points.push_back({0, a, b});
      points.push_back({a, b, 0});
      points.push_back({b, 0, a});
    }
  return points;
}

inline std::vector<routh::Vector3> sphere_points(Random& random, int count) {
  std::vector<routh::Vector3> points;
  while (static_cast<int>(points.size()) < count) {
    const routh::Vector3 p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double size = routh::norm(p);
    if (size > 0.1 && size < 1) points.push_back((1 / size) * p);
  }
  return points;
}

inline routh::Matrix3 random_rotation(Random& random) {
  routh::Quaternion q = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return routh::rotation_matrix({q.w / size, q.x / size, q.y / size, q.z / size});
}

}  // namespace testing_support
