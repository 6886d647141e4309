// A shape of random size of any kind, and which kinds touch, for tests of pairs.
#pragma once

#include "routh/model/builder.h"
#include "support/random_problems.h"

namespace testing_support {

// What a kind of shape can touch at all.
enum class Touching { solid, plane, pin, hole };
constexpr Touching touching(routh::ShapeKind kind) {
  switch (kind) {
    case routh::ShapeKind::point:
    case routh::ShapeKind::sphere:
    case routh::ShapeKind::capsule:
    case routh::ShapeKind::box:
    case routh::ShapeKind::cylinder:
    case routh::ShapeKind::ellipsoid:
    case routh::ShapeKind::mesh:
      return Touching::solid;
    case routh::ShapeKind::half_space:
    case routh::ShapeKind::strip:
      return Touching::plane;
    case routh::ShapeKind::pin:
      return Touching::pin;
    case routh::ShapeKind::hole:
      return Touching::hole;
  }
  return Touching::solid;
}
constexpr bool is_solid(routh::ShapeKind kind) { return touching(kind) == Touching::solid; }

inline bool can_touch(routh::ShapeKind a, routh::ShapeKind b) {
  const Touching one = touching(a), other = touching(b);
  if (one == Touching::solid && other == Touching::solid)
    return a != routh::ShapeKind::point || b != routh::ShapeKind::point;
  return (one == Touching::solid && other == Touching::plane) || (one == Touching::plane && other == Touching::solid) ||
         (one == Touching::pin && other == Touching::hole) || (one == Touching::hole && other == Touching::pin);
}

// In the order of the enum.
inline std::vector<routh::ShapeKind> kinds_of(Touching touches) {
  std::vector<routh::ShapeKind> kinds;
  for (const routh::ShapeKind kind : routh::all_values<routh::ShapeKind>)
    if (touching(kind) == touches) kinds.push_back(kind);
  return kinds;
}

// Whether it is known in the plane, too.
constexpr bool has_plane_form(routh::ShapeKind kind) {
  switch (kind) {
    case routh::ShapeKind::cylinder:
    case routh::ShapeKind::mesh:
      return false;
    case routh::ShapeKind::point:
    case routh::ShapeKind::sphere:
    case routh::ShapeKind::capsule:
    case routh::ShapeKind::box:
    case routh::ShapeKind::ellipsoid:
    case routh::ShapeKind::half_space:
    case routh::ShapeKind::strip:
    case routh::ShapeKind::pin:
    case routh::ShapeKind::hole:
      return true;
  }
  return false;
}

inline void write_shape(routh::ShapeWriter writer, routh::ShapeKind kind, routh::Dimension dimension, Random& random) {
  const auto size = [&] { return random.uniform(0.3, 0.8); };
  const double depth = dimension == routh::Dimension::planar ? 0 : size();
  switch (kind) {
    case routh::ShapeKind::point:
      writer.point();
      return;
    case routh::ShapeKind::sphere:
      writer.sphere(size());
      return;
    case routh::ShapeKind::capsule:
      writer.capsule(size(), size());
      return;
    case routh::ShapeKind::box:
      writer.box(size(), size(), depth);
      return;
    case routh::ShapeKind::cylinder:
      writer.cylinder(size(), size());
      return;
    case routh::ShapeKind::ellipsoid:
      writer.ellipsoid(size(), size(), depth);
      return;
    case routh::ShapeKind::mesh: {
      // An octahedron, drawn in one direction.
      const double x = size() / 2, y = size() / 2, z = size() / 2;
      const routh::Vector3 points[] = {{x, 0, 0}, {-x, 0, 0}, {0, y, 0}, {0, -y, 0}, {0, 0, z}, {0.1 * x, 0, -2 * z}};
      writer.mesh(points);
      return;
    }
    case routh::ShapeKind::half_space:
      writer.half_space();
      return;
    case routh::ShapeKind::strip:
      writer.strip(1.5);
      return;
    case routh::ShapeKind::pin:
      writer.pin(0.2);
      return;
    case routh::ShapeKind::hole:
      writer.hole(0.9);
      return;
  }
}

}  // namespace testing_support
