// Simulation, by one of three engines. `events`: the motion between events is integrated, events are located, and
// impacts are solved exactly. `stepping`: steps of fixed length, however many contacts change within one. `automatic`:
// events, and steps through crowds of them.
//
//   Simulator simulator(model, state, options);
//   while (simulator.advance(1.0) == SimulationStatus::ready) look(simulator.state(), simulator.events());
//
// A contact is free, slips or sticks. Between events the modes are kept and the accelerations follow from a linear
// system; events are sought on the dense output of every step. The same input gives the same bits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "routh/base/names.h"
#include "routh/dynamics/state.h"
#include "routh/simulation/event.h"
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/single_contact.h"

namespace routh::internal {
class EngineBase;
struct SimulatorFaults;
}  // namespace routh::internal

namespace routh {

enum class Integrator {
  automatic,  // explicit; implicit as long as the motion is stiff
  dormand_prince,
  radau,
};
constexpr auto names_of(Integrator) {
  return name_table<Integrator>({{Integrator::automatic, "automatic"},
                                 {Integrator::dormand_prince, "dormand_prince"},
                                 {Integrator::radau, "radau"}});
}

enum class EngineKind {
  events,     // every event located, to the tolerance
  stepping,   // Moreau and Jean's steps of fixed length, at the level of velocities
  automatic,  // events, and steps through crowds of them
};
constexpr auto names_of(EngineKind) {
  return name_table<EngineKind>(
      {{EngineKind::events, "events"}, {EngineKind::stepping, "stepping"}, {EngineKind::automatic, "automatic"}});
}

struct SimulationOptions {
  EngineKind engine = EngineKind::automatic;
  double step = 1e-3;      // [s], of the engine `stepping`
  double residual = 1e-3;  // of the contact problems of large heaps in steps; see docs/stepping.md
  // [s], of the engine `automatic`: events of several contacts closer together than this are a crowd, and steps through
  // it are so long. None: from the tolerance and the scales of the machine (usual_resolution).
  std::optional<double> resolution;
  double tolerance = 1e-10;  // error of a step, relative to the size of the motion
  double touch = 1e-6;       // [m] or [rad]: what counts as touching at the start; see TouchOptions
  double max_step = 1;       // [s]
  Integrator integrator = Integrator::automatic;
  std::optional<Law> law;  // in place of the laws of the pairs of surfaces
  long max_steps = 10'000'000;
  long max_events = 10'000'000;
  int max_events_at_once = 200;    // without time passing
  int max_events_in_burst = 5000;  // within 1e-4 s
};

enum class SimulationStatus {
  ready,            // at the time asked for
  user_stop,        // a user event asked to stop
  overlapping,      // shapes overlap at the start, or one came into another unseen
  step_underflow,   // the step became too small to change the time
  non_finite,       // forces or velocities left the range of double
  singular,         // M lost a degree of freedom
  unsolved_modes,   // no forces were found that obey Coulomb's law, and no impact that would resolve it
  unsolved_impact,  // an impact has no answer under its law
  event_limit,      // more events than allowed, or at one instant, or in a burst
  step_limit,
  stopped,  // the caller's interrupt flag was raised
};
constexpr auto names_of(SimulationStatus) {
  return name_table<SimulationStatus>({
      {SimulationStatus::ready, "ready", "the time asked for was reached"},
      {SimulationStatus::user_stop, "user_stop", "an event of the user ended the run"},
      {SimulationStatus::overlapping, "overlapping", "shapes overlap"},
      {SimulationStatus::step_underflow, "step_underflow", "the step became too small to change the time"},
      {SimulationStatus::non_finite, "non_finite", "forces or velocities left the range of numbers"},
      {SimulationStatus::singular, "singular", "the mass matrix became singular"},
      {SimulationStatus::unsolved_modes, "unsolved_modes",
       "no contact forces obey Coulomb's law, and no impact resolves it"},
      {SimulationStatus::unsolved_impact, "unsolved_impact", "an impact has no answer under its law"},
      {SimulationStatus::event_limit, "event_limit", "there are more events than allowed"},
      {SimulationStatus::step_limit, "step_limit", "there are more steps than allowed"},
      {SimulationStatus::stopped, "stopped", "the run was interrupted"},
  });
}
inline bool failed(SimulationStatus status) {
  return status != SimulationStatus::ready && status != SimulationStatus::user_stop &&
         status != SimulationStatus::stopped;
}

// A contact that is closed, and how.
struct ActiveContact {
  Contact contact;
  ContactMode mode = ContactMode::stick;  // stick or slip
  SlipDirection direction;                // of slip
  ContactVector force;                    // on body a, in the contact's frame [N]
  // How far it is from slip and from a jam (simulation/margins.h); only of samples for which somebody asked.
  std::optional<double> slip_margin = {}, jam_margin = {};
};

// Where the energy went. Every account is summed on its own, none is what the others leave: `dissipated` and `supplied`
// from forces and impulses along their way, `corrected` from the states before and after each operation that no force
// made. K + V + dissipated − supplied − corrected is therefore constant only where all of them are right; its change is
// `balance`.
struct EnergyAccount {
  double kinetic = 0, potential = 0;
  double dissipated = 0;  // by friction, dampers and impacts since the start
  double supplied = 0;    // by belts, drives, forces and what the user added
  // By projections onto closed contacts and loops, bounces that were given up, contacts brought to rest: signed.
  double corrected = 0;
  double gained = 0;   // what impacts gave against the certificate, or beyond their law: zero or positive
  double initial = 0;  // K + V at the start

