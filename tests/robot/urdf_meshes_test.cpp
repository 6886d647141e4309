// Meshes of URDF files: where they are looked for, their scale, and what is said of those that are not there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "routh/model/model.h"
#include "routh/robot/robot.h"

namespace {

using namespace routh;

const std::string file = ROUTH_TEST_DATA "/robots/robot.urdf";

RobotFile read(const std::string& collision, const RobotOptions& options = {}) {
  return read_robot_text(
      fmt::format("<robot name='r'>\n<link name='a'>\n<inertial><mass value='1'/>"
                  "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>\n{}</link></robot>",
                  collision),
      file, options);
}

RobotFile read_mesh(const std::string& attributes, const RobotOptions& options = {}) {
  return read(fmt::format("<collision><geometry><mesh {}/></geometry></collision>", attributes), options);
}

Vector3 extents(const ShapeDescription& shape) {
  Vector3 high;
  for (const Vector3& v : shape.mesh.hull->vertices)
    high = {std::max(high.x, std::abs(v.x)), std::max(high.y, std::abs(v.y)), std::max(high.z, std::abs(v.z))};
  return high;
}

// The die reaches φ/100 along each axis, to single precision.
TEST(UrdfMeshes, RelativePathAndScale) {
  const double reach = 0.01 * (1 + std::sqrt(5)) / 2;
  const RobotFile plain = read_mesh("filename='../meshes/die.stl'");
  ASSERT_EQ(plain.description.shapes.size(), 1u);
  EXPECT_EQ(plain.description.shapes[0].kind, ShapeKind::mesh);
  EXPECT_NEAR(extents(plain.description.shapes[0]).y, reach, 1e-8);
  EXPECT_TRUE(plain.warnings.empty());
  const RobotFile scaled = read_mesh("filename='../meshes/die.stl' scale='1 20 -300'");
  const Vector3 high = extents(scaled.description.shapes.at(0));
  EXPECT_NEAR(high.x, reach, 1e-7);
  EXPECT_NEAR(high.y, 20 * reach, 2e-6);
  EXPECT_NEAR(high.z, 300 * reach, 1e-5);
  EXPECT_EQ(scaled.description.shapes[0].mesh.scale.z, -300);
}

// The folder `meshes` is found above the file, or where the user says.
TEST(UrdfMeshes, Packages) {
  const RobotFile above = read_mesh("filename='package://meshes/die.obj'");
  ASSERT_EQ(above.description.shapes.size(), 1u);
  EXPECT_TRUE(above.description.shapes[0].mesh.file.ends_with("tests/data/meshes/die.obj"));
  const std::string uri = "filename='package://data/meshes/die.obj'";
  RobotOptions options;
  options.packages = {ROUTH_TEST_DATA "/.."};
  const std::string text = fmt::format(
      "<robot name='r'><link name='a'><collision><geometry><mesh {}/></geometry></collision></link></robot>", uri);
  EXPECT_EQ(read_robot_text(text, "/robot.urdf", options).description.shapes.size(), 1u);
  EXPECT_EQ(read_robot_text(text, "/robot.urdf").description.shapes.size(), 0u);
}

TEST(UrdfMeshes, AMissingOneLeavesItsShapeOut) {
  const RobotFile robot = read(
      "<collision><geometry><mesh filename='none.stl'/></geometry></collision>\n"
      "<collision><geometry><sphere radius='0.1'/></geometry></collision>\n"
      "<collision><geometry><mesh filename='package://lost/none.stl'/></geometry></collision>\n");
  ASSERT_EQ(robot.description.shapes.size(), 1u);
  EXPECT_EQ(robot.description.shapes[0].kind, ShapeKind::sphere);
  EXPECT_EQ(build_model(robot.description).shapes.size(), 1u);
  ASSERT_EQ(robot.warnings.size(), 1u);
  for (const char* words : {":4:22: warning: 2 collision meshes are ", "'none.stl'", "/robots/none.stl", " a"})
    EXPECT_NE(robot.warnings[0].find(words), std::string::npos) << robot.warnings[0] << "\n" << words;
}

TEST(UrdfMeshes, OneThatCannotBeReadLeavesItsShapeOut) {
  const RobotFile robot = read_mesh("filename='../meshes/make_meshes.py'");
  EXPECT_TRUE(robot.description.shapes.empty());
  ASSERT_EQ(robot.warnings.size(), 1u);
  for (const char* words : {":4:22: warning: 1 collision mesh is left out", "a mesh of the kind '.py' is not read"})
    EXPECT_NE(robot.warnings[0].find(words), std::string::npos) << robot.warnings[0];
  build_model(robot.description);
}

TEST(UrdfMeshes, MissingVisualsAreCountedInOneWarning) {
  std::string visuals;
  for (const char* name : {"one.dae", "two.dae", "../meshes/die.stl", "three.dae"})
    visuals += fmt::format("<visual><geometry><mesh filename='{}'/></geometry></visual>\n", name);
  const RobotFile robot = read(visuals);
  const auto found = std::count_if(robot.warnings.begin(), robot.warnings.end(), [](const std::string& warning) {
    return warning.find("3 visual meshes are not found, first 'one.dae'") != std::string::npos;
  });
  EXPECT_EQ(found, 1);
  EXPECT_EQ(robot.warnings.size(), 1u);  // which says, too, that visuals are ignored
}

TEST(UrdfMeshes, OneThatIsNotConvexIsNamed) {
  const RobotFile robot = read_mesh("filename='../meshes/bracket.stl'");
  EXPECT_EQ(robot.description.shapes.at(0).mesh.note,
            "it is not convex; its convex hull is used, whose volume is larger by 16.7 %");
  const Model model = build_model(robot.description);
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_NE(model.warnings[0].find("robot.urdf:4:1: warning: mesh 'a': it is not convex"), std::string::npos)
      << model.warnings[0];
}

TEST(UrdfMeshes, Refusals) {
  for (const auto& [attributes, expected] :
       {std::pair{"scale='1 1 1'", ":4:22: error: <mesh> has no attribute 'filename'"},
        std::pair{"filename='../meshes/die.stl' scale='1 0 1'", ":4:22: error: the scale of <mesh> is zero"},
        std::pair{"filename='../meshes/die.stl' scale='2'", "where 3 numbers are expected"}}) {
    try {
      read_mesh(attributes);
      ADD_FAILURE() << attributes;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  }
}

}  // namespace
