// What an instant does to the velocities, as a function: repeated beside the run at neighbouring states and machines.
// Private to the module.
#pragma once

#include <vector>

#include "routh/contact/contact_problem.h"
#include "routh/simulation/mode_flow.h"
#include "routh/simulation/simulator.h"

namespace routh::internal {

class ResetMap {
 public:
  // The strikes of one instant, in their order; what is held before and after it.
  ResetMap(const SimulationOptions& options, std::vector<Event> strikes, const ModeFlow& before, const ModeFlow& after);

  // Bounces of this contact end here: its normal velocities before and after its strike come with the answer.
  void watch(ContactId id) { watched_.push_back(id); }

  // q̇⁺, then the velocities of the contacts that are watched. Empty where a strike has no answer.
  Eigen::VectorXd operator()(const Model& model, Workspace& workspace, const State& state) const;

 private:
  bool strike(const Model& model, Workspace& workspace, const Event& event, State& state) const;
  bool bring_together(const Model& model, Workspace& workspace, State& state) const;

  SimulationOptions options_;
  std::vector<Event> strikes_;
  std::vector<ContactId> watched_;
  std::vector<ContactId> touching_;  // of an instant at which several contacts act together
  const ModeFlow& before_;
  const ModeFlow& after_;
};

}  // namespace routh::internal
