#include "routh/mesh/hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mesh/solids.h"
#include "routh/mesh/mass.h"
#include "routh/mesh/polyhedron.h"

namespace {

using namespace routh;
using namespace testing_support;

using Points = std::vector<Vector3>;

const Polyhedron& hull_of(const Points& points, HullResult& result, const HullOptions& options = {}) {
  result = convex_hull(points, options);
  EXPECT_EQ(result.fault, HullFault::none) << explain(result.fault);
  static const Polyhedron none;
  return result.polyhedron ? *result.polyhedron : none;
}

// Faces hold all points below them, corners lie on their faces, turn left, and edges lie between their two faces.
void expect_convex(const Polyhedron& p, const Points& points, double slack) {
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
    const PolyhedronFace& face = p.faces[static_cast<std::size_t>(f)];
    EXPECT_NEAR(norm(face.normal), 1, 1e-14);
    for (const Vector3& point : points) ASSERT_LT(dot(face.normal, point) - face.offset, slack);
    const auto corners = p.face_corners(f);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto at = [&](std::size_t i) { return p.vertices[static_cast<std::size_t>(corners[i % corners.size()])]; };
      ASSERT_NEAR(dot(face.normal, at(k)), face.offset, slack);
      ASSERT_GT(dot(face.normal, cross(at(k + 1) - at(k), at(k + 2) - at(k + 1))), -slack);
      const PolyhedronEdge& edge = p.edges[static_cast<std::size_t>(p.face_edges(f)[k])];
      ASSERT_TRUE((edge.left == f && edge.from == corners[k]) || (edge.right == f && edge.to == corners[k]));
    }
  }
  EXPECT_EQ(p.vertices.size() + p.faces.size(), p.edges.size() + 2);
}

// All triples of points that have the others on one side: the triangles of a hull in general position.
std::set<std::set<int>> brute_force_triangles(const Points& points) {
  std::set<std::set<int>> found;
  const int count = static_cast<int>(points.size());
  const auto at = [&](int i) { return points[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      for (int k = j + 1; k < count; ++k) {
        const Vector3 n = cross(at(j) - at(i), at(k) - at(i));
        bool above = false, below = false;
        for (int m = 0; m < count && !(above && below); ++m) {
          if (m == i || m == j || m == k) continue;
          (dot(n, at(m) - at(i)) > 0 ? above : below) = true;
        }
        if (above != below) found.insert({i, j, k});
      }
  return found;
}

TEST(Hull, RandomCloudsHaveTheTrianglesOfBruteForce) {
  Random random(71);
  for (int round = 0; round < scaled(60, 6); ++round) {
    Points points;
    for (int i = 0; i < 4 + round % 30; ++i)
      points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    HullResult result;
    const Polyhedron& p = hull_of(points, result);
    expect_convex(p, points, 1e-12);
    std::set<std::set<int>> found;
    for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
      std::set<int> triangle;
      for (const int v : p.face_corners(f))
        for (std::size_t i = 0; i < points.size(); ++i)
          if (norm(points[i] - p.vertices[static_cast<std::size_t>(v)]) == 0) triangle.insert(static_cast<int>(i));
      found.insert(triangle);
    }
    EXPECT_EQ(found, brute_force_triangles(points));
  }
}

struct Solid {
  const char* name;
  Points points;
  std::size_t vertices, edges, faces;
};

TEST(Hull, PlatonicSolidsHaveTheirFaces) {
  const Solid solids[] = {{"tetrahedron", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 4, 6, 4},
                          {"cube", cube_points(1), 8, 12, 6},
                          {"icosahedron", icosahedron_points(), 12, 30, 20},
                          {"dodecahedron", dodecahedron_points(), 20, 30, 12}};
  Random random(72);
  for (const Solid& solid : solids)
    for (int turn = 0; turn < scaled(20, 3); ++turn) {
      SCOPED_TRACE(solid.name);
      const Matrix3 R = random_rotation(random);
      Points points;
      for (const Vector3& v : solid.points) points.push_back(R * v + Vector3{3, -2, 1});
      HullResult result;
      const Polyhedron& p = hull_of(points, result);
      EXPECT_EQ(p.vertices.size(), solid.vertices);
      EXPECT_EQ(p.edges.size(), solid.edges);
      EXPECT_EQ(p.faces.size(), solid.faces);
      expect_convex(p, points, 1e-13);
    }
}

TEST(Hull, PointsWithinFacesEdgesAndCornersAddNothing) {
  Random random(73);
  Points points;
  for (int i = 0; i <= 6; ++i)
    for (int j = 0; j <= 6; ++j)
      for (int k = 0; k <= 6; ++k) points.push_back({i / 6.0, j / 6.0, k / 6.0});
  for (int round = 0; round < scaled(10, 2); ++round) {
    for (std::size_t i = points.size() - 1; i > 0; --i)
      std::swap(points[i], points[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i) + 0.999))]);
    Points twice = points;
    twice.insert(twice.end(), points.begin(), points.end());
    HullResult result;
    const Polyhedron& p = hull_of(twice, result);
    EXPECT_EQ(p.vertices.size(), 8U);
    EXPECT_EQ(p.faces.size(), 6U);
    EXPECT_NEAR(solid_properties(p).volume, 1, 1e-15);
  }
}

