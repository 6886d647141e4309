#include "routh/contact/support.h"

#include <algorithm>

#include "routh/math/elementary.h"
#include "routh/mesh/polyhedron.h"

namespace routh::internal {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// Over vertices given in the shape's frame, with d in the same.
template <class Vertex>
double least_of(int count, const Vertex& vertex, const Vector3& d, std::span<const int> without) {
  double least = unbounded;
  for (int i = 0; i < count; ++i)
    if (std::find(without.begin(), without.end(), i) == without.end()) least = std::min(least, dot(d, vertex(i)));
  return least;
}

}  // namespace

double least_along(const PosedShape& shape, const Vector3& direction, std::span<const int> without) {
  const bool planar = shape.dimension == Dimension::planar;
  const double base = dot(direction, shape.pose.position);
  const Vector3 d = transpose_times(shape.pose.rotation, direction);
  const Vector3& e = shape.half_extents;
  switch (shape.kind) {
    case ShapeKind::point:
      return without.empty() ? base : unbounded;
    case ShapeKind::sphere:
    case ShapeKind::pin:
      return without.empty() ? base - shape.radius * norm(d) : unbounded;
    case ShapeKind::capsule: {
      const double half = 0.5 * shape.length;
      const auto end = [&](int i) { return (i == 0 ? -half : half) * (planar ? Vector3{0, 1, 0} : Vector3{0, 0, 1}); };
      return base + least_of(2, end, d, without) - shape.radius * norm(d);
    }
    case ShapeKind::box: {
      const auto corner = [&](int i) {
        return Vector3{i & 1 ? e.x : -e.x, i & 2 ? e.y : -e.y, planar ? 0 : (i & 4 ? e.z : -e.z)};
      };
      return base + least_of(planar ? 4 : 8, corner, d, without);
    }
    case ShapeKind::cylinder:
      return base - shape.radius * elementary::hypot(d.x, d.y) - 0.5 * shape.length * std::abs(d.z);
    case ShapeKind::ellipsoid:
      return base - norm(Vector3{e.x * d.x, e.y * d.y, planar ? 0 : e.z * d.z});
    case ShapeKind::mesh: {
      const std::vector<Vector3>& vertices = shape.hull->vertices;
      if (without.empty()) return base + dot(d, vertices[static_cast<std::size_t>(farthest_vertex(*shape.hull, -d))]);
      const auto vertex = [&](int i) -> const Vector3& { return vertices[static_cast<std::size_t>(i)]; };
      return base + least_of(static_cast<int>(vertices.size()), vertex, d, without);
    }
    case ShapeKind::half_space:
    case ShapeKind::strip:
    case ShapeKind::hole:
      break;
  }
  return -unbounded;
}

}  // namespace routh::internal
