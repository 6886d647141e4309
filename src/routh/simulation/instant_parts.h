// One instant while it is resolved: what instant.h declares, step by step. Private to instant*.cpp.
#pragma once

#include "routh/march/together.h"
#include "routh/simulation/bounce_history.h"
#include "routh/simulation/instant.h"

namespace routh::internal {

class Instant {
 public:
  Instant(const Model& model, const EngineOptions& options, const FaultInjection& faults, const InstantProblem& problem,
          InstantWorkspace& workspace);

  InstantResult resolve();

 private:
  SimulationStatus run();
  // A touching contact while the instant is resolved.
  struct Touching {
    Contact contact;
    ContactVector velocity;  // relative
    double rounding = 0;     // below which its velocity is zero
    bool struck = false;     // took part in an impact here
    bool gone = false;       // a force can no longer hold it
  };

  void find_touching();
  const Touching* entered() const;
  bool lift_overlaps();
  void update_velocities();
  void measure_velocities();
  double rounding() const;
  bool is_pressed(const Touching& it) const;
  Restitution restitution_of(const Touching& it) const;
  bool prepare(const std::vector<std::size_t>& list);
  void close_loops();
  SimulationStatus strike_all();
  SimulationStatus strike_group(const std::vector<std::size_t>& group, Load load);
  bool strike_one(std::size_t index, Load load, Event& event);
  bool strike_simultaneously(const std::vector<std::size_t>& group, Event& event);
  bool strike_together(const std::vector<std::size_t>& group, Load load, Event& event);
  TogetherResult jam_together(TogetherProblem problem) const;
  void set_velocity(const Eigen::VectorXd& after);
  void warn(ContactId id, Warning warning) { warned_.push_back({id, warning, 0}); }
  // Friction other than the given one decided what the contact does.
  void warn_of_friction(ContactId id, double used) { warned_.push_back({id, Warning::friction_changed, used}); }
  Event begin_event(const std::vector<std::size_t>& group, Load load) const;
  void end_event(const std::vector<std::size_t>& group, Event& event);

  void update_closed(const std::vector<ClosedContact>& closed);
  bool close_velocities(const std::vector<ClosedContact>& closed);
  bool halt_at_once();
  SimulationStatus settle();
  SimulationStatus tangential_impact(const std::vector<std::size_t>& resting);
  bool find_group_modes(std::vector<std::size_t> group, const std::vector<std::size_t>& resting,
                        std::vector<HeldContact>& held);
  enum class Verdict { found, wedged, open };
  Verdict single_mode(std::size_t index, std::size_t position, HeldContact& held);
  bool complete_bounces();
  bool sum_bounces(const std::vector<ClosedContact>& closed);
  void note_changes();
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
  const EngineOptions& options_;
  const FaultInjection& faults_;
  const InstantProblem& problem_;
  const InstantHints& hints_;
  // Rooms of the workspace.
  ContactMotion& motion_;
  Workspace& workspace_;
  ContactSearch& search_;
  ContactProblemBuilder& builder_;
  ConstrainedDynamics& loops_;
  Closure& closure_;
  OtherMotion& other_motion_;
  Eigen::MatrixXd& jacobian_;  // of one contact

  InstantResult result_;  // so far
  BounceHistory bounces_;
  std::vector<std::size_t> prepared_;        // the contacts for which, and
  Eigen::VectorXd prepared_q_, prepared_v_;  // where, `motion_` was prepared last; none: for others
  std::vector<Touching> touching_;
  std::vector<Contact> found_;
  struct Warned {
    ContactId id;
    Warning warning;
    double friction = 0;
  };
  std::vector<Warned> warned_;  // of the modes of what stays closed
  double speed_scale_ = 0;
  int rounds_ = 0;
};

}  // namespace routh::internal
