#include "routh/robot/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "routh/base/error.h"
#include "routh/mesh/mesh_formats.h"
#include "routh/robot/collada.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

std::string lower_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

}  // namespace

TriangleMesh read_mesh_file(const std::string& path) {
  const std::string ending = lower_ending(path);
  const auto contents = [&] { return read_text_file(path, max_mesh_bytes); };
  if (ending == ".stl") return read_stl(contents(), path);
  if (ending == ".obj") return read_obj(contents(), path);
  if (ending == ".dae") return read_collada(contents(), path);
  throw InputError({path, 0, 0}, fmt::format("a mesh of the kind '{}' is not read", printable(ending)),
                   "known are .stl, .obj and .dae; convert it");
}

}  // namespace routh::internal
