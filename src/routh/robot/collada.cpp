#include "routh/robot/collada.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "routh/base/number.h"
#include "routh/math/elementary.h"
#include "routh/mesh/mesh_formats.h"
#include "routh/robot/collada_parts.h"

namespace routh::internal {

namespace {

using namespace collada;

// A file of the largest size whose polygons are an element each fits; what an element takes in memory bounds it.
constexpr std::size_t max_elements = 1'000'000;
// Each node that is placed costs time only: far more than any robot has.
constexpr std::size_t max_placed = 100'000;
// <instance_node> within what <instance_node> names; a node that names itself ends here.
constexpr int max_instances = 16;

// Rows of an affine map: x ↦ A x + b.
using Placement = std::array<std::array<double, 4>, 3>;
constexpr Placement nowhere_else = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

Placement after(const Placement& outer, const Placement& inner) {
  Placement out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      out[i][j] = j == 3 ? outer[i][3] : 0.0;
      for (std::size_t k = 0; k < 3; ++k) out[i][j] += outer[i][k] * inner[k][j];
    }
  return out;
}

Vector3 placed(const Placement& at, const Vector3& p) {
  const auto row = [&](std::size_t i) { return at[i][0] * p.x + at[i][1] * p.y + at[i][2] * p.z + at[i][3]; };
  return {row(0), row(1), row(2)};
}

double determinant(const Placement& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

std::vector<double> exactly(std::size_t count, const XmlElement& element) {
  std::vector<double> values = numbers_in(element);
  if (values.size() != count)
    fail(element, fmt::format("it has {} numbers where {} must be", values.size(), count), "export the mesh again");
  return values;
}

// Rodrigues' formula; four numbers, the axis and an angle in degrees.
Placement read_rotation(const XmlElement& element) {
  const std::vector<double> values = exactly(4, element);
  const double length = std::hypot(values[0], values[1], values[2]);
  const double angle = values[3] * std::numbers::pi / 180;
  if (length == 0) {
    if (angle == 0) return nowhere_else;
    fail(element, "the axis of the rotation has no direction", "write a unit vector and an angle in degrees");
  }
  const std::array<double, 3> e = {values[0] / length, values[1] / length, values[2] / length};
  const double c = elementary::cos(angle), s = elementary::sin(angle);
  Placement out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out[i][j] = (i == j ? c : 0.0) + (1 - c) * e[i] * e[j];
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    out[k][j] += s * e[i];
    out[j][k] -= s * e[i];
  }
  return out;
}

Placement read_matrix(const XmlElement& element) {
  const std::vector<double> values = exactly(16, element);
  if (values[12] != 0 || values[13] != 0 || values[14] != 0 || values[15] != 1)
    fail(element, "the last row of the matrix is not 0 0 0 1", "a mesh is placed without perspective; export it again");
  Placement out{};
  for (std::size_t i = 0; i < 12; ++i) out[i / 4][i % 4] = values[i];
  return out;
}

// Not a transformation: nothing.
std::optional<Placement> read_transformation(const XmlElement& element) {
  if (element.name == "matrix") return read_matrix(element);
  if (element.name == "rotate") return read_rotation(element);
  if (element.name == "lookat" || element.name == "skew")
    fail(element, "this transformation is not read", "known are matrix, translate, rotate and scale");
  const bool moves = element.name == "translate";
  if (!moves && element.name != "scale") return std::nullopt;
  const std::vector<double> values = exactly(3, element);
  Placement out = nowhere_else;
  for (std::size_t i = 0; i < 3; ++i) out[i][moves ? 3 : i] = values[i];
  return out;
}

class ColladaReader {
 public:
  explicit ColladaReader(const XmlElement& root) : root_(root) {}

