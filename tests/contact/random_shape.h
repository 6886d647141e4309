// A shape of random size of any kind, for tests of pairs.
#pragma once

#include "routh/model/builder.h"
#include "support/random_problems.h"

namespace testing_support {

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
