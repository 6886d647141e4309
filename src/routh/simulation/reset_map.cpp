#include "routh/simulation/reset_map.h"

#include <algorithm>

#include "routh/dynamics/dynamics.h"

namespace routh::internal {

ResetMap::ResetMap(const SimulationOptions& options, std::vector<Event> strikes, const ModeFlow& after)
    : options_(options), strikes_(std::move(strikes)), after_(after) {
  // Several contacts together: the engine itself resolves the instant, with what follows from it.
  const bool together =
      std::any_of(strikes_.begin(), strikes_.end(), [](const Event& each) { return each.rule != ImpactRule::single; });
  if (together) strikes_.resize(1);
}

bool ResetMap::strike(const Model& model, Workspace& workspace, const Event& event, State& state) const {
  if (event.rule != ImpactRule::single) {
    SimulationOptions options = options_;
    options.engine = EngineKind::events;
    const Simulator simulator(model, state, options);
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
