// How many contacts shapes have that lie on each other, and that they keep their names.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "contact/random_shape.h"
#include "contact/shape_oracle.h"

#include "routh/mesh/polyhedron.h"

namespace {

using namespace routh;
using namespace testing_support;

PosedShape make(ShapeKind kind, double radius, double length, const Vector3& half, const Vector3& at,
                Dimension dimension = Dimension::spatial) {
  PosedShape shape;
  shape.kind = kind, shape.dimension = dimension;
  shape.radius = radius, shape.length = length, shape.half_extents = half;
  shape.pose.position = at;
  static const std::shared_ptr<const Polyhedron> cube = std::make_shared<Polyhedron>(cube_polyhedron());
  if (kind == ShapeKind::mesh) shape.hull = cube.get();
  return shape;
}
PosedShape box(const Vector3& half, const Vector3& at, Dimension dimension = Dimension::spatial) {
  return make(ShapeKind::box, 0, 0, half, at, dimension);
}
PosedShape capsule(double radius, double length, const Vector3& at, Dimension dimension = Dimension::spatial) {
  return make(ShapeKind::capsule, radius, length, {}, at, dimension);
}
PosedShape cylinder(double radius, double length, const Vector3& at) {
  return make(ShapeKind::cylinder, radius, length, {}, at);
}
PosedShape ground(Dimension dimension = Dimension::spatial) {
  return make(ShapeKind::half_space, 0, 0, {}, {}, dimension);
}
PosedShape strip(double half_x, double half_y, Dimension dimension = Dimension::spatial) {
  return make(ShapeKind::strip, 0, 0, {half_x, half_y, 0}, {}, dimension);
}

PosedShape turned(PosedShape shape, const Vector3& rotation) {
  shape.pose.rotation = rotation_matrix(quaternion_from_rotation_vector(rotation)) * shape.pose.rotation;
  return shape;
}
PosedShape shifted(PosedShape shape, const Vector3& by) {
  shape.pose.position += by;
  return shape;
}
constexpr double quarter = 1.5707963267948966;

std::vector<int> names(const std::vector<PairContact>& contacts) {
  std::vector<int> codes;
  for (const PairContact& contact : contacts) codes.push_back(feature_code(contact.feature_a, contact.feature_b));
  return codes;
}

double widest_gap(const std::vector<PairContact>& contacts) {
  double widest = -1e9;
  for (const PairContact& contact : contacts) widest = std::max(widest, contact.gap);
  return widest;
}

// Whether the projections of the contacts along z surround the point (x, y).
bool surround(const std::vector<PairContact>& contacts, double x, double y) {
  for (int i = 0; i < 360; ++i) {
    const double c = std::cos(i * quarter / 90), s = std::sin(i * quarter / 90);
    if (std::none_of(contacts.begin(), contacts.end(), [&](const PairContact& contact) {
          return c * (contact.point_a.x - x) + s * (contact.point_a.y - y) > 1e-9;
        }))
      return false;
  }
  return true;
}

TEST(ManifoldOnPlane, BoxHasFourCornersTwoOrOne) {
  const PosedShape flat = box({0.5, 0.4, 0.3}, {1, 2, 0.3});
  EXPECT_EQ(contacts_of(flat, ground(), 1e-6).size(), 4u);
  EXPECT_EQ(contacts_of(flat, ground()).size(), 8u);
  // On the edge y = −0.4, z = −0.3, then on the corner in front.
  PosedShape edge = turned(flat, {0.3, 0, 0});
  edge.pose.position.z = 0.4 * std::sin(0.3) + 0.3 * std::cos(0.3);
  const auto two = contacts_of(edge, ground(), 1e-9);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].feature_a, (Feature{FeatureKind::vertex, 0}));
  EXPECT_EQ(two[1].feature_a, (Feature{FeatureKind::vertex, 1}));
  PosedShape corner = turned(edge, {0, 0.2, 0});
  corner.pose.position.z -= nearest(contacts_of(corner, ground())).gap;
  EXPECT_EQ(contacts_of(corner, ground(), 1e-9).size(), 1u);
}

