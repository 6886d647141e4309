// Steps of the run, and what happens on them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/dynamics.h"
#include "routh/simulation/engine.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh {

namespace {

std::string fault_name(MotionFault fault) {
  switch (fault) {
    case MotionFault::none:
      return "the step became too small";
    case MotionFault::singular:
      return "the mass matrix is singular";
    case MotionFault::lost_contact:
      return "a contact lost its features";
    case MotionFault::jammed:
      return "friction wedges";
    case MotionFault::non_finite:
      return "accelerations are not finite";
  }
  return "";
}

}  // namespace

SimulationStatus Engine::advance(double until) {
  if (failed(status)) return status;
  status = SimulationStatus::ready;
  take_samples(state.time, 0, false);
  if (model.velocities == 0) {
    state.time = std::max(state.time, until);
    return status;
  }
  if (until > state.time && between_steps_) return_to_boundary();
  while (state.time < until) {
    if (statistics.steps + statistics.rejected >= options.max_steps)
      return fail(SimulationStatus::step_limit, "more steps than allowed");
    if (interrupt && interrupt()) {
      mark_boundary();
      return status = SimulationStatus::stopped;
    }
    const double each = row_cost();
    const long evaluations = statistics.evaluations, looks = watch_.looks();
    one_step(until);
    if (!between_steps_)
      work_ += (each * static_cast<double>(statistics.evaluations - evaluations) +
                static_cast<double>(watch_.looks() - looks)) /
               tolerances::evaluations_of_explicit;
    if (status != SimulationStatus::ready) break;
    if (crawls(until))
      return fail(
          SimulationStatus::step_limit,
          fmt::format("{} steps without an event advanced only {:g} s, with {} contacts closed; allow a larger error "
                      "(`--tolerance 1e-6`) or go in fixed steps (`--engine stepping`)",
                      tolerances::crawling_steps, seconds(state.time - stretch_.time), motion_.held().size()));
  }
  if (status == SimulationStatus::user_stop) mark_boundary();
  return status;
}

// Whether many steps without an event came forward so little that the time asked for is out of reach.
bool Engine::crawls(double until) {
  if (statistics.events == stretch_.events && statistics.steps < stretch_.steps + tolerances::crawling_steps)
    return false;
  const double done = state.time - stretch_.time, left = until - state.time;
  if (statistics.events == stretch_.events && done < tolerances::crawling_steps * tolerances::crawling_step &&
      left * tolerances::crawling_steps > done * static_cast<double>(options.max_steps))
    return true;
  stretch_ = {statistics.steps, statistics.events, state.time};
  return false;
}

// Steps do not depend on where `advance` was asked to stop: the way on begins where the last whole step ended.
void Engine::return_to_boundary() {
  between_steps_ = false;
  state = boundary_.state;
  step_ = boundary_.step;
  accounts_ = {boundary_.accounts[0], boundary_.accounts[1], boundary_.accounts[2]};
  for (std::size_t i = 0; i < boundary_.closed.size(); ++i) {
    const Checkpoint::Closed& was = boundary_.closed[i];
    motion_.restore(
        i, {was.id, was.mode, {was.direction_t1, was.direction_t2}, motion_.held()[i].friction, was.beginning});
  }
  resumed_ = boundary_.released;
  watching_ = false;
}

double Engine::next_stop() const {
  double stop = tolerances::never;
  if (next_profile_ < profile_times_.size()) stop = std::min(stop, profile_times_[next_profile_].first);
  if (!pending_.empty()) stop = std::min(stop, pending_.front().time);
  stop = std::min(stop, next_blow());
  if (state.time < calm_until_) stop = std::min(stop, calm_until_);
  return stop;
}

// Whether a machine that stands on its contacts stays as it is until something is done to it: nothing moves, and forces
// balance to rounding.
bool Engine::rests() {
  if (motion_.held().empty() || next_profile_ < profile_times_.size() || !user_events.empty() ||
      state.v.cwiseAbs().maxCoeff() > tolerances::resting)
    return false;
  // Not beside a belt, whose friction does work.
  return motion_.compute(model, state, force_, workspace_) == MotionFault::none &&
         motion_.acceleration().cwiseAbs().maxCoeff() <= tolerances::resting &&
         motion_.velocity().cwiseAbs().maxCoeff() <= tolerances::zero_speed;
}