  TriangleMesh read() {
    for (const XmlElement* library : root_.all("library_geometries"))
      for (const XmlElement* each : library->all("geometry")) geometries_.add(*each);
    for (const XmlElement* library : root_.all("library_nodes")) add_nodes(*library);
    for (const XmlElement* library : root_.all("library_visual_scenes"))
      for (const XmlElement* each : library->all("visual_scene")) {
        scenes_.add(*each);
        add_nodes(*each);
      }
    const XmlElement& scene = need_child(root_, "scene");
    const XmlElement& shown = scenes_.find(need_child(scene, "instance_visual_scene"), "url");
    Placement unit = nowhere_else;
    for (std::size_t i = 0; i < 3; ++i) unit[i][i] = metres();
    for (const XmlElement* node : shown.all("node")) place_node(*node, unit, 0);
    if (mesh_.triangles.empty())
      fail(shown, "the scene shows no mesh", "place a geometry of triangles or polygons by <instance_geometry>");
    return std::move(mesh_);
  }

 private:
  void add_nodes(const XmlElement& above) {
    for (const XmlElement* node : above.all("node")) {
      nodes_.add(*node);
      add_nodes(*node);
    }
  }

  double metres() const {
    const XmlElement* asset = root_.child("asset");
    const XmlElement* unit = asset ? asset->child("unit") : nullptr;
    const XmlAttribute* meter = unit ? unit->attribute("meter") : nullptr;
    if (!meter) return 1;
    const ParsedNumber parsed = parse_number(meter->value);
    if (parsed.fault != NumberFault::none || !(parsed.value > 0))
      fail(*unit, fmt::format("meter '{}' is no length", printable(meter->value)), "write how many metres a unit has");
    return parsed.value;
  }

  void place_node(const XmlElement& node, Placement at, int instances) {
    if (++placed_ > max_placed)
      fail(node, fmt::format("the scene places more than {} nodes", max_placed), "export the mesh as one geometry");
    for (const XmlElement& child : node.children) {
      if (const std::optional<Placement> step = read_transformation(child))
        at = after(at, *step);
      else if (child.name == "instance_geometry")
        place_geometry(child, at);
      else if (child.name == "instance_controller")
        fail(child, "skins are not read: they move with bones", "export the mesh without its armature");
      else if (child.name == "instance_node")
        place_instance(child, at, instances);
      else if (child.name == "node")
        place_node(child, at, instances);
    }
  }

  void place_instance(const XmlElement& instance, const Placement& at, int instances) {
    const XmlElement& node = nodes_.find(instance, "url");
    if (instances >= max_instances)
      fail(instance, fmt::format("nodes name each other more than {} deep", max_instances),
           "a node must not hold itself");
    place_node(node, at, instances + 1);
  }

  const TriangleMesh& geometry(const XmlElement& instance) {
    const XmlElement& element = geometries_.find(instance, "url");
    const auto [entry, added] = read_.try_emplace(&element);
    if (added) entry->second = read_geometry(element);
    return entry->second;
  }

  void place_geometry(const XmlElement& instance, const Placement& at) {
    const TriangleMesh& part = geometry(instance);
    if (part.triangles.size() > max_mesh_triangles - mesh_.triangles.size())
      fail(instance, fmt::format("the scene has more than {} triangles", max_mesh_triangles), "reduce the mesh");
    const int first = static_cast<int>(mesh_.vertices.size());
    for (const Vector3& vertex : part.vertices) {
      const Vector3 p = placed(at, vertex);
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
        fail(instance, "a vertex that is placed here is not finite", "export the mesh with coordinates in metres");
      mesh_.vertices.push_back(p);
    }
    const bool mirrored = determinant(at) < 0;
    for (auto [a, b, c] : part.triangles) {
      if (mirrored) std::swap(b, c);
      mesh_.triangles.push_back({first + a, first + b, first + c});
    }
  }

  const XmlElement& root_;
  ById geometries_{"geometry"}, nodes_{"node"}, scenes_{"visual_scene"};
  std::map<const XmlElement*, TriangleMesh> read_;
  TriangleMesh mesh_;
  std::size_t placed_ = 0;
};

}  // namespace

TriangleMesh read_collada(std::string_view text, const std::string& file) {
  XmlLimits limits;
  limits.max_bytes = max_mesh_bytes;
  limits.max_elements = max_elements;
  const XmlElement root = parse_xml(text, file, limits);
  if (root.name != "COLLADA")
    fail(root, "the outermost element must be <COLLADA>", "export the mesh again, or convert it to STL or OBJ");
  return ColladaReader(root).read();
}

}  // namespace routh::internal
