// Shells and geoms fitted to meshes, against surfaces cut into triangles, closed forms and MuJoCo.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mjcf_case.h"
#include "mjcf_reference.h"
#include "routh/mesh/mass.h"

namespace {

using mjcf_reference::Mujoco;
using namespace routh;
using testing_support::Random;

constexpr double pi = std::numbers::pi;

BodyDescription body_of(const std::string& geom, const std::string& asset = "") {
  return mjcf_case::read_in_world("<body name='b'><freejoint/>" + geom + "</body>", asset).description.bodies.at(0);
}

// A surface about z whose profile is r(s), z(s) for s in [0, 1]: triangles with corners on it.
template <class Profile>
TriangleMesh revolved(const Profile& profile, int along, int around) {
  TriangleMesh mesh;
  for (int i = 0; i <= along; ++i)
    for (int k = 0; k < around; ++k) {
      const auto [r, z] = profile(static_cast<double>(i) / along);
      const double angle = 2 * pi * k / around;
      mesh.vertices.push_back({r * std::cos(angle), r * std::sin(angle), z});
    }
  const auto at = [&](int i, int k) { return i * around + k % around; };
  for (int i = 0; i < along; ++i)
    for (int k = 0; k < around; ++k) {
      mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      mesh.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
  return mesh;
}

// Triangles with corners on a round surface are a little small: 1/N² of it.
void expect_shell(const std::string& geom, const TriangleMesh& surface, double tolerance) {
  const BodyDescription body = body_of(geom);
  const SolidProperties shell = shell_properties(surface);
  EXPECT_NEAR(body.mass, 1000 * shell.volume, tolerance * body.mass) << geom;
  EXPECT_NEAR(body.inertia.xx, 1000 * shell.inertia.xx, tolerance * body.inertia.xx) << geom;
  EXPECT_NEAR(body.inertia.yy, 1000 * shell.inertia.yy, tolerance * body.inertia.yy) << geom;
  EXPECT_NEAR(body.inertia.zz, 1000 * shell.inertia.zz, tolerance * body.inertia.zz) << geom;
}

struct Point {
  double r, z;
};

TEST(MjcfShells, AgreeWithTheirSurfacesInTriangles) {
  constexpr int n = 200;
  constexpr double a = 0.3, b = 0.5;
  const auto arc = [](double s) { return Point{a * std::sin(pi * s), -a * std::cos(pi * s)}; };
  expect_shell("<geom type='sphere' size='0.3' shellinertia='true'/>", revolved(arc, n, n), 4e-4);
  const auto capsule = [&](double s) {
    if (s < 0.25) return Point{a * std::sin(2 * pi * s), -b - a * std::cos(2 * pi * s)};
    if (s > 0.75) return Point{a * std::sin(2 * pi * (1 - s)), b + a * std::cos(2 * pi * (1 - s))};
    return Point{a, b * (4 * s - 2)};
  };
  expect_shell("<geom type='capsule' size='0.3 0.5' shellinertia='true'/>", revolved(capsule, n, n), 4e-4);
  const auto can = [&](double s) {
    if (s < 0.25) return Point{4 * a * s, -b};
    if (s > 0.75) return Point{4 * a * (1 - s), b};
    return Point{a, b * (4 * s - 2)};
  };
  expect_shell("<geom type='cylinder' size='0.3 0.5' shellinertia='true'/>", revolved(can, n, n), 4e-4);
}

TEST(MjcfShells, BoxIsExact) {
  TriangleMesh box;
  for (int i = 0; i < 8; ++i) box.vertices.push_back({i & 1 ? 0.1 : -0.1, i & 2 ? 0.2 : -0.2, i & 4 ? 0.3 : -0.3});
  for (const auto& [p, q, r, s] :
       {std::array{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}}) {
    box.triangles.push_back({p, q, r});
    box.triangles.push_back({p, r, s});
  }
  expect_shell("<geom type='box' size='0.1 0.2 0.3' shellinertia='true'/>", box, 1e-13);
  const std::string vertices =
      "<asset><mesh name='m' inertia='shell' vertex='-0.1 -0.2 -0.3 0.1 -0.2 -0.3 -0.1 0.2 -0.3 "
      "0.1 0.2 -0.3 -0.1 -0.2 0.3 0.1 -0.2 0.3 -0.1 0.2 0.3 0.1 0.2 0.3'/></asset>";
  const BodyDescription mesh = body_of("<geom type='mesh' mesh='m'/>", vertices);
  const BodyDescription geom = body_of("<geom type='box' size='0.1 0.2 0.3' shellinertia='true'/>");
  EXPECT_NEAR(mesh.mass, geom.mass, 1e-12 * geom.mass);
  EXPECT_NEAR(mesh.inertia.xx, geom.inertia.xx, 1e-12);
  EXPECT_NEAR(mesh.inertia.zz, geom.inertia.zz, 1e-12);
}

// An ellipsoid that is a sphere is one; its area by the approximate formula is then exact.
TEST(MjcfShells, RoundEllipsoidIsASphere) {
  const BodyDescription sphere = body_of("<geom type='sphere' size='0.3' shellinertia='true'/>");
  const BodyDescription round = body_of("<geom type='ellipsoid' size='0.3 0.3 0.3' shellinertia='true'/>");
  EXPECT_NEAR(round.mass, sphere.mass, 1e-12 * sphere.mass);
  EXPECT_NEAR(round.inertia.xx, sphere.inertia.xx, 1e-12 * sphere.mass);
}

std::string random_mesh(Random& random) {
  std::string vertices;
  for (int i = 0; i < 9; ++i)
    vertices += fmt::format("{:.4f} {:.4f} {:.4f} ", 0.3 * random.uniform(-1, 1), 0.2 * random.uniform(-1, 1),
                            0.5 * random.uniform(-1, 1));
  return vertices;
}

// MuJoCo keeps meshes in single precision.
TEST(MjcfFitted, SizesAndPlacesAreMujocos) {
  constexpr double agreement = 2e-6;
  Random random(8410);
  for (int k = 0; k < testing_support::scaled(10, 2); ++k) {
    std::string text =
        fmt::format("<mujoco><asset><mesh name='m' vertex='{}'/></asset><worldbody>", random_mesh(random));
    for (const char* type : {"sphere", "capsule", "cylinder", "ellipsoid", "box"})
      text += fmt::format(
          "<body name='{0}'><freejoint/><geom name='g_{0}' type='{0}' mesh='m' pos='1 2 3' "
          "quat='1 .2 .3 .4' fitscale='1.1'/></body>",
          type);
    text += "<body name='none'><freejoint/><geom name='g_none' mesh='m'/></body></worldbody></mujoco>";
    const auto peer = Mujoco::load(text);
    if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
    const RobotFile robot = mjcf_case::read(text);
    ASSERT_EQ(robot.description.shapes.size(), 6u);
    for (const ShapeDescription& shape : robot.description.shapes) {
      const Eigen::VectorXd size = peer->geom_size(shape.name);
      const bool thick = shape.kind == ShapeKind::box || shape.kind == ShapeKind::ellipsoid;
      EXPECT_NEAR(thick ? shape.half_extents.x : shape.radius, size[0], agreement) << shape.name;
      if (shape.kind == ShapeKind::sphere) continue;
      EXPECT_NEAR(thick ? shape.half_extents.y : shape.length / 2, size[1], agreement) << shape.name;
      EXPECT_NEAR(shape.half_extents.z, thick ? size[2] : 0, agreement) << shape.name;
    }
    for (const BodyDescription& body : robot.description.bodies)
      EXPECT_NEAR(body.mass, peer->body_mass(body.name), agreement * body.mass) << body.name;
  }
}

// Fitted to the extent, a box holds the mesh of a turned box exactly.
TEST(MjcfFitted, ABoxFitsABox) {
  const std::string asset =
      "<compiler fitaabb='true'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 1 2 0 0 0 3 1 0 3 "
      "0 2 3 1 2 3'/></asset>";
  const RobotFile robot = mjcf_case::read_in_world(
      "<body name='b'><freejoint/><geom type='box' mesh='m'/></body><body name='c' pos='9 0 0'><freejoint/>"
      "<geom type='capsule' mesh='m'/></body>",
      asset);
  const ShapeDescription& box = robot.description.shapes.at(0);
  EXPECT_LT(norm(box.at.position - Vector3{0.5, 1, 1.5}), 1e-12);
  EXPECT_NEAR(box.half_extents.x, 0.5, 1e-12);
  EXPECT_NEAR(box.half_extents.y, 1, 1e-12);
  EXPECT_NEAR(box.half_extents.z, 1.5, 1e-12);
  EXPECT_NEAR(robot.description.bodies.at(0).mass, 6000, 1e-8);
  // All corners are at the largest distance from the axis.
  const ShapeDescription& capsule = robot.description.shapes.at(1);
  EXPECT_NEAR(capsule.radius, std::hypot(0.5, 1), 1e-12);
  EXPECT_NEAR(capsule.length, 3, 1e-7);  // a root of rounding at the rim
}

}  // namespace
