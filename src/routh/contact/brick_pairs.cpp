// Segments and boxes against each other, exactly: separating axes, the nearest features, and all contacts between the
// facets that look at each other.
//
// The greatest separation s over the axes (face normals and cross products of edges) is the signed distance of bricks
// that overlap, and a lower bound of the distance of bricks apart; it is that distance when some contact between real
// points of the two attains it. When none does, the nearest features are compared one by one.

#include "routh/contact/brick.h"
#include "routh/contact/pair_functions.h"
#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

struct Axis {
  Vector3 normal;  // from b to a
  double separation = -std::numeric_limits<double>::infinity();
};

void try_axis(const Brick& a, const Brick& b, const Vector3& unit, Axis& best) {
  const double apart = dot(unit, a.centre - b.centre);
  const double separation = std::abs(apart) - reach(a, unit) - reach(b, unit);
  // A face is preferred to an edge that separates no better than rounding.
  const double slack = tolerances::better_axis_relative * (a.size() + b.size());
  if (separation > best.separation + slack) best = {apart < 0 ? -unit : unit, separation};
}

void try_faces(const Brick& a, const Brick& b, const Brick& of, Axis& best) {
  const bool planar = of.dimension == Dimension::planar;
  if (of.segment && !planar) return;
  const std::size_t count = of.segment ? 1 : planar ? 2 : 3;
  for (std::size_t k = 0; k < count; ++k) try_axis(a, b, of.axes[k], best);
}

Axis greatest_separation(const Brick& a, const Brick& b) {
  Axis best;
  try_faces(a, b, b, best);
  try_faces(a, b, a, best);
  if (a.dimension == Dimension::planar) return best;
  for (std::size_t i = a.segment ? 2 : 0; i < 3; ++i)
    for (std::size_t j = b.segment ? 2 : 0; j < 3; ++j) {
      const Vector3 m = cross(a.axes[i], b.axes[j]);
      const double sine = norm(m);
      if (sine >= tolerances::parallel_lines_sine) try_axis(a, b, (1 / sine) * m, best);
    }
  return best;
}

// Keeps the contact of the two points if they are nearer to each other than those before.
void keep_nearer(const BrickPoint& a, const BrickPoint& b, PairContact& best) {
  const Vector3 apart = a.point - b.point;
  const double distance = norm(apart);
  if (!(distance < best.gap)) return;
  best = {a.point, b.point, distance > 0 ? (1 / distance) * apart : Vector3{}, distance, a.feature, b.feature};
}

// Directions along which the feature of a brick extends; their number is returned.
int extent_of(const Brick& brick, const Feature& feature, std::array<Vector3, 2>& along) {
  const auto index = static_cast<std::size_t>(feature.index);
  if (feature.kind == FeatureKind::vertex) return 0;
  if (brick.segment) return along[0] = brick.axes[brick.length_axis()], 1;
  const bool planar = brick.dimension == Dimension::planar;
  if (feature.kind == FeatureKind::edge) return along[0] = brick.axes[index / 4], 1;
  if (planar) return along[0] = brick.axes[1 - index / 2], 1;
  along = {brick.axes[(index / 2 + 1) % 3], brick.axes[(index / 2 + 2) % 3]};
  return 2;
}

// The difference of two points a small gap apart has lost digits. What the features say of the normal is exact: it is
// across all directions in which they extend.
void straighten(const Brick& a, const Brick& b, PairContact& contact) {
  std::array<Vector3, 2> along_a, along_b;
  const int count_a = extent_of(a, contact.feature_a, along_a), count_b = extent_of(b, contact.feature_b, along_b);
  Vector3 n = contact.normal;
  if (count_a + count_b == 0) return;
  if (count_a + count_b == 1) {
    const Vector3& e = count_a == 1 ? along_a[0] : along_b[0];
    n -= dot(n, e) * e;
  } else {
    const Vector3 m = count_a == 2   ? cross(along_a[0], along_a[1])
                      : count_b == 2 ? cross(along_b[0], along_b[1])
                                     : cross(along_a[0], along_b[0]);
    n = dot(m, n) < 0 ? -m : m;
  }
  const double size = norm(n);
  if (size > 0) contact.normal = (1 / size) * n;
}

// The nearest features of bricks apart: corners against everything, then edges against edges.
PairContact nearest_features(const Brick& a, const Brick& b) {
  PairContact best;
  best.gap = std::numeric_limits<double>::infinity();
  for (int i = 0; i < corner_count(a); ++i) {
    const Vector3 p = corner(a, i);
    keep_nearer({p, {FeatureKind::vertex, i}}, nearest_on_brick(b, p), best);
  }
  for (int i = 0; i < corner_count(b); ++i) {
    const Vector3 p = corner(b, i);
    keep_nearer(nearest_on_brick(a, p), {p, {FeatureKind::vertex, i}}, best);
  }
  for (int i = 0; i < edge_count(a); ++i) {
    const Edge of_a = edge(a, i);
    for (int j = 0; j < edge_count(b); ++j) {
      const Edge of_b = edge(b, j);
      const LineCrossing crossing = cross_lines(of_a, of_b);
      if (crossing.sine == 0 || std::abs(crossing.along_a) >= of_a.half || std::abs(crossing.along_b) >= of_b.half)
        continue;
      keep_nearer({of_a.middle + crossing.along_a * of_a.direction, of_a.feature},
                  {of_b.middle + crossing.along_b * of_b.direction, of_b.feature}, best);
    }
  }
  straighten(a, b, best);
  return best;
}

