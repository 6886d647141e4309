// STL: triangles, each with its three corners. Binary: 80 bytes of anything, the number of triangles in 4 bytes, 50
// bytes for each: normal, corners, two bytes of anything, all little-endian. The size of the file tells the two kinds
// apart, since many binary files begin with the word `solid` too. Normals are not read: the order of the corners says
// more.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "routh/base/error.h"
#include "routh/mesh/mesh_formats.h"
#include "routh/mesh/mesh_text.h"

namespace routh::internal {

namespace {

constexpr std::size_t header = 84, record = 50;

std::uint32_t little_endian(const char* at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(at[i]);
  return value;
}

std::uint64_t size_for(std::uint32_t count) { return header + record * static_cast<std::uint64_t>(count); }

[[noreturn]] void refuse_count(const std::string& file, std::uint64_t count) {
  throw InputError({file, 0, 0},
                   fmt::format("the mesh has {} triangles; at most {} are read", count, max_mesh_triangles),
                   "reduce it, for instance with a mesh editor's `decimate`");
}

TriangleMesh read_binary(std::string_view bytes, const std::string& file) {
  const std::uint32_t count = little_endian(bytes.data() + 80);
  if (count > max_mesh_triangles) refuse_count(file, count);
  if (count == 0) throw InputError({file, 0, 0}, "the file holds no triangles", "export the mesh again");
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * std::size_t{count});
  mesh.triangles.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t at = header + record * i + 12;
    const int first = static_cast<int>(mesh.vertices.size());
    for (std::size_t corner = 0; corner < 3; ++corner) {
      double xyz[3] = {};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t byte = at + 12 * corner + 4 * k;
        const float value = std::bit_cast<float>(little_endian(bytes.data() + byte));
        if (!std::isfinite(value))
          throw InputError({file, 0, 0},
                           fmt::format("triangle {} has a corner that is not finite, at byte {}", i, byte),
                           "export the mesh again");
        xyz[k] = static_cast<double>(value) + 0.0;
      }
      mesh.vertices.push_back({xyz[0], xyz[1], xyz[2]});
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

class TextReader {
 public:
  TextReader(std::string_view text, const std::string& file) : text_(text, file), file_(file) {}

  TriangleMesh read() {
    // `solid NAME` … `endsolid NAME`, and again: several solids are one mesh.
    while (next_word()) {
      expect("solid");
      while (true) {
        if (!next_word()) end_of_file();
        if (word_ == "endsolid") break;
        read_facet();
      }
    }
    if (mesh_.triangles.empty()) text_.fail("the file holds no triangles", "export the mesh again");
    return std::move(mesh_);
  }

 private:
  // The first word of the next line that has one.
  bool next_word() {
    while (text_.next_line())
      if (word_ = text_.word(); !word_.empty()) return true;
    return false;
  }

  [[noreturn]] void end_of_file() {
    text_.fail("the file ends within a solid", "it was cut off; export the mesh again");
  }

  void expect(std::string_view wanted) {
    if (word_ != wanted)
      text_.fail(fmt::format("found '{}' where '{}' must be", printable(std::string(word_)), wanted),
                 "an STL file of text has facets with `outer loop` and three vertices each; a binary one has 84 bytes "
                 "and 50 for each triangle: this one may be cut off");
  }

  void require(std::string_view wanted) {
    if (!next_word()) end_of_file();
    expect(wanted);
  }

  void read_facet() {
    expect("facet");
    require("outer");
    const int first = static_cast<int>(mesh_.vertices.size());
    for (int corner = 0; corner < 3; ++corner) {
      require("vertex");
      const double x = text_.number("vertex"), y = text_.number("vertex"), z = text_.number("vertex");
      mesh_.vertices.push_back({x, y, z});
    }
    require("endloop");
    require("endfacet");
    mesh_.triangles.push_back({first, first + 1, first + 2});
    if (mesh_.triangles.size() > max_mesh_triangles) refuse_count(file_, mesh_.triangles.size());
  }

  MeshText text_;
  const std::string& file_;
  std::string_view word_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh read_stl(std::string_view bytes, const std::string& file) {
  if (bytes.empty()) throw InputError({file, 0, 0}, "the file is empty", "export the mesh again");
  const bool counted = bytes.size() >= header;
  if (counted && size_for(little_endian(bytes.data() + 80)) == bytes.size()) return read_binary(bytes, file);
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && bytes.substr(start).starts_with("solid"))
    return TextReader(bytes, file).read();
  if (!counted)
    throw InputError({file, 0, 0},
                     fmt::format("the file has {} bytes; a binary STL file has at least {}", bytes.size(), header),
                     "export the mesh again");
  const std::uint32_t count = little_endian(bytes.data() + 80);
  throw InputError({file, 0, 0},
                   fmt::format("the file says at byte 80 that it holds {} triangles, which take {} bytes; it has {}",
                               count, size_for(count), bytes.size()),
                   "it was cut off or is no STL file; export the mesh again");
}

}  // namespace routh::internal
