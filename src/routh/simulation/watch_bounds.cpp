// What cannot happen between two looks, by bounds of how fast gaps change; and what has to be looked at more closely.
#include <algorithm>
#include <cmath>

#include "routh/contact/geometry.h"
#include "routh/contact/pair_functions.h"
#include "routh/contact/posed_shape.h"
#include "routh/contact/rolling.h"
#include "routh/contact/strip.h"
#include "routh/contact/support.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/watch.h"

namespace routh::internal {

namespace {

// [rad] of one shape against the other between two looks. Of convex shapes that touch and touch elsewhere at the same
// moment both contacts lie in one plane: their normals agree, and earlier by this time differ by no more than the
// shapes turn. A look lists all features whose normals lie within the angle of a manifold of the nearest contact's.
constexpr double listed_turn = 0.5 * tolerances::manifold_angle;

ShapePair shapes_of(const Model& model, int pair) { return model.pairs[static_cast<std::size_t>(pair)]; }

const Shape& shape_at(const Model& model, int index) { return model.shapes[static_cast<std::size_t>(index)]; }

// Of g over a time Δ: no lower than this in between, where |g̈| ≤ C. Parabolas −½ C t² from both ends bound it from
// below; their difference is linear, and they cross once.
double least_between(const WatchItem& from, const WatchItem& to, double span, double C) {
  const double end = from.value + span * (from.rate - 0.5 * C * span);  // of the first parabola
  const double start = to.value - span * (to.rate + 0.5 * C * span);    // of the second
  const double above_start = std::max(0.0, from.value - start), above_end = std::max(0.0, to.value - end);
  const double sum = above_start + above_end;
  const double t = sum > 0 ? span * above_start / sum : 0.5 * span;
  return std::min({from.value, to.value, from.value + t * (from.rate - 0.5 * C * t)});
}

// Rims cross edges here or there under one name.
bool has_rim(ContactId id) {
  const auto [a, b] = features_of(id.feature);
  return a.kind == FeatureKind::rim || b.kind == FeatureKind::rim;
}

// Whether other features of the item's pair of shapes face each other at the second moment than at the first.
bool others_of_pair(const WatchPoint& a, const WatchPoint& b, const WatchItem& item) {
  const auto missing = [&](const WatchPoint& here, const WatchPoint& there) {
    return std::any_of(here.items.begin(), here.items.end(), [&](const WatchItem& each) {
      return each.kind == WatchKind::gap && each.id.pair == item.id.pair && !there.find(each);
    });
  };
  return missing(a, b) || missing(b, a);
}

// Heights over a plane, and their rates, as linear functions of a point in a shape's own frame.
struct HeightField {
  Vector3 up, turn;  // of the height, of its rate
  double height = 0, rate = 0;
  Vector3 normal;

