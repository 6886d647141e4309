#include "routh/simulation/reset_map.h"

#include <algorithm>

#include "routh/contact/contact_rows.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/math/dense_qr.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

constexpr int closings = 3;  // Newton's steps from gaps of second order: the last leaves rounding

}  // namespace

ResetMap::ResetMap(const SimulationOptions& options, std::vector<Event> strikes, const ModeFlow& before,
                   const ModeFlow& after)
    : options_(options), strikes_(std::move(strikes)), before_(before), after_(after) {
  // Several contacts together: the engine itself resolves the instant, with what follows from it.
  const bool together =
      std::any_of(strikes_.begin(), strikes_.end(), [](const Event& each) { return each.rule != ImpactRule::single; });
  if (!together) return;
  for (const Event& each : strikes_)
    for (const EventContact& contact : each.contacts) touching_.push_back(contact.id);
  for (const ModeContact& each : after.held()) touching_.push_back(each.id);
  std::sort(touching_.begin(), touching_.end());
  touching_.erase(std::unique(touching_.begin(), touching_.end()), touching_.end());
  strikes_.resize(1);
}

// The engine strikes with what touches, and by another rule where what it held has begun to part: gaps that opened or
// closed to second order on the way to a neighbour are taken out by Newton's method, with least changes, and so are the
// velocities of what was held. To first order this changes nothing, for whoever uses this map has shifted the time so
// that the gaps stay closed.
bool ResetMap::bring_together(const Model& model, Workspace& workspace, State& state) const {
  MassFactor factor(model);
  const auto count = static_cast<Eigen::Index>(touching_.size());
  Eigen::MatrixXd J(contact_rows(model), model.velocities), rows(count, model.velocities);
  Eigen::VectorXd gaps(count), moved(model.coordinates);
  for (int step = 0; step < closings; ++step) {
    if (factor.factorise(state.q, workspace) >= 0) return false;
    compute_kinematics(model, state.q, workspace);
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto contact = find_contact(model, workspace, state.q, touching_[static_cast<std::size_t>(k)]);
      if (!contact) return false;
      contact_jacobian(model, workspace, *contact, J);
      rows.row(k) = J.row(0);
      gaps[k] = contact->gap;
    }
    Eigen::MatrixXd response = rows.transpose();
    for (Eigen::Index k = 0; k < count; ++k) factor.solve(response.col(k));
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
    decomposition.setThreshold(tolerances::sensitivity_rank);
    decomposition.compute(rows * response);
    const Eigen::VectorXd shift = response * decomposition.solve(Eigen::VectorXd(-gaps));
    integrate(model, state.q, shift, 1, moved);
    state.q = moved;
  }
  Eigen::VectorXd v = state.v;
  if (!before_.close_velocity(state, v, workspace, model)) return false;
  state.v = v;
  return true;
}

bool ResetMap::strike(const Model& model, Workspace& workspace, const Event& event, State& state) const {
  if (event.rule != ImpactRule::single) {
    SimulationOptions options = options_;
    options.engine = EngineKind::events;
    State closed = state;
    if (!bring_together(model, workspace, closed)) return false;
    const Simulator simulator(model, closed, options);
    if (failed(simulator.status())) return false;
    state.v = simulator.state().v;
    return true;
  }
  ContactProblemBuilder builder(model);
  if (builder.prepare(model, state, workspace) >= 0) return false;
  compute_velocities(model, state.q, state.v, workspace);
  const auto contact = find_contact(model, workspace, state.q, event.contacts.front().id);
  if (!contact) return false;
  ImpactResult result = solve_impact(builder.impact_problem(model, workspace, *contact), event.law);
  if (!usable(result.status)) return false;
  builder.apply(result);
  state.v = builder.velocity_after();
  return true;
}

Eigen::VectorXd ResetMap::operator()(const Model& model, Workspace& workspace, const State& before) const {
  State state = before;
  const auto count = static_cast<Eigen::Index>(watched_.size());
  Eigen::VectorXd out(model.velocities + 2 * count);
  const auto normal = [&](ContactId id) {
    compute_velocities(model, state.q, state.v, workspace);
    const auto contact = find_contact(model, workspace, state.q, id);
    return contact ? contact_velocity(model, workspace, state.v, *contact).n : 0;
  };
  for (const Event& event : strikes_) {
    const auto at = [&](ContactId id) {
      return std::any_of(event.contacts.begin(), event.contacts.end(), [&](const auto& it) { return it.id == id; });
    };
    for (Eigen::Index k = 0; k < count; ++k)
      if (const ContactId id = watched_[static_cast<std::size_t>(k)]; at(id))
        out[model.velocities + 2 * k] = normal(id);
    if (!strike(model, workspace, event, state)) return {};
    for (Eigen::Index k = 0; k < count; ++k)
      if (const ContactId id = watched_[static_cast<std::size_t>(k)]; at(id))
        out[model.velocities + 2 * k + 1] = normal(id);
  }
  Eigen::VectorXd v = state.v;
  if (!after_.close_velocity(state, v, workspace, model)) return {};
  out.head(model.velocities) = v;
  return out;
}

}  // namespace routh::internal
