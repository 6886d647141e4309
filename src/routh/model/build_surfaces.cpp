// Surfaces, and the shapes that carry them.
#include <fmt/format.h>

#include <cmath>

#include "routh/base/error_list.h"
#include "routh/model/draft.h"
#include "routh/model/tolerances.h"

namespace routh::internal {

namespace {

void check_extents(const Subject& subject, const Vector3& half, Dimension dimension) {
  expect_vector(subject, subject.where, "size", half, dimension);
  expect_positive(subject, subject.where, "size.x", 2 * half.x);
  expect_positive(subject, subject.where, "size.y", 2 * half.y);
  if (dimension == Dimension::spatial) expect_positive(subject, subject.where, "size.z", 2 * half.z);
}

void check_strip(const Subject& subject, const Vector3& half, Dimension dimension) {
  if (!(half.x > 0)) refuse(subject, fmt::format("width = {} must be positive", 2 * half.x));
  if (dimension == Dimension::spatial && !(half.y > 0))
    refuse(subject, fmt::format("depth = {} must be positive", 2 * half.y));
}

void check_sizes(const Subject& subject, const ShapeDescription& shape, Dimension dimension) {
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::half_space:
      return;
    case ShapeKind::cylinder:
      if (dimension == Dimension::planar)
        refuse(subject, "a cylinder has no place in a planar model", "use a sphere (a disc) or a box");
      [[fallthrough]];
    case ShapeKind::capsule:
      expect_positive(subject, subject.where, "length", shape.length);
      [[fallthrough]];
    case ShapeKind::sphere:
    case ShapeKind::pin:
    case ShapeKind::hole:
      return expect_positive(subject, subject.where, "radius", shape.radius);
    case ShapeKind::box:
    case ShapeKind::ellipsoid:
      return check_extents(subject, shape.half_extents, dimension);
    case ShapeKind::mesh:
      if (dimension == Dimension::planar)
        refuse(subject, "a mesh has no place in a planar model", "use a sphere (a disc) or a box");
      if (!shape.mesh.hull) refuse(subject, "the mesh has no hull", "give it points that span a volume");
      return;
    case ShapeKind::strip:
      return check_strip(subject, shape.half_extents, dimension);
  }
}

void check_belt(const Subject& subject, const ShapeDescription& shape, Dimension dimension) {
  expect_vector(subject, subject.where, "belt.velocity", shape.belt, dimension);
  expect_profile(subject, "belt.speed", shape.belt_speed);
  if (shape.kind != ShapeKind::half_space && shape.kind != ShapeKind::strip) return;
  const double along_normal = dimension == Dimension::planar ? shape.belt.y : shape.belt.z;
  if (std::abs(along_normal) > tolerances::belt_normal_relative * norm(shape.belt))
    refuse(subject, fmt::format("belt.velocity has the component {} along the normal", along_normal),
           "a belt runs along its surface; the velocity is in the shape's frame, whose up axis is the normal");
}

Shape make_shape(const ModelDraft& draft, const ShapeDescription& description) {
  const Subject subject{"shape", description.name, description.where};
  const Dimension dimension = draft.model.dimension;
  Shape shape;
  shape.name = description.name;
  shape.kind = description.kind;
  shape.body = draft.bodies.require(description.body, subject, description.body_where);
  shape.at = checked_pose(subject, "at", description.at, dimension);
  check_sizes(subject, description, dimension);
  check_belt(subject, description, dimension);
  shape.radius = description.radius;
  shape.length = description.length;
  shape.half_extents = description.half_extents;
  shape.hull = description.mesh.hull;
  if (!description.surface.empty())
    shape.surface = draft.surfaces.require(description.surface, subject, description.surface_where);
  shape.belt = description.belt;
  shape.belt_speed = description.belt_speed;
  shape.moving = shape.belt.x != 0 || shape.belt.y != 0 || shape.belt.z != 0;
  return shape;
}

// One sentence for all meshes.
void warn_of_hulls(ModelDraft& draft) {
  const ShapeDescription* first = nullptr;
  int others = -1;
  for (const ShapeDescription& shape : draft.description.shapes) {
    if (shape.mesh.note.empty()) continue;
    if (!first) first = &shape;
    ++others;
  }
  if (!first) return;
  const std::string more =
      others == 0 ? "" : fmt::format(" ({} more {} changed too)", others, others == 1 ? "is" : "are");
  draft.model.warnings.push_back(
      warning({"mesh", first->name, first->where}, fmt::format("{}{}", first->mesh.note, more)));
}

}  // namespace

void build_surfaces(ModelDraft& draft) {
  ErrorList errors;
  for (const SurfaceDescription& description : draft.description.surfaces) {
    const Subject subject{"surface", description.name, description.where};
    errors.attempt([&] {
      draft.surfaces.add(subject, static_cast<int>(draft.model.surfaces.size()));
      draft.model.surfaces.push_back({description.name, checked_properties(subject, description.properties)});
    });
  }
  draft.model.shapes.reserve(draft.description.shapes.size());
  for (const ShapeDescription& description : draft.description.shapes)
    errors.attempt([&] {
      draft.shapes.add({"shape", description.name, description.where}, static_cast<int>(draft.model.shapes.size()));
      draft.model.shapes.push_back(make_shape(draft, description));
      place_shape(draft.model, static_cast<int>(draft.model.shapes.size()) - 1, draft.model.shapes.back().at);
    });
  errors.finish();
  warn_of_hulls(draft);
}

}  // namespace routh::internal
