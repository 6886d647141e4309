// Two posed shapes and where they touch: pure geometry, no machine.
//
// Every convex shape is a core and a radius: a sphere is a point with a radius, a capsule a segment with one; boxes,
// cylinders and ellipsoids are their own cores. The signed distance of two convex cores is the greatest separation
//
//   gap = max over unit n of  min over a of n·a  −  max over b of n·b        n from b to a
//
// positive when they are apart (then the distance), negative when they overlap (then less the least depth).
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "routh/contact/tolerances.h"
#include "routh/model/model.h"

namespace routh::internal {

// A shape where it stands in the world. In the plane its frame turns about z and z is 0.
struct PosedShape {
  ShapeKind kind = ShapeKind::point;
  Dimension dimension = Dimension::spatial;
  Pose pose;
  double radius = 0, length = 0;
  Vector3 half_extents;
  const Polyhedron* hull = nullptr;  // of a mesh; lives as long as the model
};

// Which part of a shape touches.
//   vertex   the centre of a point or sphere, an end of a capsule, a corner of a box (bit k set: at the positive end of
//            axis k), one of four fixed points on the rim of a cylinder's cap (0 … 3 below, 4 … 7 above; at x, y, −x,
//            −y), a corner of a strip (strip.h), a vertex of a mesh
//   edge     the side of a capsule, an edge of a box (4 · its axis + signs of the next two axes), of a strip or of a
//            mesh
//   face     a face of a box (2 · axis, + 1 on the positive side), of a strip (its plane, then its sides) or of a mesh,
//            the plane of a half-space, a cap of a cylinder
//   rim      the point of a cylinder's rim that reaches farthest, wherever that is: 0 below, 1 above; or where
//   something
//            crosses it: 2, 3 below, 4, 5 above
//   side     the mantle of a cylinder (0), or the end of it below (1) or above (2)
//   nearest  the nearest point, wherever it is on the surface
//   bore     the wall of a hole
enum class FeatureKind { vertex, edge, face, rim, side, nearest, bore };

struct Feature {
  FeatureKind kind = FeatureKind::vertex;
  int index = 0;  // below 16, but of a mesh

  bool operator==(const Feature&) const = default;
};

// Each feature as a number below 2¹⁵: small indices first, then the vertices, edges and faces of meshes. A hull has at
// most `max_hull_vertices` vertices, three times as many edges and twice as many faces.
constexpr int feature_number(Feature f) {
  if (f.index < 16) return 16 * static_cast<int>(f.kind) + f.index;
  const int before = f.kind == FeatureKind::vertex ? 0 : (f.kind == FeatureKind::edge ? 1 : 4) * max_hull_vertices;
  return 128 + before + f.index;
}
constexpr Feature feature_of(int number) {
  if (number < 128) return {static_cast<FeatureKind>(number / 16), number % 16};
  const int index = number - 128, part = index / max_hull_vertices;
  if (part < 1) return {FeatureKind::vertex, index};
  if (part < 4) return {FeatureKind::edge, index - max_hull_vertices};
  return {FeatureKind::face, index - 4 * max_hull_vertices};
}

// ContactId::feature of two features: the same number names the same features in every call.
constexpr int feature_code(Feature a, Feature b) {
  const int of_a = feature_number(a), of_b = feature_number(b);
  return of_a < 128 && of_b < 128 ? 128 * of_a + of_b : (1 << 14) + (1 << 15) * of_a + of_b;
}
constexpr std::pair<Feature, Feature> features_of(int code) {
  if (code < 1 << 14) return {feature_of(code / 128), feature_of(code % 128)};
  return {feature_of((code - (1 << 14)) >> 15), feature_of((code - (1 << 14)) & 0x7fff)};
}

struct PairContact {
  Vector3 point_a, point_b;  // point_a − point_b = gap · normal
  Vector3 normal;            // from b to a
  double gap = 0;
  Feature feature_a, feature_b;
};

// What is worth knowing of a pair of hulls when it is looked at again, a little later: where the search begins. The
// contacts do not depend on it, but for rounding.
struct PairMemory {
  Vector3 axis;                   // from b to a: a good separating axis, or that of the least depth; 0: none yet
  int count = 0;                  // corners of the last simplex
  std::array<int, 3> of_a, of_b;  // their vertices
};

// The contacts of one pair; of fixed size, so that nothing allocates.
class Manifold {
 public:
  static constexpr int capacity = 32;

  explicit Manifold(double margin) : margin_(margin) {}

  // From now on contacts are between cores of these radii.
  void set_radii(double a, double b) { radius_a_ = a, radius_b_ = b; }

