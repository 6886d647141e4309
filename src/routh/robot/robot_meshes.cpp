#include "routh/robot/robot_meshes.h"

#include <fmt/format.h>

#include "routh/mesh/mesh_hull.h"
#include "routh/robot/mesh_file.h"

namespace routh::internal {

RobotMesh robot_mesh(TriangleMesh triangles, const Vector3& scale) {
  RobotMesh out;
  const TriangleMesh mesh = scaled(std::move(triangles), scale);
  const MeshHull hull = hull_of(mesh);
  if (!hull.hull) {
    out.problem = fmt::format("its points {}", explain(hull.fault));
    return out;
  }
  out.mesh.hull = hull.hull;
  out.mesh.scale = scale;
  out.mesh.note = hull.note;
  out.whole = hull.whole;
  out.convex = solid_properties(*hull.whole);
  // Points without triangles have no surface but the hull's.
  out.exact = mesh.triangles.empty() ? out.convex : solid_properties(mesh);
  out.legacy = mesh.triangles.empty() ? out.convex : solid_properties(mesh, TetrahedronSign::absolute_volume);
  out.shell = shell_properties(mesh.triangles.empty() ? triangulated(*hull.whole) : mesh);
  return out;
}

const RobotMesh& RobotMeshes::file(const std::string& path, const Vector3& scale) {
  const auto [entry, added] = read_.try_emplace({path, scale.x, scale.y, scale.z});
  RobotMesh& mesh = entry->second;
  if (!added) return mesh;
  try {
    mesh = robot_mesh(read_mesh_file(path), scale);
  } catch (const InputError& error) {
    mesh.problem = error.what();
  } catch (const RuntimeFailure& error) {
    mesh.problem = error.what();
  }
  mesh.mesh.file = path;
  return mesh;
}

}  // namespace routh::internal
