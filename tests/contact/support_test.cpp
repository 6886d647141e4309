// Support functions against those of the oracle, from the definitions of the shapes.
#include "routh/contact/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contact/random_shape.h"
#include "contact/shape_oracle.h"

namespace {

using namespace routh;
using namespace testing_support;

TEST(Support, OfAllShapes) {
  Random random(5401);
  for (const Dimension dimension : {Dimension::planar, Dimension::spatial})
    for (const ShapeKind kind : kinds_of(Touching::solid)) {
      if (dimension == Dimension::planar && !has_plane_form(kind)) continue;
      for (int k = 0; k < 200; ++k) {
        const PosedShape shape = random_shape(random, kind, dimension);
        SCOPED_TRACE(describe(shape));
        const Vector3 d = {random.normal(), random.normal(), dimension == Dimension::planar ? 0 : random.normal()};
        const LongVector opposite = {-Long(d.x), -Long(d.y), -Long(d.z)};
        // The oracle's is for directions of length 1, or of any.
        const double expected = -static_cast<double>(support(shape, opposite));
        EXPECT_NEAR(least_along(shape, d), expected, 1e-13 * (1 + std::abs(expected)));
      }
    }
}

TEST(Support, WithoutVertices) {
  Random random(5402);
  for (int k = 0; k < 200; ++k) {
    const PosedShape box = random_shape(random, ShapeKind::box, Dimension::spatial);
    const Vector3 d = {random.normal(), random.normal(), random.normal()}, &h = box.half_extents;
    const int without[] = {random.below(8), random.below(8)};
    double least = 1e300;
    for (int i = 0; i < 8; ++i)
      if (i != without[0] && i != without[1])
        least = std::min(least, dot(d, box.pose * Vector3{i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z}));
    EXPECT_NEAR(least_along(box, d, without), least, 1e-13 * (1 + std::abs(least)));
  }
}

}  // namespace
