#include "routh/scene/machine_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "routh/mesh/mesh_hull.h"
#include "routh/robot/mesh_file.h"
#include "routh/robot/robot_reading.h"

namespace routh::internal {

namespace {

constexpr std::size_t max_points = 100000;

Vector3 read_scale(const Node& node) {
  if (!node.is_sequence()) {
    const double scale = read_positive(node);
    return {scale, scale, scale};
  }
  const Vector3 scale = read_vector(node, Dimension::spatial);
  if (scale.x == 0 || scale.y == 0 || scale.z == 0)
    node.fail(fmt::format("{}: a scale of zero leaves no volume", node.path()), "write factors for x, y and z");
  return scale;
}

int read_corners(const Node& node) {
  constexpr int fewest = 4;
  const double corners = read_positive(node);
  if (!(corners >= fewest && corners <= max_hull_vertices) || corners != std::floor(corners))
    node.fail(fmt::format("{}: {:g} is no number of corners of a hull", node.path(), corners),
              fmt::format("write a whole number from {} to {}", fewest, max_hull_vertices));
  return static_cast<int>(corners);
}

[[noreturn]] void refuse(const Node& node, HullFault fault) {
  node.fail(fmt::format("{}: the points of the mesh {}", node.path(), explain(fault)),
            "a mesh needs points that span a volume; use a box or a strip for something flat");
}

MeshDescription read_file(const Node& node, const Node& file) {
  MeshDescription mesh;
  const std::string name(file.text());
  if (const auto scale = node.find("scale")) mesh.scale = read_scale(*scale);
  const std::string path = find_file(name, file.where().file, {});
  if (path.empty())
    file.fail(fmt::format("{}: there is no file '{}'", file.path(), printable(name, 200)),
              "give its path from the folder of this scene");
  if (const auto corners = node.find("corners")) mesh.corners = read_corners(*corners);
  const TriangleMesh triangles = scaled(read_mesh_file(path), mesh.scale);
  const MeshHull found = mesh.corners > 0 ? hull_of(triangles, mesh.corners) : hull_of(triangles);
  if (!found.hull) refuse(file, found.fault);
  mesh.hull = found.hull;
  mesh.file = path;
  mesh.note = found.note;
  return mesh;
}

MeshDescription read_vertices(const Node& node) {
  node.expect_sequence();
  expect_at_most(node, max_points);
  std::vector<Vector3> points;
  for (const Node entry : node) points.push_back(read_vector(entry, Dimension::spatial));
  const HullResult result = convex_hull(points);
  if (!result.polyhedron) refuse(node, result.fault);
  MeshDescription mesh;
  mesh.hull = result.polyhedron;
  if (result.left_out > 0)
    mesh.note = fmt::format("its hull is cut to {} vertices, which leaves points up to about {:.2g} m outside",
                            mesh.hull->vertices.size(), result.left_out);
  return mesh;
}

}  // namespace

MeshDescription read_mesh(const Node& node) {
  const auto file = node.find("file"), vertices = node.find("vertices");
  if (file && vertices)
    throw InputError(vertices->key_where(), fmt::format("{}: found both 'file' and 'vertices'", node.path()),
                     "keep one of them");
  if (vertices) {
    for (const char* const key : {"scale", "corners"})
      if (const auto entry = node.find(key))
        throw InputError(entry->key_where(), fmt::format("{}: '{}' is for a file", node.path(), key), "remove it");
    return read_vertices(*vertices);
  }
  if (!file)
    node.fail(fmt::format("{}: 'file' is missing", node.path()),
              "add `file: part.stl` (or .obj, .dae), or `vertices: [[0, 0, 0], …]`");
  return read_file(node, *file);
}

}  // namespace routh::internal
