#include "routh/simulation/simulator.h"

#include <algorithm>
#include <cmath>

#include "routh/simulation/engine.h"

namespace routh {

Simulator::Simulator(const Model& model, const State& start, const SimulationOptions& options)
    : engine_(std::make_unique<Engine>(model, start, options)) {}
Simulator::Simulator(const Model& model, const Checkpoint& checkpoint, const SimulationOptions& options)
    : engine_(std::make_unique<Engine>(model, checkpoint, options)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

void internal::SimulatorFaults::inject(Simulator& simulator, FaultInjection faults) {
  simulator.engine_->inject(std::move(faults));
}

SimulationStatus Simulator::advance(double until) { return engine_->advance(until); }
const State& Simulator::state() const { return engine_->state; }
SimulationStatus Simulator::status() const { return engine_->status; }
std::string Simulator::message() const { return engine_->message(); }
std::span<const ActiveContact> Simulator::active() const { return engine_->active(); }
const Eigen::VectorXd& Simulator::acceleration() const { return engine_->acceleration(); }
EnergyAccount Simulator::energy() { return engine_->energy(); }
const SimulationStatistics& Simulator::statistics() const { return engine_->statistics; }
const std::vector<Event>& Simulator::events() const { return engine_->events; }
Checkpoint Simulator::checkpoint() const { return engine_->last_boundary(); }

void Simulator::set_force(const Eigen::Ref<const Eigen::VectorXd>& force) { engine_->set_force(force); }
void Simulator::add_user_event(UserEvent event) { engine_->add_user_event(std::move(event)); }
void Simulator::on_event(std::function<void(const Event&)> call) {
  engine_->on_event = std::move(call);
  // What happened before anyone listened.
  for (const Event& event : engine_->events) engine_->on_event(event);
  engine_->events.clear();
}
void Simulator::on_sample(double interval, double origin, std::function<void(const Sample&)> call) {
  engine_->sample_every(interval, origin, std::move(call));
}
void Simulator::interrupt_by(std::function<bool()> call) { engine_->interrupt = std::move(call); }

void count_warnings(const Event& event, WarningCounts& counts) {
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += event.warnings >> k & 1;
}

double EnergyAccount::turnover() const {
  return std::max({std::abs(initial), std::abs(total()), std::abs(dissipated), std::abs(supplied), kinetic});
}

namespace {

constexpr double nothing = 1e-14;          // [J], where nothing moves
constexpr double large_correction = 1e-6;  // of the turnover
// Of the turnover, as a multiple of the tolerance and at least: steps may open what is closed by their tolerance or
// 5e-10 m, and to close it again lifts the machine.
constexpr double lifted = 100, least_lifted = 1e-8;
constexpr double large_imbalance = 1e-6;  // of the turnover
constexpr double many_steps = 1e3;        // whose errors add up

}  // namespace

bool EnergyAccount::corrections_matter(double tolerance) const {
  const double size = turnover();
  return corrected > nothing + std::max(least_lifted, lifted * tolerance) * size ||
         std::abs(corrected) > nothing + large_correction * size;
}

bool EnergyAccount::imbalance_matters(double tolerance) const {
  return std::abs(balance()) > nothing + std::max(large_imbalance, many_steps * tolerance) * turnover();
}

const char* name(SimulationStatus status) {
  switch (status) {
    case SimulationStatus::ready:
      return "ready";
    case SimulationStatus::user_stop:
      return "user_stop";
    case SimulationStatus::overlapping:
      return "overlapping";
    case SimulationStatus::step_underflow:
      return "step_underflow";
    case SimulationStatus::non_finite:
      return "non_finite";
    case SimulationStatus::singular:
      return "singular";
    case SimulationStatus::unsolved_modes:
      return "unsolved_modes";
    case SimulationStatus::unsolved_impact:
      return "unsolved_impact";
    case SimulationStatus::event_limit:
      return "event_limit";
    case SimulationStatus::step_limit:
      return "step_limit";
    case SimulationStatus::stopped:
      return "stopped";
  }
  return "";
}

const char* explain(SimulationStatus status) {
  switch (status) {
    case SimulationStatus::ready:
      return "the time asked for was reached";
    case SimulationStatus::user_stop:
      return "an event of the user ended the run";
    case SimulationStatus::overlapping:
      return "shapes overlap";
    case SimulationStatus::step_underflow:
      return "the step became too small to change the time";
    case SimulationStatus::non_finite:
      return "forces or velocities left the range of numbers";
    case SimulationStatus::singular:
      return "the mass matrix became singular";
    case SimulationStatus::unsolved_modes:
      return "no contact forces obey Coulomb's law, and no impact resolves it";
    case SimulationStatus::unsolved_impact:
      return "an impact has no answer under its law";
    case SimulationStatus::event_limit:
      return "there are more events than allowed";
    case SimulationStatus::step_limit:
      return "there are more steps than allowed";
    case SimulationStatus::stopped:
      return "the run was interrupted";
  }
  return "";
}

const char* name(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
      return "impact";
    case EventKind::tangential_impact:
      return "tangential_impact";
    case EventKind::slip:
      return "slip";
    case EventKind::stick:
      return "stick";
    case EventKind::detach:
      return "detach";
    case EventKind::zeno:
      return "zeno";
    case EventKind::limit:
      return "limit";
    case EventKind::profile:
      return "profile";
    case EventKind::user:
      return "user";
  }
  return "";
}

const char* name(ImpactRule rule) {
  switch (rule) {
    case ImpactRule::none:
      return "none";
    case ImpactRule::single:
      return "single";
    case ImpactRule::simultaneous:
      return "simultaneous";
    case ImpactRule::together:
      return "together";
    case ImpactRule::projection:
      return "projection";
  }
  return "";
}

}  // namespace routh
