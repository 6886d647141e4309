// The run by events while they come one by one, and in fixed steps through crowds of them. Private to the module.
//
// A crowd: within one `resolution` R, three or more contacts of two or more bodies have events, more than three each in
// the mean. One contact's series of bounces is summed in closed form; one body that rocks on its corners ends alike;
// and one strike of a contact makes up to three events (impact, zeno, stick). From there the machine goes on in steps
// of R, until no contact has struck or closed for 10 R; then events are followed again. Where that leads into the next
// crowd soon, or the state cannot be taken back, the wait doubles, to 1000 R at most.
//
// Steps also take over where the event engine fails by itself (no end of events at an instant, an overlap, no modes),
// or where its steps cost far more than those of R would, for long or at once: near a singular posture, where slip
// begins and halts without end, where a joint is stiffer than R shows.
#pragma once

#include "routh/simulation/engine.h"
#include "routh/simulation/stepping.h"

namespace routh::internal {

// At least three contacts of at least two bodies that move.
bool are_many(const Model& model, std::span<const ContactId> contacts);
// Whether these events of contacts, all within the resolution, are a crowd.
bool is_crowd(const Model& model, std::span<const Checkpoint::Crowd::Recent> recent);

class AutomaticEngine final : public EngineBase {
 public:
  AutomaticEngine(const Model& model, const State& start, const EngineOptions& options);
  AutomaticEngine(const Model& model, const Checkpoint& checkpoint, const EngineOptions& options);

  SimulationStatus advance(double until) override;
  std::vector<ActiveContact> active() const override { return now().active(); }
  Eigen::VectorXd acceleration() const override { return now().acceleration(); }
  void set_force(const Eigen::Ref<const Eigen::VectorXd>& value) override;
  void add_user_event(UserEvent event) override;
  void inject(FaultInjection faults) override;
  Checkpoint last_boundary() const override;
  void sample_every(double interval, double origin, std::function<void(const Sample&)> call) override;

 private:
  const EngineBase& now() const;
  EngineBase& now() { return const_cast<EngineBase&>(std::as_const(*this).now()); }
  template <class... From>
  void make_events(const From&... from);
  template <class... From>
  void make_steps(const From&... from);
  bool interrupted();
  void hand_on(const Event& event);
  void note(const Event& event, long number);
  bool makes_no_progress(double time);
  bool failed_by_itself(SimulationStatus outcome) const;
  void step_on();
  bool follow_events();
  bool absorb_strike(const Event& event);
  void look(const State& at, double dissipated);
  void add_impulse(ContactId id, const ContactVector& impulse);
  Event crowd_event();

  double resolution_ = 0;
  double gap_seen_ = 0;  // [m]: a contact that closed less was closed
  std::unique_ptr<Engine> events_engine_;
  std::unique_ptr<SteppingEngine> steps_engine_;
  Checkpoint::Crowd crowd_;
  std::vector<long> recent_numbers_;  // how many events were logged before each of crowd_.recent
  bool crowded_ = false, stuck_ = false, struck_ = false;
  std::vector<ContactId> pressed_;  // contacts that carried load in the last step
};

}  // namespace routh::internal
