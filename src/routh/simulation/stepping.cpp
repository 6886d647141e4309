#include "routh/simulation/stepping.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "routh/dynamics/dynamics.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

SteppingEngine::SteppingEngine(const Model& m, const State& initial, const EngineOptions& o)
    : EngineBase(m, o), step_(m, o) {
  state = initial;
  memory_.acceleration.setZero(m.velocities);
  start();
}

SteppingEngine::SteppingEngine(const Model& m, const Checkpoint& from, const EngineOptions& o)
    : EngineBase(m, o), step_(m, o) {
  state = from.state;
  const auto account = [&](Eigen::Index k) { return from.accounts.size() > k ? from.accounts[k] : 0; };
  accounts_ = {account(0), account(1), account(2)};
  gained_ = from.gained;
  initial_energy_ = from.initial_energy;
  statistics.events = from.events;
  statistics.steps = from.steps;
  memory_.acceleration = from.acceleration;
  if (memory_.acceleration.size() != m.velocities) memory_.acceleration.setZero(m.velocities);
  for (const Checkpoint::Closed& each : from.closed) memory_.forces.push_back({each.id, each.force});
  begin_here();
  origin_ = from.origin;
  count_ = from.count;
  next_blow_ = from.blows;
  while (next_profile_ < profile_times_.size() && profile_times_[next_profile_].first <= state.time) ++next_profile_;
  mark_boundary();
}

SteppingEngine::SteppingEngine(const Model& m, const EngineOptions& o) : EngineBase(m, o), step_(m, o) {}

