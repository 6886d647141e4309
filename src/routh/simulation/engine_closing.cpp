// What steps open, closed again; and what must not be.
#include <algorithm>
#include <cmath>

#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/simulation/engine.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh {

// By how much what is closed is open at most.
double Engine::opening(const Eigen::VectorXd& q) {
  compute_kinematics(model, q, workspace_);
  double most = 0;
  if (model.loop_rows > 0) {
    Eigen::VectorXd open(model.loop_rows);
    loop_residual(model, workspace_, q, open);
    most = open.cwiseAbs().maxCoeff();
  }
  for (const HeldContact& each : motion_.held())
    if (const auto contact = find_contact(model, workspace_, q, each.id)) most = std::max(most, std::abs(contact->gap));
  return most;
}

// Whether the step, good for the motion, opens what is closed by more than may be seen.
bool Engine::drifts(double h) {
  if (motion_.held().empty() && model.loop_rows == 0) return false;
  unpack(end_, state.time + h, scratch_);
  normalise(model, scratch_.q);
  const double allowed =
      std::max({0.5 * tolerances::unseen_depth, options.tolerance, tolerances::closed_enough * size_of(scratch_)});
  const double open = opening(scratch_.q);
  return open > allowed && open > opening(state.q) + 0.5 * allowed;
}

std::vector<ClosedContact> Engine::closed_contacts() const {
  std::vector<ClosedContact> closed;
  for (const HeldContact& each : motion_.held()) closed.push_back({each.id, each.mode});
  return closed;
}

// Contacts that move along their normals by far more than errors of a step: their normals have turned at once, as where
// a sharp rim leaves a sharp edge. To take that velocity out would be an impact that nobody was told of.
double Engine::fastest_error() const { return std::sqrt(options.tolerance) * (1 + state.v.cwiseAbs().maxCoeff()); }

// Gaps and loops drift by the errors of the steps; they are closed again. The contacts whose normals have turned: then
// velocities are left as they are.
std::vector<ContactId> Engine::stabilise() {
  ClosureReport report = close(state);
  accounts_ += report.energy;
  statistics.largest_gap = std::max(statistics.largest_gap, report.gap);
  statistics.largest_loop = std::max(statistics.largest_loop, report.loop);
  return std::move(report.turned);
}

ClosureReport Engine::close(State& at_state) {
  if (model.loop_rows == 0 && motion_.held().empty()) return {};
  return closure_.close(model, closed_contacts(), at_state, workspace_, fastest_error());
}

// The same before an event, whose gaps are located already.
std::vector<ContactId> Engine::stabilise_velocities() {
  if (model.loop_rows == 0 && motion_.held().empty()) return {};
  ClosureReport report = closure_.close_velocity(model, closed_contacts(), state, workspace_, fastest_error());
  accounts_ += report.energy;
  return std::move(report.turned);
}

}  // namespace routh
