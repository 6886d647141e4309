// Rotations and poses of a scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/math/elementary.h"
#include "routh/model/tolerances.h"
#include "routh/robot/robot_reading.h"
#include "routh/scene/tolerances.h"
#include "routh/scene/values.h"

namespace routh::internal {

namespace {

Matrix3 read_axis_angle(const Node& node) {
  const Vector3 axis = read_direction(node.require("axis"), Dimension::spatial);
  const double angle = read_measure(node.require("angle"), Measure::angle);
  const double s = elementary::sin(angle / 2);
  return rotation_matrix({elementary::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z});
}

// Turned about the fixed x axis by roll, about y by pitch, about z by yaw, in this order, as in URDF.
Matrix3 read_rpy(const Node& node) {
  expect_entries(node, 3, "[roll, pitch, yaw]");
  const double roll = read_measure(node.child(0), Measure::angle);
  const double pitch = read_measure(node.child(1), Measure::angle);
  const double yaw = read_measure(node.child(2), Measure::angle);
  return rotation_from_rpy({roll, pitch, yaw});
}

Matrix3 read_matrix(const Node& node) {
  expect_entries(node, 3, "a 3×3 matrix, row by row,");
  for (const Node row : node) expect_entries(row, 3, "a row of three numbers");
  const Matrix3 m = {read_vector(node.child(0), Dimension::spatial), read_vector(node.child(1), Dimension::spatial),
                     read_vector(node.child(2), Dimension::spatial)};
  const Vector3 x = column_x(m), y = column_y(m), z = column_z(m);
  double defect = 0;
  for (const double entry : {dot(x, x) - 1, dot(y, y) - 1, dot(z, z) - 1, dot(x, y), dot(x, z), dot(y, z)})
    defect = std::isfinite(entry) ? std::max(defect, std::abs(entry)) : HUGE_VAL;
  if (!(defect <= tolerances::rotation_defect))
    node.fail(fmt::format("{}: not a rotation: RᵀR differs from the identity by {:.3g}", node.path(), defect),
              "give columns of length 1 at right angles, to 1e-6");
  if (dot(cross(x, y), z) < 0)
    node.fail(fmt::format("{}: not a rotation but a reflection: its determinant is -1", node.path()),
              "change the sign of one column");
  return defect <= tolerances::rotation_rounding ? m : rotation_matrix(quaternion_from_matrix(m));
}

Matrix3 read_spatial_rotation(const Node& node) {
  constexpr const char* forms =
      "write {quaternion: [w, x, y, z]}, {axis: […], angle: 30 deg}, {rpy: […]} or {matrix: …}";
  if (!node.is_map())
    node.fail(fmt::format("{}: found {} where a rotation in space is expected", node.path(), node.describe()), forms);
  node.allow_keys({"quaternion", "axis", "angle", "rpy", "matrix"});
  const bool turned = node.find("axis") || node.find("angle");
  const int given =
      (node.find("quaternion") ? 1 : 0) + (turned ? 1 : 0) + (node.find("rpy") ? 1 : 0) + (node.find("matrix") ? 1 : 0);
  if (given != 1)
    node.fail(fmt::format("{}: found {} rotation", node.path(), given == 0 ? "no" : "more than one"), forms);
  if (turned) return read_axis_angle(node);
  if (const auto rpy = node.find("rpy")) return read_rpy(*rpy);
  if (const auto matrix = node.find("matrix")) return read_matrix(*matrix);
  return rotation_matrix(read_quaternion(node.require("quaternion")));
}

}  // namespace

Quaternion read_quaternion(const Node& node) {
  expect_entries(node, 4, "a unit quaternion [w, x, y, z]");
  double q[4];
  std::size_t i = 0;
  for (const Node entry : node) q[i++] = entry.number();
  return checked_quaternion(node, {q[0], q[1], q[2], q[3]});
}

Quaternion checked_quaternion(const Node& node, const Quaternion& q) {
  const double length = elementary::hypot(elementary::hypot(q.w, q.x), elementary::hypot(q.y, q.z));
  if (length == 0)
    node.fail(fmt::format("{}: a quaternion of zeros is no rotation", node.path()), "write [1, 0, 0, 0]");
  const Quaternion unit = {q.w / length, q.x / length, q.y / length, q.z / length};
  if (!(std::abs(length - 1) <= tolerances::rotation_defect))
    node.fail(
        fmt::format("{}: this quaternion has the length {:.9g}; it must be 1 to 1e-6", node.path(), length),
        fmt::format("[{:.17g}, {:.17g}, {:.17g}, {:.17g}] would be, in its direction", unit.w, unit.x, unit.y, unit.z));
  return std::abs(length - 1) <= tolerances::rotation_rounding ? q : unit;
}

Matrix3 read_rotation(const Node& node, Dimension dimension) {
  if (dimension == Dimension::spatial) return read_spatial_rotation(node);
  if (!node.is_scalar())
    node.fail(fmt::format("{}: found {}; in the plane a rotation is one angle about z", node.path(), node.describe()),
              "write radians as a number, or degrees as `20 deg`");
  return rotation_about_z(read_measure(node, Measure::angle));
}

Pose read_pose(const Node& node, Dimension dimension) {
  if (!node.is_map() && !node.is_sequence())
    node.fail(fmt::format("{}: found {} where a position or a map {{position, rotation}} is expected", node.path(),
                          node.describe()));
  if (node.is_sequence()) return {identity3, read_vector(node, dimension)};
  node.allow_keys({"position", "rotation"});
  Pose pose;
  if (const auto position = node.find("position")) pose.position = read_vector(*position, dimension);
  if (const auto rotation = node.find("rotation")) pose.rotation = read_rotation(*rotation, dimension);
  return pose;
}

}  // namespace routh::internal
