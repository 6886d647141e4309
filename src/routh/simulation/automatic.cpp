#include "routh/simulation/automatic.h"

#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/model/scales.h"
#include "routh/simulation/tolerances.h"

namespace routh {

double usual_resolution(const Model& model, double tolerance) {
  using namespace internal;
  const double looser = tolerance / SimulationOptions{}.tolerance;
  return tolerances::resolution_relative * compute_scales(model).time * std::sqrt(std::sqrt(std::sqrt(looser)));
}

}  // namespace routh

namespace routh::internal {

namespace {

EngineOptions with_step(EngineOptions options, double step) {
  options.step = step;
  return options;
}

// Of events that contacts make.
bool is_of_contacts(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
    case EventKind::tangential_impact:
    case EventKind::slip:
    case EventKind::stick:
    case EventKind::detach:
    case EventKind::zeno:
    case EventKind::limit:
      return true;
    case EventKind::profile:
    case EventKind::user:
    case EventKind::impulse:
    case EventKind::crowd:
      return false;
  }
  return false;
}

constexpr long before_the_boundary = -1;  // number of an event that is

// Enough of it to name it, wherever it is.
Contact contact_called(const Model& model, ContactId id) {
  Contact contact;
  contact.id = id;
  contact.kind = kind_of(id);
  if (contact.kind == ContactKind::limit) {
    contact.dof = -1 - id.pair;
    contact.direction = id.feature == 0 ? 1 : -1;
    return contact;
  }
  const ShapePair pair = model.pairs[static_cast<std::size_t>(id.pair)];
  contact.shape_a = pair.first;
  contact.shape_b = pair.second;
  return contact;
}

}  // namespace

bool are_many(const Model& model, std::span<const ContactId> contacts) {
  if (contacts.size() < tolerances::crowd_contacts) return false;
  int first = -1;
  bool several = false;
  const auto add = [&](int link) {
    if (link < 0) return;
    const int body = model.links[static_cast<std::size_t>(link)].body;
    several = several || (first >= 0 && body != first);
    first = body;
  };
  for (const ContactId id : contacts) {
    if (kind_of(id) == ContactKind::limit) {
      add(model.dofs[static_cast<std::size_t>(-1 - id.pair)].link);
      continue;
    }
    const ShapePair pair = model.pairs[static_cast<std::size_t>(id.pair)];
    for (const int shape : {pair.first, pair.second}) add(model.shapes[static_cast<std::size_t>(shape)].link);
  }
  return several;
}

