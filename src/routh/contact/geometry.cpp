#include "routh/contact/geometry.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "routh/contact/pair_functions.h"
#include "routh/contact/strip.h"
#include "routh/contact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

void Manifold::add(const PairContact& core) {
  if (core.gap < least_) least_ = core.gap, least_normal_ = core.normal;
  const double gap = core.gap - radius_a_ - radius_b_;
  if (!(gap <= margin_) || !accepts(core.feature_a, core.feature_b)) return;
  assert(count_ < capacity);
  if (count_ == capacity) return;
  PairContact& contact = *std::construct_at(&contacts_[static_cast<std::size_t>(count_++)], core);
  contact.gap = gap;
  contact.point_a -= radius_a_ * core.normal;
  contact.point_b += radius_b_ * core.normal;
}

void Manifold::add_if_new(const PairContact& core, double distance) {
  const Vector3 middle = 0.5 * (core.point_a + core.point_b) + 0.5 * (radius_b_ - radius_a_) * core.normal;
  for (const PairContact& other : contacts())
    if (norm(0.5 * (other.point_a + other.point_b) - middle) <= distance) return;
  add(core);
}

double Manifold::gap_bound() const {
  if (count_ > 0 || wanted_) return -std::numeric_limits<double>::infinity();
  if (std::isfinite(bound_)) return bound_;
  const double least = least_ - radius_a_ - radius_b_;
  return std::isfinite(least) && least > margin_ ? least : -std::numeric_limits<double>::infinity();
}

void Manifold::exchange() {
  std::swap(radius_a_, radius_b_);
  std::swap(wanted_a_, wanted_b_);
  least_normal_ = -least_normal_;
  for (int i = 0; i < count_; ++i) {
    PairContact& contact = contacts_[static_cast<std::size_t>(i)];
    std::swap(contact.point_a, contact.point_b);
    std::swap(contact.feature_a, contact.feature_b);
    contact.normal = -contact.normal;
  }
}

void Manifold::sort_by_feature() {
  const auto before = [](const PairContact& x, const PairContact& y) {
    return feature_code(x.feature_a, x.feature_b) < feature_code(y.feature_a, y.feature_b);
  };
  // Most are found in order.
  if (!std::is_sorted(contacts_.begin(), contacts_.begin() + count_, before))
    std::sort(contacts_.begin(), contacts_.begin() + count_, before);
}

Vector3 up_axis(const PosedShape& shape) {
  return shape.dimension == Dimension::planar ? column_y(shape.pose.rotation) : column_z(shape.pose.rotation);
}

