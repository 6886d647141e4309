#include "routh/mesh/mass.h"

#include <gtest/gtest.h>

#include "mesh/solids.h"
#include "routh/mesh/hull.h"

namespace {

using namespace routh;
using namespace testing_support;

void expect_inertia(const Symmetric3& found, const Symmetric3& expected, double tolerance) {
  EXPECT_NEAR(found.xx, expected.xx, tolerance);
  EXPECT_NEAR(found.yy, expected.yy, tolerance);
  EXPECT_NEAR(found.zz, expected.zz, tolerance);
  EXPECT_NEAR(found.xy, expected.xy, tolerance);
  EXPECT_NEAR(found.xz, expected.xz, tolerance);
  EXPECT_NEAR(found.yz, expected.yz, tolerance);
}

// A turned and shifted box: V (b² + c²)/12 about each axis.
TEST(Mass, BoxIsExact) {
  Random random(81);
  for (int round = 0; round < scaled(50, 5); ++round) {
    const double a = random.uniform(0.1, 2), b = random.uniform(0.1, 2), c = random.uniform(0.1, 2);
    const Matrix3 R = random_rotation(random);
    const Vector3 at = {random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
    std::vector<Vector3> points;
    for (const Vector3& v : cube_points(0.5)) points.push_back(R * Vector3{a * v.x, b * v.y, c * v.z} + at);
    const SolidProperties solid = solid_properties(*convex_hull(points).polyhedron);
    const double V = a * b * c;
    EXPECT_NEAR(solid.volume, V, 1e-13);
    EXPECT_LT(norm(solid.com - at), 1e-13);
    const Symmetric3 own = {V / 12 * (b * b + c * c), V / 12 * (a * a + c * c), V / 12 * (a * a + b * b), 0, 0, 0};
    expect_inertia(solid.inertia, rotated(R, own), 1e-13);
  }
}

// Corners 0, a x, a y, a z: V = a³/6, centre a/4, and with moments of V a²/10 and products of V a²/20 about the corner.
TEST(Mass, CornerTetrahedronIsExact) {
  const double a = 1.7, V = a * a * a / 6;
  const std::vector<Vector3> points = {{0, 0, 0}, {a, 0, 0}, {0, a, 0}, {0, 0, a}};
  const SolidProperties solid = solid_properties(*convex_hull(points).polyhedron);
  EXPECT_NEAR(solid.volume, V, 1e-15);
  EXPECT_LT(norm(solid.com - Vector3{a / 4, a / 4, a / 4}), 1e-15);
  const double moment = V * a * a / 10 - V * a * a / 16, product = V * a * a / 20 - V * a * a / 16;
  expect_inertia(solid.inertia, {2 * moment, 2 * moment, 2 * moment, -product, -product, -product}, 1e-14);
}

// V = 5 (3 + √5)/12 s³ and I = V s² φ²/10 about every axis, s the length of an edge (here 2).
TEST(Mass, IcosahedronIsExact) {
  const double s = 2, golden = (1 + std::sqrt(5.0)) / 2, V = 5 * (3 + std::sqrt(5.0)) / 12 * s * s * s;
  const SolidProperties solid = solid_properties(*convex_hull(icosahedron_points()).polyhedron);
  EXPECT_NEAR(solid.volume, V, 1e-13);
  EXPECT_LT(norm(solid.com), 1e-15);
  const double I = V * s * s * golden * golden / 10;
  expect_inertia(solid.inertia, {I, I, I, 0, 0, 0}, 1e-12);
}

TEST(Mass, SphereOfManyFacesComesNearASphere) {
  Random random(82);
  const SolidProperties solid = solid_properties(*convex_hull(sphere_points(random, 4000)).polyhedron);
  const double V = 4.0 / 3 * 3.141592653589793;
  EXPECT_NEAR(solid.volume, V, 0.005 * V);
  EXPECT_NEAR(solid.inertia.xx, 0.4 * V, 0.01 * V);
}

// A box with a box cut out of it: not convex. Turned inside out its volume is negative; with absolute tetrahedra the
// notch counts as filled in part.
TEST(Mass, NotchedBoxSubtracts) {
  const TriangleMesh outer = triangulated(*convex_hull(cube_points(1)).polyhedron);
  const TriangleMesh inner = triangulated(*convex_hull(cube_points(0.5)).polyhedron);
  TriangleMesh both = outer;
  const int first = static_cast<int>(both.vertices.size());
  both.vertices.insert(both.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (const auto& t : inner.triangles) both.triangles.push_back({first + t[0], first + t[2], first + t[1]});
  EXPECT_NEAR(solid_properties(both).volume, 8 - 1, 1e-14);
  EXPECT_NEAR(solid_properties(both).inertia.xx, 8 * 8.0 / 12 - 2.0 / 12, 1e-14);
  EXPECT_NEAR(solid_properties(both, TetrahedronSign::absolute_volume).volume, 8 + 1, 1e-14);
  EXPECT_TRUE(is_closed(both));
  both.triangles.pop_back();
  EXPECT_FALSE(is_closed(both));
}

}  // namespace
