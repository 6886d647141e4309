// How a page draws a machine: shapes, and lines and joints where it has none.
#include <array>

#include "routh/mesh/mass.h"
#include "routh/report/machine.h"
#include "routh/report/skeleton.h"

namespace routh::internal {

namespace {

// A strip has no thickness; it is drawn as a plate below its surface, this share of its length thick.
constexpr double strip_thickness = 0.03;

void write_mesh(const Polyhedron& hull, JsonWriter& json) {
  const TriangleMesh mesh = triangulated(hull);
  json.list("points", mesh.vertices, [&](const Vector3& v) { json.short_vector(ContactVector{v.x, v.y, v.z}); });
  json.list("triangles", mesh.triangles, [&](const auto& triangle) {
    json.begin_list();
    for (const int vertex : triangle) json.number(vertex);
    json.end_list();
  });
}

void write_shape_kind(const Shape& shape, Dimension dimension, JsonWriter& json) {
  const bool spatial = dimension == Dimension::spatial;
  const bool strip = shape.kind == ShapeKind::strip;
  json.text("kind", strip ? "box" : name(shape.kind));
  json.begin_object("size");
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::half_space:
      break;
    case ShapeKind::sphere:
    case ShapeKind::pin:
    case ShapeKind::hole:
      json.number("radius", shape.radius);
      break;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      json.number("radius", shape.radius);
      json.number("length", shape.length);
      break;
    case ShapeKind::box:
      json.number("x", 2 * shape.half_extents.x);
      json.number("y", 2 * shape.half_extents.y);
      if (spatial) json.number("z", 2 * shape.half_extents.z);
      break;
    case ShapeKind::strip: {
      const double thickness = strip_thickness * shape.half_extents.x;
      json.number("x", 2 * shape.half_extents.x);
      json.number("y", spatial ? 2 * shape.half_extents.y : thickness);
      if (spatial) json.number("z", thickness);
      break;
    }
    case ShapeKind::mesh:
      write_mesh(*shape.hull, json);
      break;
    case ShapeKind::ellipsoid:
      json.number("x", shape.half_extents.x);
      json.number("y", shape.half_extents.y);
      if (spatial) json.number("z", shape.half_extents.z);
      break;
  }
  json.end_object();
}

// The frame in which the page knows the shape.
Pose drawn_frame(const Shape& shape, Dimension dimension) {
  Pose frame = shape.at;
  const bool planar = dimension == Dimension::planar;
  // In the plane ours runs along y, the page's along x.
  if (shape.kind == ShapeKind::capsule && planar)
    frame.rotation = frame.rotation * Matrix3{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  if (shape.kind == ShapeKind::strip) {
    const double down = -0.5 * strip_thickness * shape.half_extents.x;
    frame.position = frame * (planar ? Vector3{0, down, 0} : Vector3{0, 0, down});
  }
  return frame;
}

void write_shapes(const Model& model, JsonWriter& json) {
  json.objects("shapes", model.shapes, [&](const Shape& shape) {
    const Pose frame = drawn_frame(shape, model.dimension);
    const Quaternion turn = quaternion_from_matrix(frame.rotation);
    json.text("name", shape.name);
    json.integer("body", shape.body);
    write_shape_kind(shape, model.dimension, json);
    json.vector("position", frame.position);
    json.list("rotation", std::array{turn.w, turn.x, turn.y, turn.z}, [&](double entry) { json.number(entry); });
  });
}

void write_springs(const Model& model, JsonWriter& json) {
  const auto end = [&](const char* key, int body, const Vector3& at) {
    json.begin_object(key);
    json.integer("body", body);
    json.vector("position", at);
    json.end_object();
  };
  json.objects("springs", model.springs, [&](const Spring& spring) {
    json.text("name", spring.name);
    end("a", spring.body_a, spring.at_a);
    end("b", spring.body_b, spring.at_b);
  });
}

}  // namespace

void write_machine(const Model& model, JsonWriter& json) {
  json.text("dimension", name(model.dimension));
  json.vector("gravity", model.gravity);
  json.objects("bodies", model.bodies, [&](const Body& body) { json.text("name", body.name); });
  write_shapes(model, json);
  json.objects("bones", bones(model), [&](const Bone& bone) {
    json.integer("body", bone.body);
    json.vector("from", bone.from);
    json.vector("to", bone.to);
  });
  json.objects("joints", joint_dots(model), [&](const JointDot& joint) {
    json.text("name", joint.name);
    json.text("kind", joint.kind);
    json.integer("body", joint.body);
    json.vector("position", joint.position);
  });
  write_springs(model, json);
}

}  // namespace routh::internal