// A turned cube of single precision with points along its edges and over its faces: six faces, flat again.
TEST(Hull, FacesOfSinglePrecisionBecomeFlat) {
  Random random(74);
  for (int round = 0; round < scaled(20, 3); ++round) {
    const Matrix3 R = random_rotation(random);
    Points points;
    for (int i = 0; i <= 4; ++i)
      for (int j = 0; j <= 4; ++j)
        for (int k = 0; k <= 4; ++k) {
          const Vector3 v = R * Vector3{i / 4.0, j / 4.0, k / 4.0} + Vector3{0.3, 0.2, -0.4};
          const auto single = [](double x) { return static_cast<double>(static_cast<float>(x)); };
          points.push_back({single(v.x), single(v.y), single(v.z)});
        }
    HullResult result;
    const Polyhedron& p = hull_of(points, result, {.flatness = 1e-6, .max_vertices = max_hull_vertices});
    ASSERT_EQ(p.vertices.size(), 8U);
    ASSERT_EQ(p.faces.size(), 6U);
    expect_convex(p, points, 1e-6);
    for (int f = 0; f < 6; ++f)
      for (const int v : p.face_corners(f))
        EXPECT_NEAR(dot(p.faces[static_cast<std::size_t>(f)].normal, p.vertices[static_cast<std::size_t>(v)]),
                    p.faces[static_cast<std::size_t>(f)].offset, 1e-15);
    EXPECT_NEAR(solid_properties(p).volume, 1, 1e-6);
  }
}

TEST(Hull, PointsWithoutVolumeAreNamed) {
  const auto fault = [](const Points& points) { return convex_hull(points).fault; };
  EXPECT_EQ(fault({}), HullFault::no_points);
  EXPECT_EQ(fault({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}), HullFault::one_place);
  EXPECT_EQ(fault({{1, 2, 3}, {2, 4, 6}, {3, 6, 9}, {0, 0, 0}, {1, 2, 3}}), HullFault::on_a_line);
  EXPECT_EQ(fault({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.3, 0.4, 1}}), HullFault::in_a_plane);
  EXPECT_EQ(fault({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-12}}), HullFault::in_a_plane);
  EXPECT_EQ(fault({{0, 0, 0}, {1e-60, 0, 0}, {0, 1e-60, 0}, {0, 0, 1e-60}}), HullFault::none);
  EXPECT_EQ(fault({{0, 0, 0}, {1e60, 0, 0}, {0, 1e60, 0}, {0, 0, 1e60}}), HullFault::none);
  // Where the fifth power of the extent is no number.
  EXPECT_EQ(fault({{0, 0, 0}, {1e-310, 0, 0}, {0, 1e-310, 0}, {0, 0, 1e-310}}), HullFault::one_place);
  EXPECT_EQ(fault({{0, 0, 0}, {1e300, 0, 0}, {0, 1e300, 0}, {0, 0, 1e300}}), HullFault::no_points);
  EXPECT_EQ(fault({{1e308, 0, 0}, {-1e308, 0, 0}, {0, 1, 0}, {0, 0, 1}}), HullFault::no_points);
}

TEST(Hull, NearlyDegenerateCloudsStayConvex) {
  Random random(75);
  for (int round = 0; round < scaled(60, 10); ++round) {
    const double thickness = std::pow(10, random.uniform(-8, 0)), noise = std::pow(10, random.uniform(-16, -5));
    Points points;
    for (int i = 0; i < 200; ++i) {
      const auto step = [&] { return std::round(random.uniform(-4, 4)) / 4 + noise * random.uniform(-1, 1); };
      points.push_back({step(), step(), thickness * step()});
    }
    const HullResult result = convex_hull(points);
    if (!result.polyhedron) {
      EXPECT_EQ(result.fault, HullFault::in_a_plane);
      continue;
    }
    const Polyhedron& p = *result.polyhedron;
    for (const PolyhedronFace& face : p.faces)
      for (const Vector3& point : points)
        ASSERT_LT(dot(face.normal, point) - face.offset, 1e-7) << thickness << ' ' << noise;
    EXPECT_EQ(p.vertices.size() + p.faces.size(), p.edges.size() + 2);
  }
}

// Two points a few steps of the grid apart at the end of a needle: no plane of a sliver between them cuts the hull.
TEST(Hull, ANeedleThinnerThanItsFlatnessIsFlat) {
  const Points points = {{0, 0, 0},        {0, 0, 2.31e-10}, {0, 1.4e-9, 0},     {1, 2.31e-10, 0},
                         {0, 2.31e-10, 0}, {0, 0, 0.0625},   {5.8e-11, 9e-13, 0}};
  HullOptions options;
  options.flatness = 1e-6;
  EXPECT_EQ(convex_hull(points, options).fault, HullFault::in_a_plane);
  const HullResult exact = convex_hull(points);
  if (exact.polyhedron) expect_convex(*exact.polyhedron, points, 1e-6);
}