TEST(ManifoldOnPlane, RectangleHasTwoCorners) {
  const PosedShape flat = box({0.5, 0.4, 0}, {1, 0.4, 0}, Dimension::planar);
  const auto contacts = contacts_of(flat, ground(Dimension::planar), 1e-6);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts[0].normal.y, 1);
  EXPECT_NEAR(contacts[0].point_a.x, 0.5, 1e-15);
}

TEST(ManifoldOnPlane, LyingCapsuleHasTwoEndsStandingOne) {
  PosedShape lying = turned(capsule(0.2, 1, {0, 0, 0.2}), {0, quarter, 0});
  EXPECT_EQ(contacts_of(lying, ground(), 1e-9).size(), 2u);
  EXPECT_EQ(contacts_of(capsule(0.2, 1, {0, 0, 0.7}), ground(), 1e-9).size(), 1u);
  const PosedShape flat = turned(capsule(0.2, 1, {0, 0.2, 0}, Dimension::planar), {0, 0, quarter});
  EXPECT_EQ(contacts_of(flat, ground(Dimension::planar), 1e-9).size(), 2u);
}

TEST(ManifoldOnPlane, CylinderStandsOnFourLiesOnTwoTipsOnOne) {
  const PosedShape standing = cylinder(0.3, 1, {0, 0, 0.5});
  EXPECT_EQ(contacts_of(standing, ground(), 1e-6).size(), 4u);
  EXPECT_EQ(contacts_of(turned(standing, {quarter, 0, 0}), ground(), -0.1).size(), 0u);
  EXPECT_EQ(contacts_of(shifted(turned(standing, {quarter, 0, 0}), {0, 0, -0.2}), ground(), 1e-6).size(), 2u);
  PosedShape tipped = turned(standing, {0.3, 0.2, 0});
  tipped.pose.position.z -= nearest(contacts_of(tipped, ground())).gap;
  EXPECT_EQ(contacts_of(tipped, ground(), 1e-6).size(), 1u);
}

// The least gap does not jump where the lowest point of the rim takes over from the four fixed ones.
TEST(ManifoldOnPlane, CylinderTipsContinuously) {
  const PosedShape standing = cylinder(0.3, 1, {0, 0, 0.5});
  for (double tilt = 1e-12; tilt < 0.2; tilt *= 1.7) {
    const PosedShape tipped = turned(standing, {0.8 * tilt, 0.6 * tilt, 0});
    const double expected = 0.5 - 0.5 * std::cos(tilt) - 0.3 * std::sin(tilt);
    EXPECT_NEAR(nearest(contacts_of(tipped, ground())).gap, expected, 2e-10) << tilt;
  }
}

// Corners over the strip touch it; where a side passes over its border it touches there too.
TEST(ManifoldOnStrip, BoxHangingOver) {
  const PosedShape flat = box({0.5, 0.4, 0.3}, {1, 0, 0.3});
  EXPECT_EQ(contacts_of(flat, strip(2, 2), 1e-9).size(), 4u);
  const auto over = contacts_of(flat, strip(0.9, unlimited), 1e-9);
  ASSERT_EQ(over.size(), 4u);
  double right = 0;
  for (const PairContact& contact : over) {
    right = std::max(right, contact.point_a.x);
    EXPECT_NEAR(contact.normal.z, 1, 1e-15);
  }
  EXPECT_NEAR(right, 0.9, 1e-15);
  EXPECT_TRUE(contacts_of(flat, strip(0.49, unlimited), 1e-9).empty());
  // A narrow support in the middle of a wide box.
  EXPECT_EQ(contacts_of(flat, shifted(strip(0.1, 0.1), {1, 0, 0}), 1e-9).size(), 4u);
  EXPECT_EQ(contacts_of(flat, shifted(strip(0.1, unlimited), {1, 0, 0}), 1e-9).size(), 4u);
  const PosedShape lying = turned(capsule(0.2, 1, {0, 0, 0.2}), {0, quarter, 0});
  EXPECT_EQ(contacts_of(lying, strip(0.1, unlimited), 1e-9).size(), 2u);
  const PosedShape rectangle = box({0.5, 0.4, 0}, {0.2, 0.4, 0}, Dimension::planar);
  EXPECT_EQ(contacts_of(rectangle, strip(0.1, 0, Dimension::planar), 1e-9).size(), 2u);
}

