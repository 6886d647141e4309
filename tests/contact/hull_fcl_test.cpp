// Hulls against another library's distances (FCL), which shares no code with ours. Of shapes that are apart only: its
// depths are good to 1e-4, and some of its searches for them end in an assertion.
#include <gtest/gtest.h>

#include <memory>

#include "contact/shape_oracle.h"

#ifdef ROUTH_FCL

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/distance.h>

namespace {

using namespace routh;
using namespace testing_support;

std::shared_ptr<fcl::CollisionGeometryd> peer_of(const PosedShape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      return std::make_shared<fcl::Sphered>(shape.radius);
    case ShapeKind::capsule:
      return std::make_shared<fcl::Capsuled>(shape.radius, shape.length);
    case ShapeKind::box:
      return std::make_shared<fcl::Boxd>(2 * shape.half_extents.x, 2 * shape.half_extents.y, 2 * shape.half_extents.z);
    default:
      break;
  }
  const auto vertices = std::make_shared<std::vector<Eigen::Vector3d>>();
  for (const Vector3& v : shape.hull->vertices) vertices->emplace_back(v.x, v.y, v.z);
  const auto faces = std::make_shared<std::vector<int>>();
  const int count = static_cast<int>(shape.hull->faces.size());
  for (int f = 0; f < count; ++f) {
    const auto corners = shape.hull->face_corners(f);
    faces->push_back(static_cast<int>(corners.size()));
    faces->insert(faces->end(), corners.begin(), corners.end());
  }
  return std::make_shared<fcl::Convexd>(vertices, count, faces);
}

fcl::Transform3d place_of(const Pose& pose) {
  fcl::Transform3d out = fcl::Transform3d::Identity();
  const Matrix3& R = pose.rotation;
  out.linear() << R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z;
  out.translation() << pose.position.x, pose.position.y, pose.position.z;
  return out;
}

struct PeerGap {
  double gap;
  Vector3 between;  // from its nearest point on b to that on a
};

PeerGap peer_gap(const PosedShape& a, const PosedShape& b) {
  fcl::DistanceRequestd request(true, true);
  request.gjk_solver_type = fcl::GST_LIBCCD;
  request.distance_tolerance = 1e-10;
  fcl::DistanceResultd result;
  fcl::distance(peer_of(a).get(), place_of(a.pose), peer_of(b).get(), place_of(b.pose), request, result);
  const Eigen::Vector3d d = result.nearest_points[0] - result.nearest_points[1];
  return {result.min_distance, {d[0], d[1], d[2]}};
}

class HullsAgainstFcl : public testing::TestWithParam<ShapeKind> {};

TEST_P(HullsAgainstFcl, GapAndNormalOfShapesApart) {
  constexpr std::uint64_t seed = 8501;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int told = 0;
  for (int i = 0; i < scaled(300, 20); ++i) {
    const PosedShape a = random_shape(random, ShapeKind::mesh, Dimension::spatial);
    PosedShape b = random_shape(random, GetParam(), Dimension::spatial);
    // As they fall, or near each other.
    const PairContact first = nearest(contacts_of(a, b));
    if (i % 2 == 0) b.pose.position += (first.gap - random.uniform(0.001, 0.1)) * first.normal;
    const PairContact ours = nearest(contacts_of(a, b));
    if (ours.gap < 5e-4) continue;
    const PeerGap peer = peer_gap(a, b);
    ++told;
    EXPECT_NEAR(ours.gap, peer.gap, 1e-6) << i;
    EXPECT_GT(dot(ours.normal, peer.between), (1 - 1e-6) * norm(peer.between)) << i;
  }
  EXPECT_GT(told, scaled(300, 20) / 4);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HullsAgainstFcl,
                         testing::Values(ShapeKind::mesh, ShapeKind::box, ShapeKind::sphere, ShapeKind::capsule),
                         [](const auto& instance) { return std::string(name(instance.param)); });

}  // namespace

#else

TEST(HullsAgainstFcl, Distances) { GTEST_SKIP() << "FCL was not found; install libfcl-dev to compare with it"; }

#endif
