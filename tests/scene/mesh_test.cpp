// Meshes in scenes: from files and from vertices, what is said of bad ones, and written again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "routh/scene/scene_text.h"
#include "scene/samples.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::refusal;
using testing_support::repository;
using testing_support::scaled;

const std::string folder = ROUTH_TEST_DATA "/meshes";
const std::string beside = folder + "/scene.yaml";

// A mesh as a shape of the world; what describes it begins in line 4, column 21.
std::string with_mesh(const std::string& inside, const std::string& before = "") {
  return fmt::format(
      "routh: 1\n{}world:\n  shapes:\n    m: {{kind: mesh, {}}}\nbodies: {{a: {{mass: 0, joint: {{kind: fixed}}}}}}\n",
      before, inside);
}

const Polyhedron& hull_in(const Scene& scene) { return *scene.model.shapes.at(0).hull; }

const char* const cube_vertices =
    "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]";

void expect_same(const Vector3& a, const Vector3& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.z, b.z);
}

void expect_same_hull(const Polyhedron& a, const Polyhedron& b) {
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  ASSERT_EQ(a.faces.size(), b.faces.size());
  EXPECT_EQ(a.corners, b.corners);
  EXPECT_EQ(a.radius, b.radius);
  for (std::size_t i = 0; i < a.vertices.size(); ++i) expect_same(a.vertices[i], b.vertices[i]);
  for (std::size_t i = 0; i < a.faces.size(); ++i) {
    expect_same(a.faces[i].normal, b.faces[i].normal);
    EXPECT_EQ(a.faces[i].offset, b.faces[i].offset);
  }
}

