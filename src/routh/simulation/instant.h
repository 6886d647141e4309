// One instant: impacts until nothing approaches, then the modes of what stays closed. A function of the state, of what
// is closed there, of how it bounced before and of what the locator found: nothing is kept from one instant to the
// next.
#pragma once

#include <string>

#include "routh/contact/contact_problem.h"
#include "routh/contact/contact_search.h"
#include "routh/simulation/closure.h"
#include "routh/simulation/contact_motion.h"
#include "routh/simulation/other_motion.h"
#include "routh/simulation/own_units.h"
#include "routh/simulation/simulator.h"

namespace routh::internal {

// What is known when an instant begins, beyond the state.
//
// A contact that is closed when an impulse from outside presses it answers by its law as one that strikes at the speed
// it is pressed with, without rebound: restitution is that of the approach before the impulse [Aghili 2019, (27)], and
// there was none.
struct InstantHints {
  std::uint32_t warnings = 0;       // bits of Warning, of everything that happens here
  std::vector<ContactId> stopped;   // their slip came to a halt
  std::vector<ContactId> broken;    // their friction no longer holds
  std::vector<ContactId> strained;  // redundant ones that together no longer hold as they do
  std::vector<ContactId> detached;  // their normal force fell to zero
  std::vector<ContactId> closed;    // their gaps came to zero, whether a list of contacts has them or not
  Eigen::VectorXd push;             // by which impulses from outside have just changed q̇; empty: none has
  bool jammed = false;              // no finite force: a sliding contact wedges
  int again = 0;                    // how often this instant was resolved before
  bool first = false;               // the start of the run: modes are new, not changed
};

struct InstantProblem {
  State state;
  std::vector<HeldContact> held;            // what is closed, and how
  std::vector<Checkpoint::Bounce> bounces;  // how fast contacts left after their last impacts, ordered by id
  Eigen::VectorXd force;                    // generalised, of the user; empty: none
  InstantHints hints;
};

struct InstantResult {
  // Anything but `ready` means that it could not be resolved; `trouble` says what, and the rest is how far it came.
  SimulationStatus status = SimulationStatus::ready;
  std::string trouble;
  State state;                    // with other velocities; positions changed by rounding
  std::vector<HeldContact> held;  // what stays closed, with its modes
  std::vector<Checkpoint::Bounce> bounces;
  std::vector<Event> events;
  std::vector<Checkpoint::Pending> completed;  // bounces that were summed: when their sequences end
  Accounts accounts;                           // what it did to the energy beside the ledgers of its events
  long searches = 0;                           // for modes
};

// Memory in which instants are worked out, reused so that nothing is allocated anew. What it holds from before does not
// matter.
struct InstantWorkspace {
  InstantWorkspace(const Model& model, const EngineOptions& options, const FaultInjection& faults);

  ContactMotion motion;
  Workspace machine;
  ContactSearch search;
  ContactProblemBuilder builder;
  ConstrainedDynamics loops;
  Closure closure;
  OtherMotion other_motion;
  Eigen::MatrixXd jacobian;
};

class InstantResolver {
 public:
  // All three must outlive it.
  InstantResolver(const Model& model, const EngineOptions& options, const FaultInjection& faults)
      : model_(model), options_(options), faults_(faults) {}

  InstantResult resolve(const InstantProblem& problem, InstantWorkspace& workspace) const;

 private:
  const Model& model_;
  const EngineOptions& options_;
  const FaultInjection& faults_;
};

}  // namespace routh::internal