  double height_of(const Vector3& x) const { return height + dot(up, x); }
  double rate_of(const Vector3& x) const { return rate + dot(turn, x); }
};

Twist twist_of(const WatchPoint& point, const Shape& shape) {
  return shape.link < 0 ? Twist{} : point.twists[static_cast<std::size_t>(shape.link)];
}

Vector3 origin_of(const WatchPoint& point, const Shape& shape) {
  return shape.link < 0 ? Vector3{} : point.poses[static_cast<std::size_t>(shape.link)].position;
}

// n·(v_a(p) − v_b(p)) = rate + turn·p: how fast points of shape a rise over a plane of normal n that is fixed to b.
struct RisingSpeed {
  Vector3 turn;
  double rate = 0;
};

RisingSpeed rising_speed(const WatchPoint& point, const Shape& a, const Shape& b, const Vector3& n) {
  const Twist of_a = twist_of(point, a), of_b = twist_of(point, b);
  return {cross(n, of_a.angular - of_b.angular), dot(n, of_a.linear - of_b.linear) -
                                                     dot(cross(n, of_a.angular), origin_of(point, a)) +
                                                     dot(cross(n, of_b.angular), origin_of(point, b))};
}

HeightField heights(const Model& model, const WatchPoint& point, int shape, int plane) {
  const PosedShape a = posed_shape(model, point.poses, shape), b = posed_shape(model, point.poses, plane);
  const Vector3 n = up_axis(b);
  const RisingSpeed rising = rising_speed(point, shape_at(model, shape), shape_at(model, plane), n);
  return {transpose_times(a.pose.rotation, n), transpose_times(a.pose.rotation, rising.turn),
          dot(n, a.pose.position - b.pose.position), rising.rate + dot(rising.turn, a.pose.position), n};
}

// The vertices of a hull that lie in a plane with three that are held, which keeps them where they are.
class HeldFace {
 public:
  HeldFace(const Polyhedron& hull, const std::vector<int>& held) : hull_(hull) {
    if (held.size() < 3) return;
    // The widest triangle with the first.
    origin_ = vertex(held[0]);
    double widest = 0;
    for (std::size_t i = 1; i < held.size(); ++i)
      for (std::size_t j = i + 1; j < held.size(); ++j) {
        const Vector3 across = cross(vertex(held[i]) - origin_, vertex(held[j]) - origin_);
        const double area = norm(across);
        if (area > widest) widest = area, normal_ = (1 / area) * across;
      }
    known_ = widest > tolerances::same_contact_relative * hull.radius * hull.radius;
  }
  bool has(int v) const {
    return known_ && std::abs(dot(normal_, vertex(v) - origin_)) <= tolerances::same_contact_relative * hull_.radius;
  }

