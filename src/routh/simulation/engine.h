// The event-driven run: steps, events, accounts. Private to the module.
#pragma once

#include <utility>

#include "routh/math/dormand_prince.h"
#include "routh/math/radau.h"
#include "routh/simulation/engine_base.h"
#include "routh/simulation/instant.h"
#include "routh/simulation/motion_reader.h"
#include "routh/simulation/tolerances.h"
#include "routh/simulation/uniform_motion.h"
#include "routh/simulation/watch.h"

namespace routh::internal {

class Engine final : public EngineBase, public OdeRates, public StepView {
 public:
  Engine(const Model& model, const State& start, const EngineOptions& options);
  Engine(const Model& model, const Checkpoint& checkpoint, const EngineOptions& options);
  // Without a start: to take over from another engine.
  Engine(const Model& model, const EngineOptions& options);
  // Goes on from fixed steps: the contacts that carried load in the last of them are closed exactly, and their modes
  // found anew. False where that cannot be done; it can be tried again later.
  bool take_over(const EngineBase& from, const std::vector<ActiveContact>& pressed);

  // What the steps since the last call cost, as a multiple of an explicit one without contacts and loops that looks at
  // no shapes. Of a step within which `advance` was asked to stop, nothing: it is taken again.
  double take_work() { return std::exchange(work_, 0); }

  SimulationStatus advance(double until) override;
  std::vector<ActiveContact> active() const override { return MotionReader(model).active(motion_, state, force_); }
  Eigen::VectorXd acceleration() const override { return MotionReader(model).acceleration(motion_, state, force_); }
  void set_force(const Eigen::Ref<const Eigen::VectorXd>& value) override;
  void add_user_event(UserEvent event) override;
  void inject(FaultInjection faults) override;

  // OdeRates: y is q, q̇, dissipated, supplied.
  bool operator()(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dy) override;
  // StepView
  bool at(double theta, State& state) override;
  void bound_accelerations(Eigen::VectorXd& bound) override;

 private:
  enum class StepKind { integrated, uniform, resting };

  void start(const State& initial);
  HeldContact held_contact(const Contact& contact, ContactMode mode, SlipDirection direction) const;
  void fill_boundary();
  void mark_boundary();
  double first_step();
  double next_stop() const;
  void return_to_boundary();
  bool rests();
  StepKind choose_kind();
  double try_step(double stop);
  double opening(const Eigen::VectorXd& q);
  bool drifts(double h);
  bool end_step(double length);
  bool repeat_step(double length);
  SimulationStatus one_step(double until);
  double row_cost() const;
  bool crawls(double until);
  SimulationStatus handle_fault(double h);
  void accept(double h);
  SimulationStatus happen(const WatchResult& found);
  SimulationStatus scheduled();
  SimulationStatus resolve(InstantHints hints);
  // Whether this instant was resolved before: changes of modes that follow each other within a picosecond are of one.
  bool resolved_here() const { return state.time - resolve_time_ <= tolerances::same_instant; }
  void emit(Event event);
  void note_zeno(const Checkpoint::Pending& done);
  std::vector<ClosedContact> closed_contacts() const;
  double fastest_error() const;
  ClosureReport close(State& at_state);
  std::vector<ContactId> stabilise();
  std::vector<ContactId> stabilise_velocities();
  void turn_slip_directions();
  bool find_creeping();
  void settle_directions();
  double slip_speed(ContactId id);
  // Up to which slip has halted at an event: within the error of the step.
  double halted_slip() const { return std::max(tolerances::creeping_speed, options.tolerance); }
  bool nearly_halted(InstantHints& hints);
  void leave_out_passing(InstantHints& hints);
  double time_to_halt();
  void prepare_samples(double from, double h);
  void take_samples(double from, double h, bool last);
  Sample sample_at(const State& at_state, const Accounts& accounts);
  void pack(const State& from, Eigen::VectorXd& y) const;
  void unpack(const Eigen::VectorXd& y, double t, State& to) const;
  double time_left(const WatchItem& item);
  double refine(double h, double theta, const WatchResult& found);
  OdeStepper& stepper();
  void reset_steppers();
  void choose_stepper();

  ContactMotion motion_;
  Closure closure_;
  InstantResolver instants_;
  InstantWorkspace instant_workspace_;
  std::vector<Checkpoint::Bounce> bounces_;  // of contacts that struck
  Watch watch_;
  // Made when they are first needed, which may be never.
  std::optional<DormandPrince8> explicit_stepper_;
  std::optional<Radau5> implicit_stepper_;
  UniformStepper uniform_stepper_;
  RestStepper rest_stepper_;
  Eigen::VectorXd uniform_acceleration_;  // of free motion that needs no integration; else empty
  OdeTolerance tolerance_;
  Eigen::VectorXd y_, view_, rate_bound_;
  Eigen::VectorXd end_;  // of the step under way, like y_
  State scratch_;
  double step_corrected_ = 0;             // accounts_.corrected before what the last step opened was closed
  double step_ = 0;                       // size of the next; 0: to be estimated
  double view_time_ = 0, view_step_ = 0;  // the stretch of time that `at` shows
  double tried_step_ = 0;                 // length of the last step, 0 once it was repeated
  double work_ = 0;                       // of steps that were not asked for yet
  double view_part_ = 1;                  // of the last step, which is longer where its end was interpolated
  StepKind kind_ = StepKind::integrated;  // of the last step
  bool implicit_ = false;
  int stiff_count_ = 0;
  bool watching_ = false;                          // `watch_` knows what is released
  bool between_steps_ = false;                     // the state lies within a step that begins at `boundary_`
  std::optional<std::vector<ContactId>> resumed_;  // what was released, at a checkpoint
  MotionFault fault_ = MotionFault::none;
  std::vector<ContactId> lost_;  // contacts that lost their features at lost_time_
  double lost_time_ = -tolerances::never;
  double piece_end_ = tolerances::never;  // the last moment of the piece of all profiles that the step is in
  std::vector<Checkpoint::Pending> pending_;
  MotionReader reader_;
  double last_event_time_ = 0, burst_start_ = 0;
  double resolve_time_ = -tolerances::never;
  double calm_until_ = -tolerances::never;  // contacts that chattered stay as they are
  struct Stretch {
    long steps = 0, events = 0;
    double time = 0;
  };
  Stretch stretch_;  // where the steps without an event, that `crawls` looks at, began
  int at_once_ = 0, in_burst_ = 0, resolves_ = 0;
};

}  // namespace routh::internal
