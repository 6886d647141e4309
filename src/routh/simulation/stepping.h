// The run in steps of fixed length, whatever strikes, sticks or slips within one. Private to the module.
//
// Step k goes from t₀ + k h to t₀ + (k + 1) h. A time within a step is shown by interpolation; the run goes on from the
// end of the step, so that its bits do not depend on how it is cut into calls. A force that is set within a step acts
// from then on: steps are counted anew from there.
#pragma once

#include "routh/simulation/engine_base.h"
#include "routh/simulation/moreau_step.h"

namespace routh::internal {

class SteppingEngine final : public EngineBase {
 public:
  SteppingEngine(const Model& model, const State& start, const EngineOptions& options);
  SteppingEngine(const Model& model, const Checkpoint& checkpoint, const EngineOptions& options);

  // Without a start: to take over from another engine.
  SteppingEngine(const Model& model, const EngineOptions& options);
  // Steps are counted from the present state of the other engine, whose contacts are closed with these forces.
  void take_over(const EngineBase& from, const std::vector<ActiveContact>& closed);

  SimulationStatus advance(double until) override;
  // Of redundant contacts the least forces.
  std::vector<ActiveContact> active() const override { return active_of_step_ ? step_.least_forces() : active_; }
  // The forces that the steps found.
  const std::vector<ActiveContact>& loads() const { return active_; }
  Eigen::VectorXd acceleration() const override { return memory_.acceleration; }
  void set_force(const Eigen::Ref<const Eigen::VectorXd>& value) override;
  void add_user_event(UserEvent event) override;
  void inject(FaultInjection faults) override;

 private:
  // One end of a step.
  struct Mark {
    State state;
    Accounts accounts;
  };

  void start();
  void foresee();
  void begin_here();
  SimulationStatus take_step();
  double energy_of(const State& at);
  bool happen();
  void log_until(double time);
  void show(double time);
  void take_samples(double until);
  void give(const State& at, const Accounts& accounts);
  void mark_boundary();
  void meet_blows();
  Mark between(double time) const;

  MoreauStep step_;
  StepMemory memory_;
  Mark begin_, end_;                 // of the step that the present time is in
  double end_energy_ = 0;            // K + V at `end_` [J]
  double origin_ = 0;                // t₀
  long count_ = 0;                   // steps since then; `end_` is at count_
  std::vector<Event> events_ahead_;  // of the step, not yet logged
  std::vector<double> user_values_;  // at `end_`
  std::vector<ActiveContact> active_;
  bool active_of_step_ = false;  // active_ is what step_ found
};

}  // namespace routh::internal
