// Meshes of MJCF files: where they stand, and the mass that comes from them, by formulas and against MuJoCo.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "mjcf_case.h"
#include "mjcf_reference.h"

namespace {

using namespace routh;
using mjcf_reference::Mujoco;
using testing_support::Random;

const double golden = (1 + std::sqrt(5)) / 2;

// A free body with a geom of a mesh of tests/data/meshes.
std::string mesh_body(const std::string& mesh, const std::string& geom = "", const std::string& compiler = "") {
  return fmt::format(
      "<mujoco>\n<compiler meshdir='{}/meshes' {}/>\n<asset><mesh name='m' {}/></asset>\n<worldbody>\n"
      "<body name='b'><freejoint/><geom name='g' type='mesh' mesh='m' {}/></body></worldbody></mujoco>",
      ROUTH_TEST_DATA, compiler, mesh, geom);
}

std::string refusal(const std::string& text) {
  try {
    mjcf_case::read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool warns(const RobotFile& robot, const std::string& text) {
  for (const std::string& warning : robot.warnings)
    if (warning.find(text) != std::string::npos) return true;
  return false;
}

// A dodecahedron of edge a has the volume (15 + 7√5)/4 a³ and ∫x² dm = (95 + 39√5)/600 m a²; stretched, the latter
// grows with the square of the factor along x. The centre is where refpos and the geom put it.
TEST(MjcfMeshes, MassCentreAndInertiaOfADie) {
  const double edge = 0.02 / golden, volume = (15 + 7 * std::sqrt(5)) / 4 * edge * edge * edge * 6;
  const RobotFile robot = mjcf_case::read(
      mesh_body("file='die.obj' scale='1 2 -3' refpos='0.1 0.2 0.3'", "density='500' pos='1 2 3' euler='0 0 90'"));
  const BodyDescription& body = robot.description.bodies.at(0);
  EXPECT_NEAR(body.mass, 500 * volume, 1e-12 * 500 * volume);
  // −scale · refpos = (−0.1, −0.4, 0.9), turned by a quarter about z.
  EXPECT_NEAR(body.com.x, 1.4, 1e-12);
  EXPECT_NEAR(body.com.y, 1.9, 1e-12);
  EXPECT_NEAR(body.com.z, 3.9, 1e-12);
  const double second = (95 + 39 * std::sqrt(5)) / 600 * body.mass * edge * edge;
  const double expected[] = {second * (1 + 9), second * (4 + 9), second * (1 + 4), 0, 0, 0};
  const Symmetric3& s = body.inertia;
  const double found[] = {s.xx, s.yy, s.zz, s.xy, s.xz, s.yz};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], expected[i], 1e-11 * second) << i;
  const RobotFile given = mjcf_case::read(mesh_body("file='die.obj'", "mass='2'"));
  EXPECT_NEAR(given.description.bodies[0].mass, 2, 1e-15);
  EXPECT_NEAR(given.description.bodies[0].inertia.zz, (95 + 39 * std::sqrt(5)) / 300 * 2 * edge * edge, 1e-15);
}

// An L of three unit squares: its own volume is 3, the hull's 3.5. Its centre is 5/6 of the way along both legs.
TEST(MjcfMeshes, MeasuresOfOneThatIsNotConvex) {
  const RobotFile exact = mjcf_case::read(mesh_body("file='bracket.obj'", "density='1'", "exactmeshinertia='true'"));
  EXPECT_NEAR(exact.description.bodies[0].mass, 3, 1e-12);
  EXPECT_NEAR(exact.description.bodies[0].com.x, 5.0 / 6, 1e-12);
  EXPECT_NEAR(exact.description.bodies[0].com.z, 0.5, 1e-12);
  const RobotFile convex = mjcf_case::read(mesh_body("file='bracket.obj' inertia='convex'", "density='1'"));
  EXPECT_NEAR(convex.description.bodies[0].mass, 3.5, 1e-12);
  EXPECT_EQ(convex.description.shapes.at(0).mesh.note,
            "it is not convex; its convex hull is used, whose volume is larger by 16.7 %");
}

// R(refquat)ᵀ (v − refpos), scaled, is where MuJoCo puts a vertex in the geom's frame as it is written.
TEST(MjcfMeshes, StandsWhereReferenceAndGeomPutIt) {
  const RobotFile robot = mjcf_case::read(
      mesh_body("file='bracket.obj' scale='2 2 2' refpos='1 0 0' refquat='0.5 0.5 0.5 0.5'", "pos='0 0 5'"));
  const ShapeDescription& shape = robot.description.shapes.at(0);
  // The quaternion takes x to y, y to z and z to x; its inverse (x, y, z) to (y, z, x).
  const Vector3 corners[] = {{0, 0, -2}, {0, 0, 2}, {2, 0, 2}, {4, 0, 0}, {0, 2, -2}, {4, 2, -2}};
  for (const Vector3& corner : corners) {
    double nearest = 1;
    for (const Vector3& v : shape.mesh.hull->vertices)
      nearest = std::min(nearest, norm(shape.at * v - (corner + Vector3{0, 0, 5})));
    EXPECT_LT(nearest, 1e-14) << corner.x << " " << corner.y << " " << corner.z;
  }
  EXPECT_EQ(shape.mesh.hull->vertices.size(), 10u);
}

// All bodies at once: one does not want to mend a file error by error.
TEST(MjcfMeshes, AllBodiesWithoutMassAreNamed) {
  const auto body = [](const std::string& name, const std::string& more) {
    return "\n<body name='" + name + "'><joint/>" + more + "<geom type='mesh' mesh='m'/></body>";
  };
  const auto text = [](const std::string& bodies) {
    return "<mujoco><asset><mesh name='m' file='none.stl'/></asset><worldbody>" + bodies + "</worldbody></mujoco>";
  };
  const std::string ball = "<geom size='.1'/>";
  try {
    mjcf_case::read(text(body("a", "") + body("b", ball) + body("c", "")));
    ADD_FAILURE() << "read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the mass of 2 bodies, 'a' (line 2), 'c' (line 4) would come from meshes"),
              std::string::npos)
        << error.what();
  }
  const RobotFile lighter = mjcf_case::read(text(body("a", ball) + body("b", ball)));
  EXPECT_TRUE(warns(lighter, "the mass of meshes of 2 bodies, 'a' (line 2), 'b' (line 3) is missing"));
}

