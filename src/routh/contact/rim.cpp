#include "routh/contact/rim.h"

#include <cmath>

#include "routh/contact/posed_hull.h"

namespace routh {

RimPoints rim_points(const PosedShape& cylinder, int cap, const Vector3& face_normal) {
  const Vector3 down = -transpose_times(cylinder.pose.rotation, face_normal);
  const double tilt = std::hypot(down.x, down.y), r = cylinder.radius, z = (cap == 0 ? -1 : 1) * cylinder.length / 2;
  const Vector3 fixed[] = {{r, 0, z}, {0, r, z}, {-r, 0, z}, {0, -r, z}};
  RimPoints rim;
  for (int i = 0; i < 4; ++i) {
    const auto k = static_cast<std::size_t>(i);
    rim.point[k] = cylinder.pose * fixed[i];
    rim.feature[k] = {FeatureKind::vertex, 4 * cap + i};
  }
  if (!(tilt > flat_angle)) return rim;
  const bool along_x = std::abs(down.x) > std::abs(down.y);
  const std::size_t next = along_x ? (down.x > 0 ? 0 : 2) : (down.y > 0 ? 1 : 3);
  rim.point[next] = cylinder.pose * Vector3{r * down.x / tilt, r * down.y / tilt, z};
  rim.feature[next] = {FeatureKind::rim, cap};
  return rim;
}

namespace {

// The face that looks along a direction; index −1 when none does.
Feature face_along(const PosedShape& shape, const Vector3& direction) {
  const Vector3 d = transpose_times(shape.pose.rotation, direction);
  const double along[] = {d.x, d.y, d.z};
  Feature face = {FeatureKind::face, -1};
  const auto looks = [](double cosine) { return cosine > 1 - 0.5 * flat_angle * flat_angle; };
  if (shape.kind == ShapeKind::box)
    for (int k = 0; k < 3; ++k)
      if (looks(std::abs(along[k]))) face.index = 2 * k + (along[k] > 0 ? 1 : 0);
  if (shape.kind == ShapeKind::cylinder && std::hypot(d.x, d.y) <= flat_angle) face.index = d.z < 0 ? 0 : 1;
  if (shape.kind == ShapeKind::mesh) {
    const PosedHull hull = posed_hull(shape);
    for (const int e : hull.shape->edges_at(hull.farthest(direction)))
      for (const int f : {hull.edge(e).left, hull.edge(e).right})
        if (looks(dot(hull.normal(f), direction))) face.index = f;
  }
  return face;
}

// The rim of a cylinder that reaches farthest along a direction; index −1 when its side or a cap does.
Feature rim_along(const PosedShape& shape, const Vector3& direction) {
  const Vector3 d = transpose_times(shape.pose.rotation, direction);
  const bool rim = shape.kind == ShapeKind::cylinder && std::hypot(d.x, d.y) > flat_angle && std::abs(d.z) > flat_angle;
  return {FeatureKind::rim, !rim ? -1 : d.z < 0 ? 0 : 1};
}

}  // namespace

void name_rim(const PosedShape& a, const PosedShape& b, PairContact& contact) {
  const Vector3& n = contact.normal;
  const Feature rim_a = rim_along(a, -n), rim_b = rim_along(b, n), face_a = face_along(a, -n),
                face_b = face_along(b, n);
  if (rim_a.index >= 0 && face_b.index >= 0) contact.feature_a = rim_a, contact.feature_b = face_b;
  if (rim_b.index >= 0 && face_a.index >= 0) contact.feature_a = face_a, contact.feature_b = rim_b;
}

}  // namespace routh
