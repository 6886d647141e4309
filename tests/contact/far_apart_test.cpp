// Pairs that are not looked at have no contact.
#include "routh/contact/far_apart.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contact/random_shape.h"
#include "contact/shape_oracle.h"

namespace {

using namespace routh;
using namespace testing_support;

TEST(FarApart, OnlyPairsWithoutContact) {
  const std::vector<ShapeKind> kinds = kinds_of(Touching::solid);
  Random random(5301);
  int told = 0, by_boxes = 0, apart = 0;
  for (int k = 0; k < scaled(15000, 1000); ++k) {
    SCOPED_TRACE(fmt::format("pair {}", k));
    const auto kind = [&] { return kinds[static_cast<std::size_t>(random.below(static_cast<int>(kinds.size())))]; };
    PosedShape a = random_shape(random, kind(), Dimension::spatial),
               b = random_shape(random, kind(), Dimension::spatial);
    if (!can_touch(a.kind, b.kind)) continue;
    b.pose = random_pose(random, Dimension::spatial, 2);
    const double gap = nearest(contacts_of(a, b)).gap, margin = random.uniform(0, 0.3);
    const bool far = far_apart(a, b, margin);
    ASSERT_EQ(far, far_apart(b, a, margin));
    if (far) {
      ASSERT_GT(gap, margin);
    }
    told += far;
    apart += gap > margin;
    const double reach = bounding_radius(a) + bounding_radius(b) + margin;
    by_boxes += far && norm(a.pose.position - b.pose.position) <= reach;
  }
  EXPECT_GT(told, 0.8 * apart);
  EXPECT_GT(by_boxes, 0.1 * apart);
}

TEST(FarApart, TouchingIsNot) {
  Random random(5302);
  for (int k = 0; k < scaled(2000, 200); ++k) {
    SCOPED_TRACE(fmt::format("pair {}", k));
    PosedShape a = random_shape(random, ShapeKind::box, Dimension::spatial);
    PosedShape b = random_shape(random, k % 2 ? ShapeKind::box : ShapeKind::cylinder, Dimension::spatial);
    b.pose.rotation = a.pose.rotation;
    const double height = a.half_extents.z + (k % 2 ? b.half_extents.z : b.length / 2);
    b.pose.position = a.pose.position + height * column_z(a.pose.rotation);
    EXPECT_FALSE(far_apart(a, b, 0));
  }
}

}  // namespace
