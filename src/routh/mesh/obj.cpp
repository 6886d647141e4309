// OBJ: lines `v x y z` and `f a b c …`, whose entries `a`, `a/t`, `a//n`, `a/t/n` count vertices from 1, or back from
// the last one when negative. Polygons become fans. What belongs to looks (normals, textures, materials, groups) is
// passed over; curves and free-form surfaces are refused.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "routh/base/error.h"
#include "routh/mesh/mesh_formats.h"
#include "routh/mesh/mesh_text.h"

namespace routh::internal {

namespace {

constexpr std::array<std::string_view, 22> passed_over = {
    "vt", "vn", "vp",  "o",     "g",        "s",        "mg",         "usemtl",    "mtllib", "usemap", "maplib",
    "l",  "p",  "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj", "call",   "csh",    "usemtllib"};

constexpr std::size_t max_vertices = 3 * max_mesh_triangles;

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& file) : text_(text, file) {}

  TriangleMesh read() {
    while (text_.next_line()) {
      const std::string_view word = text_.word();
      if (word.empty() || word.front() == '#') continue;
      if (word == "v")
        read_vertex();
      else if (word == "f" || word == "fo")
        read_face();
      else if (std::find(passed_over.begin(), passed_over.end(), word) == passed_over.end())
        text_.fail(fmt::format("'{}' is not read", printable(std::string(word))),
                   "an OBJ file has vertices `v x y z` and faces `f 1 2 3`; export free forms as polygons");
    }
    if (mesh_.vertices.empty()) text_.fail("the file holds no vertices", "an OBJ file has lines `v x y z`");
    check_forward();
    return std::move(mesh_);
  }

 private:
  void read_vertex() {
    const double x = text_.number("vertex"), y = text_.number("vertex"), z = text_.number("vertex");
    mesh_.vertices.push_back({x, y, z});
    if (mesh_.vertices.size() > max_vertices)
      text_.fail(fmt::format("more than {} vertices", max_vertices), "reduce the mesh");
  }

  int read_index(std::string_view token) {
    const std::string_view digits = token.substr(0, token.find('/'));
    long long index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc() || end != digits.data() + digits.size())
      text_.fail(fmt::format("face has '{}' where the number of a vertex must be", printable(std::string(token))),
                 "write `f 1 2 3`, `f 1/1 2/2 3/3` or `f 1//1 2//2 3//3`");
    const auto count = static_cast<long long>(mesh_.vertices.size());
    const long long resolved = index < 0 ? count + index : index - 1;
    if (index == 0 || resolved < 0 || index > static_cast<long long>(max_vertices))
      text_.fail(fmt::format("face names the vertex {}; there are {} so far", index, count),
                 "vertices count from 1, or back from −1");
    // A face may stand before its vertices.
    if (resolved > greatest_) greatest_ = resolved, greatest_line_ = text_.line();
    return static_cast<int>(resolved);
  }

  void read_face() {
    const int first = read_corner(), second = read_corner();
    int before = second;
    std::string_view token = text_.word();
    if (token.empty() || token.front() == '#') text_.fail("a face has fewer than three corners", "remove it");
    for (; !token.empty() && token.front() != '#'; token = text_.word()) {
      const int next = read_index(token);
      mesh_.triangles.push_back({first, before, next});
      before = next;
      if (mesh_.triangles.size() > max_mesh_triangles)
        text_.fail(fmt::format("more than {} triangles", max_mesh_triangles), "reduce the mesh");
    }
  }

  int read_corner() {
    const std::string_view token = text_.word();
    if (token.empty()) text_.fail("a face has fewer than three corners", "remove it");
    return read_index(token);
  }

  void check_forward() {
    if (greatest_ < static_cast<long long>(mesh_.vertices.size())) return;
    throw InputError({text_.file(), greatest_line_, 0},
                     fmt::format("face names the vertex {}; there are {}", greatest_ + 1, mesh_.vertices.size()),
                     "the file was cut off, or its vertices do not count from 1");
  }

  MeshText text_;
  TriangleMesh mesh_;
  long long greatest_ = -1;
  int greatest_line_ = 0;
};

}  // namespace

TriangleMesh read_obj(std::string_view text, const std::string& file) { return ObjReader(text, file).read(); }

}  // namespace routh::internal
