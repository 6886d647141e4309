// The parts of two shapes that face each other, as they go on: against the contacts of the shapes themselves, found by
// other means, wherever the same parts still face each other.
#include "routh/contact/smooth_pair.h"

#include <gtest/gtest.h>

#include "contact/shape_oracle.h"

namespace {

using namespace routh;
using namespace testing_support;

class Parts : public testing::TestWithParam<std::pair<ShapeKind, ShapeKind>> {};

const PairContact* same_as(const PairContact& contact, const std::vector<PairContact>& among) {
  for (const PairContact& each : among)
    if (each.feature_a == contact.feature_a && each.feature_b == contact.feature_b) return &each;
  return nullptr;
}

bool same(const SmoothPart& a, const SmoothPart& b) {
  return a.straight_count == b.straight_count && a.round_count == b.round_count && norm(a.base - b.base) < 1e-12;
}

// Corners and faces that touch need not be those that reach farthest; their distances are not asked for here.
bool has_closed_form(const PairContact& contact) {
  const auto flat = [](Feature feature) {
    return feature.kind == FeatureKind::vertex || feature.kind == FeatureKind::face;
  };
  return flat(contact.feature_a) || flat(contact.feature_b);
}

TEST_P(Parts, AreWhatTouches) {
  const auto [kind_a, kind_b] = GetParam();
  Random random(71);
  int compared = 0, moved_on = 0;
  for (int i = 0; i < scaled(400, 100); ++i) {
    const PosedShape a = random_shape(random, kind_a, Dimension::spatial);
    PosedShape b = random_shape(random, kind_b, Dimension::spatial);
    if (i % 2 == 0)
      b.pose.rotation = rotation_matrix(quaternion_from_rotation_vector(
                            {0.01 * random.normal(), 0.01 * random.normal(), random.normal()})) *
                        a.pose.rotation;
    for (const PairContact& contact : contacts_of(a, b)) {
      if (contact.gap < 0.01) continue;  // sharp parts that meet have no direction of their own
      if (has_closed_form(contact)) continue;
      const auto pair = SmoothPair::of(a, b, contact);
      if (!pair) continue;
      const auto here = pair->place(a.pose, b.pose, contact.normal);
      if (!here) continue;
      ++compared;
      EXPECT_NEAR(here->gap, contact.gap, 1e-9) << name(kind_a) << ' ' << name(kind_b);
      EXPECT_LT(norm(here->normal - contact.normal), 1e-6);
      // A little later.
      PosedShape later = a;
      later.pose.rotation =
          rotation_matrix(quaternion_from_rotation_vector({1e-6 * random.normal(), 1e-6, -1e-6})) * a.pose.rotation;
      later.pose.position += Vector3{1e-6 * random.normal(), 1e-6 * random.normal(), 1e-6};
      const auto contacts = contacts_of(later, b);
      const PairContact* const now = same_as(contact, contacts);
      const auto there = pair->place(later.pose, b.pose, contact.normal);
      if (!now || !there) continue;
      const auto part = [](const PosedShape& shape, Feature feature, const Vector3& n) {
        return *smooth_part(shape, feature, transpose_times(shape.pose.rotation, n));
      };
      if (!same(part(a, contact.feature_a, -contact.normal), part(later, now->feature_a, -now->normal)) ||
          !same(part(b, contact.feature_b, contact.normal), part(b, now->feature_b, now->normal)))
        continue;  // it passed a border
      ++moved_on;
      EXPECT_NEAR(there->gap, now->gap, 1e-9);
    }
  }
  EXPECT_GT(compared, 50);
  EXPECT_GT(moved_on, 20);
}

INSTANTIATE_TEST_SUITE_P(Pairs, Parts,
                         testing::Values(std::pair{ShapeKind::cylinder, ShapeKind::box},
                                         std::pair{ShapeKind::box, ShapeKind::cylinder},
                                         std::pair{ShapeKind::cylinder, ShapeKind::cylinder},
                                         std::pair{ShapeKind::capsule, ShapeKind::cylinder},
                                         std::pair{ShapeKind::mesh, ShapeKind::cylinder},
                                         std::pair{ShapeKind::ellipsoid, ShapeKind::box},
                                         std::pair{ShapeKind::ellipsoid, ShapeKind::cylinder},
                                         std::pair{ShapeKind::mesh, ShapeKind::ellipsoid},
                                         std::pair{ShapeKind::ellipsoid, ShapeKind::ellipsoid}));

// A cap half over an edge touches where its rim crosses it, twice; over the edge of a mesh in the same places.
TEST(Rims, CrossEdges) {
  PosedShape can, table, plate;
  can.kind = ShapeKind::cylinder;
  can.radius = 0.5, can.length = 1;
  can.pose.position = {0.3, 0, 0.5};
  table.kind = ShapeKind::box;
  table.half_extents = {2, 2, 1};
  table.pose.position = {-2, 0, -1};
  plate.kind = ShapeKind::cylinder;
  plate.radius = 2, plate.length = 1;
  plate.pose.position = {-2, 0, -0.5};
  const auto crossings = [&](const PosedShape& below) {
    std::vector<Vector3> points;
    for (const PairContact& contact : contacts_of(can, below))
      if (contact.feature_a.kind == FeatureKind::rim && contact.feature_a.index >= 2) {
        EXPECT_NEAR(contact.gap, 0, 1e-12);
        points.push_back(contact.point_a);
      }
    return points;
  };
  const auto on_table = crossings(table), on_plate = crossings(plate);
  ASSERT_EQ(on_table.size(), 2u);
  ASSERT_EQ(on_plate.size(), 2u);
  for (const Vector3& p : on_table) {
    EXPECT_NEAR(p.x, 0, 1e-12);
    EXPECT_NEAR(std::abs(p.y), 0.4, 1e-12);
  }
  for (const Vector3& p : on_plate) {
    EXPECT_NEAR(std::hypot(p.x - 0.3, p.y), 0.5, 1e-12);
    EXPECT_NEAR(std::hypot(p.x + 2, p.y), 2, 1e-12);
  }
  EXPECT_LT(on_table[0].y * on_table[1].y, 0);
  EXPECT_LT(on_plate[0].y * on_plate[1].y, 0);
}

}  // namespace