 private:
  const Vector3& vertex(int v) const { return hull_.vertices[static_cast<std::size_t>(v)]; }
  const Polyhedron& hull_;
  Vector3 origin_, normal_;
  bool known_ = false;
};

// Of the face of a half-space or strip that has this normal.
double face_height(const PosedShape& plane, const Vector3& n) {
  double height = dot(n, plane.pose.position);
  if (plane.kind == ShapeKind::half_space) return height;
  const Vector3 local = transpose_times(plane.pose.rotation, n), &h = plane.half_extents;
  const auto at_side = [](double x) { return std::abs(x) > 0.5; };  // cosines of faces are 1 or 0
  if (at_side(local.x)) height += h.x;
  if (plane.dimension == Dimension::spatial && at_side(local.y)) height += h.y;
  return height;
}

// In place of strips boxes that the other shape does not leave on this way.
PosedShape bounded(const PosedShape& shape, const PosedShape& other, double way) {
  return shape.kind == ShapeKind::strip && border_clearance(shape, other) < way ? box_of_strip(shape, other, way)
                                                                                : shape;
}

}  // namespace

bool Watch::holds_pair(int pair) const {
  return pair >= 0 && std::any_of(motion_->held().begin(), motion_->held().end(),
                                  [&](const HeldContact& each) { return each.id.pair == pair; });
}

// Whether the plane that parts two shapes at a look still does after this time, which may be negative, and all along.
// What bounds it is concave in time, and least at one of the ends.
bool Watch::stays_parted(const WatchPoint& point, const WatchPoint::Pair& it, double time) const {
  if (!it.has_plane) return false;
  if (it.held || it.on_face) return stays_over(point, it, time);
  return stays_between(point, it, it.tilt[0], time) || stays_between(point, it, it.tilt[1], time);
}

// A plane fixed to the shape whose face it is, the other one on its far side:
//
//   h(p, t) ≥ h(p) + ḣ(p) t − ½ C t²
//
// Vertices that are held on that plane stay there.
bool Watch::stays_over(const WatchPoint& point, const WatchPoint::Pair& it, double time) const {
  const ShapePair shapes = shapes_of(model_, it.pair);
  const bool fixed_to_second = it.fixed_to_second;
  const int moving = fixed_to_second ? shapes.first : shapes.second;
  const int fixed = fixed_to_second ? shapes.second : shapes.first;
  const Vector3 n = fixed_to_second ? it.normal : -it.normal;
  std::vector<int> held;
  if (it.held) {
    for (const HeldContact& each : motion_->held()) {
      if (each.id.pair != it.pair) continue;
      const auto [first, second] = features_of(each.id.feature);
      const Feature of_moving = fixed_to_second ? first : second, of_fixed = fixed_to_second ? second : first;
      if (of_moving.kind == FeatureKind::vertex && of_fixed.kind == FeatureKind::face) held.push_back(of_moving.index);
    }
    if (held.empty() || !has_vertices(shape_at(model_, moving).kind)) return false;
  }
  PosedShape a = posed_shape(model_, point.poses, moving);
  const PosedShape b = posed_shape(model_, point.poses, fixed);
  const double radius = core_radius(a);
  if (radius > 0) a.radius = 0;  // its core
  const RisingSpeed rising = rising_speed(point, shape_at(model_, moving), shape_at(model_, fixed), n);
  const double C = bound_.pair(moving, fixed).acceleration;
  const double surface = is_plane(b.kind) ? face_height(b, n) : -least_along(b, -n);
  const auto least_after = [&](double t) {
    return least_along(a, n + t * rising.turn, held) + t * rising.rate - radius - surface - 0.5 * C * t * t;
  };
  return std::min(least_after(time), least_after(0)) >= -tolerances::unseen_depth - it.depth;
}

// A plane through the contact, which moves with the middle velocity w there, of normal n + t ν. Points of the core of
// either shape, x from the contact, of radius ρ, whose accelerations are at most C:
//
//   h(x, t) = (n + t ν)·(x + t (v(x) − w)) ± (½ C t² ‖n + t ν‖ + ρ ‖n + t ν‖)
//
// with ν·(v(x) − w) ≤ ‖ν‖ (‖v − w‖ + ω ‖x‖) in the term of t².
bool Watch::stays_between(const WatchPoint& point, const WatchPoint::Pair& it, const Vector3& nu, double time) const {
  const ShapePair shapes = shapes_of(model_, it.pair);
  const Vector3 &n = it.normal, &c = it.point;
  const double tilt = norm(nu);
  const auto velocity = [&](const Shape& shape) {
    const Twist twist = twist_of(point, shape);
    return twist.linear + cross(twist.angular, c - origin_of(point, shape));
  };
  const Vector3 v_a = velocity(shape_at(model_, shapes.first)), v_b = velocity(shape_at(model_, shapes.second));
  const double apart = norm(v_a - v_b);
  // How far the shape stays on its side, which is that of `side` n.
  const double way = std::abs(time) * bound_.pair(shapes.first, shapes.second).speed;
  const PosedShape first = posed_shape(model_, point.poses, shapes.first),
                   second = posed_shape(model_, point.poses, shapes.second);
  const auto clearance = [&](int index, double side, double t) {
    PosedShape shape = index == shapes.first ? bounded(first, second, way) : bounded(second, first, way);
    const double reach = norm(shape.pose.position - c) + bounding_radius(shape), radius = core_radius(shape);
    if (radius > 0) shape.radius = 0;  // its core
    const Vector3 omega = twist_of(point, shape_at(model_, index)).angular;
    const Vector3 d = side * (n + t * (nu + cross(n, omega)));
    const double length = norm(n + t * nu);
    return least_along(shape, d) - dot(d, c) - radius * length -
           t * t * (tilt * (0.5 * apart + norm(omega) * reach) + 0.5 * length * bound_.point_acceleration(index));
  };
  const auto least_after = [&](double t) {
    return clearance(shapes.first, 1, t) + clearance(shapes.second, -1, t) + t * dot(n, v_a - v_b);
  };
  return std::min(least_after(time), least_after(0)) >= -tolerances::unseen_depth - it.depth;
}

// ν follows a direction e of a shape where e·(ν + n × ω) = 0: the lines of both that meet; that of one, with the other
// shape across it, or that shape alone; either shape where there are no lines.
std::array<Vector3, 2> Watch::tilts_of(const Contact& contact) const {
  const auto [first, second] = features_of(contact.id.feature);
  const auto line_of = [&](int shape, Feature feature) {
    const auto part = rolling::part_of(posed_shape(model_, workspace_->link_poses, shape), feature);
    return part && part->flat == rolling::Flat::line ? part->direction : Vector3{};
  };
  const auto turn_of = [&](int shape) {
    const int link = shape_at(model_, shape).link;
    return link < 0 ? Vector3{}
                    : cross(contact.normal, workspace_->link_twists[static_cast<std::size_t>(link)].angular);
  };
  const Vector3 p = line_of(contact.shape_a, first), q = line_of(contact.shape_b, second);
  const Vector3 turn_a = turn_of(contact.shape_a), turn_b = turn_of(contact.shape_b);
  const double cosine = dot(p, q), sine = norm(cross(p, q));
  if (sine > tolerances::crossing_curves_sine) {
    const double f = -dot(p, turn_a), g = -dot(q, turn_b), square = sine * sine;
    const Vector3 both = ((f - cosine * g) / square) * p + ((g - cosine * f) / square) * q;
    return {both, both};
  }
  if (norm(q) > 0) return {dot(q, turn_a - turn_b) * q - turn_a, -turn_b};
  if (norm(p) > 0) return {dot(p, turn_b - turn_a) * p - turn_b, -turn_a};
  return {-turn_a, -turn_b};
}

// How far the plane across a contact's normal parts its shapes; over a plane its own normal does.
double Watch::separation_along(const Contact& contact) const {
  const PosedShape a = posed_shape(model_, workspace_->link_poses, contact.shape_a),
                   b = posed_shape(model_, workspace_->link_poses, contact.shape_b);
  const PosedShape of_a = bounded(a, b, 0), of_b = bounded(b, a, 0);
  if (is_plane(of_a.kind) || is_plane(of_b.kind)) return -contact.gap;
  return least_along(of_a, contact.normal) + least_along(of_b, -contact.normal);
}

// Of a contact that is held; `everywhere` where it is no end of a capsule on an edge, and where both ends are held. In
// the plane edges are faces.
double Watch::overhang_of(const Contact& contact) const {
  if (model_.dimension == Dimension::planar) return WatchItem::everywhere;
  const auto [first, second] = features_of(contact.id.feature);
  const auto of_end = [&](Feature end, Feature other, int shape, const Vector3& away) {
    if (end.kind != FeatureKind::vertex || other.kind != FeatureKind::edge ||
        shape_at(model_, shape).kind != ShapeKind::capsule)
      return WatchItem::everywhere;
    const PosedShape capsule = posed_shape(model_, workspace_->link_poses, shape);
    return (end.index == 0 ? 1.0 : -1.0) * capsule.length * dot(away, up_axis(capsule));
  };
  const auto same_pair = [&](const HeldContact& each) { return each.id.pair == contact.id.pair; };
  if (std::count_if(motion_->held().begin(), motion_->held().end(), same_pair) > 1) return WatchItem::everywhere;
  return std::min(of_end(first, second, contact.shape_a, contact.normal),
                  of_end(second, first, contact.shape_b, -contact.normal));
}

// Whether the side of a capsule that is held by an end may come to the edge instead, which moves the contact away from
// that end:
//
//   H = n·(c₁ − c₀)        |Ḣ| ≤ ‖c₁ − c₀‖ (ω + v/r)        n from the edge to the held end's centre c₀, r away
bool Watch::may_roll_over(const WatchPoint::Pair& from, const WatchPoint::Pair& to, double span) const {
  if (from.overhang == WatchItem::everywhere && to.overhang == WatchItem::everywhere) return false;
  if (!(from.overhang > 0)) return false;  // the side is nearer already, and listed
  const ShapePair shapes = shapes_of(model_, from.pair);
  const Shape &first = shape_at(model_, shapes.first), &second = shape_at(model_, shapes.second);
  const double turning = bound_.turn(shapes.first).speed + bound_.turn(shapes.second).speed;
  const double speed = bound_.pair(shapes.first, shapes.second).speed;
  const double length = std::max(first.length, second.length), r = first.radius + second.radius;
  return !(std::min(from.overhang, to.overhang) > 0.5 * span * length * (turning + speed / r));
}

// How far a shape turns between two looks, at most [rad], as far as its turning tells: of capsules and cylinders their
// axes z, of what is round all over nothing. With w = ‖ω × z‖ and ẇ ≤ α + ω w
//
//   w ≤ (max of both ends + ½ Δ α)/(1 − ½ Δ ω)
double Watch::turn_between(const WatchPoint& a, const WatchPoint& b, int index) const {
  const Shape& shape = shape_at(model_, index);
  const double span = (b.theta - a.theta) * h_;
  const MotionBound::Turn bound = bound_.turn(index);
  const auto axis_speed = [&](const WatchPoint& point) {
    return norm(cross(twist_of(point, shape).angular, up_axis(posed_shape(model_, point.poses, index))));
  };
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
      return 0;
    case ShapeKind::capsule:
    case ShapeKind::cylinder: {
      const double part = 0.5 * span * bound.speed;
      const double w = std::max(axis_speed(a), axis_speed(b)) + 0.5 * span * bound.acceleration;
      return span * (part < 1 ? std::min(bound.speed, w / (1 - part)) : bound.speed);
    }
    default:
      return span * bound.speed;
  }
}