TEST(ManifoldBetweenBoxes, StackedOverlappingAndCrossed) {
  const PosedShape below = box({1, 1, 0.5}, {0, 0, -0.5});
  const auto expect = [&](const PosedShape& above, std::size_t count) {
    const auto contacts = contacts_of(above, below, 1e-9);
    EXPECT_EQ(contacts.size(), count) << describe(above);
    EXPECT_LT(widest_gap(contacts), 1e-12);
    for (const PairContact& contact : contacts) EXPECT_NEAR(contact.normal.z, 1, 1e-12);
    const auto exchanged = contacts_of(below, above, 1e-9);
    EXPECT_EQ(exchanged.size(), count);
  };
  expect(box({0.3, 0.3, 0.2}, {0.1, 0, 0.2}), 4);                                              // inside the face
  expect(box({1, 1, 0.2}, {0, 0, 0.2}), 4);                                                    // the same face
  expect(box({2, 2, 0.2}, {0, 0, 0.2}), 4);                                                    // around it
  expect(box({0.5, 0.5, 0.2}, {1, 1, 0.2}), 4);                                                // over a corner
  expect(box({3, 0.2, 0.2}, {0, 0, 0.2}), 4);                                                  // a plank across
  expect(turned(box({1, 1, 0.2}, {0, 0, 0.2}), {0, 0, quarter / 2}), 8);                       // an octagon
  expect(turned(box({0.5, 0.5, 0.5}, {0, 0, 0.5 * std::sqrt(2.0)}), {quarter / 2, 0, 0}), 2);  // on an edge
  expect(turned(box({3, 0.5, 0.5}, {0, 0, 0.5 * std::sqrt(2.0)}), {quarter / 2, 0, 0}), 2);    // on an edge across
}

TEST(ManifoldBetweenBoxes, CrossedEdgesTouchOnce) {
  PosedShape above = turned(box({2, 0.5, 0.5}, {0, 0, 0}), {quarter / 2, 0, 0});
  PosedShape below = turned(box({0.5, 2, 0.5}, {0, 0, 0}), {0, quarter / 2, 0});
  above.pose.position.z = std::sqrt(2.0) + 1e-3;
  const auto contacts = contacts_of(above, below, 0.1);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].feature_a.kind, FeatureKind::edge);
  EXPECT_EQ(contacts[0].feature_b.kind, FeatureKind::edge);
  EXPECT_NEAR(contacts[0].gap, 1e-3, 1e-14);
  EXPECT_NEAR(contacts[0].normal.z, 1, 1e-14);
  EXPECT_NEAR(norm(contacts[0].point_b - Vector3{0, 0, std::sqrt(0.5)}), 0, 1e-14);
}

TEST(ManifoldBetweenRectangles, AtMostTwo) {
  const Dimension planar = Dimension::planar;
  const PosedShape below = box({1, 0.5, 0}, {0, -0.5, 0}, planar);
  for (const double x : {0.0, 0.3, 0.9, 1.3, -1.2})
    for (const double half : {0.4, 1.0, 2.0}) {
      const PosedShape above = box({half, 0.2, 0}, {x, 0.2, 0}, planar);
      const auto contacts = contacts_of(above, below, 1e-6);
      ASSERT_EQ(contacts.size(), 2u) << x << ' ' << half;
      const double low = std::max(-1.0, x - half), high = std::min(1.0, x + half);
      const double first = contacts[0].point_a.x, second = contacts[1].point_a.x;
      EXPECT_NEAR(std::min(first, second), low, 1e-14);
      EXPECT_NEAR(std::max(first, second), high, 1e-14);
      EXPECT_EQ(contacts[0].point_a.z, 0);
    }
  Random random(5);
  for (int i = 0; i < scaled(2000, 200); ++i) {
    const PosedShape a = random_shape(random, ShapeKind::box, planar);
    PosedShape b = random_shape(random, ShapeKind::box, planar);
    b.pose.rotation = a.pose.rotation;
    ASSERT_LE(contacts_of(a, b).size(), 2u);
  }
}