  // A hint: only the contact of these features is looked for. Functions that choose among many contacts then take it,
  // whether it would be among those chosen or not.
  void want(Feature a, Feature b) { wanted_ = true, wanted_a_ = a, wanted_b_ = b; }
  bool wants_one() const { return wanted_; }
  // Where functions of hulls begin their search, and leave what they have found; null: from the centres.
  void set_memory(PairMemory* memory) { memory_ = memory; }
  PairMemory* memory() const { return memory_; }
  // Beyond the margin gaps need not be known, but to this they are worth their time: see gap_bound.
  void set_horizon(double beyond_margin) { horizon_ = beyond_margin; }
  double core_horizon() const { return core_margin() + horizon_; }
  // A corner is over a face as long as it is beyond its border by no more than this, beside the size of the shapes.
  void set_border_slack(double slack) { border_slack_ = slack; }
  double border_slack() const { return border_slack_; }
  bool accepts(Feature a, Feature b) const { return !wanted_ || (a == wanted_a_ && b == wanted_b_); }
  Feature wanted_a() const { return wanted_a_; }
  Feature wanted_b() const { return wanted_b_; }

  // Takes a contact between the cores, unless its gap exceeds the margin or another is wanted.
  void add(const PairContact& core);
  // The same, unless a contact stands within `distance` of it already.
  void add_if_new(const PairContact& core, double distance);

  // Exchanges a and b, in the contacts so far and from now on.
  void exchange();
  void sort_by_feature();

  std::span<const PairContact> contacts() const { return {contacts_.data(), static_cast<std::size_t>(count_)}; }
  // Whether a gap that the cores have at least is beyond the margin: then nothing needs to be added.
  bool exceeds_margin(double core_gap) {
    const double gap = core_gap - radius_a_ - radius_b_;
    if (gap > margin_) bound_ = std::max(bound_, gap);
    return gap > margin_;
  }
  // Of two solid shapes without a contact within the margin: their gap, or less; −∞ when nothing is known.
  double gap_bound() const;
  // The margin for a gap between the cores.
  double core_margin() const { return margin_ + radius_a_ + radius_b_; }
  // Least gap between the cores so far, also of contacts that are not wanted; infinite when there is none.
  double least_core_gap() const { return least_; }
  // Its normal.
  const Vector3& least_normal() const { return least_normal_; }

 private:
  double margin_;
  double radius_a_ = 0, radius_b_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  Vector3 least_normal_;
  double bound_ = -std::numeric_limits<double>::infinity();
  int count_ = 0;
  double horizon_ = 0;
  PairMemory* memory_ = nullptr;
  bool wanted_ = false;
  Feature wanted_a_, wanted_b_;
  double border_slack_ = tolerances::border_relative;
  // Begins empty: to fill all of it with zeros would cost more than most pairs do.
  union {
    std::array<PairContact, capacity> contacts_;
  };
};

// The points whose convex hull a shape's core is; none: curved, unbounded, or nothing that searches over corners see.
enum class Polytope { none, point, segment, box, hull };

// What kind of solid a shape is. A further kind says so here, once.
struct ShapeTraits {
  Polytope polytope = Polytope::none;
  bool rounded = false;  // its core has a radius about it
  bool plane = false;    // all below a plane, or a part of it
};
constexpr ShapeTraits traits_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::point:
      return {.polytope = Polytope::point};
    case ShapeKind::sphere:
      return {.polytope = Polytope::point, .rounded = true};
    case ShapeKind::capsule:
      return {.polytope = Polytope::segment, .rounded = true};
    case ShapeKind::box:
      return {.polytope = Polytope::box};
    case ShapeKind::mesh:
      return {.polytope = Polytope::hull};
    case ShapeKind::half_space:
    case ShapeKind::strip:
      return {.plane = true};
    case ShapeKind::cylinder:
    case ShapeKind::ellipsoid:
    case ShapeKind::pin:
    case ShapeKind::hole:
      return {};
  }
  return {};
}
constexpr bool is_plane(ShapeKind kind) { return traits_of(kind).plane; }
constexpr bool is_rounded(ShapeKind kind) { return traits_of(kind).rounded; }
// Whether it touches planes with points that are fixed to it, or with a surface about such points.
constexpr bool has_vertices(ShapeKind kind) { return traits_of(kind).polytope != Polytope::none; }

// z in space, y in the plane: the axis of a capsule, the normal of a half-space or strip.
Vector3 up_axis(const PosedShape& shape);
// Of the sphere about the shape's origin that holds it; infinite for half-spaces and strips, and for holes.
double bounding_radius(const PosedShape& shape);
// Of the shape about its core.
double core_radius(const PosedShape& shape);

// All contacts of the pair with a gap of at most the manifold's margin, ordered by feature. Kinds that cannot touch
// each other give none.
void find_pair_contacts(const PosedShape& a, const PosedShape& b, Manifold& manifold);

}  // namespace routh::internal