Engine::StepKind Engine::choose_kind() {
  if (uniform_acceleration_.size() > 0 && motion_.held().empty() && force_.size() == 0) return StepKind::uniform;
  return rests() ? StepKind::resting : StepKind::integrated;
}

// A good step from the present state, as long as it can be, to `stop` at most. Its length, or 0 when there is none.
double Engine::try_step(double stop) {
  kind_ = choose_kind();
  const double to_strike = std::max(tolerances::shortest_cut, tolerances::beyond_strike * watch_.likely_strike());
  if (kind_ == StepKind::integrated && step_ == 0)
    step_ = to_strike < tolerances::usual_step ? to_strike : first_step();
  const double longest = kind_ == StepKind::resting   ? tolerances::never
                         : kind_ == StepKind::uniform ? options.max_step
                                                      : std::min(step_, options.max_step);
  double h = std::min({longest, stop - state.time,
                       tolerances::step_turn_most / (watch_.start_turning() + std::numeric_limits<double>::min()),
                       to_strike, std::max(tolerances::shortest_cut, tolerances::beyond_halt * time_to_halt())});
  if (kind_ == StepKind::integrated &&
      std::any_of(motion_.held().begin(), motion_.held().end(), [](const auto& each) { return each.beginning; }))
    h = std::min(h, tolerances::beginning_step);
  // No sliver is left before a stop.
  if (stop - state.time < 1.01 * h) h = stop - state.time;
  pack(state, y_);
  stepper().reset();
  while (state.time + h > state.time && h >= tolerances::shortest_step) {
    fault_ = MotionFault::none;
    const OdeStepResult result = stepper().step(*this, state.time, y_, h, tolerance_);
    if (result.status == OdeStepStatus::good) {
      if (kind_ == StepKind::uniform) step_ = 0;
      if (kind_ == StepKind::integrated && (h >= step_ || result.next < step_)) step_ = result.next;
      end_ = stepper().result();
      view_part_ = 1;
      return tried_step_ = h;
    }
    ++statistics.rejected;
    if (fault_ == MotionFault::jammed && h < tolerances::same_instant) return 0;
    if (statistics.rejected + statistics.steps >= options.max_steps) return 0;
    step_ = h = result.next;
  }
  return 0;
}

// One step, and what happens on it.
SimulationStatus Engine::one_step(double until) {
  mark_boundary();
  if (InstantHints hints; !(state.time < calm_until_) && nearly_halted(hints)) return resolve(hints);
  const double stop = next_stop();
  // A stop so near that time does not resolve it is here.
  if (!(state.time + tolerances::shortest_step < stop && state.time < stop - tolerances::shortest_step)) {
    state.time = std::max(state.time, stop);
    return scheduled();
  }
  // Profiles have corners, where a new piece begins: a step belongs to one piece, its end included.
  piece_end_ = next_profile_ < profile_times_.size()
                   ? std::nextafter(profile_times_[next_profile_].first, -tolerances::never)
                   : tolerances::never;
  double h = try_step(stop);
  const bool rests = kind_ == StepKind::resting;  // then there is nothing to see and nothing to close
  for (; !rests && h > tolerances::shortest_cut && drifts(h); h = try_step(stop)) {
    step_ = 0.5 * h;
    ++statistics.rejected;
  }
  if (h == 0 && statistics.steps + statistics.rejected >= options.max_steps)
    return fail(SimulationStatus::step_limit, "more steps than allowed");
  if (h == 0) return handle_fault(step_);
  view_time_ = state.time;
  view_step_ = h;
  const WatchResult found = rests ? WatchResult{} : watch_.look(*this, h, force_, motion_, workspace_);
  if (found.found && found.items.empty()) {  // the motion is not defined up to the end of the step
    step_ = 0.25 * h;
    if (watch_.fault() != MotionFault::none) fault_ = watch_.fault();  // else one of the interpolation
    return step_ < tolerances::shortest_step || kind_ == StepKind::uniform ? handle_fault(step_) : status;
  }
  const double whole = h;
  if (found.found) h = refine(h, found.theta, found);
  const double from = state.time;
  const bool within = from + h > until;  // the time asked for lies within this step
  if (h < 0 || (within && !end_step(until - from))) {
    step_ = 0.25 * whole;
    ++statistics.rejected;
    return step_ < tolerances::shortest_step ? handle_fault(step_) : status;
  }
  if (within) {
    accept(until - from);
    state.time = until;
    between_steps_ = true;
    if (!rests) stabilise();
    take_samples(from, until - from, true);
    return status;
  }
  const bool at_stop = !found.found && from + h >= std::nextafter(stop, 0.0);
  accept(h);
  if (at_stop) state.time = stop;
  InstantHints hints;
  if (!found.found && !rests) hints.detached = stabilise();
  take_samples(from, h, !found.found && state.time >= until);
  choose_stepper();
  if (found.found) return happen(found);
  if (!hints.detached.empty()) return resolve(hints);
  return at_stop ? scheduled() : status;
}