TEST(ManifoldOfCapsules, ParallelOnesTouchTwice) {
  const PosedShape a = capsule(0.2, 1, {0, 0, 0});
  const auto two = contacts_of(a, capsule(0.3, 2, {0.5, 0, 0.7}), 1e-9);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NEAR(two[0].gap, 0, 1e-15);
  EXPECT_NEAR(std::abs(two[0].point_a.z - two[1].point_a.z), 0.8, 1e-14);  // the stretch from −0.3 to 0.5
  EXPECT_EQ(contacts_of(a, turned(capsule(0.3, 2, {0.5, 0, 0}), {0.5, 0, 0}), 1e-9).size(), 1u);
  EXPECT_EQ(contacts_of(a, capsule(0.3, 1, {0.3, 0, 1.4}), 1e-9).size(), 1u);  // end beside end
  // Along the edge of a box, and along its face.
  const double reach = 0.2 / std::sqrt(2.0);
  EXPECT_EQ(contacts_of(a, box({0.5, 0.5, 2}, {0.5 + reach, 0.5 + reach, 0}), 1e-9).size(), 2u);
  EXPECT_EQ(contacts_of(a, box({0.5, 0.5, 2}, {0.7, 0, 0}), 1e-9).size(), 2u);
  EXPECT_EQ(contacts_of(a, box({0.5, 0.5, 0.1}, {0.7, 0, 0}), 1e-9).size(), 2u);
  const PosedShape flat = capsule(0.2, 1, {0, 0, 0}, Dimension::planar);
  EXPECT_EQ(contacts_of(flat, capsule(0.3, 2, {0.5, 0.7, 0}, Dimension::planar), 1e-9).size(), 2u);
  EXPECT_EQ(contacts_of(flat, box({0.5, 0.3, 0}, {0.7, 0.1, 0}, Dimension::planar), 1e-9).size(), 2u);
}

TEST(ManifoldOfCylinders, FlatOnesStandFirm) {
  const PosedShape standing = turned(cylinder(0.3, 1, {0.1, 0.2, 0.5}), {0, 0, 0.4});
  const auto on_box = contacts_of(standing, box({1, 1, 0.5}, {0, 0, -0.5}), 1e-9);
  EXPECT_EQ(on_box.size(), 4u);
  EXPECT_TRUE(surround(on_box, 0.1, 0.2));
  EXPECT_EQ(contacts_of(standing, box({0.1, 0.1, 0.5}, {0.1, 0.2, -0.5}), 1e-9).size(), 4u);  // a pedestal
  const auto on_cylinder = contacts_of(standing, cylinder(0.5, 1, {0.1, 0.2, -0.5}), 1e-9);
  EXPECT_EQ(on_cylinder.size(), 4u);
  EXPECT_TRUE(surround(on_cylinder, 0.1, 0.2));
  // Fixed points of both rims, where they do not coincide.
  EXPECT_EQ(contacts_of(standing, cylinder(0.3, 1, {0.1, 0.2, -0.5}), 1e-9).size(), 8u);
  EXPECT_EQ(contacts_of(standing, shifted(standing, {0, 0, -1}), 1e-9).size(), 4u);

  const PosedShape lying = turned(cylinder(0.3, 1, {0, 0, 0.3}), {quarter, 0, 0});
  EXPECT_EQ(contacts_of(lying, box({1, 1, 0.5}, {0, 0, -0.5}), 1e-9).size(), 2u);
  EXPECT_EQ(contacts_of(lying, box({1, 0.1, 0.5}, {0, 0, -0.5}), 1e-9).size(), 2u);  // across a beam
  const PosedShape other = turned(cylinder(0.4, 3, {0, 0, -0.4}), {quarter, 0, 0});
  EXPECT_EQ(contacts_of(lying, other, 1e-9).size(), 2u);
  EXPECT_EQ(contacts_of(lying, turned(capsule(0.4, 3, {0, 0, -0.4}), {quarter, 0, 0}), 1e-9).size(), 2u);
  const PosedShape rod = turned(capsule(0.1, 0.2, {0.1, 0.2, 1.1}), {quarter, 0, 0});
  EXPECT_EQ(contacts_of(rod, standing, 1e-9).size(), 2u);
  EXPECT_EQ(contacts_of(turned(cylinder(0.3, 1, {0, 0, 0.3}), {quarter, 0, 0.4}), other, 1e-9).size(), 1u);
}