// No lower than this a gap of two shapes comes within a time: none closes faster than points of both can move; that of
// a vertex over a face, by its rate and |g̈| ≤ C.
double Watch::least_after(const WatchItem& item, double time) const {
  const ShapePair shapes = shapes_of(model_, item.id.pair);
  const auto [first, second] = features_of(item.id.feature);
  const auto over_face = [&](Feature a, Feature b, int moving, int fixed) {
    if (a.kind != FeatureKind::vertex || b.kind != FeatureKind::face || !has_vertices(shape_at(model_, moving).kind))
      return -WatchItem::everywhere;
    return std::min(0.0, time * (item.rate - 0.5 * time * bound_.pair(moving, fixed).acceleration));
  };
  return item.value + std::max({-time * bound_.pair(shapes.first, shapes.second).speed,
                                over_face(first, second, shapes.first, shapes.second),
                                over_face(second, first, shapes.second, shapes.first)});
}

// Whether the two shapes might meet between the two moments with features that neither look shows.
bool Watch::may_hide(const WatchPoint& a, const WatchPoint& b, int pair) const {
  const WatchPoint::Pair *const from = a.find_pair(pair), *const to = b.find_pair(pair);
  const ShapePair shapes = shapes_of(model_, pair);
  const ShapeKind first = shape_at(model_, shapes.first).kind, second = shape_at(model_, shapes.second).kind;
  if (first == ShapeKind::pin || second == ShapeKind::pin) return false;  // one contact, which keeps its name
  const MotionBound::Pair bound = bound_.pair(shapes.first, shapes.second);
  const double span = (b.theta - a.theta) * h_;
  // Vertices over planes have names of their own at all times; those of strips while no border
  // comes near, sideways and downwards at once.
  const bool vertices = (is_plane(second) && has_vertices(first)) || (is_plane(first) && has_vertices(second));
  const double clearance = vertices ? border_clearance(a, pair) + border_clearance(b, pair) : 0;
  if (vertices && !(clearance <= 2 * bound.speed * span && std::isfinite(bound.speed))) return false;
  const bool held = holds_pair(pair);
  // Between the two no lower than half of what is left. Shapes that are held touch at both.
  const double apart = held ? 0 : (from ? from->gap : margin_) + (to ? to->gap : margin_);
  if (apart - bound.speed * span > -2 * tolerances::unseen_depth) return false;
  if ((from && stays_parted(a, *from, span)) || (to && stays_parted(b, *to, -span)) ||
      (from && to && stays_parted(a, *from, 0.5 * span) && stays_parted(b, *to, -0.5 * span)))
    return false;
  if (!held) return true;
  if (from && to && may_roll_over(*from, *to, span)) return true;
  if (turn_between(a, b, shapes.first) + turn_between(a, b, shapes.second) > listed_turn) return true;
  for (const WatchItem& item : a.items) {
    if (item.kind != WatchKind::gap || item.id.pair != pair || least_after(item, span) > -tolerances::unseen_depth)
      continue;
    const WatchItem* const later = b.find(item);
    if (!later || dot(item.normal, later->normal) < 0.95 || (has_rim(item.id) && others_of_pair(a, b, item)))
      return true;
  }
  return false;
}

