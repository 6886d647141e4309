// Readers of STL, OBJ and COLLADA: what they give, and what they refuse and where.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "routh/base/error.h"
#include "routh/mesh/mesh_formats.h"
#include "routh/mesh/mesh_hull.h"
#include "routh/robot/mesh_file.h"

namespace {

using namespace routh;

std::string data(const std::string& name) { return ROUTH_TEST_DATA "/meshes/" + name; }

std::string bytes_of(const std::string& name) {
  std::ifstream in(data(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string binary_stl(std::uint32_t count, std::size_t triangles, float value = 1) {
  std::string bytes(80, ' ');
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(count >> (8 * i) & 0xff);
  for (std::size_t t = 0; t < triangles; ++t) {
    std::string record(50, '\0');
    std::memcpy(record.data() + 24, &value, 4);
    std::memcpy(record.data() + 40, &value, 4);
    bytes += record;
  }
  return bytes;
}

template <class Read>
std::string refusal(const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    return error.what();
  }
  return "accepted";
}

void expect_refused(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

// Edge a of a dodecahedron of the coordinates ±1, ±φ, ±1/φ is 2/φ, its volume (15 + 7 √5)/4 a³.
TEST(MeshFiles, TheDieIsTheSameInEveryFormat) {
  const double golden = (1 + std::sqrt(5.0)) / 2, edge = 0.01 * 2 / golden;
  const double volume = (15 + 7 * std::sqrt(5.0)) / 4 * edge * edge * edge;
  for (const char* name : {"die.obj", "die.stl"}) {
    SCOPED_TRACE(name);
    const TriangleMesh mesh = read_mesh_file(data(name));
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_NEAR(solid_properties(mesh).volume, volume, 1e-6 * volume);
    const MeshHull hull = hull_of(mesh);
    ASSERT_TRUE(hull.hull);
    EXPECT_EQ(hull.hull->vertices.size(), 20u);
    EXPECT_EQ(hull.hull->faces.size(), 12u);
    EXPECT_EQ(hull.note, "");
  }
}

// The L has the volume 3, its hull that of the square less a triangle: 3.5.
TEST(MeshFiles, TheBracketIsTheSameInEveryFormat) {
  for (const char* name : {"bracket.obj", "bracket.stl", "bracket.dae"}) {
    SCOPED_TRACE(name);
    const TriangleMesh mesh = read_mesh_file(data(name));
    const SolidProperties solid = solid_properties(mesh);
    EXPECT_NEAR(solid.volume, 3, 1e-6);
    // Three quarters with centres at (0.5, 0.5), (1.5, 0.5) and (0.5, 1.5); the node of the COLLADA file lifts it.
    const double lift = std::string(name).ends_with("dae") ? 0.5 : 0;
    EXPECT_LT(norm(solid.com - Vector3{2.5 / 3, 2.5 / 3, 0.5 + lift}), 1e-6);
    const MeshHull hull = hull_of(mesh);
    ASSERT_TRUE(hull.hull);
    EXPECT_NEAR(solid_properties(*hull.hull).volume, 3.5, 1e-6);
    EXPECT_NE(hull.note.find("16.7 %"), std::string::npos) << hull.note;
  }
}

TEST(MeshFiles, AMirroredMeshKeepsItsVolume) {
  const TriangleMesh mesh = scaled(read_mesh_file(data("bracket.obj")), {-1, 2, 0.5});
  EXPECT_NEAR(solid_properties(mesh).volume, 3, 1e-14);
  EXPECT_LT(norm(solid_properties(mesh).com - Vector3{-2.5 / 3, 5.0 / 3, 0.25}), 1e-14);
}

TEST(Stl, RefusesWhatItCannotHold) {
  const auto read = [](const std::string& bytes) { return refusal([&] { read_stl(bytes, "f"); }); };
  EXPECT_EQ(read(binary_stl(2, 2)), "accepted");
  expect_refused(read(""), "empty");
  expect_refused(read(binary_stl(3, 2)), "says at byte 80 that it holds 3 triangles, which take 234 bytes; it has 184");
  expect_refused(read(binary_stl(4000000000u, 2)), "4000000000 triangles");
  expect_refused(read(binary_stl(0, 0)), "no triangles");
  expect_refused(read(binary_stl(2, 2, std::nanf(""))), "triangle 0 has a corner that is not finite, at byte 108");
  expect_refused(read("solid a\n facet normal 0 0 1\n outer loop\n vertex 0 0\n"), "f:4");
  expect_refused(read("solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 1e999\n"), "f:6");
  expect_refused(read("solid a\nfacet\nouter loop\nvertex 0 0 nan\n"), "f:4");
  expect_refused(read("solid a\nfacet\nouter loop\nvertex 0 0 0\nendloop\n"), "found 'endloop' where 'vertex' must be");
  expect_refused(read("solid a\nendsolid a\n"), "no triangles");
  expect_refused(read("hello"), "at least 84");
}

TEST(Stl, CutAnywhereIsRefused) {
  for (const char* name : {"die.stl", "bracket.stl"}) {
    const std::string whole = bytes_of(name);
    ASSERT_NO_THROW(read_stl(whole, "f"));
    for (std::size_t size = 0; size < whole.size() - 20; size += 7)
      ASSERT_NE(refusal([&] { read_stl(whole.substr(0, size), "f"); }), "accepted") << name << ' ' << size;
  }
}

TEST(Obj, ReadsPolygonsNegativeIndicesAndContinuations) {
  const TriangleMesh mesh = read_obj(
      "# a square\nv 0 0 0\nv 1 0 0 1\nv 1 1 0 0.5 0.5 0.5\r\nv 0 +1 0\nvt 0 0\nvn 0 0 1\n"
      "usemtl red\nf 1/1/1 2//1 \\\n 3 4\nf -4 -3 -2\n",
      "f");
  ASSERT_EQ(mesh.vertices.size(), 4u);
  const std::vector<std::array<int, 3>> expected = {{0, 1, 2}, {0, 2, 3}, {0, 1, 2}};
  EXPECT_EQ(mesh.triangles, expected);
}

TEST(Obj, RefusesWithTheLine) {
  const auto read = [](const std::string& text) { return refusal([&] { read_obj(text, "f"); }); };
  expect_refused(read(""), "no vertices");
  expect_refused(read("v 0 0\n"), "f:1: error: vertex lacks a number");
  expect_refused(read("v 0 0 0\nv 0 x 0\n"), "f:2: error: vertex has 'x'");
  expect_refused(read("v 0 0 inf\n"), "f:1");
  expect_refused(read("v 0 0 0\nf 1 1\n"), "f:2: error: a face has fewer than three corners");
  expect_refused(read("v 0 0 0\nf 1 1 2\n"), "f:2: error: face names the vertex 2; there are 1");
  expect_refused(read("v 0 0 0\nf 1 0 1\n"), "f:2: error: face names the vertex 0");
  expect_refused(read("v 0 0 0\nf 1 -2 1\n"), "f:2");
  expect_refused(read("v 0 0 0\nf 1 99999999999999999999 1\n"), "f:2");
  expect_refused(read("v 0 0 0\ncurv 0 1 1 2\n"), "f:2: error: 'curv' is not read");
}

TEST(MeshFiles, OtherKindsAreNamed) {
  expect_refused(refusal([] { read_mesh_file("part.step"); }), "'.step'");
  EXPECT_THROW(read_mesh_file("/nowhere/part.stl"), RuntimeFailure);
}

}  // namespace
