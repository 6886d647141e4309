#include "routh/simulation/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/contact/contact.h"
#include "routh/dynamics/dynamics.h"
#include "routh/math/elementary.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh {

namespace {

Eigen::Index unknowns(const Model& model) { return model.coordinates + model.velocities + 2; }

}  // namespace

Engine::Engine(const Model& m, const EngineOptions& o)
    : EngineBase(m, o),
      motion_(m),
      closure_(m, o.tolerance, faults_),
      instants_(model, options, faults_),
      instant_workspace_(m, o, faults_),
      watch_(m, o),
      uniform_stepper_(m, unknowns(m)),
      rest_stepper_(unknowns(m)),
      y_(unknowns(m)),
      view_(unknowns(m)),
      scratch_(rest_state(m)),
      reader_(m) {
  tolerance_.relative = options.tolerance;
  tolerance_.floor = Eigen::VectorXd::Ones(unknowns(m));
  tolerance_.weight = Eigen::VectorXd::Ones(unknowns(m));
  tolerance_.weight.tail(2).setZero();
  implicit_ = options.integrator == Integrator::radau;
  if (options.integrator == Integrator::automatic && accelerates_uniformly(m)) {
    // At rest, so that it does not depend on where a run was resumed, to the last bit.
    if (motion_.compute(model, scratch_, force_, workspace_) == MotionFault::none) {
      uniform_acceleration_ = motion_.acceleration();
      uniform_stepper_.set_acceleration(uniform_acceleration_);
      watch_.set_uniform_acceleration(&uniform_acceleration_);
    }
  }
  watch_.set_user_events(&user_events);
}

Engine::Engine(const Model& m, const State& initial, const EngineOptions& o) : Engine(m, o) { start(initial); }

Engine::Engine(const Model& m, const Checkpoint& from, const EngineOptions& o) : Engine(m, o) {
  state = from.state;
  statistics.events = from.events;
  statistics.steps = from.steps;
  step_ = from.step;
  const auto account = [&](Eigen::Index k) { return from.accounts.size() > k ? from.accounts[k] : 0; };
  accounts_ = {account(0), account(1), account(2)};
  gained_ = from.gained;
  calm_until_ = from.calm_until;
  burst_start_ = from.burst_start;
  resolve_time_ = from.resolve_time;
  in_burst_ = from.in_burst;
  resolves_ = from.resolves;
  initial_energy_ = from.initial_energy;
  std::vector<HeldContact> held;
  compute_kinematics(model, state.q, workspace_);
  for (const Checkpoint::Closed& each : from.closed) {
    const auto contact = find_contact(model, workspace_, state.q, each.id);
    if (!contact) continue;
    held.push_back(held_contact(*contact, each.mode, {each.direction_t1, each.direction_t2}));
    held.back().beginning = each.beginning;
  }
  motion_.hold(std::move(held));
  bounces_ = from.bounces;
  pending_ = from.pending;
  implicit_ = from.implicit;
  stiff_count_ = from.stiff_count;
  next_profile_ = 0;
  while (next_profile_ < profile_times_.size() && profile_times_[next_profile_].first <= state.time) ++next_profile_;
  next_blow_ = from.blows;
  resumed_ = from.released;
  last_event_time_ = state.time;
  watching_ = false;
  mark_boundary();
}

HeldContact Engine::held_contact(const Contact& contact, ContactMode mode, SlipDirection direction) const {
  Friction friction = contact_friction(model, contact);
  friction.static_coefficient = std::min(friction.static_coefficient, widest_friction);
  friction.kinetic_coefficient = std::min(friction.kinetic_coefficient, widest_friction);
  return {contact.id, mode, direction, friction, false};
}

bool Engine::take_over(const EngineBase& from, const std::vector<ActiveContact>& pressed) {
  adopt(from);
  status = SimulationStatus::ready;
  if (model.velocities == 0) return true;
  // What is counted from event to event begins here.
  step_ = 0;
  implicit_ = options.integrator == Integrator::radau;
  stiff_count_ = 0;
  pending_.clear();
  bounces_.clear();
  lost_.clear();
  lost_time_ = resolve_time_ = calm_until_ = -tolerances::never;
  last_event_time_ = burst_start_ = state.time;
  at_once_ = in_burst_ = resolves_ = 0;
  stretch_ = {statistics.steps, statistics.events, state.time};
  std::vector<ClosedContact> closed;
  std::vector<HeldContact> held;
  compute_kinematics(model, state.q, workspace_);
  for (const ActiveContact& each : pressed) {
    const auto contact = find_contact(model, workspace_, state.q, each.contact.id);
    if (!contact) continue;
    closed.push_back({contact->id, each.mode});
    held.push_back(held_contact(*contact, each.mode, each.direction));
  }
  motion_.hold(std::move(held));
  const ClosureReport report = closure_.close(model, closed, state, workspace_);
  if (!report.closed) return false;
  accounts_ += report.energy;
  watching_ = between_steps_ = false;
  if (resolve({}) != SimulationStatus::ready) return false;
  mark_boundary();
  return true;
}

