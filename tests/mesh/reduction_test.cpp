// Hulls of few corners in place of many: what they leave outside is what they say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "routh/mesh/hull_reduction.h"
#include "routh/mesh/mesh_hull.h"
#include "routh/mesh/tolerances.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;

Vector3 random_direction(Random& random) {
  const Vector3 v = {random.normal(), random.normal(), random.normal()};
  return (1 / norm(v)) * v;
}

// A ball, a capsule, a box with rounded edges, a disc: of many points.
std::vector<Vector3> smooth_body(Random& random, int kind, int count) {
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) {
    const Vector3 d = random_direction(random);
    const auto side = [](double x, double half) { return x < 0 ? -half : half; };
    if (kind == 0) points.push_back(0.3 * d);
    if (kind == 1) points.push_back(0.1 * d + Vector3{0, 0, side(d.z, 0.4)});
    if (kind == 2) points.push_back(0.02 * d + Vector3{side(d.x, 0.2), side(d.y, 0.1), side(d.z, 0.05)});
    if (kind == 3) points.push_back({d.x, d.y, 0.01 * d.z});
  }
  return points;
}

double reach(const Polyhedron& p, const Vector3& n) {
  double most = dot(n, p.vertices[0]);
  for (const Vector3& v : p.vertices) most = std::max(most, dot(n, v));
  return most;
}

// The distance of two nested convex bodies is the most by which one reaches farther in any direction.
double reach_beyond(const Polyhedron& whole, const Polyhedron& reduced, Random& random) {
  double most = 0;
  Vector3 best = {0, 0, 1};
  const auto consider = [&](const Vector3& n) {
    const double beyond = reach(whole, n) - reach(reduced, n);
    if (beyond > most) most = beyond, best = n;
  };
  for (const PolyhedronFace& face : reduced.faces) consider(face.normal);
  for (const PolyhedronFace& face : whole.faces) consider(face.normal);
  for (const Vector3& v : whole.vertices) consider((1 / norm(v)) * v);
  for (double size = 0.3; size > 1e-7; size *= 0.7)
    for (int i = 0; i < 30; ++i) {
      const Vector3 n = best + size * random_direction(random);
      consider((1 / norm(n)) * n);
    }
  return most;
}

double volume(const Polyhedron& p) { return solid_properties(p).volume; }

double area(const Polyhedron& p) {
  double sum = 0;
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
    const auto corners = p.face_corners(f);
    const auto vertex = [&](std::size_t i) { return p.vertices[static_cast<std::size_t>(corners[i])]; };
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      sum += norm(cross(vertex(i) - vertex(0), vertex(i + 1) - vertex(0))) / 2;
  }
  return sum;
}

TEST(HullReduction, LeavesOutsideWhatItSays) {
  constexpr std::uint64_t seed = 9301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int kind = 0; kind < 4; ++kind)
    for (const int corners : {8, 40, 128}) {
      SCOPED_TRACE(fmt::format("kind {}, {} corners", kind, corners));
      const auto whole = convex_hull(smooth_body(random, kind, 600)).polyhedron;
      const auto reduced = reduced_hull(whole, corners, 1e-11);
      ASSERT_LE(reduced->vertices.size(), static_cast<std::size_t>(corners));
      EXPECT_EQ(reduced->reduced_from, static_cast<int>(whole->vertices.size()));
      EXPECT_GT(reduced->reduction_error, 0);
      // Its corners are some of the whole hull's.
      for (const Vector3& v : reduced->vertices) EXPECT_LE(distance_outside(*whole, v), 1e-12);
      const double beyond = reach_beyond(*whole, *reduced, random);
      EXPECT_LE(beyond, reduced->reduction_error * (1 + 1e-9));
      EXPECT_GE(beyond, reduced->reduction_error * 0.95);
      const double lost = volume(*whole) - volume(*reduced);
      EXPECT_GT(lost, 0);
      EXPECT_LE(lost, reduced->reduction_error * area(*whole));
    }
}

TEST(HullReduction, FewCornersStay) {
  Random random(9302);
  const auto whole = convex_hull(smooth_body(random, 0, 60)).polyhedron;
  EXPECT_EQ(reduced_hull(whole, 60, 1e-11), whole);
  EXPECT_EQ(whole->reduced_from, 0);
  EXPECT_EQ(distance_outside(*whole, {0, 0, 0}), 0);
}

TEST(HullReduction, OfAMeshIsTold) {
  Random random(9303);
  TriangleMesh mesh;
  mesh.vertices = smooth_body(random, 2, 1000);
  const MeshHull found = hull_of(mesh);
  ASSERT_TRUE(found.hull && found.whole);
  EXPECT_LE(found.hull->vertices.size(), static_cast<std::size_t>(tolerances::mesh_corners_max));
  EXPECT_GT(found.whole->vertices.size(), 500u);
  EXPECT_EQ(found.note.find(fmt::format("its hull of {} corners is reduced to {}, which leaves points up to ",
                                        found.whole->vertices.size(), found.hull->vertices.size())),
            0u)
      << found.note;
}

}  // namespace