TEST(MjcfMeshes, MissingAndBad) {
  const std::string inertial = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";
  const auto with_inertial = [&](std::string text) { return text.insert(text.find("<freejoint/>"), inertial); };
  const RobotFile missing = mjcf_case::read(with_inertial(mesh_body("file='none.stl'")));
  EXPECT_TRUE(missing.description.shapes.empty());
  EXPECT_TRUE(warns(missing, "there is no file")) << missing.warnings.at(0);
  EXPECT_EQ(build_model(missing.description).velocities, 6);
  const RobotFile skewed = mjcf_case::read(with_inertial(mesh_body("file='die.stl' scale='1 2 3' refquat='1 1 0 0'")));
  EXPECT_TRUE(skewed.description.shapes.empty());
  EXPECT_TRUE(warns(skewed, "refquat and a scale that differs"));
  const std::pair<std::string, std::string> cases[] = {
      {mesh_body("file='none.stl'"), "robot.xml:5:1: error: the mass of the body 'b' would come from meshes"},
      {mesh_body("file='die.stl' scale='1 0 1'"), "robot.xml:3:8: error: the scale of <mesh> is zero"},
      {mesh_body("file='die.stl' refquat='0 0 0 0'"), "refquat is zero"},
      {mesh_body("vertex='0 0 0 1 0 0 0 1 0 0 0 1 1'"), "vertex has 13 numbers"},
      {mesh_body("vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 4'"), "face names the vertex 4"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(refusal(text).find(expected), std::string::npos) << text << "\n" << refusal(text);
}

// MuJoCo keeps vertices in single precision and moves them more than once.
class MeshesAgainstMujoco : public testing::TestWithParam<const char*> {};

TEST_P(MeshesAgainstMujoco, MassMatrixAndGravity) {
  constexpr double agreement = 1e-5;
  std::string text = mjcf_case::read_text("mjcf_meshes.xml");
  const std::string relative = "meshdir=\"../meshes\"";
  ASSERT_NE(text.find(relative), std::string::npos);
  text.replace(text.find(relative), relative.size(),
               fmt::format("meshdir='{}/meshes' {}", ROUTH_TEST_DATA, GetParam()));
  const auto peer = Mujoco::load(text);
  if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
  const RobotFile robot = mjcf_case::read(text);
  const Model model = build_model(robot.description);
  ASSERT_EQ(model.velocities, peer->velocities());
  for (const BodyDescription& body : robot.description.bodies)
    EXPECT_NEAR(body.mass, peer->body_mass(body.name), agreement * body.mass) << body.name;
  constexpr std::uint64_t seed = 8402;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Workspace workspace(model);
  for (int k = 0; k < testing_support::scaled(20, 3); ++k) {
    const Eigen::VectorXd q = mjcf_case::random_posture(model, random);
    peer->set(q);
    compute_mass_matrix(model, q, workspace);
    const Eigen::MatrixXd M = peer->mass_matrix();
    for (int i = 0; i < M.rows(); ++i)
      for (int j = 0; j < M.cols(); ++j)
        EXPECT_NEAR(workspace.mass_matrix(i, j), M(i, j), agreement * std::sqrt(M(i, i) * M(j, j))) << i << " " << j;
    compute_gravity_force(model, q, workspace);
    const Eigen::VectorXd h = peer->gravity_force();
    EXPECT_LT((workspace.force - h).cwiseAbs().maxCoeff(), agreement * h.cwiseAbs().maxCoeff());
  }
}

// Where the mass follows from the mesh, MuJoCo 2.2.2 weighs the box of the same inertia, not the mesh: its sides are
// l_x² = 6 (I_yy + I_zz − I_xx)/m. Later versions weigh the volume, as this reader does: a die is 10 % heavier.
TEST(MjcfMeshes, MujocoTwoWeighsTheBoxOfEqualInertia) {
  const std::string text = mesh_body("file='die.stl' scale='1 2 3'", "density='500'");
  const auto peer = Mujoco::load(text);
  if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
  const RobotFile robot = mjcf_case::read(text);
  const BodyDescription& body = robot.description.bodies.at(0);
  const Symmetric3& s = body.inertia;
  const double sum = s.xx + s.yy + s.zz;
  double box = 500;
  for (const double moment : {s.xx, s.yy, s.zz}) box *= std::sqrt(6 * (sum - 2 * moment) / body.mass);
  EXPECT_NEAR(peer->body_mass("b"), box, 1e-4 * box);
  EXPECT_GT(body.mass, 1.05 * box);
}

INSTANTIATE_TEST_SUITE_P(Measures, MeshesAgainstMujoco,
                         testing::Values("exactmeshinertia='false'", "exactmeshinertia='true'"),
                         [](const auto& measure) { return measure.index == 0 ? "legacy" : "exact"; });

}  // namespace