double bounding_radius(const PosedShape& shape) {
  const Vector3& h = shape.half_extents;
  switch (shape.kind) {
    case ShapeKind::point:
      return 0;
    case ShapeKind::sphere:
    case ShapeKind::pin:
      return shape.radius;
    case ShapeKind::capsule:
      return shape.length / 2 + shape.radius;
    case ShapeKind::box:
      return shape.dimension == Dimension::planar ? elementary::hypot(h.x, h.y) : norm(h);
    case ShapeKind::cylinder:
      return elementary::hypot(shape.length / 2, shape.radius);
    case ShapeKind::ellipsoid:
      return std::max({h.x, h.y, shape.dimension == Dimension::planar ? 0 : h.z});
    case ShapeKind::mesh:
      return shape.hull->radius;
    case ShapeKind::half_space:
    case ShapeKind::strip:
    case ShapeKind::hole:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

double core_radius(const PosedShape& shape) { return is_rounded(shape.kind) ? shape.radius : 0; }

namespace {

using PairFunction = void (*)(const PosedShape& a, const PosedShape& b, Manifold& manifold);

struct Entry {
  ShapeKind a, b;
  PairFunction function;
};

// Every pair of kinds that can touch, once. A further kind is a value in ShapeKind, its function, and its lines here.
constexpr Entry entries[] = {
    {ShapeKind::point, ShapeKind::sphere, point_on_point},
    {ShapeKind::point, ShapeKind::capsule, point_on_segment},
    {ShapeKind::point, ShapeKind::box, point_on_box},
    {ShapeKind::point, ShapeKind::cylinder, point_on_cylinder},
    {ShapeKind::point, ShapeKind::ellipsoid, point_on_ellipsoid},
    {ShapeKind::point, ShapeKind::half_space, point_on_plane},
    {ShapeKind::point, ShapeKind::strip, point_on_plane},
    {ShapeKind::sphere, ShapeKind::sphere, point_on_point},
    {ShapeKind::sphere, ShapeKind::capsule, point_on_segment},
    {ShapeKind::sphere, ShapeKind::box, point_on_box},
    {ShapeKind::sphere, ShapeKind::cylinder, point_on_cylinder},
    {ShapeKind::sphere, ShapeKind::ellipsoid, point_on_ellipsoid},
    {ShapeKind::sphere, ShapeKind::half_space, point_on_plane},
    {ShapeKind::sphere, ShapeKind::strip, point_on_plane},
    {ShapeKind::capsule, ShapeKind::capsule, brick_on_brick},
    {ShapeKind::capsule, ShapeKind::box, brick_on_brick},
    {ShapeKind::capsule, ShapeKind::cylinder, convex_on_convex},
    {ShapeKind::capsule, ShapeKind::ellipsoid, convex_on_convex},
    {ShapeKind::capsule, ShapeKind::half_space, brick_on_plane},
    {ShapeKind::capsule, ShapeKind::strip, brick_on_plane},
    {ShapeKind::box, ShapeKind::box, brick_on_brick},
    {ShapeKind::box, ShapeKind::cylinder, convex_on_convex},
    {ShapeKind::box, ShapeKind::ellipsoid, convex_on_convex},
    {ShapeKind::box, ShapeKind::half_space, brick_on_plane},
    {ShapeKind::box, ShapeKind::strip, brick_on_plane},
    {ShapeKind::cylinder, ShapeKind::cylinder, convex_on_convex},
    {ShapeKind::cylinder, ShapeKind::ellipsoid, convex_on_convex},
    {ShapeKind::cylinder, ShapeKind::half_space, cylinder_on_plane},
    {ShapeKind::cylinder, ShapeKind::strip, cylinder_on_plane},
    {ShapeKind::ellipsoid, ShapeKind::ellipsoid, convex_on_convex},
    {ShapeKind::ellipsoid, ShapeKind::half_space, ellipsoid_on_plane},
    {ShapeKind::ellipsoid, ShapeKind::strip, ellipsoid_on_plane},
    {ShapeKind::mesh, ShapeKind::point, hull_on_hull},
    {ShapeKind::mesh, ShapeKind::sphere, hull_on_hull},
    {ShapeKind::mesh, ShapeKind::capsule, hull_on_hull},
    {ShapeKind::mesh, ShapeKind::box, hull_on_hull},
    {ShapeKind::mesh, ShapeKind::cylinder, hull_on_round},
    {ShapeKind::mesh, ShapeKind::ellipsoid, hull_on_round},
    {ShapeKind::mesh, ShapeKind::mesh, hull_on_hull},
    {ShapeKind::mesh, ShapeKind::half_space, hull_on_plane},
    {ShapeKind::mesh, ShapeKind::strip, hull_on_plane},
    {ShapeKind::pin, ShapeKind::hole, pin_in_hole},
};

struct PairTable {
  PairFunction functions[shape_kind_count][shape_kind_count] = {};

  constexpr PairTable() {
    for (const Entry& entry : entries) functions[static_cast<int>(entry.a)][static_cast<int>(entry.b)] = entry.function;
  }
};
constexpr PairTable table;

// A kind that is in no line could be passed through by everything.
consteval bool touches_something(ShapeKind kind) {
  for (const Entry& entry : entries)
    if (entry.a == kind || entry.b == kind) return true;
  return false;
}
static_assert(std::all_of(all_values<ShapeKind>.begin(), all_values<ShapeKind>.end(), touches_something),
              "a kind of shape has no line in the table of pairs");

PairFunction function_of(ShapeKind a, ShapeKind b) { return table.functions[static_cast<int>(a)][static_cast<int>(b)]; }

// What slides over a floor of several strips that lie flush meets no step: a corner or an edge in the plane of a strip,
// but for rounding, passes its border.
bool is_flush(const PairContact& contact, const PosedShape& a, const PosedShape& strip) {
  if (contact.feature_b == Feature{FeatureKind::face, 0}) return false;
  const Vector3 up = up_axis(strip);
  const double height = std::abs(dot(up, contact.point_a - strip.pose.position));
  if (height > tolerances::flush_height_relative * (bounding_radius(a) + norm(contact.point_a))) return false;
  return (contact.feature_a.kind == FeatureKind::vertex && core_radius(a) == 0) ||
         std::abs(dot(up, contact.normal)) < tolerances::flush_normal_sine;
}

void find_over_border(const PosedShape& a, const PosedShape& strip, Manifold& manifold) {
  const double margin = manifold.core_margin();
  Manifold found(margin);
  if (manifold.wants_one()) found.want(manifold.wanted_a(), box_feature(manifold.wanted_b(), strip.dimension));
  found.set_border_slack(manifold.border_slack());
  found.set_horizon(manifold.core_horizon() - margin);
  find_pair_contacts(a, box_of_strip(strip, a), found);
  for (PairContact contact : found.contacts()) {
    contact.feature_b = strip_feature(contact.feature_b, strip.dimension);
    if (!is_flush(contact, a, strip)) manifold.add(contact);
  }
}

}  // namespace

void find_pair_contacts(const PosedShape& a, const PosedShape& b, Manifold& manifold) {
  if (b.kind == ShapeKind::strip && function_of(a.kind, b.kind) && border_clearance(b, a) < 0) {
    find_over_border(a, b, manifold);
  } else if (a.kind == ShapeKind::strip && function_of(b.kind, a.kind) && border_clearance(a, b) < 0) {
    manifold.exchange();
    find_over_border(b, a, manifold);
    manifold.exchange();
  } else if (const PairFunction function = function_of(a.kind, b.kind)) {
    manifold.set_radii(core_radius(a), core_radius(b));
    function(a, b, manifold);
  } else if (const PairFunction reverse = function_of(b.kind, a.kind)) {
    manifold.exchange();  // what is wanted too
    manifold.set_radii(core_radius(b), core_radius(a));
    reverse(b, a, manifold);
    manifold.exchange();
  }
  manifold.sort_by_feature();
}

}  // namespace routh::internal