// Points near each other and some far away: the sides all but share a plane, and the far ends must neither be merged
// away nor the hull be bent inwards when corners are moved onto their planes. The first two were found by fuzzing.
TEST(Hull, NeedlesKeepTheirFarEnds) {
  std::vector<Points> clouds = {
      {{1, 1, 10}, {1, 2, 540}, {0, 2, 2}, {7, 1, 0}, {2, 0, 8}, {5, 0, 0}, {188888, 8, 2}, {2, 0, 4}, {5, 0, 1888888}},
      {{0, 2, 0},
       {0, 0, 3},
       {1, 5, 1},
       {5, 1, 1},
       {0, 1, 0.1},
       {1, 0, 3},
       {0, 1, 0},
       {0, 2, 3},
       {2, 1, 0},
       {0, 1, 14},
       {1, 0, 1},
       {1, 0, 1808}}};
  Random random(79);
  for (int round = 0; round < scaled(20000, 2000); ++round) {
    const double reach = std::pow(10, random.uniform(0, 7));
    Points& points = clouds.emplace_back();
    const auto step = [&] { return std::round(random.uniform(-0.5, 5.5)); };
    for (int i = 0; i < 10; ++i) points.push_back({step(), step(), step()});
    points[0].z += std::round(0.01 * reach);
    if (round % 2 != 0) points[1].x += std::round(0.1 * reach);
    points[2].z += std::round(reach);
  }
  for (const Points& points : clouds) {
    const HullResult result = convex_hull(points, {.flatness = 1e-6, .max_vertices = max_hull_vertices});
    double extent = 0;
    for (const Vector3& point : points) extent = std::max(extent, norm(point));
    if (!result.polyhedron) {
      EXPECT_GT(extent, 1e5) << explain(result.fault);
      continue;
    }
    for (const PolyhedronFace& face : result.polyhedron->faces)
      for (const Vector3& point : points) ASSERT_LT(dot(face.normal, point) - face.offset, 3e-5 * extent);
  }
}

// Ten thousand points on a sphere, cut to a thousand: the walk finds the farthest vertex, and what is left out stays
// within the stated distance.
TEST(Hull, ManyPointsAreCutAndSearchedQuickly) {
  Random random(76);
  const Points points = sphere_points(random, 10000);
  HullResult result;
  const Polyhedron& p = hull_of(points, result, {.flatness = 1e-11, .max_vertices = 1000});
  EXPECT_LE(p.vertices.size(), 1000U);
  EXPECT_GT(result.left_out, 0);
  EXPECT_LT(result.left_out, 0.02);
  expect_convex(p, points, 2 * result.left_out);
  for (int i = 0; i < scaled(2000, 200); ++i) {
    const Vector3 d = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    double most = -10;
    for (const Vector3& v : p.vertices) most = std::max(most, dot(v, d));
    EXPECT_NEAR(dot(p.vertices[static_cast<std::size_t>(farthest_vertex(p, d))], d), most, 1e-15);
  }
  EXPECT_LT(solid_properties(p).volume, 4.0 / 3 * 3.14159265358979);
  EXPECT_GT(solid_properties(p).volume, 0.98 * 4.0 / 3 * 3.14159265358979);
}

TEST(Hull, OfItsOwnVerticesIsItself) {
  Random random(77);
  for (int round = 0; round < scaled(20, 3); ++round) {
    Points points;
    for (int i = 0; i < 300; ++i) {
      const auto step = [&] { return round % 2 == 0 ? std::round(random.uniform(-2, 2)) : random.uniform(-2, 2); };
      points.push_back({step(), step(), step()});
    }
    HullResult first, second;
    const Polyhedron& p = hull_of(points, first);
    const Polyhedron& q = hull_of(p.vertices, second);
    ASSERT_EQ(p.corners, q.corners);
    ASSERT_EQ(p.vertices.size(), q.vertices.size());
    for (std::size_t i = 0; i < p.vertices.size(); ++i) EXPECT_EQ(norm(p.vertices[i] - q.vertices[i]), 0);
    for (std::size_t f = 0; f < p.faces.size(); ++f) EXPECT_EQ(norm(p.faces[f].normal - q.faces[f].normal), 0);
  }
}

TEST(Hull, TheCubeIsNumberedAsABox) {
  const Polyhedron cube = cube_polyhedron();
  ASSERT_EQ(cube.edges.size(), 12U);
  for (int e = 0; e < 12; ++e) {
    const PolyhedronEdge& edge = cube.edges[static_cast<std::size_t>(e)];
    EXPECT_EQ(edge.from ^ edge.to, 1 << (e / 4));
    EXPECT_EQ((edge.from >> (e / 4 + 1) % 3) & 1, e & 1);
    EXPECT_EQ((edge.from >> (e / 4 + 2) % 3) & 1, (e >> 1) & 1);
  }
  expect_convex(cube, cube.vertices, 1e-15);
}

}  // namespace
