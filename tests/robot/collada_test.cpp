// COLLADA: geometries of every kind, placed by nodes, and texts that lie about themselves.
#include "routh/robot/collada.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "routh/base/error.h"

namespace {

using namespace routh;

// A tetrahedron with the corners 0, x, y and z, of the volume 1/6.
constexpr const char* positions =
    "<source id='p'><float_array id='a' count='12'>0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>"
    "<accessor source='#a' count='4' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor>"
    "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>";
constexpr const char* vertex = "<input semantic='VERTEX' source='#v' offset='0'/>";
constexpr const char* faces = "<p>0 2 1 0 1 3 0 3 2 1 2 3</p>";
constexpr const char* shown = "<node id='n'><instance_geometry url='#g'/></node>";

std::string document(const std::string& mesh, const std::string& nodes = shown, const std::string& more = "") {
  return fmt::format(
      "<?xml version='1.0'?>\n<COLLADA><asset><unit meter='1'/></asset>\n<library_geometries><geometry id='g'><mesh>\n"
      "{}\n</mesh></geometry></library_geometries>\n{}<library_visual_scenes><visual_scene id='s'>\n{}\n"
      "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
      mesh, more, nodes);
}

std::string triangles(const std::string& attributes = "count='4'", const std::string& p = faces) {
  return fmt::format("{}<triangles {}>{}{}</triangles>", positions, attributes, vertex, p);
}

TriangleMesh read(const std::string& text) { return read_collada(text, "f.dae"); }

void expect_refused(const std::string& text, const std::string& words) {
  try {
    read(text);
    ADD_FAILURE() << "accepted: " << words;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_GT(error.where().line, 0) << error.what();
    EXPECT_FALSE(error.remedy().empty()) << error.what();
  }
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_tetrahedron(const std::string& text, double volume = 1.0 / 6, const Vector3& centre = {0.25, 0.25, 0.25}) {
  const TriangleMesh mesh = read(text);
  EXPECT_TRUE(is_closed(mesh));
  const SolidProperties solid = solid_properties(mesh);
  EXPECT_NEAR(solid.volume, volume, 1e-14 * volume);
  EXPECT_LT(norm(solid.com - centre), 1e-14);
}

TEST(Collada, EveryKindOfPolygonsIsTheSameBody) {
  const auto part = [&](const std::string& text) { return document(positions + text); };
  const std::string in = vertex;
  expect_tetrahedron(document(triangles()));
  expect_tetrahedron(part("<polylist count='4'>" + in + "<vcount>3 3 3 3</vcount>" + faces + "</polylist>"));
  expect_tetrahedron(part("<polygons count='4'>" + in + "<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>"));
  // Round the corner 0, then the face opposite; and as a strip whose every second triangle turns round.
  expect_tetrahedron(part("<trifans count='2'>" + in + "<p>0 2 1 3 2</p><p>1 2 3</p></trifans>"));
  expect_tetrahedron(part("<tristrips count='1'>" + in + "<p>0 2 1 3 0 2</p></tristrips>"));
  // A normal for every corner, indices of its own; a line, which bounds nothing; a vertex that no face names.
  const std::string normals =
      "<triangles count='4'><input semantic='VERTEX' source='#v' offset='1'/>"
      "<input semantic='NORMAL' source='#nowhere' offset='0'/>";
  expect_tetrahedron(part(normals + "<p>9 0 9 2 9 1 8 0 8 1 8 3 7 0 7 3 7 2 6 1 6 2 6 3</p></triangles>" +
                          "<lines count='1'><p>0 1</p></lines>"));
  expect_tetrahedron(with(with(document(triangles()), "count='12'>", "count='15'>7 7 7 "), "count='4' stride='3'",
                          "count='4' offset='3' stride='3'"));
}

TEST(Collada, NodesPlaceInTheOrderOfTheText) {
  const auto scene = [](const std::string& steps, const std::string& more = "") {
    return document(triangles(), "<node>" + steps + "<instance_geometry url='#g'/></node>", more);
  };
  // x to y, y to -x, and before that twice as large, by the unit a hundredth of it.
  const std::string turned = scene("<translate>1 2 3</translate><rotate>0 0 2 90</rotate><scale>2 2 2</scale>");
  expect_tetrahedron(turned, 8.0 / 6, {0.5, 2.5, 3.5});
  expect_tetrahedron(with(turned, "meter='1'", "meter='0.5'"), 1.0 / 6, {0.25, 1.25, 1.75});
  expect_tetrahedron(scene("<matrix>0 -2 0 1 2 0 0 2 0 0 2 3 0 0 0 1</matrix>"), 8.0 / 6, {0.5, 2.5, 3.5});
  // Mirrored, and still outward.
  expect_tetrahedron(scene("<scale>-1 1 1</scale>"), 1.0 / 6, {-0.25, 0.25, 0.25});
  expect_tetrahedron(document(triangles(), "<node><translate>1 0 0</translate><instance_node url='#k'/></node>",
                              "<library_nodes><node id='k'><node><translate>0 1 0</translate>"
                              "<instance_geometry url='#g'/></node></node></library_nodes>\n"),
                     1.0 / 6, {1.25, 1.25, 0.25});
}

TEST(Collada, CountsThatLieAreRefusedWithTheirLine) {
  const std::string good = document(triangles());
  expect_refused(with(good, "count='12'", "count='13'"), "f.dae:4:16: error: <float_array>: its count is 13");
  expect_refused(with(good, "count='12'", "count='-1'"), "<float_array>: its count is '-1'");
  expect_refused(with(good, "count='12'", "count='99999999999999999999'"), "<float_array>");
  expect_refused(with(good, "stride='3'", "stride='3000'"), "<accessor>: 4 positions of 3000 numbers");
  expect_refused(with(good, "stride='3'", "stride='0'"), "<accessor>: its stride is 0");
  expect_refused(with(good, "count='4' stride", "count='18446744073709551615' stride"), "<accessor>");
  expect_refused(with(good, "offset='0'", "offset='18446744073709551615'"), "<input>: its offset");
  expect_refused(with(good, "0 3 2 1", "0 3 2 1.5"), "<p>: index 9 is '1.5'");
  expect_refused(with(good, "0 3 2 1", "0 3 2 4"), "<p>: it names position 4; there are 4");
  expect_refused(with(good, "0 3 2 1", "0 3 2 -1"), "<p>");
  expect_refused(with(good, "0 3 2 1", "0 3 2"), "which make no triangles");
  expect_refused(document(triangles("count='5'")), "<triangles>: its count is 5, but it has 4");
  expect_refused(with(good, "1 0 0", "1 nan 0"), "<float_array>: number 4 is 'nan'");
  expect_refused(with(good, "1 0 0", "1 1e999 0"), "<float_array>: number 4 is '1e999'");
  const std::string list = "<polylist count='2'>" + std::string(vertex) + "<vcount>3 3</vcount>";
  expect_refused(document(positions + list + "<p>0 2 1 0 1</p></polylist>"), "<vcount>: it counts more corners");
  expect_refused(document(positions + list + "<p>0 2 1 0 1 2 3</p></polylist>"), "counts 6 corners, <p> has 7");
}

TEST(Collada, WhatIsNotReadIsRefused) {
  const std::string good = document(triangles());
  expect_refused("<robot/>", "the outermost element must be <COLLADA>");
  expect_refused(with(good, "url='#g'", "url='other.dae#g'"), "leads out of the file");
  expect_refused(with(good, "url='#g'", "url='#h'"), "there is no <geometry> of the id 'h'");
  expect_refused(with(good, "<instance_geometry", "<instance_controller"), "skins are not read");
  expect_refused(with(good, "<instance_geometry", "<skew>0 0 0 0 0 0 0</skew><instance_geometry"), "<skew>");
  expect_refused(with(good, "url='#g'/>", "url='#g'/></node><node id='n'/><node><instance_node url='#n'/>"),
                 "two <node> have the id 'n'");
  expect_refused(document(positions), "the scene shows no mesh");
  expect_refused(document(triangles(), "<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix></node>"), "<matrix>");
  expect_refused(document(triangles(), "<node><scale>1 1</scale></node>"), "<scale>: it has 2 numbers where 3");
  expect_refused(with(good, "meter='1'", "meter='0'"), "<unit>");
  expect_refused(with(document(triangles(),
                               "<node><scale>1e308 1 1</scale><scale>1e308 1 1</scale>"
                               "<instance_geometry url='#g'/></node>"),
                      "1 0 0", "1e308 0 0"),
                 "not finite");
}

// Each ends within seconds and a bounded memory.
TEST(Collada, NothingGrowsWithoutBound) {
  expect_refused(document(triangles(), "<node id='n'><instance_node url='#n'/></node>"), "16 deep");
  std::string bomb = "<library_nodes>";
  for (int k = 0; k < 12; ++k) {
    bomb += fmt::format("<node id='k{}'>", k);
    for (int i = 0; i < 10; ++i) bomb += fmt::format("<instance_node url='#k{}'/>", k + 1);
    bomb += "</node>";
  }
  bomb += "<node id='k12'/></library_nodes>\n";
  expect_refused(document(triangles(), "<node><instance_node url='#k0'/></node>", bomb), "more than 100000 nodes");
  std::string nested, end;
  for (int k = 0; k < 3000; ++k) nested += "<node>", end += "</node>";
  expect_refused(document(triangles(), nested + end), "nested more than");
  // Many copies of a large body are refused before they take memory.
  std::string many;
  for (int k = 0; k < 5000; ++k) many += " 0 1 2";
  std::string nodes;
  for (int k = 0; k < 500; ++k) nodes += shown;
  expect_refused(document(triangles("count='5000'", "<p>" + many + "</p>"), with(nodes, "id='n'", "")),
                 "more than 2000000 triangles");
}

}  // namespace
