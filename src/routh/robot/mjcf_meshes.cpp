// Meshes of <asset>.
//
// MuJoCo moves the vertices by −refpos, turns them back by refquat and multiplies them by scale. It then puts the
// geom's frame at the centre and along the principal axes of the mesh, and moves the geom so that the mesh stays where
// it was: nothing that is left to do here.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "routh/robot/mjcf_reading.h"

namespace routh::internal {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_numbers = 3'000'000;

struct Placement {
  Vector3 scale = {1, 1, 1}, shift;
  Matrix3 turn = identity3;  // of refquat
};

Placement placement_of(const MjcfSettings& settings) {
  Placement out;
  out.scale = settings.vector("scale", out.scale);
  out.shift = settings.vector("refpos", {});
  if (const auto quat = settings.find("refquat")) {
    const std::vector<double> q = read_numbers(*quat.element, *quat.attribute, 4, 4);
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
      throw InputError(quat.where(), "refquat is zero", "write a quaternion w x y z");
    out.turn = rotation_from_any_quaternion(q[0], q[1], q[2], q[3]);
  }
  if (out.scale.x == 0 || out.scale.y == 0 || out.scale.z == 0)
    throw InputError(settings.where(), "the scale of <mesh> is zero", "write factors along x, y and z");
  return out;
}

bool is_identity(const Matrix3& m) {
  const auto zero = [](const Vector3& v) { return v.x == 0 && v.y == 0 && v.z == 0; };
  return zero(m.r0 - Vector3{1, 0, 0}) && zero(m.r1 - Vector3{0, 1, 0}) && zero(m.r2 - Vector3{0, 0, 1});
}

TriangleMesh written_vertices(const MjcfSettings& settings) {
  const auto vertex = settings.find("vertex");
  const std::vector<double> numbers = read_numbers(*vertex.element, *vertex.attribute, 12, max_numbers);
  if (numbers.size() % 3 != 0)
    throw InputError(vertex.where(), fmt::format("vertex has {} numbers", numbers.size()),
                     "write three for each vertex");
  TriangleMesh mesh;
  for (std::size_t i = 0; i < numbers.size(); i += 3)
    mesh.vertices.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  const auto face = settings.find("face");
  if (!face) return mesh;
  const std::vector<double> corners = read_numbers(*face.element, *face.attribute, 3, max_numbers);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (!(corners[i] >= 0 && corners[i] < static_cast<double>(mesh.vertices.size())) ||
        corners[i] != std::floor(corners[i]))
      throw InputError(face.where(), fmt::format("face names the vertex {}", corners[i]),
                       fmt::format("there are {}, counted from 0", mesh.vertices.size()));
    if (i % 3 == 0) mesh.triangles.push_back({});
    mesh.triangles.back()[i % 3] = static_cast<int>(corners[i]);
  }
  if (corners.size() % 3 != 0)
    throw InputError(face.where(), fmt::format("face has {} numbers", corners.size()), "write three for each triangle");
  return mesh;
}

const SolidProperties& chosen(const MjcfReading& reading, const MjcfSettings& settings, const RobotMesh& mesh) {
  static constexpr std::string_view measures[] = {"convex", "exact", "legacy", "shell"};
  const int measure = settings.choice("inertia", measures, reading.compiler(settings.own()).exact_meshes ? 1 : 2);
  return measure == 0 ? mesh.convex : measure == 1 ? mesh.exact : measure == 2 ? mesh.legacy : mesh.shell;
}

// `meshdir` and the file's name, from the folder of the outermost file of its model.
std::string path_of(const MjcfReading& reading, const XmlElement& mesh, std::string name) {
  const MjcfCompiler& compiler = reading.compiler(mesh);
  if (compiler.strip_paths) name = fs::path(name).filename().string();
  const fs::path folder = fs::path(reading.assembly.parts[static_cast<std::size_t>(mesh.part)].file).parent_path();
  return (folder / compiler.mesh_folder / name).lexically_normal().string();
}

void take(MjcfReading& reading, const MjcfSettings& settings, const RobotMesh& found, MjcfMesh& out) {
  out.problem = found.problem;
  out.mesh = found.mesh;
  out.whole = found.whole;
  out.solid = chosen(reading, settings, found);
  out.shell = found.shell;
}

// With a scale alike along all axes, or without a turn, refpos and refquat are a place of the shape.
void read_file(MjcfReading& reading, const MjcfSettings& settings, const std::string& name, MjcfMesh& out) {
  const Placement place = placement_of(settings);
  const Vector3& s = place.scale;
  const std::string path = path_of(reading, settings.own(), name);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    out.problem = fmt::format("there is no file {}", printable(path, 200));
    return;
  }
  const bool turned = !is_identity(place.turn);
  if (turned && !(s.x == s.y && s.y == s.z)) {
    out.problem = "a mesh with refquat and a scale that differs between axes is not read";
    return;
  }
  take(reading, settings, reading.mesh_files.file(path, s), out);
  if (!out.problem.empty()) return;
  const Vector3 shift = transpose_times(place.turn, place.shift);
  out.at = {transposed(place.turn), {-s.x * shift.x, -s.y * shift.y, -s.z * shift.z}};
}

void read_vertices(MjcfReading& reading, const MjcfSettings& settings, MjcfMesh& out) {
  const Placement place = placement_of(settings);
  TriangleMesh mesh = written_vertices(settings);
  for (Vector3& v : mesh.vertices) v = transpose_times(place.turn, v - place.shift);
  RobotMesh found = robot_mesh(std::move(mesh), place.scale);
  found.mesh.scale = {1, 1, 1};
  take(reading, settings, found, out);
}

}  // namespace

void read_mjcf_assets(MjcfReading& reading) {
  for (const XmlElement* section : reading.root.all("asset"))
    for (const XmlElement& child : section->children) {
      if (child.name != "mesh") {
        ignore_mjcf_element(child, reading.warnings);
        continue;
      }
      check_mjcf_attributes(child, reading.warnings);
      const XmlAttribute *name = child.attribute("name"), *file = child.attribute("file");
      if (!name && !file) throw InputError(child.where(), "<mesh> has neither name nor file", "give it a file");
      MjcfMesh mesh;
      mesh.element = &child;
      const std::string known = name ? name->value : fs::path(file->value).stem().string();
      if (!reading.meshes.emplace(std::pair(child.part, known), mesh).second)
        throw InputError(child.where(), fmt::format("there are two meshes '{}'", printable(known)),
                         "rename one of them");
    }
}

const MjcfMesh& mjcf_mesh(MjcfReading& reading, const MjcfGeom& geom) {
  MjcfMesh& mesh = reading.meshes[{geom.element->part, geom.mesh}];
  if (mesh.read) return mesh;
  mesh.read = true;
  if (!mesh.element) {
    mesh.problem = fmt::format("there is no <mesh> '{}' in <asset>", printable(geom.mesh));
    return mesh;
  }
  const MjcfSettings settings = reading.defaults.settings(*mesh.element);
  if (const std::string file = settings.text("file"); !file.empty())
    read_file(reading, settings, file, mesh);
  else if (settings.find("vertex"))
    read_vertices(reading, settings, mesh);
  else
    mesh.problem = "it has neither a file nor vertices";
  // What is measured in the mesh's coordinates, in the geom's frame.
  for (SolidProperties* measure : {&mesh.solid, &mesh.shell}) {
    measure->com = mesh.at * measure->com;
    measure->inertia = rotated(mesh.at.rotation, measure->inertia);
  }
  return mesh;
}

}  // namespace routh::internal