// Points that coincide to rounding give no direction.
bool has_direction(const PairContact& contact, double size) {
  return contact.gap > tolerances::direction_distance_relative * size;
}

// Corners of a beside an edge or face of b, straight along n: parallel edges touch at both ends of the stretch they
// share.
void add_corners_beside(const Brick& a, const Brick& b, const Vector3& n, Manifold& manifold) {
  const double size = a.size() + b.size();
  for (int i = 0; i < corner_count(a); ++i) {
    PairContact beside;
    beside.gap = std::numeric_limits<double>::infinity();
    const Vector3 p = corner(a, i);
    keep_nearer({p, {FeatureKind::vertex, i}}, nearest_on_brick(b, p), beside);
    straighten(a, b, beside);
    if (beside.feature_b.kind == FeatureKind::vertex || dot(beside.normal, n) < tolerances::manifold_cosine) continue;
    manifold.add_if_new(beside, tolerances::same_contact_relative * size);
  }
}

// The nearest contact of bricks apart and all that touch beside it.
void add_about(const Brick& a, const Brick& b, const PairContact& nearest, Manifold& manifold) {
  manifold.add(nearest);
  add_corners_beside(a, b, nearest.normal, manifold);
  manifold.exchange();
  add_corners_beside(b, a, -nearest.normal, manifold);
  manifold.exchange();
}

// Two segments in space, which have no faces.
void segment_on_segment(const Brick& a, const Brick& b, Manifold& manifold) {
  const double size = a.size() + b.size();
  PairContact nearest = nearest_features(a, b);
  if (!has_direction(nearest, size)) {
    // They meet: their common perpendicular, or, of parallel ones, b's x axis.
    const Vector3 m = cross(a.axes[2], b.axes[2]);
    const double sine = norm(m);
    nearest.normal = sine >= tolerances::parallel_lines_sine ? (1 / sine) * m : b.axes[0];
    if (dot(nearest.normal, a.centre - b.centre) < 0) nearest.normal = -nearest.normal;
  }
  add_about(a, b, nearest, manifold);
}

// The deepest corner of a below b's face, for bricks whose features all but switch.
PairContact deepest_corner(const Brick& a, const Brick& b, const Axis& axis) {
  int deepest = 0;
  for (int i = 1; i < corner_count(a); ++i)
    if (dot(axis.normal, corner(a, i)) < dot(axis.normal, corner(a, deepest))) deepest = i;
  const Vector3 p = corner(a, deepest);
  const Facet facet = facet_towards(b, axis.normal);
  const Feature feature_b = facet.has_face ? facet.face_feature : facet.edge_feature[0];
  return {p,        p - axis.separation * axis.normal, axis.normal, axis.separation, {FeatureKind::vertex, deepest},
          feature_b};
}

void add_between_facets(const Brick& a, const Brick& b, const Vector3& n, Manifold& manifold) {
  add_facet_contacts(facet_towards(a, -n), facet_towards(b, n), n, a.size() + b.size(), manifold);
}

}  // namespace

void brick_on_brick(const PosedShape& shape_a, const PosedShape& shape_b, Manifold& manifold) {
  const Brick a = brick_of(shape_a), b = brick_of(shape_b);
  if (a.segment && b.segment && a.dimension == Dimension::spatial) return segment_on_segment(a, b, manifold);

  const double size = a.size() + b.size();
  const Axis axis = greatest_separation(a, b);
  if (manifold.exceeds_margin(axis.separation)) return;
  Manifold facets = manifold;
  add_between_facets(a, b, axis.normal, facets);
  // Attained. Overlapping bricks attain it always, but for rounding where features all but switch.
  if (facets.least_core_gap() <= axis.separation + tolerances::gap_attained_relative * size) {
    manifold = facets;
    return;
  }
  // No axis separates segments in one line.
  if (axis.separation > -tolerances::in_line_separation_relative * size) {
    const PairContact nearest = nearest_features(a, b);
    if (has_direction(nearest, size)) {
      add_about(a, b, nearest, manifold);
      add_between_facets(a, b, nearest.normal, manifold);
      return;
    }
  }
  manifold = facets;
  if (facets.least_core_gap() > axis.separation + tolerances::gap_missed_relative * size)
    manifold.add(deepest_corner(a, b, axis));
}

}  // namespace routh::internal
