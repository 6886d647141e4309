// The rule by which runs take several contacts that strike at once, and what a machine between M, J and q̇⁺ does by it:
// the only place where it is decided.
//
// Contacts that do not act on one another are impacts of their own. Of each group:
//   Newton's rule and projection (simultaneous.h), without slip where a contact has friction, as long as every pressed
//   contact stays inside its cone, every restitution is met, nothing approaches and nothing is gained;
//   else the compliant march (together.h). Surfaces that move must be followed where there is friction: the march.
#pragma once

#include <optional>
#include <vector>

#include "routh/march/simultaneous_rule.h"

namespace routh::internal {

// Contacts by D, contact after contact with `rows` rows each: those that act on one another, in ascending order.
std::vector<std::vector<std::size_t>> coupled_groups(const Eigen::MatrixXd& inertia, Eigen::Index rows);

// The projection where a run keeps it, of one group. `machine` has tangential rows; `surface_velocity` as in
// MarchSettings.
std::optional<SimultaneousResult> project_as_runs(SimultaneousProblem machine, const Eigen::VectorXd& surface_velocity);

struct RunAnswer {
  SimultaneousRule rule = SimultaneousRule::simultaneous;  // together: of some group at least
  std::vector<SimultaneousRule> rules;                     // of each contact
  SimultaneousResult result;
  std::vector<MarchPoint> path;  // where all contacts act on one another and march
};
// As `solve_march`, which has no external impulse either. Pressed contacts march, as a jam in a run does.
RunAnswer solve_as_runs(const SimultaneousProblem& machine, const MarchSettings& settings);

}  // namespace routh::internal
