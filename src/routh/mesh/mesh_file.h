// Meshes from files: STL (text and binary), OBJ, and COLLADA where assimp was there at build time.
//
// Strict: counts are checked against the size of the file before memory is asked for, numbers must be finite, indices
// in range. Errors are InputError with the file and the line, or the byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "routh/mesh/mass.h"

namespace routh::internal {

inline constexpr std::size_t max_mesh_bytes = std::size_t{256} << 20;
inline constexpr std::size_t max_mesh_triangles = 2'000'000;

// `file` is the name for errors.
TriangleMesh read_stl(std::string_view bytes, const std::string& file);
TriangleMesh read_obj(std::string_view text, const std::string& file);

// Of a file that can be read as a mesh. Throws RuntimeFailure where there is none, InputError when it is too large.
std::size_t mesh_file_size(const std::string& path);

// By the ending of the name: .stl, .obj, .dae in any case. The unit of a COLLADA file is applied, its up axis is not:
// as in ROS, coordinates are taken as they stand. Throws RuntimeFailure when the file cannot be read.
TriangleMesh read_mesh_file(const std::string& path);

// Whether COLLADA can be read, and an error with what to do where it cannot.
bool reads_collada();
TriangleMesh read_collada(const std::string& path);

}  // namespace routh::internal
