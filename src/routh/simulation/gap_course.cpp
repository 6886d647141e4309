#include "routh/simulation/gap_course.h"

#include <algorithm>
#include <cmath>

#include "routh/contact/geometry.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

const Shape& shape_at(const Model& model, int index) { return model.shapes[static_cast<std::size_t>(index)]; }

bool stands_still(const Shape& shape) { return shape.link < 0 && shape.kind == ShapeKind::half_space; }

// All its vertices are contacts with a plane; of a mesh only those near the lowest are.
bool has_fixed_points(const Shape& shape) { return has_vertices(shape.kind) && shape.kind != ShapeKind::mesh; }

}  // namespace

double GapCourse::gap_at(double t) const {
  const double turned = turning * t;
  return gap + t * (rate - turning * sine - 0.5 * pull * t) + cosine * (elementary::cos(turned) - 1) +
         sine * elementary::sin(turned);
}

double GapCourse::rate_at(double t) const {
  const double turned = turning * t;
  return rate - pull * t + turning * (sine * (elementary::cos(turned) - 1) - cosine * elementary::sin(turned));
}

double GapCourse::largest_acceleration() const {
  return std::abs(pull) + turning * turning * elementary::hypot(cosine, sine);
}

bool gaps_have_courses(const Model& model) {
  return std::all_of(model.pairs.begin(), model.pairs.end(), [&](const ShapePair& pair) {
    const Shape &a = shape_at(model, pair.first), &b = shape_at(model, pair.second);
    return (has_fixed_points(a) && stands_still(b)) || (stands_still(a) && has_fixed_points(b));
  });
}

GapCourse gap_course(const Model& model, const Workspace& workspace, const Contact& contact, double rate,
                     double acceleration) {
  GapCourse course{contact.id, contact.normal, contact.gap, rate, -acceleration};
  if (contact.kind == ContactKind::limit) return course;
  const bool first = !stands_still(shape_at(model, contact.shape_a));
  const Shape& shape = shape_at(model, first ? contact.shape_a : contact.shape_b);
  if (shape.link < 0) return course;
  const auto link = static_cast<std::size_t>(shape.link);
  const Vector3 turning = workspace.link_twists[link].angular;
  course.turning = norm(turning);
  if (course.turning == 0) return course;
  // Up from the plane; the point is the one inside, around which the surface lies.
  const Vector3 up = first ? contact.normal : -contact.normal;
  const double radius = is_rounded(shape.kind) ? shape.radius : 0;
  const Vector3 point = (first ? contact.point_a : contact.point_b) + radius * up;
  const Vector3 axis = (1 / course.turning) * turning, arm = point - workspace.link_poses[link].position;
  course.cosine = dot(up, arm) - dot(up, axis) * dot(axis, arm);
  course.sine = dot(up, cross(axis, arm));
  return course;
}

}  // namespace routh::internal
