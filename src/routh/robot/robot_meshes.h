// The meshes that a robot's file names: read once each, as hulls.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "routh/mesh/mass.h"
#include "routh/robot/robot_reading.h"

namespace routh::internal {

struct RobotMesh {
  MeshDescription mesh;                     // without a hull when there is a problem
  std::string problem;                      // why it is not there; empty: it is
  std::shared_ptr<const Polyhedron> whole;  // the hull of all its points
  // For a density of 1: as MuJoCo's default measures it, of the closed surface, of the hull, and of the bare surface.
  SolidProperties legacy, exact, convex, shell;
};

class RobotMeshes {
 public:
  // The file at this path; one that cannot be read is a problem, not an error.
  const RobotMesh& file(const std::string& path, const Vector3& scale);

 private:
  std::map<std::tuple<std::string, double, double, double>, RobotMesh> read_;
};

// Of triangles, their coordinates multiplied.
RobotMesh robot_mesh(TriangleMesh triangles, const Vector3& scale);

}  // namespace routh::internal
