// Meshes from the bytes of STL and OBJ files.
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

}  // namespace routh::internal
