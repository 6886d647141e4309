// Shapes as the builder writes them.
#include <cmath>

#include "routh/model/builder.h"

namespace routh {

ShapeWriter& ShapeWriter::kind(ShapeKind kind, double radius, double length, const Vector3& half_extents) {
  entry().kind = kind;
  entry().radius = radius;
  entry().length = length;
  entry().half_extents = half_extents;
  return *this;
}

ShapeWriter& ShapeWriter::on(std::string body) {
  entry().body = std::move(body);
  return *this;
}

ShapeWriter& ShapeWriter::point() { return kind(ShapeKind::point, 0, 0, {}); }
ShapeWriter& ShapeWriter::sphere(double radius) { return kind(ShapeKind::sphere, radius, 0, {}); }
ShapeWriter& ShapeWriter::capsule(double radius, double length) { return kind(ShapeKind::capsule, radius, length, {}); }
ShapeWriter& ShapeWriter::box(double x, double y, double z) {
  return kind(ShapeKind::box, 0, 0, {x / 2, y / 2, z / 2});
}
ShapeWriter& ShapeWriter::cylinder(double radius, double length) {
  return kind(ShapeKind::cylinder, radius, length, {});
}
ShapeWriter& ShapeWriter::ellipsoid(double x, double y, double z) {
  return kind(ShapeKind::ellipsoid, 0, 0, {x / 2, y / 2, z / 2});
}
ShapeWriter& ShapeWriter::mesh(std::span<const Vector3> points) {
  const HullResult hull = convex_hull(points);
  if (!hull.polyhedron)
    throw InputError({}, "shape '" + printable(entry().name) + "': the points of the mesh " + explain(hull.fault),
                     "give points that span a volume");
  entry().mesh.hull = hull.polyhedron;
  return kind(ShapeKind::mesh, 0, 0, {});
}
ShapeWriter& ShapeWriter::half_space() { return kind(ShapeKind::half_space, 0, 0, {}); }
ShapeWriter& ShapeWriter::strip(double width, double depth) {
  return kind(ShapeKind::strip, 0, 0, {width / 2, depth / 2, 0});
}
ShapeWriter& ShapeWriter::pin(double radius) { return kind(ShapeKind::pin, radius, 0, {}); }
ShapeWriter& ShapeWriter::hole(double radius) { return kind(ShapeKind::hole, radius, 0, {}); }

ShapeWriter& ShapeWriter::at(double x, double y, double z) {
  entry().at.position = {x, y, z};
  return *this;
}
ShapeWriter& ShapeWriter::at(const Pose& pose) {
  entry().at = pose;
  return *this;
}
ShapeWriter& ShapeWriter::normal(double x, double y, double z) {
  if (!(std::abs(x) + std::abs(y) + std::abs(z) > 0))
    throw InputError({}, "shape '" + printable(entry().name) + "': normal is zero", "give a direction");
  entry().at.rotation = rotation_from_up(description_.dimension, {x, y, z});
  return *this;
}
ShapeWriter& ShapeWriter::surface(std::string surface) {
  entry().surface = std::move(surface);
  return *this;
}
ShapeWriter& ShapeWriter::belt(const Vector3& velocity, Profile speed) {
  entry().belt = velocity;
  entry().belt_speed = std::move(speed);
  return *this;
}

}  // namespace routh