TEST(SceneMeshes, FromAFileWithItsScale) {
  for (const char* name : {"die.stl", "die.obj"}) {
    const Scene scene = read_scene_text(with_mesh(fmt::format("file: {}", name)), beside);
    const Polyhedron& die = hull_in(scene);
    EXPECT_EQ(die.vertices.size(), 20u);
    EXPECT_EQ(die.faces.size(), 12u);
    EXPECT_NEAR(die.radius, 0.01 * std::sqrt(3), 1e-9);
    EXPECT_TRUE(scene.warnings.empty());
  }
  const Scene coarse = read_scene_text(with_mesh("file: die.obj, corners: 8"), beside);
  EXPECT_EQ(hull_in(coarse).vertices.size(), 8u);
  EXPECT_EQ(hull_in(coarse).reduced_from, 20);
  ASSERT_EQ(coarse.warnings.size(), 1u);
  EXPECT_NE(coarse.warnings[0].find("its hull of 20 corners is reduced to 8"), std::string::npos);
  const Scene larger = read_scene_text(with_mesh("file: die.obj, scale: 100"), beside);
  EXPECT_NEAR(hull_in(larger).radius, std::sqrt(3), 1e-12);
  // The extents of a bracket, 2 × 2 × 1, and one that is mirrored.
  const Scene bracket = read_scene_text(with_mesh("file: bracket.obj, scale: [2, 0.5, -3]"), beside);
  Vector3 low, high;
  for (const Vector3& v : hull_in(bracket).vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  expect_same(low, {0, 0, -3});
  expect_same(high, {4, 1, 0});
  // The hull fills half of the missing quarter: 3.5 where the bracket has 3.
  ASSERT_EQ(bracket.warnings.size(), 1u);
  EXPECT_NE(bracket.warnings[0].find("scene.yaml:4:5: warning: mesh 'm': it is not convex; its convex hull is used, "
                                     "whose volume is larger by 16.7 %"),
            std::string::npos)
      << bracket.warnings[0];
}

TEST(SceneMeshes, FromVertices) {
  const Scene scene =
      read_scene_text(with_mesh(fmt::format("vertices: {}, [0.5, 0.5, 1], [0.2, 0.3, 0.4]]", cube_vertices)), "f");
  EXPECT_EQ(hull_in(scene).vertices.size(), 8u);
  EXPECT_EQ(hull_in(scene).faces.size(), 6u);
  EXPECT_EQ(hull_in(scene).edges.size(), 12u);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(SceneMeshes, Refusals) {
  const std::string planar = "dimension: planar\n";
  const std::pair<std::string, std::string> cases[] = {
      {with_mesh("file: none.stl"),
       "4:27: error: world.shapes.m.file: there is no file 'none.stl'; give its path from the folder of this scene"},
      {with_mesh("file: die.stl, scale: 0"), "4:43: error: world.shapes.m.scale"},
      {with_mesh("file: die.stl, scale: -1"), "4:43: error: world.shapes.m.scale"},
      {with_mesh("file: die.stl, scale: [1, 0, 1]"), "4:43: error: world.shapes.m.scale: a scale of zero"},
      {with_mesh("file: die.stl, scale: [1, 1]"), "4:43: error: world.shapes.m.scale: found a list of 2"},
      {with_mesh("file: die.stl, scale: big"), "4:43: error: world.shapes.m.scale: 'big' is not a number"},
      {with_mesh("file: die.stl, corners: 3"), "4:45: error: world.shapes.m.corners: 3 is no number of corners"},
      {with_mesh("file: die.stl, corners: 8.5"), "4:45: error: world.shapes.m.corners: 8.5 is no number"},
      {with_mesh("file: die.stl, corners: 5001"), "4:45: error: world.shapes.m.corners: 5001 is no"},
      {with_mesh("vertices: [], corners: 8"), "4:35: error: world.shapes.m: 'corners' is for a file"},
      {with_mesh("scale: 2"), "4:8: error: world.shapes.m: 'file' is missing"},
      {with_mesh("vertices: []"), "4:31: error: world.shapes.m.vertices: the points of the mesh are none"},
      {with_mesh("vertices: [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]]"),
       "4:31: error: world.shapes.m.vertices: the"},
      {with_mesh("vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]"), "4:31: error: world.shapes.m.vertices: the points"},
      {with_mesh("vertices: [[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3], [5, 5, 5]]"), "4:31: error: world.shapes.m"},
      {with_mesh("vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0.3, 2, 0]]"), "4:31: error: world.shapes.m"},
      {with_mesh("vertices: [[0, 0, 0], [1, 0], [0, 1, 0], [0, 0, 1]]"),
       "4:43: error: world.shapes.m.vertices[1]: found a list of 2"},
      {with_mesh("vertices: 3"), "4:31: error: world.shapes.m.vertices"},
      {with_mesh("file: die.stl, vertices: []"), "4:36: error: world.shapes.m: found both 'file' and 'vertices'"},
      {with_mesh("vertices: [], scale: 2"), "4:35: error: world.shapes.m: 'scale' is for a file"},
      {with_mesh("file: die.stl, radius: 1"), "4:36: error: 'radius' is not a key of world.shapes.m"},
      {with_mesh("file: die.stl", planar), "5:15: error: world.shapes.m.kind: a mesh is for scenes in space"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string message = refusal(text, beside);
    EXPECT_EQ(message.substr(0, beside.size() + 1 + expected.size()), beside + ":" + expected) << text << message;
  }
  const std::string kind = refusal(with_mesh("file: die.yaml"), beside);
  EXPECT_NE(kind.find("a mesh of the kind '.yaml' is not read; known are .stl, .obj and .dae"), std::string::npos);
}

// What is wrong with points is said in words.
TEST(SceneMeshes, WhyThereIsNoVolume) {
  const std::pair<std::string, std::string> cases[] = {
      {"[[1, 2, 3], [1, 2, 3]]", "all coincide"},
      {"[[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3]]", "lie on a line"},
      {"[[0, 0, 1], [1, 0, 1], [0, 1, 1]]", "lie in a plane"},
      {"[[0, 0, 1], [1, 0, 1], [0, 1, 1], [3, 1, 1.0000000001]]", "lie in a plane"},
  };
  for (const auto& [vertices, words] : cases) {
    const std::string message = refusal(with_mesh("vertices: " + vertices));
    EXPECT_NE(message.find("the points of the mesh " + words), std::string::npos) << vertices << message;
  }
}

// With the path of the file from the folder where the text is to stand, and with absolute ones from anywhere.
TEST(SceneMeshes, AFileIsWrittenAndReadAgain) {
  const std::string text = testing_support::content(folder + "/die.yaml");
  const Scene scene = read_scene_text(text, folder + "/die.yaml");
  const std::string elsewhere = repository("tests/data/robots");
  const std::tuple<std::string, std::string, std::string> places[] = {
      {folder, beside, "file: \"die.stl\""},
      {elsewhere, elsewhere + "/scene.yaml", "file: \"../meshes/die.stl\""},
      {"", "scene.yaml",
       fmt::format("file: \"{}\"", std::filesystem::absolute(folder + "/die.stl").lexically_normal().string())},
  };
  for (const auto& [to, name, expected] : places) {
    const std::string again = scene_text(scene, {"die.yaml", to});
    EXPECT_NE(again.find(expected), std::string::npos) << again;
    const Scene read = read_scene_text(again, name);
    expect_same_hull(hull_in(scene), hull_in(read));
    EXPECT_EQ(scene.state.q, read.state.q);
    EXPECT_EQ(scene.state.v, read.state.v);
    EXPECT_EQ(scene_text(read, {"die.yaml", to}), again);
  }
}

// Vertices of any kind of points: the hull of the written ones is the same to the last bit.
TEST(SceneMeshes, VerticesAreWrittenAndReadAgain) {
  constexpr std::uint64_t seed = 8401;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int flat = 0;
  const int rounds = scaled(60, 6);
  for (int k = 0; k < rounds; ++k) {
    std::vector<std::string> points;
    const int count = 4 + k;
    // On a coarse grid many lie in planes and twice at a place.
    for (int i = 0; i < count; ++i) {
      const auto value = [&] {
        const double x = random.uniform(-1, 1);
        return k % 2 ? x : std::round(4 * x) / 3;
      };
      const double x = value(), y = value(), z = value();
      points.push_back(fmt::format("[{}, {}, {}]", x, y, z));
    }
    const std::string text = with_mesh(fmt::format("vertices: [{}]", fmt::join(points, ", ")));
    if (!refusal(text).empty()) {  // the first few on the grid may be
      EXPECT_NE(refusal(text).find("lie in a plane"), std::string::npos) << refusal(text);
      ++flat;
      continue;
    }
    const Scene scene = read_scene_text(text, "f");
    const std::string again = scene_text(scene, {});
    const Scene read = read_scene_text(again, "f");
    expect_same_hull(hull_in(scene), hull_in(read));
    EXPECT_EQ(scene_text(read, {}), again);
  }
  EXPECT_LE(flat, rounds / 3);
}

}  // namespace
}  // namespace routh