// Ends the step that was tried earlier than it went, `end_` with it: by interpolation where that loses nothing, or
// where the step cannot be repeated, as when a contact is lost at one of its stages. False when it can be neither.
bool Engine::end_step(double length) {
  const auto interpolate = [&] {
    return tried_step_ > length && stepper().interpolate(*this, length / tried_step_, view_);
  };
  const bool exact =
      interpolate() && stepper().interpolation_error() < tolerances::interpolation_share * options.tolerance;
  if (!exact && repeat_step(length)) return true;
  if (!exact && !interpolate()) return false;
  view_step_ = length;
  view_part_ = length / tried_step_;
  end_ = view_;
  return true;
}

// A shorter step than one that was good is good.
bool Engine::repeat_step(double length) {
  OdeTolerance loose = tolerance_;
  loose.relative = 1;
  view_time_ = state.time;
  view_step_ = length;
  if (!(state.time + length > state.time) ||
      stepper().step(*this, state.time, y_, length, loose).status != OdeStepStatus::good)
    return false;
  end_ = stepper().result();
  view_part_ = 1;
  tried_step_ = 0;
  return true;
}

// How much later than `scratch_` an item happens, by the rates there: 0 where it does to rounding, or nobody knows.
double Engine::time_left(const WatchItem& item) {
  if (item.kind == WatchKind::gap) {
    compute_twists(model, scratch_.q, scratch_.v, workspace_);
    const auto contact = find_contact(model, workspace_, scratch_.q, item.id);
    if (!contact) return 0;
    const double rate = contact_velocity(model, workspace_, scratch_.v, *contact).n;
    return std::abs(contact->gap) < tolerances::gap_rounding * size_of(scratch_) || !(rate < 0) ? 0
                                                                                                : -contact->gap / rate;
  }
  const std::vector<HeldContact>& held = motion_.held();
  const auto it = std::find_if(held.begin(), held.end(), [&](const auto& each) { return each.id == item.id; });
  if (item.kind != WatchKind::slip || it == held.end() || it->beginning ||
      motion_.compute(model, scratch_, force_, workspace_) != MotionFault::none)
    return 0;
  const auto index = static_cast<std::size_t>(it - held.begin());
  const auto along = [&](const Eigen::VectorXd& of) {
    const ContactVector entries = contact_entries(of, index, contact_rows(model));
    return entries.t1 * it->direction.t1 + entries.t2 * it->direction.t2;
  };
  const double slip = along(motion_.velocity()), rate = along(motion_.contact_accelerations());
  return std::abs(slip) < tolerances::rounding * (1 + scratch_.v.cwiseAbs().maxCoeff()) || !(rate < 0) ? 0
                                                                                                       : -slip / rate;
}

// Ends the step where the event is, with no interpolation that loses anything between the motion and the answer. Its
// length, or −1 when it cannot end there.
// For gaps and slips the end is adjusted until they are zero to rounding: by the rates there, where so little is left
// that their change does not count.
double Engine::refine(double h, double theta, const WatchResult& found) {
  constexpr int most_rounds = 4;
  double length = theta * h, reached = -1;
  const auto item_of = [&](WatchKind kind) {
    return std::find_if(found.items.begin(), found.items.end(), [&](const auto& each) { return each.kind == kind; });
  };
  auto item = item_of(WatchKind::gap);
  if (item == found.items.end()) item = item_of(WatchKind::slip);
  bool shifted = false;
  for (int round = 0; round < most_rounds && state.time + length > state.time; ++round) {
    if (!shifted && !end_step(length)) break;
    reached = length;
    if (item == found.items.end() || round + 1 == most_rounds) break;
    unpack(end_, state.time + length, scratch_);
    normalise(model, scratch_.q);
    const double left = time_left(*item);
    const double small = std::max(tolerances::negligible_time, 0.1 * std::sqrt(options.tolerance) * length);
    // In space the last of a slip turns: where more than a little is left, its rates tell nothing.
    const double most =
        item->kind == WatchKind::gap ? 0.5 * length : std::min(small, tolerances::slip_end_share * length);
    if (left == 0 || !(std::abs(left) < most)) break;
    length += left;
    shifted = std::abs(left) < small && (*this)(state.time + length - left, end_, view_);
    if (shifted) end_ += left * view_;
  }
  if (!(state.time + length > state.time)) reached = 0;
  return view_step_ = reached;
}