void SteppingEngine::take_over(const EngineBase& from, const std::vector<ActiveContact>& closed) {
  adopt(from);
  status = SimulationStatus::ready;
  memory_.acceleration.setZero(model.velocities);
  memory_.forces.clear();
  for (const ActiveContact& each : closed) memory_.forces.push_back({each.contact.id, each.force});
  std::sort(memory_.forces.begin(), memory_.forces.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  active_ = closed;
  active_of_step_ = false;
  events_ahead_.clear();
  begin_here();
  for (std::size_t k = 0; k < user_events.size(); ++k) user_values_[k] = user_events[k].value(state);
  mark_boundary();
}

void SteppingEngine::start() {
  while (next_profile_ < profile_times_.size() && profile_times_[next_profile_].first <= state.time) ++next_profile_;
  next_blow_ = blows_.before(state.time);
  begin_here();
  TouchReport report;
  if (!check_start(report)) return;
  foresee();
  mark_boundary();
}

// Forces and acceleration at the start: those of a first step that is not kept.
void SteppingEngine::foresee() {
  if (model.velocities == 0) return;
  State ahead = state;
  step_.take(options.step, force_, ahead, memory_, workspace_);
  if (!memory_.acceleration.allFinite()) memory_.acceleration.setZero();
  active_ = step_.active();
  active_of_step_ = true;
  for (Event& event : step_.events())  // that rest was chosen
    if (event.kind == EventKind::stick) events_ahead_.push_back(std::move(event));
}

// Steps are counted from the present state.
void SteppingEngine::begin_here() {
  begin_ = end_ = {state, accounts_};
  end_energy_ = energy_of(state);
  origin_ = state.time;
  count_ = 0;
}

void SteppingEngine::mark_boundary() {
  Checkpoint& it = boundary_;
  it.state = end_.state;
  it.step = options.step;
  it.accounts.resize(3);
  it.accounts << end_.accounts.dissipated, end_.accounts.supplied, end_.accounts.corrected;
  it.closed.clear();
  for (const StepMemory::Known& each : memory_.forces) it.closed.push_back({.id = each.id, .force = each.force});
  it.acceleration = memory_.acceleration;
  it.origin = origin_;
  it.count = count_;
  it.blows = next_blow_;
  it.initial_energy = initial_energy_;
  it.gained = gained_;
  it.events = statistics.events;
  it.steps = statistics.steps;
}

SimulationStatus SteppingEngine::advance(double until) {
  if (failed(status)) return status;
  status = SimulationStatus::ready;
  if (model.velocities == 0) {
    state.time = std::max(state.time, until);
    return status;
  }
  const double rounding = tolerances::step_end_relative * options.step, present = state.time;
  log_until(end_.state.time);  // what came after a stop
  while (end_.state.time < until - rounding) {
    if (state.time != end_.state.time) {  // a time asked for may stand a rounding beside it
      state = end_.state;
      accounts_ = end_.accounts;
    }
    meet_blows();
    if (failed(status)) return status;
    if (interrupt && interrupt()) return status = SimulationStatus::stopped;
    if (statistics.steps >= options.max_steps) return fail(SimulationStatus::step_limit, "more steps than allowed");
    mark_boundary();
    if (take_step() != SimulationStatus::ready) return status;
    take_samples(std::min(until, end_.state.time));
    if (happen()) return status;
  }
  if (end_.state.time <= until + rounding) {
    if (state.time != end_.state.time) {
      state = end_.state;
      accounts_ = end_.accounts;
    }
    meet_blows();
    if (failed(status)) return status;
  }
  show(std::max(until, present));
  if (sampling() && last_sample_time_ < state.time) give(state, accounts_);
  return status;
}

// Impulses from outside at the present time, which is the end of a step. Contacts that carry load answer in the next
// step, without rebound as ever.
void SteppingEngine::meet_blows() {
  if (next_blow() > state.time) return;
  if (sampling() && last_sample_time_ < state.time) give(state, accounts_);
  strike_blows();
  begin_ = end_ = {state, accounts_};
  end_energy_ = energy_of(state);
  if (sampling()) give(state, accounts_);
}

// From `end_`, which is the present state, to a new one, which is that of a blow where one comes within the step.
SimulationStatus SteppingEngine::take_step() {
  begin_ = {state, accounts_};
  State ahead = state;
  const double whole = origin_ + static_cast<double>(count_ + 1) * options.step;
  const double blow = next_blow(), rounding = tolerances::step_end_relative * options.step;
  const double next = blow < whole + rounding ? blow : whole;
  const SimulationStatus outcome = step_.take(next - state.time, force_, ahead, memory_, workspace_);
  if (outcome != SimulationStatus::ready) return fail(outcome, step_.trouble());
  ahead.time = next;
  if (!(blow < whole - rounding)) ++count_;
  ++statistics.steps;
  statistics.largest_gap = std::max(statistics.largest_gap, step_.overlap());
  statistics.largest_loop = std::max(statistics.largest_loop, step_.loop_gap());
  statistics.largest_residual = std::max(statistics.largest_residual, step_.residual());
  if (step_.residual() > options.residual) ++statistics.unsolved_steps;
  for (Event& event : step_.events()) {
    book(event);
    events_ahead_.push_back(std::move(event));
  }
  accounts_ += step_.accounts();
  active_ = step_.active();
  active_of_step_ = true;
  end_ = {std::move(ahead), accounts_};
  const double energy = energy_of(end_.state), before = std::exchange(end_energy_, energy);
  const double error = (energy - before) + (accounts_.dissipated - begin_.accounts.dissipated) -
                       (accounts_.supplied - begin_.accounts.supplied) -
                       (accounts_.corrected - begin_.accounts.corrected);
  (error > 0 ? statistics.steps_gained : statistics.steps_lost) += std::abs(error);
  if (statistics.events > options.max_events) return fail(SimulationStatus::event_limit, "more events than allowed");
  return status;
}

double SteppingEngine::energy_of(const State& at) {
  const Energy energy = compute_energy(model, at, workspace_);
  return energy.kinetic + energy.potential;
}

SteppingEngine::Mark SteppingEngine::between(double time) const {
  const double h = end_.state.time - begin_.state.time;
  const double part = h > 0 ? std::clamp((time - begin_.state.time) / h, 0.0, 1.0) : 1.0;
  if (part == 1) return end_;
  Mark mark = begin_;
  Eigen::VectorXd way(model.velocities);
  difference(model, begin_.state.q, end_.state.q, way);
  integrate(model, begin_.state.q, way, part, mark.state.q);
  mark.state.v = begin_.state.v + part * (end_.state.v - begin_.state.v);
  mark.state.time = time;
  const auto mix = [&](double a, double b) { return a + part * (b - a); };
  mark.accounts = {mix(begin_.accounts.dissipated, end_.accounts.dissipated),
                   mix(begin_.accounts.supplied, end_.accounts.supplied),
                   mix(begin_.accounts.corrected, end_.accounts.corrected)};
  return mark;
}

void SteppingEngine::show(double time) {
  const Mark mark = between(time);
  state = mark.state;
  state.time = time;
  accounts_ = mark.accounts;
}

void SteppingEngine::take_samples(double until) {
  if (!sampling()) return;
  while (next_sample_time() <= until) {
    const double time = next_sample_time();
    ++next_sample_;
    const Mark mark = between(time);
    State there = mark.state;
    there.time = time;
    give(there, mark.accounts);
  }
}

void SteppingEngine::give(const State& at, const Accounts& accounts) {
  Sample sample;
  sample.state = at;
  sample.energy = account(compute_energy(model, at, workspace_), accounts);
  sample.active = active();
  give_sample(sample);
}

// Events of the step in the order of their times: its strikes, profiles that bend, functions of the user that change
// their sign. True when the run stops.
bool SteppingEngine::happen() {
  const auto meet = [&](double time, EventKind kind, const std::string& label) {
    show(time);
    events_ahead_.push_back(plain_event(kind, label));
  };
  while (next_profile_ < profile_times_.size() && profile_times_[next_profile_].first <= end_.state.time) {
    const auto& [time, label] = profile_times_[next_profile_++];
    meet(std::max(begin_.state.time, time), EventKind::profile, label);
  }
  double stop = end_.state.time + options.step;
  for (std::size_t k = 0; k < user_events.size(); ++k) {
    const UserEvent& event = user_events[k];
    const double before = user_values_[k], after = event.value(end_.state);
    user_values_[k] = after;
    const bool rises = before < 0 && after >= 0, falls = before > 0 && after <= 0;
    if (!(rises && event.direction != UserEvent::Direction::falling) &&
        !(falls && event.direction != UserEvent::Direction::rising))
      continue;
    const double part = before / (before - after);
    const double time = begin_.state.time + part * (end_.state.time - begin_.state.time);
    meet(time, EventKind::user, event.name);
    if (event.action == UserEvent::Action::stop) stop = std::min(stop, time);
  }
  std::stable_sort(events_ahead_.begin(), events_ahead_.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  log_until(stop);
  if (stop <= end_.state.time) {
    show(stop);
    status = SimulationStatus::user_stop;
    return true;
  }
  state = end_.state;
  accounts_ = end_.accounts;
  return false;
}

void SteppingEngine::log_until(double time) {
  const auto later =
      std::find_if(events_ahead_.begin(), events_ahead_.end(), [&](const Event& event) { return event.time > time; });
  for (auto event = events_ahead_.begin(); event != later; ++event) log(std::move(*event));
  events_ahead_.erase(events_ahead_.begin(), later);
}

void SteppingEngine::set_force(const Eigen::Ref<const Eigen::VectorXd>& value) {
  force_ = value;
  if (state.time == end_.state.time) return;
  begin_here();
  mark_boundary();
}

void SteppingEngine::add_user_event(UserEvent event) {
  user_values_.push_back(event.value(end_.state));
  user_events.push_back(std::move(event));
}

void SteppingEngine::inject(FaultInjection faults) {
  faults_ = std::move(faults);
  step_.inject(&faults_);
}

}  // namespace routh::internal