TEST(PinInHole, GapNormalAndTheCentre) {
  const PosedShape hole = make(ShapeKind::hole, 0.5, 0, {}, {1, 2, 0});
  const auto off = contacts_of(make(ShapeKind::pin, 0.4, 0, {}, {1.03, 2.04, 0.7}), hole);
  ASSERT_EQ(off.size(), 1u);
  EXPECT_NEAR(off[0].gap, 0.1 - 0.05, 1e-15);
  EXPECT_NEAR(norm(off[0].normal - Vector3{-0.6, -0.8, 0}), 0, 1e-14);
  EXPECT_NEAR(norm(off[0].point_b - Vector3{1.3, 2.4, 0.7}), 0, 1e-14);
  EXPECT_NEAR(norm(off[0].point_a - off[0].point_b - off[0].gap * off[0].normal), 0, 1e-15);
  const auto centred = contacts_of(make(ShapeKind::pin, 0.4, 0, {}, {1, 2, 0}), hole);
  ASSERT_EQ(centred.size(), 1u);
  EXPECT_NEAR(centred[0].gap, 0.1, 1e-15);
  EXPECT_EQ(centred[0].normal.x, -1);
  EXPECT_TRUE(contacts_of(make(ShapeKind::pin, 0.4, 0, {}, {1, 2, 0}), hole, 0.05).empty());
  EXPECT_NEAR(contacts_of(hole, make(ShapeKind::pin, 0.4, 0, {}, {1.03, 2.04, 0}))[0].normal.x, 0.6, 1e-14);
}

// Solid kinds but for the point.
std::vector<ShapeKind> with_size() {
  std::vector<ShapeKind> kinds = kinds_of(Touching::solid);
  std::erase(kinds, ShapeKind::point);
  return kinds;
}

TEST(CoincidentCentres, HaveAStatedNormal) {
  const auto spheres =
      contacts_of(make(ShapeKind::sphere, 1, 0, {}, {1, 1, 1}), make(ShapeKind::sphere, 2, 0, {}, {1, 1, 1}));
  ASSERT_EQ(spheres.size(), 1u);
  EXPECT_EQ(spheres[0].normal.z, 1);
  EXPECT_EQ(spheres[0].gap, -3);
  const std::vector<ShapeKind> kinds = with_size();
  for (const ShapeKind a : kinds)
    for (const ShapeKind b : kinds)
      for (const PairContact& contact :
           contacts_of(make(a, 0.5, 1, {0.5, 0.6, 0.7}, {}), make(b, 0.4, 0.8, {0.3, 0.3, 0.9}, {}))) {
        EXPECT_NEAR(norm(contact.normal), 1, 1e-12) << name(a) << ' ' << name(b);
        EXPECT_LT(contact.gap, 0);
        EXPECT_TRUE(std::isfinite(norm(contact.point_a)) && std::isfinite(norm(contact.point_b)));
      }
}