void Engine::accept(double h) {
  ++statistics.steps;
  if (implicit_ && kind_ == StepKind::integrated) ++statistics.implicit_steps;
  if (h > 0) {
    prepare_samples(state.time, h);
    unpack(end_, state.time + h, state);
    const Eigen::Index accounts = model.coordinates + model.velocities;
    accounts_.dissipated = end_[accounts];
    accounts_.supplied = end_[accounts + 1];
    step_corrected_ = accounts_.corrected;
    faults_.at(FaultPlace::step, state.v);
    normalise(model, state.q);
    if (motion_.follow_features(model, state, workspace_)) watching_ = false;
  }
  turn_slip_directions();
}

OdeStepper& Engine::stepper() {
  if (kind_ == StepKind::uniform) return uniform_stepper_;
  if (kind_ == StepKind::resting) return rest_stepper_;
  if (implicit_) return implicit_stepper_ ? *implicit_stepper_ : implicit_stepper_.emplace(y_.size());
  return explicit_stepper_ ? *explicit_stepper_ : explicit_stepper_.emplace(y_.size());
}

void Engine::reset_steppers() {
  if (explicit_stepper_) explicit_stepper_->reset();
  if (implicit_stepper_) implicit_stepper_->reset();
}

void Engine::choose_stepper() {
  if (options.integrator != Integrator::automatic || kind_ != StepKind::integrated) return;
  const bool against = implicit_ ? stepper().stiffness() < 0.5 : stepper().stiffness() > 1;
  stiff_count_ = against ? stiff_count_ + 1 : 0;
  constexpr int steps_in_a_row = 15;  // [Hairer and Wanner 1996, IV.2]
  if (stiff_count_ < steps_in_a_row) return;
  implicit_ = !implicit_;
  stiff_count_ = 0;
  stepper().reset();
}

// The step cannot be made longer than rounding: a wedge, lost features, or the end.
SimulationStatus Engine::handle_fault(double h) {
  if (!std::isfinite(h)) fault_ = MotionFault::non_finite, h = 0;
  InstantHints hints;
  const auto rubs = [](const HeldContact& each) {
    return each.mode == ContactMode::slip && each.friction.static_coefficient > 0;
  };
  // On the way to the edge of a jam forces grow beyond all bounds before they cease to exist.
  const bool perhaps = fault_ == MotionFault::none && std::any_of(motion_.held().begin(), motion_.held().end(), rubs);
  if (perhaps) fault_ = MotionFault::jammed;
  if (fault_ == MotionFault::jammed) {
    // The last of a slip in space can turn into a direction in which it wedges: it has halted for all purposes.
    for (const HeldContact& each : motion_.held())
      if (rubs(each) && slip_speed(each.id) < halted_slip()) hints.stopped.push_back(each.id);
    const bool again = resolved_here() && resolves_ > 2;
    hints.jammed = hints.stopped.empty() || again;
  }
  // A shape slid over the end of another's face: that contact is over; what touches instead is found on the way. Of
  // several at one instant none comes back because another went.
  if (fault_ == MotionFault::lost_contact) {
    if (state.time != lost_time_) lost_.clear();
    lost_time_ = state.time;
    lost_.push_back(motion_.lost());
    hints.detached = lost_;
  }
  const bool curable = fault_ == MotionFault::jammed || fault_ == MotionFault::lost_contact;
  if (curable && at_once_ < options.max_events_at_once) {
    ++at_once_;
    step_ = std::max(tolerances::first_step_least, h);
    if (resolve(hints) != SimulationStatus::unsolved_impact || !perhaps) return status;
    fault_ = MotionFault::none;
  }
  const SimulationStatus value = fault_ == MotionFault::singular     ? SimulationStatus::singular
                                 : fault_ == MotionFault::non_finite ? SimulationStatus::non_finite
                                                                     : SimulationStatus::step_underflow;
  std::string where;
  if (!motion_.held().empty()) {
    if (const auto contact = find_contact(model, workspace_, state.q, motion_.held().front().id))
      where = fmt::format(", with {} closed", contact_name(model, *contact));
  }
  return fail(value, fmt::format("{} (step {:g} s{})", fault_name(fault_), seconds(h), where));
}

