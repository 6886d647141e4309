#include "routh/report/placed_machine.h"

namespace routh::internal {

bool PlacedMachine::place(const State& state) {
  if (state.q.size() != model().coordinates || state.v.size() != model().velocities) return false;
  if (!state.q.allFinite() || !state.v.allFinite()) return false;
  compute_velocities(model(), state.q, state.v, workspace_);
  return true;
}

bool PlacedMachine::has(ContactId id) const {
  if (id.pair >= 0) return id.pair < static_cast<int>(model().pairs.size());
  const int dof = -1 - id.pair;
  return dof < model().velocities && model().dofs[static_cast<std::size_t>(dof)].coordinate >= 0 &&
         (id.feature == 0 || id.feature == 1);
}

std::optional<Contact> PlacedMachine::contact(const State& state, ContactId id) const {
  if (!has(id)) return std::nullopt;
  return find_contact(model(), workspace_, state.q, id);
}

Vector3 PlacedMachine::shown_at(const Contact& contact) const {
  if (contact.kind == ContactKind::surfaces) return contact.point;
  const Joint& joint =
      model().joints[static_cast<std::size_t>(model().dofs[static_cast<std::size_t>(contact.dof)].joint)];
  return pose(joint.child) * joint.in_child.position;
}

}  // namespace routh::internal