void Engine::start(const State& initial) {
  state = initial;
  last_event_time_ = burst_start_ = state.time;
  while (next_profile_ < profile_times_.size() && profile_times_[next_profile_].first <= state.time) ++next_profile_;
  next_blow_ = blows_.before(state.time);
  TouchReport report;
  if (!check_start(report)) return;
  // What touches within the tolerance of the start is closed exactly.
  std::vector<ClosedContact> closed;
  for (const Touch& touch : report.touches) closed.push_back({touch.contact.id, ContactMode::slip});
  State moved = state;
  if (!closed.empty() && closure_.close(model, closed, moved, workspace_).closed) {
    state.q = moved.q;
    initial_energy_ = energy().total();
  }
  InstantHints hints;
  hints.first = true;
  if (model.velocities == 0) return;
  resolve(hints);
  mark_boundary();
}

// From the sizes of y, of its rates and of their change over a small step [Hairer, Nørsett and Wanner 1993, II.4].
double Engine::first_step() {
  const Eigen::Index size = y_.size();
  pack(state, y_);
  Eigen::VectorXd rates(size), later(size), scale(size);
  if (!(*this)(state.time, y_, rates)) return tolerances::first_step_least;
  ode_error_scale(tolerance_, options.tolerance, y_, y_, scale);
  const auto norm = [&](const Eigen::VectorXd& of) { return of.cwiseProduct(scale).norm() / std::sqrt(double(size)); };
  const double value = norm(y_), slope = norm(rates);
  const bool rests = !(slope > 0);
  const double least = tolerances::first_step_least, longest = tolerances::usual_step;
  const double small = rests ? least : std::clamp(0.01 * value / slope, least, longest);
  if (!(*this)(state.time + small, y_ + small * rates, later)) return tolerances::first_step_least;
  const double most = std::max(slope, norm(later - rates) / small);
  const double step = most > 0 ? elementary::pow(0.01 / most, 1.0 / 8) : longest;
  return std::clamp(rests ? step : std::min(100 * small, step), least, longest);
}

void Engine::pack(const State& from, Eigen::VectorXd& y) const {
  y.head(model.coordinates) = from.q;
  y.segment(model.coordinates, model.velocities) = from.v;
  y[model.coordinates + model.velocities] = accounts_.dissipated;
  y[model.coordinates + model.velocities + 1] = accounts_.supplied;
}

void Engine::unpack(const Eigen::VectorXd& y, double t, State& to) const {
  to.q = y.head(model.coordinates);
  to.v = y.segment(model.coordinates, model.velocities);
  to.time = t;
}

bool Engine::operator()(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dy) {
  unpack(y, std::min(t, piece_end_), scratch_);
  ++statistics.evaluations;
  fault_ = motion_.compute(model, scratch_, force_, workspace_);
  if (fault_ != MotionFault::none) return false;
  coordinate_rates(model, scratch_.q, scratch_.v, dy.head(model.coordinates));
  dy.segment(model.coordinates, model.velocities) = motion_.acceleration();
  const Power power = compute_power(model, scratch_, workspace_);
  const Eigen::Index accounts = model.coordinates + model.velocities;
  dy[accounts] = power.dissipated + motion_.slip_power();
  dy[accounts + 1] = power.supplied + motion_.surface_power() + (force_.size() > 0 ? force_.dot(scratch_.v) : 0);
  return true;
}

bool Engine::at(double theta, State& to) {
  if (theta == 1 && view_part_ == 1) {
    view_ = stepper().result();
  } else if (!stepper().interpolate(*this, theta * view_part_, view_)) {
    return false;
  }
  unpack(view_, std::min(view_time_ + theta * view_step_, piece_end_), to);
  normalise(model, to.q);
  return true;
}

void Engine::bound_accelerations(Eigen::VectorXd& bound) {
  stepper().bound_rates(rate_bound_);
  bound = rate_bound_.segment(model.coordinates, model.velocities);
}

void Engine::emit(Event event) {
  at_once_ = event.time == last_event_time_ ? at_once_ + 1 : 1;
  if (event.time - burst_start_ > tolerances::burst_time) {
    burst_start_ = event.time;
    in_burst_ = 0;
  }
  ++in_burst_;
  last_event_time_ = event.time;
  book(event);
  log(std::move(event));
}