  double total() const { return kinetic + potential; }
  double balance() const { return kinetic + potential - initial + dissipated - supplied - corrected; }
  // The energy turned over: the greatest of the accounts, by which errors are judged.
  double turnover() const;

  // What a reader of the run must be told. A correction that adds energy beyond rounding, and one of more than a
  // millionth of the turnover either way; a balance that is off by more than the steps of a run with this tolerance
  // explain.
  // The tolerance is that of the run, or `account_tolerance`.
  bool corrections_matter(double tolerance, EngineKind engine = EngineKind::events) const;
  bool imbalance_matters(double tolerance) const;
};

// [s], of the engine `automatic`: T/300 at the usual tolerance, T the time scale of the machine (√(L/g) under gravity),
// and with the eighth root of the tolerance: 1 ms for a machine of a metre.
double usual_resolution(const Model& model, double tolerance);

// By which the accounts of a run are judged: its tolerance, but for steps of fixed length, whose energies are right to
// a few parts in a hundred.
double account_tolerance(EngineKind engine, double tolerance);
// The engine by whose accuracy a run is judged: an automatic one without a crowd is one of events.
struct SimulationStatistics;
EngineKind judged_engine(EngineKind engine, const SimulationStatistics& statistics);

// The run at one of the times asked for.
struct Sample {
  State state;
  EnergyAccount energy;
  std::vector<ActiveContact> active;  // closed contacts with their forces, ordered by id
};

struct SimulationStatistics {
  long steps = 0, rejected = 0, evaluations = 0;
  long implicit_steps = 0;
  long events = 0, impacts = 0;
  long mode_searches = 0;
  double largest_gap = 0;       // |gap| of closed contacts, before it was closed again
  double largest_loop = 0;      // |φ| of loops, before they were closed again
  double largest_residual = 0;  // of the contact problems of the engine `stepping`, of their speeds
  long unsolved_steps = 0;      // of the engine `stepping`: with a residual beyond the one asked for
  // What steps of fixed length changed the energy by without contacts, dampers, drives or corrections: the change of
  // `balance` over each step, rises and falls summed apart [J].
  double steps_gained = 0, steps_lost = 0;
  long crowds = 0;          // that the engine `automatic` stepped through, the one under way included
  double crowd_time = 0;    // [s] in them
  double crowd_energy = 0;  // [J] dissipated in them
  WarningCounts warnings = {};
};

// Everything that decides how a run goes on. Resuming from it continues with the same bits.
struct Checkpoint {
  State state;
  double step = 0;  // size of the next step; 0: to be estimated
  Eigen::VectorXd accounts;
  struct Closed {
    ContactId id;
    ContactMode mode = ContactMode::stick;
    double direction_t1 = 0, direction_t2 = 0;
    bool beginning = false;
    ContactVector force = {};  // of the last step, where the solver of the engine `stepping` begins [N]
  };
  std::vector<Closed> closed;
  std::vector<ContactId> released;
  struct Bounce {
    ContactId id;
    std::vector<double> times;
    std::vector<double> speeds;
  };
  std::vector<Bounce> bounces;
  struct Pending {
    double time = 0;
    ContactId id;
    double error_bound = 0;
    std::uint32_t warnings = 0;  // bits of Warning
  };
  std::vector<Pending> pending;
  bool implicit = false;
  int stiff_count = 0;
  double initial_energy = 0, gained = 0;
  double calm_until = -1e300;                     // until when closed contacts stay as they are, after they chattered
  double burst_start = 0, resolve_time = -1e300;  // when the events that are counted below began
  int in_burst = 0, resolves = 0;                 // events of late, changes of modes at one instant
  long events = 0, steps = 0;
  long blows = 0;  // impulses from outside that have acted, or came before the start
  // Of the engine `stepping`: since when steps are counted, how many, and q̈ of the last one.
  double origin = 0;
  long count = 0;
  Eigen::VectorXd acceleration;
  // Of the engine `automatic`.
  struct Crowd {
    bool under_way =
        false;              // the state is one of fixed steps; else all of the following but `wait` and `recent` is old
    double begin = 0;       // of the passage [s]
    double calm_since = 0;  // no contact has struck or closed since then [s]
    double wait = 0;        // how long contacts must be calm before events are followed again [s]
    double followed_since = -1e300;                   // events, since the last passage [s]
    double tangential_work = 0;                       // of the passage [J]
    double dissipated = 0, supplied = 0, energy = 0;  // at its beginning; energy: K + V [J]
    double time = 0, last_dissipated = 0;             // when contacts were last looked at
    double stretch_begin = 0;                         // since when steps without progress are counted [s]
    long stretch_steps = 0;                           // how many, in thousandths, each counted as what it costs
    double stretch_time = -1e300;                     // when the last of them began [s]
    Eigen::VectorXd velocity;                         // q̇ at the beginning of the passage
    struct Share {
      ContactId id;
      ContactVector impulse;  // [N s]
    };
    std::vector<Share> shares;  // of contacts in the passage, ordered by id
    struct Recent {
      double time = 0;
      ContactId id;
    };
    std::vector<Recent> recent;  // events of contacts within the last `resolution`
  };
  Crowd crowd;
};

// A user's event: `value` changes its sign. `stop` ends `advance` there with status user_stop.
struct UserEvent {
  std::string name;
  std::function<double(const State&)> value;
  enum class Direction { both, rising, falling } direction = Direction::both;
  enum class Action { note, stop } action = Action::note;
};
constexpr auto names_of(UserEvent::Direction) {
  using enum UserEvent::Direction;
  return name_table<UserEvent::Direction>({{both, "both"}, {rising, "rising"}, {falling, "falling"}});
}

class Simulator {
 public:
  // The model must outlive the simulator. Never throws on physics: a start that cannot be simulated shows in `status`.
  Simulator(const Model& model, const State& start, const SimulationOptions& options = {});
  Simulator(const Model& model, const Checkpoint& checkpoint, const SimulationOptions& options = {});
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  // Moves on to the time `until`. Samples and events come in order. The steps, and so the bits of the answer, do not
  // depend on how a run is cut into calls, unless a force is set in between.
  SimulationStatus advance(double until);

