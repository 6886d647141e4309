#include "routh/simulation/simulator.h"

#include <algorithm>
#include <cmath>

#include "routh/simulation/own_units_engine.h"
#include "routh/simulation/tolerances.h"

namespace routh {

Simulator::Simulator(const Model& model, const State& start, const SimulationOptions& options)
    : engine_(std::make_unique<OwnUnitsEngine>(model, start, options)) {}
Simulator::Simulator(const Model& model, const Checkpoint& checkpoint, const SimulationOptions& options)
    : engine_(std::make_unique<OwnUnitsEngine>(model, checkpoint, options)) {}
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
std::span<const ActiveContact> Simulator::active() const { return engine_->shown_active(); }
const Eigen::VectorXd& Simulator::acceleration() const { return engine_->shown_acceleration(); }
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

EngineKind judged_engine(EngineKind engine, const SimulationStatistics& statistics) {
  if (engine != EngineKind::automatic) return engine;
  return statistics.crowds > 0 ? EngineKind::stepping : EngineKind::events;
}

double account_tolerance(EngineKind engine, double tolerance) {
  return engine == EngineKind::stepping ? std::max(tolerances::stepping_accuracy, tolerance) : tolerance;
}

bool EnergyAccount::corrections_matter(double tolerance, EngineKind engine) const {
  const double size = turnover(), large = engine == EngineKind::stepping
                                              ? tolerances::lifted_tolerances * tolerances::stepping_accuracy
                                              : tolerances::energy_large;
  return corrected > tolerances::energy_nothing +
                         tolerances::lifted_tolerances * std::max(tolerance, SimulationOptions{}.tolerance) * size ||
         std::abs(corrected) > tolerances::energy_nothing + large * size;
}

bool EnergyAccount::imbalance_matters(double tolerance) const {
  return std::abs(balance()) >
         tolerances::energy_nothing +
             std::max(tolerances::energy_large, tolerances::imbalance_steps * tolerance) * turnover();
}

}  // namespace routh
