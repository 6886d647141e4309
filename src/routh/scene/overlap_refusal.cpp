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

}  // namespace

void refuse_overlaps(const Model& model, const State& state, const TouchOptions& touch, const std::string& file) {
  Workspace workspace(model);
  const std::vector<Contact> overlaps = find_touches(model, state, touch, workspace).overlaps;
  if (overlaps.empty()) return;
  const Contact& deepest = *std::min_element(overlaps.begin(), overlaps.end(),
                                             [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
  throw InputError(
      {file},
      fmt::format("{}: the shapes overlap by {:.3g} m at the start, {:.3g} m are allowed", contact_name(model, deepest),
                  -deepest.gap, touch.tolerance),
      fmt::format("{} in the state, or exclude the pair in `contacts`", way_out(model, workspace, deepest)));
}

}  // namespace routh::internal