  const State& state() const;
  SimulationStatus status() const;
  std::string message() const;  // after a failure: which quantity, which contact, and the last ten events
  std::span<const ActiveContact> active() const;
  const Eigen::VectorXd& acceleration() const;  // q̈ at the present state
  EnergyAccount energy();
  const SimulationStatistics& statistics() const;
  const std::vector<Event>& events() const;  // since the start, unless `on_event` takes them
  Checkpoint checkpoint() const;             // of the last step before the present time

  // A generalised force that acts from now on, until it is changed: added to all others.
  void set_force(const Eigen::Ref<const Eigen::VectorXd>& force);
  void add_user_event(UserEvent event);
  // Called for every event as it happens, in place of keeping it in `events`.
  void on_event(std::function<void(const Event&)> call);
  // Called at origin + k · interval from the present time on, and at the time reached by `advance`, by dense output:
  // the steps do not depend on it. At the time of an event the sample shows the state before it. Impacts have two
  // samples of their own, before and after.
  void on_sample(double interval, double origin, std::function<void(const Sample&)> call);
  // Looked at after every step; when it returns true, `advance` returns `stopped` at once.
  void interrupt_by(std::function<bool()> call);

 private:
  friend struct internal::SimulatorFaults;  // fault_injection.h
  std::unique_ptr<internal::EngineBase> engine_;
};

}  // namespace routh
