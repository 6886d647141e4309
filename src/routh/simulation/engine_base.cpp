#include "routh/simulation/engine_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/dynamics.h"
#include "routh/simulation/rounding.h"

namespace routh::internal {

namespace {

constexpr std::size_t remembered = 10;  // events that the message of a failure names

}  // namespace

EngineBase::EngineBase(const Model& m, const EngineOptions& o) : model(m), options(o), workspace_(m), blows_(m) {
  collect_profile_times();
}

void EngineBase::collect_profile_times() {
  const auto add = [&](const Profile& profile, const std::string& name) {
    if (profile.points.size() < 2) return;
    for (const Profile::Point& point : profile.points) profile_times_.emplace_back(point.time, name);
  };
  for (int k = 0; k < model.velocities; ++k) {
    const DofDescription& is = model.dofs[static_cast<std::size_t>(k)].properties;
    if (is.drive) add(is.drive->position, dof_name(model, k)), add(is.drive->velocity, dof_name(model, k));
    if (is.effort) add(*is.effort, dof_name(model, k));
  }
  for (const Force& force : model.forces) add(force.scale, force.name);
  for (const Shape& shape : model.shapes)
    if (shape.moving) add(shape.belt_speed, shape.name);
  std::sort(profile_times_.begin(), profile_times_.end());
}

SimulationStatus EngineBase::fail(SimulationStatus value, std::string what) {
  status = value;
  trouble_ = std::move(what);
  return status;
}

std::string EngineBase::message() const {
  if (!failed(status)) return "";
  std::string text = fmt::format("{} at t = {:.9g} s: {}", explain(status), seconds(state.time), trouble_);
  const bool by_limit = statistics.events > options.max_events;
  const bool crowd = (status == SimulationStatus::event_limit && !by_limit) ||
                     status == SimulationStatus::unsolved_modes || status == SimulationStatus::unsolved_impact ||
                     status == SimulationStatus::step_underflow;
  if (options.engine == EngineKind::events && crowd) text += "; the engine automatic would step through it";
  if (last_events_.empty()) return text;
  text += "; the last events:";
  for (const Recent& event : last_events_) {
    text += fmt::format("\n  {:.9g} s {}", seconds(event.time), name(event.kind));
    if (!event.contact.empty()) text += " at " + event.contact;
    if (event.more > 0) text += fmt::format(" and {} more", event.more);
  }
  return text;
}

void EngineBase::book(const Event& event) {
  const double work = event.energy.normal_work + event.energy.tangential_work;
  accounts_.dissipated -= work;
  const double unseen = event.energy.change - event.energy.supplied - work;  // by the law of the impact
  if (!event.energy.consistent) gained_ += std::max(0.0, work) + std::max(0.0, unseen);
  accounts_.supplied += event.energy.supplied;
}

Eigen::VectorXd EngineBase::strike_blows() {
  Eigen::VectorXd jump;
  while (next_blow() <= state.time) {
    std::optional<Event> event = blows_.strike(next_blow_, state, workspace_);
    if (!event) {
      fail(SimulationStatus::singular, "the mass matrix where an impulse acts");
      break;
    }
    ++next_blow_;
    if (jump.size() == 0) jump = Eigen::VectorXd::Zero(model.velocities);
    jump += event->velocity_after - event->velocity_before;
    book(*event);
    log(std::move(*event));
  }
  return jump;
}

void EngineBase::log(Event event) {
  if (absorb && absorb(event)) return;
  ++statistics.events;
  if (event.rule != ImpactRule::none) ++statistics.impacts;
  count_warnings(event, statistics.warnings);
  last_events_.push_back({event.time, event.kind, event.contacts.empty() ? "" : event.contacts.front().name,
                          event.contacts.empty() ? 0 : event.contacts.size() - 1});
  if (last_events_.size() > remembered) last_events_.pop_front();
  if (on_event) {
    on_event(event);
  } else {
    events.push_back(std::move(event));
  }
}

void EngineBase::adopt(const EngineBase& other) {
  state = other.state;
  status = other.status;
  trouble_ = other.trouble_;
  statistics = other.statistics;
  force_ = other.force_;
  accounts_ = other.accounts_;
  gained_ = other.gained_;
  initial_energy_ = other.initial_energy_;
  next_profile_ = other.next_profile_;
  next_blow_ = other.next_blow_;
  on_sample = other.on_sample;
  sample_interval_ = other.sample_interval_;
  sample_start_ = other.sample_start_;
  next_sample_ = other.next_sample_;
  last_sample_time_ = other.last_sample_time_;
  last_events_ = other.last_events_;
}

void EngineBase::show(const EngineBase& other) {
  state = other.state;
  status = other.status;
  statistics = other.statistics;
  accounts_ = other.accounts_;
  gained_ = other.gained_;
  initial_energy_ = other.initial_energy_;
  if (!failed(status)) return;
  trouble_ = other.trouble_;
  last_events_ = other.last_events_;
}

Event EngineBase::plain_event(EventKind kind, const std::string& label) const {
  Event event;
  event.time = state.time;
  event.kind = kind;
  event.label = label;
  event.velocity_before = event.velocity_after = state.v;
  event.position = state.q;
  return event;
}

EnergyAccount EngineBase::account(const Energy& now, const Accounts& accounts) const {
  return {now.kinetic,        now.potential, accounts.dissipated, accounts.supplied,
          accounts.corrected, gained_,       initial_energy_};
}

EnergyAccount EngineBase::energy() const {
  Workspace workspace(model);
  const Energy now = compute_energy(model, state, workspace);
  const auto bounded = [](double x) { return std::isfinite(x) ? x : std::numeric_limits<double>::max(); };
  return account({bounded(now.kinetic), bounded(now.potential)}, accounts_);
}

bool EngineBase::check_start(TouchReport& report) {
  const auto refuse = [&](SimulationStatus why, std::string what) {
    fail(why, std::move(what));
    return false;
  };
  if (!state.q.allFinite() || !state.v.allFinite())
    return refuse(SimulationStatus::non_finite, "the state at the start");
  report = find_touches(model, state, {options.touch}, workspace_);
  const Energy now = compute_energy(model, state, workspace_);
  if (!std::isfinite(now.kinetic + now.potential))
    return refuse(SimulationStatus::non_finite, "the energy at the start");
  initial_energy_ = now.kinetic + now.potential;
  if (report.overlaps.empty()) return true;
  const Contact& deepest = *std::min_element(report.overlaps.begin(), report.overlaps.end(),
                                             [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
  return refuse(SimulationStatus::overlapping,
                fmt::format("{}: {:g} deep; move them apart in `state`, or name the pair in `contacts.exclude`",
                            contact_name(model, deepest), -length_of(model, deepest, options.units) * deepest.gap));
}

void EngineBase::sample_every(double interval, double origin, std::function<void(const Sample&)> call) {
  sample_interval_ = interval;
  sample_start_ = origin;
  next_sample_ = static_cast<long>(std::ceil((state.time - origin) / interval));
  on_sample = std::move(call);
}

double EngineBase::next_sample_time() const {
  return sample_start_ + sample_interval_ * static_cast<double>(next_sample_);
}

void EngineBase::give_sample(const Sample& sample) {
  last_sample_time_ = sample.state.time;
  on_sample(sample);
}

}  // namespace routh::internal
