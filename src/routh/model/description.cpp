#include "routh/model/description.h"

#include <algorithm>

#include "routh/math/elementary.h"

namespace routh {

namespace {

struct KindNames {
  std::span<const std::string_view> coordinates;
  std::span<const std::string_view> dofs;
};

constexpr std::string_view one_angle[] = {"angle"};
constexpr std::string_view one_displacement[] = {"displacement"};
constexpr std::string_view screw[] = {"displacement", "angle"};
constexpr std::string_view in_plane[] = {"x", "y", "angle"};
constexpr std::string_view quaternion[] = {"qw", "qx", "qy", "qz"};
constexpr std::string_view turning[] = {"wx", "wy", "wz"};
constexpr std::string_view angles[] = {"angle1", "angle2"};
constexpr std::string_view place[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
constexpr std::string_view motion[] = {"x", "y", "z", "wx", "wy", "wz"};

KindNames names(JointKind kind) {
  switch (kind) {
    case JointKind::fixed:
      return {{}, {}};
    case JointKind::revolute:
      return {one_angle, one_angle};
    case JointKind::prismatic:
      return {one_displacement, one_displacement};
    case JointKind::cylindrical:
      return {screw, screw};
    case JointKind::planar:
      return {in_plane, in_plane};
    case JointKind::spherical:
      return {quaternion, turning};
    case JointKind::universal:
      return {angles, angles};
    case JointKind::free:
      return {place, motion};
  }
  return {{}, {}};
}

}  // namespace

int coordinate_count(JointKind kind) { return static_cast<int>(names(kind).coordinates.size()); }
int velocity_count(JointKind kind) { return static_cast<int>(names(kind).dofs.size()); }
std::span<const std::string_view> dof_names(JointKind kind) { return names(kind).dofs; }
std::span<const std::string_view> coordinate_names(JointKind kind) { return names(kind).coordinates; }

double Profile::operator()(double time) const {
  const auto after =
      std::upper_bound(points.begin(), points.end(), time, [](double t, const Point& point) { return t < point.time; });
  if (after == points.begin()) return points.empty() ? 0 : points.front().value;
  if (after == points.end()) return points.back().value;
  const Point& before = after[-1];
  // Halves, so that the difference of two large times stays in range.
  const double share = (0.5 * time - 0.5 * before.time) / (0.5 * after->time - 0.5 * before.time);
  return (1 - share) * before.value + share * after->value;
}

double Profile::slope(double time) const {
  const auto after =
      std::upper_bound(points.begin(), points.end(), time, [](double t, const Point& point) { return t < point.time; });
  if (after == points.begin() || after == points.end()) return 0;
  return (0.5 * after->value - 0.5 * after[-1].value) / (0.5 * after->time - 0.5 * after[-1].time);
}

Restitution restitution_of(const SurfaceProperties& properties) {
  Restitution restitution = properties.restitution;
  restitution.table = properties.table;
  return restitution;
}

Matrix3 rotation_about_z(double angle) {
  const double c = elementary::cos(angle), s = elementary::sin(angle);
  return {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
}

Matrix3 rotation_from_up(Dimension dimension, const Vector3& normal) {
  if (dimension == Dimension::spatial) return rotation_from_z(normal);
  const double size = elementary::hypot(normal.x, normal.y);
  const double x = normal.x / size, y = normal.y / size;
  return {{y, x, 0}, {-x, y, 0}, {0, 0, 1}};
}

}  // namespace routh