// How far the two shapes are from a border of theirs; `everywhere` where they have none.
double Watch::border_clearance(const WatchPoint& point, int pair) const {
  const ShapePair shapes = shapes_of(model_, pair);
  const PosedShape a = posed_shape(model_, point.poses, shapes.first),
                   b = posed_shape(model_, point.poses, shapes.second);
  if (a.kind == ShapeKind::strip) return internal::border_clearance(a, b);
  if (b.kind == ShapeKind::strip) return internal::border_clearance(b, a);
  return WatchItem::everywhere;
}

void Watch::follow(ContactId id) {
  if (std::find(followed_.begin(), followed_.end(), id) == followed_.end()) followed_.push_back(id);
}

// The vertices of a hull over a plane that may come below it between the two looks, and that contacts do not list: they
// are followed by their names.
void Watch::follow_vertices(WatchPoint& a, WatchPoint& b, int pair) {
  const ShapePair shapes = shapes_of(model_, pair);
  const bool mesh_first = shape_at(model_, shapes.first).kind == ShapeKind::mesh;
  const int mesh = mesh_first ? shapes.first : shapes.second, plane = mesh_first ? shapes.second : shapes.first;
  const Shape& shape = shape_at(model_, mesh);
  if (shape.kind != ShapeKind::mesh || !is_plane(shape_at(model_, plane).kind)) return;
  const HeightField at_a = heights(model_, a, mesh, plane), at_b = heights(model_, b, mesh, plane);
  const double C = bound_.pair(mesh, plane).acceleration, span = (b.theta - a.theta) * h_;
  const Feature face = {FeatureKind::face, 0};
  const std::vector<Vector3>& vertices = shape.hull->vertices;
  std::vector<int> held;
  for (const HeldContact& each : motion_->held()) {
    const auto [first, second] = features_of(each.id.feature);
    if (each.id.pair == pair) held.push_back((mesh_first ? first : second).index);
  }
  const HeldFace held_face(*shape.hull, held);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto item_at = [&](const HeightField& field) {
      return WatchItem{WatchKind::gap, {}, 0, field.height_of(vertices[i]), field.rate_of(vertices[i]), 0,
                       field.normal};
    };
    WatchItem from = item_at(at_a), to = item_at(at_b);
    if (!(least_between(from, to, span, C) < -tolerances::unseen_depth)) continue;
    const auto v = static_cast<int>(i);
    const Feature vertex = {FeatureKind::vertex, v};
    from.id = to.id = {pair, mesh_first ? feature_code(vertex, face) : feature_code(face, vertex)};
    if (std::find(held.begin(), held.end(), v) != held.end() || held_face.has(v)) continue;
    const auto add = [&](WatchPoint& point, const WatchItem& item) {
      if (point.find(item) || border_clearance(point, pair) < 0) return;
      if (point.theta == 0 && item.value <= tolerances::unseen_depth * size_of(start_state_) && !is_released(item.id))
        add_released(item.id, item.value, start_state_);
      point.items.push_back(item);
      point.items.back().value += depth_of(item.id);
    };
    follow(from.id);
    add(a, from);
    add(b, to);
  }
}