SimulationStatus Engine::resolve(InstantHints hints) {
  resolves_ = resolved_here() ? resolves_ + 1 : 1;
  resolve_time_ = state.time;
  hints.again = resolves_ - 1;
  if (resolves_ >= tolerances::chatter_changes) hints.warnings |= static_cast<std::uint32_t>(Warning::modes_kept);
  std::optional<Sample> sample;
  if (sampling()) sample = sample_at(state, accounts_);
  const bool pushed = hints.push.size() > 0;
  InstantResult result =
      instants_.resolve({state, motion_.held(), bounces_, force_, std::move(hints)}, instant_workspace_);
  state = std::move(result.state);
  motion_.hold(std::move(result.held));
  bounces_ = std::move(result.bounces);
  statistics.mode_searches += result.searches;
  const bool struck = pushed || std::any_of(result.events.begin(), result.events.end(),
                                            [](const Event& event) { return event.rule != ImpactRule::none; });
  for (Event& event : result.events) emit(std::move(event));
  accounts_ += result.accounts;
  if (result.status != SimulationStatus::ready) return fail(result.status, std::move(result.trouble));
  if (struck && sampling()) {
    if (last_sample_time_ < state.time) give_sample(*sample);
    give_sample(sample_at(state, accounts_));
  }
  for (const Checkpoint::Pending& done : result.completed) pending_.push_back(done);
  std::sort(pending_.begin(), pending_.end(),
            [](const auto& a, const auto& b) { return a.time != b.time ? a.time < b.time : a.id < b.id; });
  reset_steppers();
  watching_ = false;
  resumed_.reset();
  if (resolves_ >= tolerances::chatter_changes) calm_until_ = state.time + tolerances::chatter_calm;
  if (statistics.events > options.max_events) return fail(SimulationStatus::event_limit, "more events than allowed");
  if (std::max(at_once_, resolves_) > options.max_events_at_once)
    return fail(SimulationStatus::event_limit, "events at one instant do not come to an end");
  if (in_burst_ > options.max_events_in_burst)
    return fail(SimulationStatus::event_limit,
                fmt::format("too many events within {:g} s", seconds(tolerances::burst_time)));
  return status = SimulationStatus::ready;
}

// The systems that an evaluation solves have a row for each degree of freedom and each condition, and its cost grows
// with their square once they are many: below `cheap_rows` other things cost more.
double Engine::row_cost() const {
  const auto conditions =
      static_cast<double>(motion_.held().size()) * contact_rows(model) + static_cast<double>(model.loop_rows);
  const double n = model.velocities;
  const double rows = std::max(n + conditions, tolerances::cheap_rows) / std::max(n, tolerances::cheap_rows);
  return rows * rows;
}

// Into `boundary_`, whose storage is reused.
void Engine::fill_boundary() {
  Checkpoint& it = boundary_;
  it.state = state;
  it.step = step_;
  it.accounts.resize(3);
  it.accounts << accounts_.dissipated, accounts_.supplied, accounts_.corrected;
  it.closed.clear();
  for (const HeldContact& each : motion_.held())
    it.closed.push_back({each.id, each.mode, each.direction.t1, each.direction.t2, each.beginning});
  it.released = watch_.released();
  it.bounces = bounces_;
  it.pending = pending_;
  it.implicit = implicit_;
  it.stiff_count = stiff_count_;
  it.initial_energy = initial_energy_;
  it.gained = gained_;
  it.calm_until = calm_until_;
  it.burst_start = burst_start_;
  it.resolve_time = resolve_time_;
  it.in_burst = in_burst_;
  it.resolves = resolves_;
  it.blows = next_blow_;
  it.events = statistics.events;
  it.steps = statistics.steps;
}

void Engine::mark_boundary() {
  if (model.velocities == 0) return;
  const std::vector<ContactId>* const released = resumed_ ? &*resumed_ : watching_ ? &watch_.released() : nullptr;
  watch_.set_forces(state.time < calm_until_ ? Watch::Forces::ignored : Watch::Forces::watched);
  watch_.expect_step(step_);
  watch_.begin(state, released, force_, motion_, workspace_);
  resumed_.reset();
  watching_ = true;
  between_steps_ = false;
  fill_boundary();
}

void Engine::set_force(const Eigen::Ref<const Eigen::VectorXd>& value) {
  force_ = value;
  reset_steppers();
  between_steps_ = false;
  if (status == SimulationStatus::ready || status == SimulationStatus::user_stop) resolve({});
}

void Engine::inject(FaultInjection faults) { faults_ = std::move(faults); }

void Engine::add_user_event(UserEvent event) {
  user_events.push_back(std::move(event));
  watching_ = false;
}

}  // namespace routh
