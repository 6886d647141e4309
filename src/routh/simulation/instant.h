// One instant: impacts until nothing approaches, then the modes of what stays closed.
#pragma once

#include <string>

#include "routh/contact/contact_problem.h"
#include "routh/contact/contact_search.h"
#include "routh/march/together.h"
#include "routh/simulation/bounce_history.h"
#include "routh/simulation/closure.h"
#include "routh/simulation/contact_motion.h"
#include "routh/simulation/other_motion.h"
#include "routh/simulation/own_units.h"
#include "routh/simulation/simulator.h"

namespace routh::internal {

// What is known when an instant begins, beyond the state.
struct InstantHints {
  std::uint32_t warnings = 0;       // bits of Warning, of everything that happens here
  std::vector<ContactId> stopped;   // their slip came to a halt
  std::vector<ContactId> broken;    // their friction no longer holds
  std::vector<ContactId> strained;  // redundant ones that together no longer hold as they do
  std::vector<ContactId> detached;  // their normal force fell to zero
  std::vector<ContactId> closed;    // their gaps came to zero, whether a list of contacts has them or not
  bool jammed = false;              // no finite force: a sliding contact wedges
  int again = 0;                    // how often this instant was resolved before
  bool first = false;               // the start of the run: modes are new, not changed
};

class Instant {
 public:
  Instant(const Model& model, const EngineOptions& options);

  // Changes `state.v` (and `state.q` by rounding), the held contacts of `motion`, and adds events. Anything but `ready`
  // means that it could not be resolved; `trouble` says what.
  SimulationStatus resolve(const InstantHints& hints, State& state, const Eigen::VectorXd& force, ContactMotion& motion,
                           Workspace& workspace);

  std::vector<Event>& events() { return events_; }
  const std::string& trouble() const { return trouble_; }
  BounceHistory& bounces() { return bounces_; }
  const BounceHistory& bounces() const { return bounces_; }
  std::vector<Checkpoint::Pending>& completed() { return completed_; }  // zeno points found in the last `resolve`
  long searches() const { return searches_; }
  // What it did to the energy beside the ledgers of its events.
  const Accounts& accounts() const { return accounts_; }
  Closure& closure() { return closure_; }
  void inject(const FaultInjection* faults) {
    faults_ = faults;
    closure_.inject(faults);
  }

 private:
  // A touching contact while the instant is resolved.
  struct Touching {
    Contact contact;
    ContactVector velocity;  // relative
    double rounding = 0;     // below which its velocity is zero
    bool struck = false;     // took part in an impact here
    bool gone = false;       // a force can no longer hold it
  };

  void find_touching(const State& state);
  const Touching* entered() const;
  bool lift_overlaps(State& state);
  void update_velocities(const State& state);
  void measure_velocities(const State& state);
  double rounding() const;
  bool prepare(const std::vector<std::size_t>& list, const State& state);
  SimulationStatus strike_all(State& state);
  SimulationStatus strike_group(const std::vector<std::size_t>& group, Load load, State& state);
  bool strike_one(std::size_t index, Load load, State& state, Event& event);
  bool strike_simultaneously(const std::vector<std::size_t>& group, State& state, Event& event);
  bool strike_together(const std::vector<std::size_t>& group, Load load, State& state, Event& event);
  TogetherResult jam_together(TogetherProblem problem) const;
  void set_velocity(const Eigen::VectorXd& after, State& state) const;
  void warn(ContactId id, Warning warning) { warned_.push_back({id, warning, 0}); }
  // Friction other than the given one decided what the contact does.
  void warn_of_friction(ContactId id, double used) { warned_.push_back({id, Warning::friction_changed, used}); }
  Event begin_event(const std::vector<std::size_t>& group, Load load, const State& state) const;
  void end_event(const std::vector<std::size_t>& group, const State& state, Event& event);

  void update_closed(const std::vector<ClosedContact>& closed, const State& state);
  bool close_velocities(const std::vector<ClosedContact>& closed, State& state);
  bool halt_at_once(State& state);
  SimulationStatus settle(State& state);
  SimulationStatus tangential_impact(const std::vector<std::size_t>& resting, State& state);
  bool find_group_modes(std::vector<std::size_t> group, const std::vector<std::size_t>& resting,
                        std::vector<HeldContact>& held);
  enum class Verdict { found, wedged, open };
  Verdict single_mode(std::size_t index, std::size_t position, HeldContact& held);
  bool complete_bounces(State& state);
  bool sum_bounces(const std::vector<ClosedContact>& closed, State& state);
  void note_changes(const std::vector<HeldContact>& before, const State& state);
  std::vector<std::size_t> resting() const;
  HeldContact held_contact(std::size_t index) const;
  ClosedContact closed_contact(const Touching& it) const;
  static bool slips(const Touching& it);
  bool begins(const HeldContact& held, const Touching& it) const;
  void keep_beginning(Touching& it) const;
  void forget_faint_slip(Touching& it, std::size_t position) const;
  bool listed(const std::vector<ContactId>& list, ContactId id) const;
  SimulationStatus fail(SimulationStatus status, std::string what);

  const Model& model_;
  EngineOptions options_;
  ContactSearch search_;
  ContactProblemBuilder builder_;
  Closure closure_;
  BounceHistory bounces_;
  OtherMotion other_motion_;
  Eigen::MatrixXd jacobian_;  // of one contact
  // Of the instant under way.
  const InstantHints* hints_ = nullptr;
  const Eigen::VectorXd* force_ = nullptr;
  ContactMotion* motion_ = nullptr;
  Workspace* workspace_ = nullptr;
  std::vector<HeldContact> before_;
  std::vector<std::size_t> prepared_;        // the contacts for which, and
  Eigen::VectorXd prepared_q_, prepared_v_;  // where, `motion_` was prepared last; none: for others
  std::vector<Touching> touching_;
  std::vector<Contact> found_;
  std::vector<Event> events_;
  std::vector<Checkpoint::Pending> completed_;
  struct Warned {
    ContactId id;
    Warning warning;
    double friction = 0;
  };
  std::vector<Warned> warned_;  // of the modes of what stays closed
  std::string trouble_;
  double speed_scale_ = 0;
  int rounds_ = 0;
  Accounts accounts_;
  const FaultInjection* faults_ = nullptr;
  long searches_ = 0;
};

}  // namespace routh::internal
