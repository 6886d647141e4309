// Numbers, names, poses, joints and shapes as a scene writes them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "routh/base/number.h"
#include "routh/math/elementary.h"
#include "routh/robot/robot_reading.h"
#include "routh/scene/scene_text_parts.h"

namespace routh::internal::text {

namespace {

// In double quotes, as YAML and JSON read them.
std::string quoted_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

bool same(const Vector3& a, const Vector3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool same_rows(const Matrix3& a, const Matrix3& b) { return same(a.r0, b.r0) && same(a.r1, b.r1) && same(a.r2, b.r2); }

bool is_identity(const Matrix3& m) { return same_rows(m, identity3); }

bool is_zero(const Vector3& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

double rounded(double value, int digits) { return parse_number(fmt::format("{:.{}g}", value, digits)).value; }

// Roll, pitch and yaw of as few digits as give the very same matrix; most files are written so.
std::optional<Vector3> short_rpy(const Matrix3& m) {
  const Vector3 rpy = {elementary::atan2(m.r2.y, m.r2.z), elementary::asin(std::clamp(-m.r2.x, -1.0, 1.0)),
                       elementary::atan2(m.r1.x, m.r0.x)};
  for (int digits = 1; digits <= 17; ++digits) {
    const Vector3 candidate = {rounded(rpy.x, digits), rounded(rpy.y, digits), rounded(rpy.z, digits)};
    if (same_rows(rotation_from_rpy(candidate), m)) return candidate;
  }
  return std::nullopt;
}

std::string rotation(const Matrix3& m, Dimension dimension) {
  if (dimension == Dimension::planar) return number(elementary::atan2(m.r1.x, m.r0.x));
  if (const auto rpy = short_rpy(m)) return fmt::format("{{rpy: {}}}", list({rpy->x, rpy->y, rpy->z}));
  const auto row = [](const Vector3& r) { return list({r.x, r.y, r.z}); };
  return fmt::format("{{matrix: [{}, {}, {}]}}", row(m.r0), row(m.r1), row(m.r2));
}

std::string drive(const DriveDescription& drive) {
  std::vector<std::string> entries;
  // One of the gains must be there, be it zero.
  if (drive.stiffness != 0 || drive.damping == 0)
    entries.push_back(fmt::format("stiffness: {}", number(drive.stiffness)));
  if (drive.damping != 0) entries.push_back(fmt::format("damping: {}", number(drive.damping)));
  entries.push_back(fmt::format("position: {}", profile(drive.position)));
  entries.push_back(fmt::format("velocity: {}", profile(drive.velocity)));
  if (drive.limit < unlimited) entries.push_back(fmt::format("limit: {}", number(drive.limit)));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string limits(const DofDescription& dof) {
  if (dof.limit_restitution == 0 && dof.lower > -unlimited && dof.upper < unlimited)
    return list({dof.lower, dof.upper});
  std::vector<std::string> entries;
  if (dof.lower > -unlimited) entries.push_back(fmt::format("lower: {}", number(dof.lower)));
  if (dof.upper < unlimited) entries.push_back(fmt::format("upper: {}", number(dof.upper)));
  entries.push_back(fmt::format("restitution: {}", number(dof.limit_restitution)));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

// What acts along a degree of freedom, `key: value` each.
std::vector<std::string> dof_entries(const DofDescription& dof) {
  std::vector<std::string> entries;
  if (dof.lower > -unlimited || dof.upper < unlimited) entries.push_back("limits: " + limits(dof));
  if (dof.stiffness != 0 || dof.rest != 0)
    entries.push_back(fmt::format("spring: {{stiffness: {}, rest: {}}}", number(dof.stiffness), number(dof.rest)));
  if (dof.damping != 0) entries.push_back("damping: " + number(dof.damping));
  if (dof.armature != 0) entries.push_back("armature: " + number(dof.armature));
  if (dof.drive) entries.push_back("drive: " + drive(*dof.drive));
  if (dof.effort) entries.push_back("effort: " + profile(*dof.effort));
  return entries;
}

void add_dofs(const JointDescription& joint, std::vector<std::string>& entries) {
  const auto names = dof_names(joint.kind);
  if (joint.dofs.size() != names.size()) return;
  if (names.size() == 1) {
    for (std::string& entry : dof_entries(joint.dofs.front())) entries.push_back(std::move(entry));
    return;
  }
  std::vector<std::string> dofs;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto inner = dof_entries(joint.dofs[i]); !inner.empty())
      dofs.push_back(fmt::format("{}: {{{}}}", names[i], fmt::join(inner, ", ")));
  if (!dofs.empty()) entries.push_back(fmt::format("dofs: {{{}}}", fmt::join(dofs, ", ")));
}

void add_axes(const JointDescription& joint, Dimension dimension, std::vector<std::string>& entries) {
  switch (joint.kind) {
    case JointKind::revolute:
      if (dimension == Dimension::planar) return;
      [[fallthrough]];
    case JointKind::prismatic:
    case JointKind::cylindrical:
      entries.push_back("axis: " + vector(joint.axis, dimension));
      return;
    case JointKind::universal:
      entries.push_back("axis: " + vector(joint.axis, dimension));
      entries.push_back("second_axis: " + vector(joint.second_axis, dimension));
      return;
    case JointKind::fixed:
    case JointKind::planar:
    case JointKind::spherical:
    case JointKind::free:
      return;
  }
}

// A hull that was given by its points is the hull of its vertices, in this order.
void add_mesh(const MeshDescription& mesh, std::vector<std::string>& entries) {
  const Vector3& s = mesh.scale;
  if (mesh.file.empty()) {
    std::vector<std::string> points;
    if (mesh.hull)
      for (const Vector3& v : mesh.hull->vertices) points.push_back(list({v.x, v.y, v.z}));
    entries.push_back(fmt::format("vertices: [{}]", fmt::join(points, ", ")));
    return;
  }
  entries.push_back(fmt::format("file: {}", quoted_text(mesh.file)));
  if (s.x == s.y && s.x == s.z) {
    if (s.x != 1) entries.push_back("scale: " + number(s.x));
  } else {
    entries.push_back("scale: " + list({s.x, s.y, s.z}));
  }
  if (mesh.corners > 0) entries.push_back(fmt::format("corners: {}", mesh.corners));
}

void add_size(const ShapeDescription& shape, Dimension dimension, std::vector<std::string>& entries) {
  const Vector3& h = shape.half_extents;
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::half_space:
      return;
    case ShapeKind::sphere:
    case ShapeKind::pin:
    case ShapeKind::hole:
      entries.push_back("radius: " + number(shape.radius));
      return;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      entries.push_back("radius: " + number(shape.radius));
      entries.push_back("length: " + number(shape.length));
      return;
    case ShapeKind::box:
    case ShapeKind::ellipsoid:
      entries.push_back("size: " + vector({2 * h.x, 2 * h.y, 2 * h.z}, dimension));
      return;
    case ShapeKind::mesh:
      add_mesh(shape.mesh, entries);
      return;
    case ShapeKind::strip:
      entries.push_back("width: " + number(2 * h.x));
      if (dimension == Dimension::spatial && h.y < unlimited) entries.push_back("depth: " + number(2 * h.y));
      return;
  }
}

}  // namespace

std::string number(double value) { return fmt::format("{}", value + 0.0); }

std::string list(const std::vector<double>& values) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(number(value));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string vector(const Vector3& v, Dimension dimension) {
  return dimension == Dimension::planar ? list({v.x, v.y}) : list({v.x, v.y, v.z});
}

std::string pose(const Pose& pose, Dimension dimension) {
  if (is_identity(pose.rotation)) return vector(pose.position, dimension);
  return fmt::format("{{position: {}, rotation: {}}}", vector(pose.position, dimension),
                     rotation(pose.rotation, dimension));
}

std::string profile(const Profile& profile) {
  if (profile.points.size() == 1) return number(profile.points.front().value);
  std::vector<std::string> points;
  for (const auto& [time, value] : profile.points) points.push_back(list({time, value}));
  return fmt::format("{{table: [{}]}}", fmt::join(points, ", "));
}

std::string quoted_name(const std::string& name) {
  const char first = name.empty() ? ' ' : name.front();
  const bool begins_plainly = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                              (first >= '0' && first <= '9') || first == '_';
  const bool plain = begins_plainly && name != "null" && name != "Null" && name != "NULL";
  return plain ? name : '"' + name + '"';
}

std::string joint(const JointDescription& joint, Dimension dimension) {
  std::vector<std::string> entries = {fmt::format("kind: {}", name(joint.kind))};
  if (joint.name != joint.child) entries.push_back("name: " + quoted_name(joint.name));
  if (joint.parent != world_name) entries.push_back("parent: " + quoted_name(joint.parent));
  const bool placed = !is_identity(joint.at.rotation) || !is_zero(joint.at.position);
  if (placed && joint.kind != JointKind::free) entries.push_back("at: " + pose(joint.at, dimension));
  if (!is_identity(joint.in_child.rotation) || !is_zero(joint.in_child.position))
    entries.push_back("in_child: " + pose(joint.in_child, dimension));
  add_axes(joint, dimension, entries);
  add_dofs(joint, entries);
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string shape(const ShapeDescription& shape, Dimension dimension) {
  std::vector<std::string> entries = {fmt::format("kind: {}", name(shape.kind))};
  add_size(shape, dimension, entries);
  if (!is_identity(shape.at.rotation) || !is_zero(shape.at.position))
    entries.push_back("at: " + pose(shape.at, dimension));
  if (!shape.surface.empty()) entries.push_back("surface: " + quoted_name(shape.surface));
  if (!is_zero(shape.belt))
    entries.push_back(
        fmt::format("belt: {{velocity: {}, speed: {}}}", vector(shape.belt, dimension), profile(shape.belt_speed)));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

}  // namespace routh::internal::text