// Names are unique within a pair and stay under motions far smaller than the shapes.
TEST(Names, AreUniqueAndStay) {
  Random random(41);
  std::vector<ShapeKind> kinds = with_size();
  for (const ShapeKind plane : kinds_of(Touching::plane)) kinds.push_back(plane);
  for (const ShapeKind kind_a : kinds)
    for (const ShapeKind kind_b : kinds) {
      int kept = 0;
      const int count = scaled(60, 30);
      for (int i = 0; i < count; ++i) {
        PosedShape a = random_shape(random, kind_a, Dimension::spatial);
        PosedShape b = random_shape(random, kind_b, Dimension::spatial);
        a.half_extents.z += 1e-3, b.half_extents.z += 1e-3;
        // Planes: at their borders strips are boxes.
        for (PosedShape* shape : {&a, &b})
          if (shape->kind == ShapeKind::strip) shape->half_extents = {1e3, 1e3, 0};
        if (i % 2 == 0) a.pose.rotation = b.pose.rotation;
        const auto before = names(contacts_of(a, b));
        EXPECT_EQ(std::set<int>(before.begin(), before.end()).size(), before.size());
        a = turned(a, {random.normal() * 1e-10, random.normal() * 1e-10, random.normal() * 1e-10});
        kept += before == names(contacts_of(a, b));
      }
      EXPECT_GE(kept, count - 2) << name(kind_a) << ' ' << name(kind_b);
    }
}

// A cap that lies on an edge touches it twice; each place keeps its name whichever of the edge's faces is nearer.
TEST(Names, OfACapOnAnEdgeStayAsItTurns) {
  const PosedShape below = box({1, 1, 1}, {});
  for (const double sign : {-1.0, 1.0}) {
    std::set<std::pair<bool, int>> places;
    int looked = 0;
    for (double angle = 0.1; angle < 1.5; angle += 0.05, ++looked) {
      const Vector3 n = {sign * std::sin(angle), 0, std::cos(angle)};
      const PosedShape cap = turned(cylinder(0.5, 0.4, Vector3{sign, 0.1, 1} + (0.2 + 1e-6) * n), {0, sign * angle, 0});
      const auto contacts = contacts_of(cap, below, 1e-3);
      ASSERT_EQ(contacts.size(), 2u) << angle;
      for (const PairContact& contact : contacts)
        places.insert({contact.point_a.y > 0.1, feature_code(contact.feature_a, contact.feature_b)});
    }
    EXPECT_EQ(looked, 28);
    EXPECT_EQ(places.size(), 2u);
  }
}

TEST(Stacks, KeepTheirNamesUnderRounding) {
  const PosedShape below = box({0.5, 0.5, 0.5}, {0, 0, -0.5});
  const auto expected = names(contacts_of(box({0.5, 0.5, 0.5}, {0, 0, 0.5}), below, 1e-6));
  ASSERT_EQ(expected.size(), 4u);
  Random random(42);
  const auto tiny = [&] { return random.normal() * 1e-15; };
  for (int i = 0; i < 200; ++i) {
    PosedShape above = box({0.5, 0.5, 0.5}, {tiny(), tiny(), 0.5 + tiny()});
    above = turned(above, {tiny(), tiny(), tiny()});
    ASSERT_EQ(names(contacts_of(above, below, 1e-6)), expected);
  }
}

// In the plane the same figures as in space, there very deep.
TEST(PlanarShapes, AgreeWithPrismsInSpace) {
  Random random(43);
  const ShapeKind kinds[] = {ShapeKind::point, ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box};
  for (const ShapeKind kind_a : kinds)
    for (const ShapeKind kind_b : {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box})
      for (int i = 0; i < scaled(60, 20); ++i) {
        PosedShape a = random_shape(random, kind_a, Dimension::planar),
                   b = random_shape(random, kind_b, Dimension::planar);
        const PairContact flat = nearest(contacts_of(a, b));
        if (flat.gap < 0) continue;
        for (PosedShape* shape : {&a, &b}) {
          shape->dimension = Dimension::spatial;
          shape->half_extents.z = 5;
          if (shape->kind != ShapeKind::capsule) continue;
          // The axis of a capsule is y in the plane and z in space.
          const Matrix3 R = shape->pose.rotation;
          shape->pose.rotation = {{R.r0.z, R.r0.x, R.r0.y}, {R.r1.z, R.r1.x, R.r1.y}, {R.r2.z, R.r2.x, R.r2.y}};
        }
        const PairContact deep = nearest(contacts_of(a, b));
        ASSERT_NEAR(flat.gap, deep.gap, 1e-13);
        ASSERT_LT(norm(flat.normal - deep.normal), 1e-9);
      }
}

}  // namespace