bool is_crowd(const Model& model, std::span<const Checkpoint::Crowd::Recent> recent) {
  std::vector<ContactId> ids;
  for (const Checkpoint::Crowd::Recent& each : recent) ids.push_back(each.id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return recent.size() > tolerances::crowd_events_each * ids.size() && are_many(model, ids);
}

AutomaticEngine::AutomaticEngine(const Model& m, const State& start, const EngineOptions& o) : EngineBase(m, o) {
  resolution_ = o.resolution ? *o.resolution : usual_resolution(m, o.tolerance);
  gap_seen_ = tolerances::overlap_left_relative * compute_scales(m).length;
  crowd_.wait = tolerances::calm_resolutions * resolution_;
  crowd_.stretch_begin = start.time;
  make_events(start);
  for (const Event& event : events_engine_->events) {
    note(event, before_the_boundary);
    hand_on(event);
  }
  events_engine_->events.clear();
  show(*events_engine_);
  // What fixed steps would not begin from either is refused.
  if (failed(status) && !failed(SteppingEngine(m, start, with_step(o, resolution_)).status)) step_on();
}

AutomaticEngine::AutomaticEngine(const Model& m, const Checkpoint& from, const EngineOptions& o) : EngineBase(m, o) {
  resolution_ = o.resolution ? *o.resolution : usual_resolution(m, o.tolerance);
  gap_seen_ = tolerances::overlap_left_relative * compute_scales(m).length;
  crowd_ = from.crowd;
  if (!(crowd_.wait > 0)) crowd_.wait = tolerances::calm_resolutions * resolution_;
  recent_numbers_.assign(crowd_.recent.size(), before_the_boundary);
  crowded_ = is_crowd(model, crowd_.recent);
  if (crowd_.under_way) {
    for (const Checkpoint::Closed& each : from.closed) pressed_.push_back(each.id);
    make_steps(from);
  } else {
    make_events(from);
  }
  show(now());
}

const EngineBase& AutomaticEngine::now() const {
  return crowd_.under_way ? static_cast<const EngineBase&>(*steps_engine_) : *events_engine_;
}

template <class... From>
void AutomaticEngine::make_events(const From&... from) {
  events_engine_ = std::make_unique<Engine>(model, from..., options);
  for (const UserEvent& event : user_events) events_engine_->add_user_event(event);
  events_engine_->inject(faults_);
  events_engine_->on_event = [this](const Event& event) { hand_on(event); };
  events_engine_->absorb = [this](const Event& event) {
    note(event, events_engine_->statistics.events);
    return false;
  };
  events_engine_->interrupt = [this] {
    return crowded_ || makes_no_progress(events_engine_->state.time) || interrupted();
  };
}

template <class... From>
void AutomaticEngine::make_steps(const From&... from) {
  steps_engine_ = std::make_unique<SteppingEngine>(model, from..., with_step(options, resolution_));
  for (const UserEvent& event : user_events) steps_engine_->add_user_event(event);
  steps_engine_->inject(faults_);
  steps_engine_->on_event = [this](const Event& event) { hand_on(event); };
  steps_engine_->absorb = [this](const Event& event) { return absorb_strike(event); };
  steps_engine_->interrupt = [this] {
    look(steps_engine_->state, steps_engine_->accounts().dissipated);
    return crowd_.time - crowd_.calm_since >= crowd_.wait || interrupted();
  };
}

// The caller may look at the run from within.
bool AutomaticEngine::interrupted() {
  if (!interrupt) return false;
  show(now());
  return interrupt();
}

void AutomaticEngine::hand_on(const Event& event) {
  if (on_event) {
    show(now());
    on_event(event);
  } else {
    events.push_back(event);
  }
}

// Into what happened within the last `resolution_`.
void AutomaticEngine::note(const Event& event, long number) {
  if (!is_of_contacts(event.kind)) return;
  const auto old = std::count_if(crowd_.recent.begin(), crowd_.recent.end(),
                                 [&](const auto& each) { return event.time - each.time > resolution_; });
  crowd_.recent.erase(crowd_.recent.begin(), crowd_.recent.begin() + old);
  recent_numbers_.erase(recent_numbers_.begin(), recent_numbers_.begin() + old);
  for (const EventContact& each : event.contacts) {
    crowd_.recent.push_back({event.time, each.id});
    recent_numbers_.push_back(number);
  }
  crowded_ = crowded_ || is_crowd(model, crowd_.recent);
}

bool AutomaticEngine::makes_no_progress(double time) {
  constexpr double thousandths = 1000;
  const double n = std::min<double>(model.velocities, tolerances::cheap_rows), cube = n * n * n;
  if (time > crowd_.stretch_time) {
    if (const double passed = (time - crowd_.stretch_begin) / resolution_; passed > 1) {
      const double paid =
          thousandths * (tolerances::steps_each_resolution + tolerances::steps_each_small / cube) * passed;
      crowd_.stretch_begin = time;
      crowd_.stretch_steps -= static_cast<long>(std::min(paid, static_cast<double>(crowd_.stretch_steps)));
    }
    crowd_.stretch_time = time;
  }
  crowd_.stretch_steps += static_cast<long>(thousandths * events_engine_->take_work());
  return stuck_ = static_cast<double>(crowd_.stretch_steps) > thousandths * tolerances::steps_owed / cube;
}

// Not by a limit of the user's.
bool AutomaticEngine::failed_by_itself(SimulationStatus outcome) const {
  const SimulationStatistics& done = events_engine_->statistics;
  return failed(outcome) && done.events <= options.max_events && done.steps + done.rejected < options.max_steps &&
         events_engine_->state.q.allFinite() && events_engine_->state.v.allFinite();
}

SimulationStatus AutomaticEngine::advance(double until) {
  if (failed(status)) return status;
  while (true) {
    const SimulationStatus outcome = now().advance(until);
    if (!crowd_.under_way) {
      const bool leaves = outcome == SimulationStatus::stopped && (crowded_ || stuck_);
      if (!leaves && !failed_by_itself(outcome)) break;
      step_on();
      continue;
    }
    if (outcome != SimulationStatus::stopped || crowd_.time - crowd_.calm_since < crowd_.wait) break;
    follow_events();
  }
  show(now());
  return status;
}

// A passage in fixed steps begins.
void AutomaticEngine::step_on() {
  const std::vector<ActiveContact> closed = events_engine_->active();
  if (!steps_engine_) make_steps();
  steps_engine_->take_over(*events_engine_, closed);
  ++steps_engine_->statistics.crowds;
  const State& at = steps_engine_->state;
  const double usual = tolerances::calm_resolutions * resolution_;
  const bool soon = at.time - crowd_.followed_since < tolerances::followed_waits * crowd_.wait;
  const double most = tolerances::calm_resolutions_most * resolution_;
  crowd_.wait = soon ? std::min(2 * crowd_.wait, most) : usual;
  crowd_.under_way = true;
  crowd_.begin = crowd_.time = crowd_.calm_since = at.time;
  crowd_.tangential_work = 0;
  crowd_.dissipated = crowd_.last_dissipated = steps_engine_->accounts().dissipated;
  crowd_.supplied = steps_engine_->accounts().supplied;
  crowd_.energy = steps_engine_->energy().total();
  crowd_.velocity = at.v;
  crowd_.shares.clear();
  crowd_.recent.clear();
  recent_numbers_.clear();
  crowded_ = stuck_ = struck_ = false;
  pressed_.clear();
  for (const ActiveContact& each : closed) pressed_.push_back(each.contact.id);
}

// Back to events at the end of a step. False, and a longer wait, where the state cannot be taken.
bool AutomaticEngine::follow_events() {
  if (!events_engine_) make_events();
  std::vector<Event> happened;
  const auto on_sample_of_steps = std::exchange(steps_engine_->on_sample, nullptr);
  const auto note_of_events = std::exchange(events_engine_->absorb, nullptr);
  const auto hand_of_events = std::exchange(events_engine_->on_event, [&](const Event& e) { happened.push_back(e); });
  ++steps_engine_->statistics.events;  // the crowd's
  const bool taken = events_engine_->take_over(*steps_engine_, steps_engine_->loads());
  steps_engine_->on_sample = on_sample_of_steps;
  events_engine_->absorb = note_of_events;
  events_engine_->on_event = hand_of_events;
  events_engine_->on_sample = on_sample_of_steps;
  if (!taken) {
    --steps_engine_->statistics.events;
    crowd_.wait = std::min(2 * crowd_.wait, tolerances::calm_resolutions_most * resolution_);
    crowd_.calm_since = crowd_.time;
    return false;
  }
  hand_on(crowd_event());
  crowd_.under_way = false;
  crowd_.followed_since = crowd_.stretch_begin = events_engine_->state.time;
  crowd_.stretch_steps = 0;
  for (const Event& event : happened) {
    note(event, before_the_boundary);
    hand_on(event);
  }
  return true;
}

// Strikes within a passage are part of its event.
bool AutomaticEngine::absorb_strike(const Event& event) {
  if (!is_of_contacts(event.kind)) return false;
  struck_ = true;
  crowd_.tangential_work += event.energy.tangential_work;
  for (const EventContact& each : event.contacts) add_impulse(each.id, each.impulse);
  return true;
}

void AutomaticEngine::add_impulse(ContactId id, const ContactVector& impulse) {
  auto at = std::lower_bound(crowd_.shares.begin(), crowd_.shares.end(), id,
                             [](const auto& share, ContactId key) { return share.id < key; });
  if (at == crowd_.shares.end() || at->id != id) at = crowd_.shares.insert(at, {id, {}});
  at->impulse = {at->impulse.n + impulse.n, at->impulse.t1 + impulse.t1, at->impulse.t2 + impulse.t2};
}

// At the end of a step: what its contacts did.
void AutomaticEngine::look(const State& at, double dissipated) {
  const double h = at.time - crowd_.time;
  if (!(h > 0)) return;
  const std::vector<ActiveContact>& active = steps_engine_->loads();
  compute_velocities(model, at.q, at.v, workspace_);
  bool closes = struck_;
  for (const ActiveContact& each : active) {
    const ContactVector impulse{h * each.force.n, h * each.force.t1, h * each.force.t2};
    add_impulse(each.contact.id, impulse);
    const ContactVector v = contact_velocity(model, workspace_, at.v, each.contact);
    const ContactVector belt = surface_velocity(model, workspace_, each.contact, at.time);
    crowd_.tangential_work += impulse.t1 * (v.t1 - belt.t1) + impulse.t2 * (v.t2 - belt.t2);
    closes = closes || (each.contact.gap > gap_seen_ &&
                        std::find(pressed_.begin(), pressed_.end(), each.contact.id) == pressed_.end());
  }
  pressed_.clear();
  for (const ActiveContact& each : active) pressed_.push_back(each.contact.id);
  steps_engine_->statistics.crowd_time += h;
  steps_engine_->statistics.crowd_energy += dissipated - crowd_.last_dissipated;
  crowd_.last_dissipated = dissipated;
  crowd_.time = at.time;
  if (closes) crowd_.calm_since = at.time;
  struck_ = false;
}

// Of the passage that ends at the end of the last step. What its ledger books as normal work is all that friction did
// not take; its change is that of K + V, from the states at both ends.
Event AutomaticEngine::crowd_event() {
  const State& at = steps_engine_->state;
  Event event;
  event.time = at.time;
  event.kind = EventKind::crowd;
  event.duration = at.time - crowd_.begin;
  event.velocity_before = crowd_.velocity;
  event.velocity_after = at.v;
  event.position = at.q;
  const double lost = steps_engine_->accounts().dissipated - crowd_.dissipated;
  event.energy.tangential_work = crowd_.tangential_work;
  event.energy.normal_work = -lost - crowd_.tangential_work;
  event.energy.supplied = steps_engine_->accounts().supplied - crowd_.supplied;
  event.energy.change = steps_engine_->energy().total() - crowd_.energy;
  for (const Checkpoint::Crowd::Share& each : crowd_.shares)
    event.contacts.push_back({.id = each.id,
                              .name = contact_name(model, contact_called(model, each.id)),
                              .velocity_before = {},
                              .velocity_after = {},
                              .impulse = each.impulse});
  return event;
}

void AutomaticEngine::set_force(const Eigen::Ref<const Eigen::VectorXd>& value) {
  now().set_force(value);
  if (!crowd_.under_way && failed_by_itself(events_engine_->status)) step_on();
  show(now());
}

void AutomaticEngine::add_user_event(UserEvent event) {
  user_events.push_back(event);
  if (events_engine_) events_engine_->add_user_event(event);
  if (steps_engine_) steps_engine_->add_user_event(std::move(event));
}

void AutomaticEngine::inject(FaultInjection faults) {
  faults_ = std::move(faults);
  if (events_engine_) events_engine_->inject(faults_);
  if (steps_engine_) steps_engine_->inject(faults_);
}

void AutomaticEngine::sample_every(double interval, double origin, std::function<void(const Sample&)> call) {
  EngineBase::sample_every(interval, origin, call);
  now().sample_every(interval, origin, std::move(call));
}

Checkpoint AutomaticEngine::last_boundary() const {
  Checkpoint boundary = now().last_boundary();
  boundary.crowd = crowd_;
  // Of an instant at the present time events are ahead of the boundary.
  std::vector<Checkpoint::Crowd::Recent>& recent = boundary.crowd.recent;
  const auto ahead = std::find_if(recent_numbers_.begin(), recent_numbers_.end(),
                                  [&](long number) { return number >= boundary.events; });
  recent.erase(recent.begin() + (ahead - recent_numbers_.begin()), recent.end());
  return boundary;
}

}  // namespace routh::internal
