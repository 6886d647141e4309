// Links of a URDF file: inertia and geometry.
#include <fmt/format.h>

#include "routh/robot/urdf_parts.h"

namespace routh::internal {

namespace {

double require_not_negative(const XmlElement& element, std::string_view attribute) {
  const double value = require_number(element, attribute);
  if (value < 0)
    throw InputError(element.where_value(*element.attribute(attribute)),
                     fmt::format("{} = {} of <{}> must not be negative", attribute, value, printable(element.name)),
                     "check the sign");
  return value;
}

Symmetric3 read_inertia(const XmlElement& element) {
  const double xx = require_number(element, "ixx"), yy = require_number(element, "iyy"),
               zz = require_number(element, "izz");
  return {xx, yy, zz, number_or(element, "ixy", 0), number_or(element, "ixz", 0), number_or(element, "iyz", 0)};
}

bool is_zero(const Symmetric3& s) { return s.xx == 0 && s.yy == 0 && s.zz == 0 && s.xy == 0 && s.xz == 0 && s.yz == 0; }

// What no body can have is mended, not refused: many files in use have it.
void mend(UrdfReading& reading, const UrdfLink& link, BodyDescription& body) {
  if (body.mass == 0 && !is_zero(body.inertia)) {
    reading.warnings.add(
        body.inertia_where,
        fmt::format("link '{}' has inertia but no mass: its inertia is taken as zero", printable(link.name)));
    body.inertia = {};
  }
  const auto mended = mended_inertia(body.inertia);
  if (!mended) return;
  const Vector3 &a = mended->found, &b = mended->mended;
  reading.warnings.add(
      body.inertia_where,
      fmt::format("link '{}' has the principal moments {:.6g}, {:.6g}, {:.6g} kg m², which is impossible (none may be "
                  "negative or exceed the sum of the others); {:.6g}, {:.6g}, {:.6g} are used",
                  printable(link.name), a.x, a.y, a.z, b.x, b.y, b.z));
  body.inertia = mended->inertia;
}

void add_link(std::vector<std::string>& links, const UrdfLink& link) {
  const std::string name = printable(link.name);
  if (links.empty() || links.back() != name) links.push_back(name);
}

// Whether the mesh gave the shape its hull. One that is missing leaves the shape out, and the robot usable.
bool read_mesh(UrdfReading& reading, const UrdfLink& link, const XmlElement& element, ShapeDescription& shape) {
  const std::string uri = require_text(element, "filename");
  const Vector3 scale = vector_or(element, "scale", {1, 1, 1});
  if (scale.x == 0 || scale.y == 0 || scale.z == 0)
    throw InputError(element.where(), "the scale of <mesh> is zero", "write factors along x, y and z");
  UrdfMeshes& meshes = reading.meshes;
  const std::string path = reading.paths.find(uri, *element.file);
  if (path.empty()) {
    if (meshes.missing++ == 0) {
      meshes.missing_where = element.where();
      meshes.first_missing = uri;
      meshes.first_searched = fmt::format("{}", fmt::join(reading.paths.searched(uri, *element.file), ", "));
    }
    add_link(meshes.missing_links, link);
    return false;
  }
  const RobotMesh& found = meshes.files.file(path, scale);
  if (!found.problem.empty()) {
    if (meshes.broken++ == 0) meshes.broken_where = element.where(), meshes.first_problem = found.problem;
    add_link(meshes.broken_links, link);
    return false;
  }
  shape.kind = ShapeKind::mesh;
  shape.mesh = found.mesh;
  return true;
}

void note_visual_mesh(UrdfReading& reading, const XmlElement& visual) {
  const XmlElement* geometry = visual.child("geometry");
  const XmlElement* mesh = geometry ? geometry->child("mesh") : nullptr;
  const XmlAttribute* filename = mesh ? mesh->attribute("filename") : nullptr;
  if (!filename || !reading.paths.find(filename->value, *mesh->file).empty()) return;
  if (reading.meshes.missing_visual++ > 0) return;
  reading.meshes.visual_where = mesh->where();
  reading.meshes.first_missing_visual = filename->value;
}

bool is_positive(UrdfReading& reading, const XmlElement& element, std::initializer_list<double> sizes) {
  for (const double size : sizes) {
    if (size < 0)
      throw InputError(element.where(), fmt::format("<{}> has a negative size, {}", printable(element.name), size),
                       "give its full extents, radius and length in metres");
    if (size == 0) {
      reading.warnings.add(element.where(), fmt::format("<{}> has no extent and is left out", printable(element.name)));
      return false;
    }
  }
  return true;
}

// Whether `geometry` gave the shape its form.
bool read_form(UrdfReading& reading, const UrdfLink& link, const XmlElement& geometry, ShapeDescription& shape) {
  if (const XmlElement* box = geometry.child("box")) {
    const Vector3 size = require_vector(*box, "size");
    shape.kind = ShapeKind::box;
    shape.half_extents = {size.x / 2, size.y / 2, size.z / 2};
    return is_positive(reading, *box, {size.x, size.y, size.z});
  }
  if (const XmlElement* sphere = geometry.child("sphere")) {
    shape.kind = ShapeKind::sphere;
    shape.radius = require_number(*sphere, "radius");
    return is_positive(reading, *sphere, {shape.radius});
  }
  for (const auto& [name, kind] :
       {std::pair{"cylinder", ShapeKind::cylinder}, std::pair{"capsule", ShapeKind::capsule}})
    if (const XmlElement* round = geometry.child(name)) {
      shape.kind = kind;
      shape.radius = require_number(*round, "radius");
      shape.length = require_number(*round, "length");
      return is_positive(reading, *round, {shape.radius, shape.length});
    }
  if (const XmlElement* plane = geometry.child("plane")) {
    const Vector3 normal = vector_or(*plane, "normal", {0, 0, 1});
    if (normal.x == 0 && normal.y == 0 && normal.z == 0)
      throw InputError(plane->where(), "the normal of <plane> is zero", "give a direction, as in normal=\"0 0 1\"");
    shape.kind = ShapeKind::half_space;
    shape.at.rotation = shape.at.rotation * rotation_from_z(normal);
    return true;
  }
  if (const XmlElement* mesh = geometry.child("mesh")) return read_mesh(reading, link, *mesh, shape);
  constexpr const char* known = "known are <box>, <sphere>, <cylinder>, <capsule>, <plane> and <mesh>";
  for (const XmlElement& other : geometry.children)
    reading.warnings.ignore(other, fmt::format("<{}> in <geometry> of a collision", printable(other.name)), known);
  if (geometry.children.empty()) reading.warnings.ignore(geometry, "an empty <geometry> of a collision", known);
  return false;
}

void read_collision(UrdfReading& reading, const UrdfLink& link, const XmlElement& collision, const std::string& body) {
  ShapeDescription shape;
  const XmlAttribute* name = collision.attribute("name");
  shape.body = body;
  shape.at = read_urdf_origin(collision);
  shape.where = shape.body_where = shape.surface_where = collision.where();
  if (const XmlElement* material = collision.child("material"))
    reading.warnings.ignore(*material, "<material> in <collision>", "colours do not matter here",
                            RobotConcern::drawing);
  const XmlElement* geometry = collision.child("geometry");
  if (!geometry) return reading.warnings.ignore(collision, "a <collision> without <geometry>", "it has no form");
  if (!read_form(reading, link, *geometry, shape)) return;
  shape.name = reading.shape_names.unique(name && !name->value.empty() ? name->value : link.name);
  reading.robot.description.shapes.push_back(std::move(shape));
}

}  // namespace

Pose read_urdf_origin(const XmlElement& element) {
  const XmlElement* origin = element.child("origin");
  if (!origin) return {};
  return {rotation_from_rpy(vector_or(*origin, "rpy", {})), vector_or(*origin, "xyz", {})};
}

BodyDescription read_urdf_inertial(UrdfReading& reading, const UrdfLink& link) {
  BodyDescription body;
  body.name = link.body;
  body.where = body.mass_where = body.com_where = body.inertia_where = link.element->where();
  const XmlElement* inertial = link.element->child("inertial");
  if (!inertial) return body;
  const Pose origin = read_urdf_origin(*inertial);
  body.com = origin.position;
  body.mass_where = body.com_where = body.inertia_where = inertial->where();
  const XmlElement* mass = inertial->child("mass");
  if (!mass)
    throw InputError(inertial->where(), fmt::format("<inertial> of link '{}' has no <mass>", printable(link.name)),
                     "add <mass value=\"…\"/>, or remove <inertial> for a link without mass");
  body.mass_where = mass->where();
  body.mass = require_not_negative(*mass, "value");
  if (const XmlElement* inertia = inertial->child("inertia")) {
    body.inertia_where = inertia->where();
    body.inertia = rotated(origin.rotation, read_inertia(*inertia));
  } else {
    reading.warnings.add(inertial->where(),
                         fmt::format("link '{}' has no <inertia>: it is taken as a point mass", printable(link.name)));
  }
  mend(reading, link, body);
  return body;
}

void read_urdf_geometry(UrdfReading& reading, const UrdfLink& link, const std::string& body) {
  for (const XmlElement* collision : link.element->all("collision")) read_collision(reading, link, *collision, body);
  for (const XmlElement* visual : link.element->all("visual")) {
    note_visual_mesh(reading, *visual);
    reading.warnings.ignore(*visual, "<visual> in <link>", "it does not act on the motion", RobotConcern::drawing);
  }
  if (const XmlElement* contact = link.element->child("contact"))
    reading.warnings.ignore(*contact, "<contact> in <link>",
                            "friction and restitution are given by `surfaces` of a scene");
}

}  // namespace routh::internal
