#include "routh/simulation/own_units_engine.h"

#include <cmath>
#include <utility>

#include "routh/dynamics/dynamics.h"
#include "routh/simulation/automatic.h"
#include "routh/simulation/engine.h"
#include "routh/simulation/stepping.h"

namespace routh::internal {

namespace {

// From a state or a checkpoint.
template <class From>
std::unique_ptr<EngineBase> engine_from(const Model& model, const From& from, const EngineOptions& options) {
  switch (options.engine) {
    case EngineKind::events:
      return std::make_unique<Engine>(model, from, options);
    case EngineKind::stepping:
      return std::make_unique<SteppingEngine>(model, from, options);
    case EngineKind::automatic:
      return std::make_unique<AutomaticEngine>(model, from, options);
  }
  return nullptr;
}

// Where nothing in the machine has a time, as in free flight without gravity, it is that of its motion: L √(M/E) by its
// energy at the start, which checkpoints keep.
Units units_of_run(const Scales& scales, double energy) {
  Scales of_run = scales;
  if (scales.time_source == TimeSource::none && energy > 0 && std::isfinite(energy))
    of_run.time = scales.length * std::sqrt(scales.mass / energy);
  return own_units(of_run);
}

Units units_at(const Model& model, const State& start) {
  const Scales scales = compute_scales(model);
  if (scales.time_source != TimeSource::none) return own_units(scales);
  Workspace workspace(model);
  return units_of_run(scales, compute_energy(model, start, workspace).kinetic);
}

}  // namespace

OwnUnitsEngine::OwnUnitsEngine(const Model& m, const SimulationOptions& o, const Units& units)
    : EngineBase(m, {o, units}), own_model_(in_units(m, units)), units_(m, units) {}

OwnUnitsEngine::OwnUnitsEngine(const Model& m, const State& start, const SimulationOptions& o)
    : OwnUnitsEngine(m, o, units_at(m, start)) {
  make_engine(start);
}

OwnUnitsEngine::OwnUnitsEngine(const Model& m, const Checkpoint& from, const SimulationOptions& o)
    : OwnUnitsEngine(m, o, units_of_run(compute_scales(m), from.initial_energy)) {
  make_engine(from);
}

template <class From>
void OwnUnitsEngine::make_engine(From from) {
  EngineOptions own = options;
  units_.convert(Way::in, from);
  units_.convert(Way::in, own);
  engine_ = engine_from(own_model_, from, own);
  engine_->on_event = [this](const Event& event) { hand_on(event); };
  engine_->interrupt = [this] {
    if (!interrupt) return false;
    show();
    return interrupt();
  };
  for (Event& event : engine_->events) hand_on(std::move(event));
  engine_->events.clear();
  show();
}

void OwnUnitsEngine::show() {
  status = engine_->status;
  state = engine_->state;
  units_.convert(Way::out, state);
  statistics = engine_->statistics;
  units_.convert(Way::out, statistics);
}

void OwnUnitsEngine::hand_on(Event event) {
  units_.convert(Way::out, event);
  if (!on_event) {
    events.push_back(std::move(event));
    return;
  }
  show();
  on_event(event);
}

SimulationStatus OwnUnitsEngine::advance(double until) {
  engine_->advance(units_.time(Way::in, until));
  show();
  return status;
}

std::vector<ActiveContact> OwnUnitsEngine::active() const {
  std::vector<ActiveContact> active = engine_->active();
  for (ActiveContact& each : active) units_.convert(Way::out, each);
  return active;
}

Eigen::VectorXd OwnUnitsEngine::acceleration() const {
  Eigen::VectorXd acceleration = engine_->acceleration();
  units_.convert_acceleration(Way::out, acceleration);
  return acceleration;
}

EnergyAccount OwnUnitsEngine::energy() const {
  EnergyAccount energy = engine_->energy();
  units_.convert(Way::out, energy);
  return energy;
}

Checkpoint OwnUnitsEngine::last_boundary() const {
  Checkpoint boundary = engine_->last_boundary();
  units_.convert(Way::out, boundary);
  return boundary;
}

void OwnUnitsEngine::set_force(const Eigen::Ref<const Eigen::VectorXd>& value) {
  Eigen::VectorXd own = value;
  units_.convert_force(Way::in, own);
  engine_->set_force(own);
  show();
}

void OwnUnitsEngine::add_user_event(UserEvent event) {
  event.value = [this, value = std::move(event.value)](const State& own) {
    State at = own;
    units_.convert(Way::out, at);
    return value(at);
  };
  engine_->add_user_event(std::move(event));
}

void OwnUnitsEngine::sample_every(double interval, double origin, std::function<void(const Sample&)> call) {
  std::function<void(const Sample&)> hand_on_sample;
  if (call)
    hand_on_sample = [this, call = std::move(call)](Sample sample) {
      units_.convert(Way::out, sample);
      show();
      call(sample);
    };
  engine_->sample_every(units_.time(Way::in, interval), units_.time(Way::in, origin), std::move(hand_on_sample));
}

void OwnUnitsEngine::inject(FaultInjection faults) {
  engine_->inject({[this, change = std::move(faults.change)](FaultPlace place, Eigen::VectorXd& v) {
    units_.convert_velocity(Way::out, v);
    if (change) change(place, v);
    units_.convert_velocity(Way::in, v);
  }});
}

}  // namespace routh::internal