void Watch::follow_vertices(WatchPoint& a, WatchPoint& b) {
  if (on_courses_) return;
  for (const WatchPoint::Pair& each : a.pairs) follow_vertices(a, b, each.pair);
  for (const WatchPoint::Pair& each : b.pairs)
    if (!a.find_pair(each.pair)) follow_vertices(a, b, each.pair);
}

// More than |g̈| of a gap in a time between two moments: of joint limits, of points over planes and of pins in holes;
// `everywhere` where it is not known.
double Watch::acceleration_between(const WatchItem& from, const WatchItem& to, double span) const {
  if (on_courses_) {
    const auto same = [&](const GapCourse& course) { return course.id == from.id; };
    const auto it = std::find_if(courses_.begin(), courses_.end(), same);
    return it == courses_.end() ? WatchItem::everywhere : it->largest_acceleration();
  }
  if (from.id.pair < 0) return bound_.limit_acceleration(-1 - from.id.pair);
  const ShapePair shapes = shapes_of(model_, from.id.pair);
  const Shape &a = shape_at(model_, shapes.first), &b = shape_at(model_, shapes.second);
  const auto [first, second] = features_of(from.id.feature);
  const auto over = [&](const Shape& shape, Feature vertex, const Shape& plane, Feature face) {
    return vertex.kind == FeatureKind::vertex && face.kind == FeatureKind::face && is_plane(plane.kind) &&
           has_vertices(shape.kind);
  };
  if (over(a, first, b, second)) return bound_.pair(shapes.first, shapes.second).acceleration;
  if (over(b, second, a, first)) return bound_.pair(shapes.second, shapes.first).acceleration;
  // g = c − ρ, with the clearance c = R − r and ρ the distance of the centres:
  //
  //   |g̈| ≤ |d̈| + (ḋ² − ρ̇²)/ρ        ρ ≥ c − g
  //
  // Where ρ may vanish, so that nothing is known, a thousandth of c stands for it: with s = |ḋ| Δ, so that g + s ≥ c,
  // the parabolas then fall by 125 s²/c, which is below zero wherever s is enough for g to be.
  const auto in_hole = [&](const Shape& pin, const Shape& hole, const MotionBound::Pair& bound) {
    const double clearance = hole.radius - pin.radius;
    const double offset = clearance - std::min(from.value, to.value) - bound.speed * span;
    return bound.acceleration + bound.speed * bound.speed / std::max(offset, tolerances::pin_offset_least * clearance);
  };
  if (a.kind == ShapeKind::pin) return in_hole(a, b, bound_.pair(shapes.first, shapes.second));
  if (b.kind == ShapeKind::pin) return in_hole(b, a, bound_.pair(shapes.second, shapes.first));
  return WatchItem::everywhere;
}

// Whether a gap above zero at both moments comes more than `unseen_depth` below it in between, with a moment at which
// it is.
bool Watch::dips(const WatchItem& from, double low, const WatchItem& to, double high, double& theta) {
  const double span = (high - low) * h_, C = acceleration_between(from, to, span);
  if (C == WatchItem::everywhere || !(least_between(from, to, span, C) < -tolerances::unseen_depth)) return false;
  const double middle = 0.5 * (low + high);
  WatchItem now;
  if (!(middle > low && middle < high) || !measure_one(middle, from, now) || !now.same_as(from) ||
      now.value == WatchItem::everywhere)
    return false;
  if (now.value < -tolerances::unseen_depth) {
    theta = middle;
    return true;
  }
  return dips(from, low, now, middle, theta) || dips(now, middle, to, high, theta);
}

}  // namespace routh::internal
