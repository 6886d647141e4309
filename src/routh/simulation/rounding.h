// What rounding does to positions and velocities, and a contact's entries of a stacked vector. Private to the module.
#pragma once

#include <algorithm>

#include "routh/contact/contact.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/state.h"
#include "routh/impact/problem.h"
#include "routh/model/in_units.h"

namespace routh::internal {

// Of positions: gaps are rounded in proportion to it.
inline double size_of(const State& state) { return std::max(1.0, state.q.cwiseAbs().maxCoeff()); }

// The unit of a contact's gap, for messages: [m], or [rad] of an angle at its limit.
inline double length_of(const Model& model, const Contact& contact, const Units& units) {
  return contact.kind == ContactKind::limit && is_angular(model, contact.dof) ? 1 : units.length;
}

// K + V [J].
inline double total_energy(const Model& model, const State& state, Workspace& workspace) {
  const Energy energy = compute_energy(model, state, workspace);
  return energy.kinetic + energy.potential;
}

// Of the contact that stands at `position`, with 2 or 3 rows each.
inline ContactVector contact_entries(const Eigen::VectorXd& v, std::size_t position, Eigen::Index rows) {
  const Eigen::Index row = rows * static_cast<Eigen::Index>(position);
  return {v[row], v[row + 1], rows == 3 ? v[row + 2] : 0};
}

}  // namespace routh::internal
