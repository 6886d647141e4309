// How a page draws a machine: shapes, and lines and joints where it has none.
#include <algorithm>
#include <array>

#include "routh/mesh/mass.h"
#include "routh/report/machine.h"
#include "routh/report/tolerances.h"

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

// Its bodies move away from where the joint is.
bool floats(JointKind kind) {
  switch (kind) {
    case JointKind::planar:
    case JointKind::free:
      return true;
    case JointKind::fixed:
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::cylindrical:
    case JointKind::spherical:
    case JointKind::universal:
      return false;
  }
  return false;
}

// The ends of the bones of one body: each is drawn from its joint, or from the centre of mass of a body that floats.
class Bones {
 public:
  Bones(const Model& model, JsonWriter& json) : model_(model), json_(json) {}

  void write(int body) {
    const Body& it = model_.bodies[static_cast<std::size_t>(body)];
    const Joint& joint = model_.joints[static_cast<std::size_t>(it.joint)];
    body_ = body;
    from_ = floats(joint.kind) ? it.com : joint.in_child.position;
    ends_.clear();
    for (const Joint& next : model_.joints)
      if (next.parent == body) add(next.at.position);
    for (const Loop& loop : model_.loops) {
      if (loop.kind == LoopKind::coupling) continue;
      if (loop.body_a == body) add(loop.at_a.position);
      if (loop.body_b == body) add(loop.at_b.position);
    }
    for (const Spring& spring : model_.springs) {
      if (spring.body_a == body) add(spring.at_a);
      if (spring.body_b == body) add(spring.at_b);
    }
    for (const Shape& shape : model_.shapes)
      if (shape.body == body && shape.kind != ShapeKind::half_space) add(shape.at.position);
    if (it.mass > 0) add(it.com);
  }

 private:
  void add(const Vector3& end) {
    const double size = tolerances::drawn_segment_min * (1 + norm(end) + norm(from_));
    if (norm(end - from_) <= size) return;
    if (std::any_of(ends_.begin(), ends_.end(), [&](const Vector3& other) { return norm(end - other) <= size; }))
      return;
    ends_.push_back(end);
    json_.begin_object();
    json_.integer("body", body_);
    json_.vector("from", from_);
    json_.vector("to", end);
    json_.end_object();
  }

  const Model& model_;
  JsonWriter& json_;
  int body_ = 0;
  Vector3 from_;
  std::vector<Vector3> ends_;
};

void write_joint(const std::string& name, const char* kind, int body, const Vector3& position, JsonWriter& json) {
  json.begin_object();
  json.text("name", name);
  json.text("kind", kind);
  json.integer("body", body);
  json.vector("position", position);
  json.end_object();
}

// Joints that hold a point, and loops that do.
void write_joints(const Model& model, JsonWriter& json) {
  json.begin_list("joints");
  for (const Joint& joint : model.joints)
    if (!floats(joint.kind) && joint.kind != JointKind::fixed)
      write_joint(joint.name, name(joint.kind), joint.child, joint.in_child.position, json);
  for (const Loop& loop : model.loops)
    if (loop.kind == LoopKind::point || loop.kind == LoopKind::hinge)
      write_joint(loop.name, name(loop.kind), loop.body_a, loop.at_a.position, json);
  json.end_list();
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
  json.begin_list("bones");
  Bones bones(model, json);
  for (int body = 1; body < static_cast<int>(model.bodies.size()); ++body) bones.write(body);
  json.end_list();
  write_joints(model, json);
  write_springs(model, json);
}

}  // namespace routh::internal