SimulationStatus Engine::happen(const WatchResult& found) {
  InstantHints hints;
  bool mechanical = false, stop = false;
  for (const WatchItem& item : found.items) {
    if (item.kind == WatchKind::user) {
      const UserEvent& user = user_events[static_cast<std::size_t>(item.index)];
      emit(plain_event(EventKind::user, user.name));
      watch_.user_event_happened(item.index, state.time);
      stop = stop || user.action == UserEvent::Action::stop;
      continue;
    }
    mechanical = true;
    if (item.kind == WatchKind::gap) hints.closed.push_back(item.id);
    if (item.kind == WatchKind::normal_force) hints.detached.push_back(item.id);
    if (item.kind == WatchKind::friction) hints.broken.push_back(item.id);
    if (item.kind == WatchKind::slip) hints.stopped.push_back(item.id);
    // Redundant contacts that can no longer hold as they do: which of them gives way is to be found.
    if (item.kind == WatchKind::modes)
      for (const std::vector<std::size_t>& group : motion_.coupled_groups())
        if (group.front() == static_cast<std::size_t>(item.index))
          for (const std::size_t i : group) hints.strained.push_back(motion_.held()[i].id);
  }
  watching_ = false;
  if (!mechanical) {
    stabilise();
    return status = stop ? SimulationStatus::user_stop : status;
  }
  // Slip in space that turned by more than a right angle did not halt.
  if (model.dimension == Dimension::spatial && !hints.stopped.empty()) {
    std::erase_if(hints.stopped, [&](ContactId id) { return slip_speed(id) > halted_slip(); });
    if (!hints.stopped.empty() && motion_.compute(model, state, force_, workspace_) == MotionFault::none)
      leave_out_passing(hints);
  }
  for (const ContactId id : stabilise_velocities()) hints.detached.push_back(id);
  const SimulationStatus outcome = resolve(hints);
  return outcome == SimulationStatus::ready && stop ? status = SimulationStatus::user_stop : outcome;
}

// What happens at times known beforehand.
SimulationStatus Engine::scheduled() {
  bool changed = false;
  InstantHints hints;
  while (next_profile_ < profile_times_.size() && profile_times_[next_profile_].first <= state.time) {
    emit(plain_event(EventKind::profile, profile_times_[next_profile_++].second));
    changed = true;
  }
  while (!pending_.empty() && pending_.front().time <= state.time) {
    note_zeno(pending_.front());
    pending_.erase(pending_.begin());
  }
  watching_ = false;
  if (next_blow() <= state.time) {
    if (sampling() && last_sample_time_ < state.time) give_sample(sample_at(state, accounts_));
    hints.push = strike_blows();
    if (status != SimulationStatus::ready) return status;
    last_event_time_ = state.time;
    changed = true;
  }
  return changed ? resolve(hints) : status;
}

void Engine::note_zeno(const Checkpoint::Pending& done) {
  Event event = plain_event(EventKind::zeno, "");
  event.rule = ImpactRule::projection;
  event.error_bound = done.error_bound;
  event.warnings = done.warnings;
  compute_velocities(model, state.q, state.v, workspace_);
  if (const auto contact = find_contact(model, workspace_, state.q, done.id)) {
    const ContactVector belt = surface_velocity(model, workspace_, *contact, state.time);
    ContactVector v = contact_velocity(model, workspace_, state.v, *contact);
    v = {v.n - belt.n, v.t1 - belt.t1, v.t2 - belt.t2};
    for (const HeldContact& each : motion_.held())  // without what rounding leaves of its rest
      if (each.id == done.id) v = each.mode == ContactMode::stick ? ContactVector{} : ContactVector{0, v.t1, v.t2};
    event.contacts.push_back({.id = done.id,
                              .name = contact_name(model, *contact),
                              .velocity_before = v,
                              .velocity_after = v,
                              .impulse = {}});
  }
  emit(std::move(event));
}

}  // namespace routh
