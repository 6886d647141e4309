// Meshes from files: STL, OBJ and COLLADA.
#pragma once

#include <string>

#include "routh/mesh/mass.h"

namespace routh::internal {

// By the ending of the name: .stl, .obj, .dae in any case. Throws RuntimeFailure when the file cannot be read,
// InputError with the file and the line, or the byte, when its content cannot be used.
TriangleMesh read_mesh_file(const std::string& path);

}  // namespace routh::internal
