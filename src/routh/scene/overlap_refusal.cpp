#include "routh/scene/overlap_refusal.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/base/error.h"
#include "routh/scene/robot_lift.h"

namespace routh::internal {

namespace {

// What moves the body of a free base out of the shape it stands in; for others there is no such simple way.
std::string way_out(const Model& model, const Workspace& workspace, const Contact& contact) {
  const auto motion = motion_out_of(model, workspace, contact);
  if (!motion || model.joints[static_cast<std::size_t>(motion->joint)].kind != JointKind::free)
    return "move them apart";
  const Vector3 step = -contact.gap * motion->along;
  return fmt::format("move '{}' by [{:.7g}, {:.7g}, {:.7g}]",
                     model.joints[static_cast<std::size_t>(motion->joint)].name, step.x + 0.0, step.y + 0.0,
                     step.z + 0.0);
}

// Where the shape stands in the file that holds it; a shape of a body before one of the world.
Location place_of(const Scene& scene, const Contact& contact, const std::string& file) {
  if (contact.kind == ContactKind::limit)
    return scene.model.dofs[static_cast<std::size_t>(contact.dof)].properties.where;
  const int shape = contact.body_a != 0 ? contact.shape_a : contact.shape_b;
  const std::string& name = scene.model.shapes[static_cast<std::size_t>(shape)].name;
  for (const ShapeDescription& written : scene.draft.description.shapes)
    if (written.name == name && !written.where.file.empty()) return written.where;
  return {file};
}

}  // namespace

void refuse_overlaps(const Scene& scene, const State& state, const std::string& file) {
  const Model& model = scene.model;
  Workspace workspace(model);
  const std::vector<Contact> overlaps = find_touches(model, state, scene.touch, workspace).overlaps;
  if (overlaps.empty()) return;
  const Contact& deepest = *std::min_element(overlaps.begin(), overlaps.end(),
                                             [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
  throw InputError(
      place_of(scene, deepest, file),
      fmt::format("{}: the shapes overlap by {:.3g} m at the start, {:.3g} m are allowed", contact_name(model, deepest),
                  -deepest.gap, scene.touch.tolerance),
      fmt::format("{} in the state, or exclude the pair in `contacts`", way_out(model, workspace, deepest)));
}

}  // namespace routh::internal
