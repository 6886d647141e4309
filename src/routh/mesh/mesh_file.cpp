#include "routh/mesh/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

std::string contents(const std::string& path) {
  const std::size_t size = mesh_file_size(path);
  std::ifstream in(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!in || !in.read(bytes.data(), static_cast<std::streamsize>(size)))
    throw RuntimeFailure(fmt::format("cannot read {}: {}", printable(path, 200), std::strerror(errno)));
  return bytes;
}

std::string lower_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

}  // namespace

std::size_t mesh_file_size(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw RuntimeFailure(fmt::format("cannot read {}: {}", printable(path, 200), error.message()));
  if (size > max_mesh_bytes)
    throw InputError({path, 0, 0}, fmt::format("the file has {} bytes; at most {} are read", size, max_mesh_bytes),
                     "reduce the mesh");
  return static_cast<std::size_t>(size);
}

TriangleMesh read_mesh_file(const std::string& path) {
  const std::string ending = lower_ending(path);
  if (ending == ".stl") return read_stl(contents(path), path);
  if (ending == ".obj") return read_obj(contents(path), path);
  if (ending == ".dae") return read_collada(path);
  throw InputError({path, 0, 0}, fmt::format("a mesh of the kind '{}' is not read", printable(ending)),
                   "known are .stl, .obj and .dae; convert it");
}

}  // namespace routh::internal
