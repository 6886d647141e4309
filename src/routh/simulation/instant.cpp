#include "routh/simulation/instant_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/math/elementary.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

constexpr int most_jams = 8;  // one after the other at one instant

const char* depth_unit(const Model& model, const Contact& contact) {
  return contact.kind == ContactKind::limit && is_angular(model, contact.dof) ? "rad" : "m";
}

// What the user can do about shapes that are inside each other.
const char* way_out(const Contact& contact) {
  if (contact.kind == ContactKind::limit) return "start the joint within its limits";
  return "the contact was missed: limit the steps with max_step, and report the scene";
}

}  // namespace

InstantWorkspace::InstantWorkspace(const Model& model, const EngineOptions& options, const FaultInjection& faults)
    : motion(model),
      machine(model),
      search(model, ContactSearch::HullMemory::none),
      builder(model),
      loops(model),
      closure(model, options.tolerance, faults),
      jacobian(contact_rows(model), model.velocities) {}

InstantResult InstantResolver::resolve(const InstantProblem& problem, InstantWorkspace& workspace) const {
  return Instant(model_, options_, faults_, problem, workspace).resolve();
}

Instant::Instant(const Model& model, const EngineOptions& options, const FaultInjection& faults,
                 const InstantProblem& problem, InstantWorkspace& workspace)
    : model_(model),
      options_(options),
      faults_(faults),
      problem_(problem),
      hints_(problem.hints),
      motion_(workspace.motion),
      workspace_(workspace.machine),
      search_(workspace.search),
      builder_(workspace.builder),
      loops_(workspace.loops),
      closure_(workspace.closure),
      other_motion_(workspace.other_motion),
      jacobian_(workspace.jacobian),
      bounces_(problem.bounces) {
  result_.state = problem.state;
  result_.held = problem.held;
}

SimulationStatus Instant::fail(SimulationStatus status, std::string what) {
  result_.trouble = std::move(what);
  return status;
}

bool Instant::listed(const std::vector<ContactId>& list, ContactId id) const {
  return std::find(list.begin(), list.end(), id) != list.end();
}

InstantResult Instant::resolve() {
  result_.status = run();
  result_.bounces = bounces_.all();
  return std::move(result_);
}

SimulationStatus Instant::run() {
  find_touching();
  if (const Touching* const within = entered()) {
    const Contact& contact = within->contact;
    return fail(SimulationStatus::overlapping, fmt::format("{}: {:g} {} deep; {}", contact_name(model_, contact),
                                                           -length_of(model_, contact, options_.units) * contact.gap,
                                                           depth_unit(model_, contact), way_out(contact)));
  }
  if (lift_overlaps()) find_touching();
  bool wedged = hints_.jammed;
  int jams = wedged ? 1 : 0;
  while (true) {
    if (++rounds_ > options_.max_events_at_once)
      return fail(SimulationStatus::event_limit, "impacts at one instant do not come to an end");
    SimulationStatus status = wedged ? tangential_impact(resting()) : SimulationStatus::ready;
    if (status == SimulationStatus::ready) status = strike_all();
    if (status != SimulationStatus::ready) return status;
    status = settle();
    if (status == SimulationStatus::unsolved_modes) {
      // What an impact leaves behind may wedge elsewhere.
      wedged = ++jams <= most_jams;
      if (!wedged) return status;
      continue;
    }
    if (status != SimulationStatus::ready) return status;
    wedged = false;
    if (!halt_at_once() && !complete_bounces()) break;
  }
  note_changes();
  return SimulationStatus::ready;
}

void Instant::find_touching() {
  compute_kinematics(model_, result_.state.q, workspace_);
  search_.find(model_, workspace_, result_.state.q,
               hints_.first ? options_.touch : tolerances::touch_rounding * size_of(result_.state), found_);
  touching_.clear();
  prepared_.clear();
  for (const Contact& contact : found_) touching_.push_back({.contact = contact, .velocity = {}});
  const auto add = [&](ContactId id, double farthest) {
    const auto same = [&](const Touching& each) { return each.contact.id == id; };
    if (std::any_of(touching_.begin(), touching_.end(), same)) return;
    if (const auto contact = find_contact(model_, workspace_, result_.state.q, id); contact && contact->gap <= farthest)
      touching_.push_back({.contact = *contact, .velocity = {}});
  };
  for (const HeldContact& held : problem_.held) add(held.id, options_.touch);
  for (const ContactId id : hints_.closed) add(id, tolerances::touch_rounding * size_of(result_.state));
  std::sort(touching_.begin(), touching_.end(),
            [](const Touching& a, const Touching& b) { return a.contact.id < b.contact.id; });
  for (Touching& each : touching_) each.gone = listed(hints_.detached, each.contact.id);
  measure_velocities();
}

// A shape that came into another unseen, and is met in its midst; null when there is none. An impulse there would mean
// nothing.
const Instant::Touching* Instant::entered() const {
  const double deepest = std::max(options_.touch, options_.tolerance);  // that closing others may have made
  for (const Touching& each : touching_) {
    const auto held = [&](const HeldContact& other) { return other.id == each.contact.id; };
    if (each.contact.gap < -deepest && std::none_of(problem_.held.begin(), problem_.held.end(), held)) return &each;
  }
  return nullptr;
}

// A contact located by rounding below its surface would be let go from there, and sink from bounce to bounce.
bool Instant::lift_overlaps() {
  const auto deep = [](const Touching& each) { return each.contact.gap < -tolerances::closed_enough; };
  if (std::none_of(touching_.begin(), touching_.end(), deep)) return false;
  std::vector<ClosedContact> below;
  for (const Touching& each : touching_)
    if (each.contact.gap < 0) below.push_back({each.contact.id, ContactMode::slip});
  const ClosureReport report = closure_.close_position(model_, below, result_.state, workspace_);
  result_.accounts += report.energy;
  return report.closed;
}

// Of velocities: below it they are zero.
double Instant::rounding() const { return std::max(tolerances::rounding, tolerances::zero_speed * speed_scale_); }

void Instant::update_velocities() {
  if (touching_.empty()) return;
  compute_kinematics(model_, result_.state.q, workspace_);
  measure_velocities();
}

// After compute_kinematics.
void Instant::measure_velocities() {
  Eigen::MatrixXd& J = jacobian_;
  for (Touching& each : touching_) {
    contact_jacobian(model_, workspace_, each.contact, J);
    const ContactVector belt = surface_velocity(model_, workspace_, each.contact, result_.state.time);
    each.velocity = {J.row(0).dot(result_.state.v) - belt.n, J.row(1).dot(result_.state.v) - belt.t1,
                     J.rows() == 3 ? J.row(2).dot(result_.state.v) - belt.t2 : 0};
    double size = 0;  // of what cancels
    for (Eigen::Index row = 0; row < J.rows(); ++row)
      size = std::max(size, J.row(row).cwiseAbs().dot(result_.state.v.cwiseAbs().transpose()));
    size += std::abs(belt.t1) + std::abs(belt.t2);
    // What cancels here was as fast before the impacts of this instant; impacts carry the rounding of one contact to
    // the others.
    speed_scale_ = std::max(speed_scale_, size);
    // What stuck, and was not struck, still does; and a halt was located as well as can be.
    const auto held = std::find_if(problem_.held.begin(), problem_.held.end(),
                                   [&](const HeldContact& other) { return other.id == each.contact.id; });
    if (each.struck) continue;
    const auto pushed = [&](Eigen::Index row) {
      return hints_.push.size() > 0 && row < J.rows() ? J.row(row).dot(hints_.push) : 0.0;
    };
    if (held != problem_.held.end()) each.velocity.n = pushed(0);
    if ((held != problem_.held.end() && held->mode == ContactMode::stick) || listed(hints_.stopped, each.contact.id)) {
      each.velocity.t1 = pushed(1);
      each.velocity.t2 = pushed(2);
    }
  }
  for (Touching& each : touching_) {
    each.rounding = std::max(each.rounding, rounding());
    keep_beginning(each);
    if (std::abs(each.velocity.n) <= each.rounding) each.velocity.n = 0;
    if (elementary::hypot(each.velocity.t1, each.velocity.t2) <= each.rounding) each.velocity.t1 = each.velocity.t2 = 0;
  }
}

// Whether what it answers is an impulse from outside, and no approach of its own.
bool Instant::is_pressed(const Touching& it) const {
  return hints_.push.size() > 0 && std::any_of(problem_.held.begin(), problem_.held.end(),
                                               [&](const auto& each) { return each.id == it.contact.id; });
}

Restitution Instant::restitution_of(const Touching& it) const {
  return is_pressed(it) ? Restitution{} : contact_restitution(model_, it.contact);
}

// Slip that has hardly begun goes on, in the direction it began with.
void Instant::keep_beginning(Touching& it) const {
  if (it.struck || listed(hints_.stopped, it.contact.id) ||
      elementary::hypot(it.velocity.t1, it.velocity.t2) > it.rounding)
    return;
  for (const HeldContact& each : problem_.held)
    if (each.id == it.contact.id && each.mode == ContactMode::slip && each.friction.static_coefficient > 0) {
      it.velocity.t1 = 2 * it.rounding * each.direction.t1;
      it.velocity.t2 = 2 * it.rounding * each.direction.t2;
    }
}

std::vector<std::size_t> Instant::resting() const {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < touching_.size(); ++i)
    if (touching_[i].velocity.n == 0 && !touching_[i].gone) list.push_back(i);
  return list;
}

HeldContact Instant::held_contact(std::size_t index) const {
  const Touching& it = touching_[index];
  Friction friction = contact_friction(model_, it.contact);
  friction.static_coefficient = std::min(friction.static_coefficient, widest_friction);
  friction.kinetic_coefficient = std::min(friction.kinetic_coefficient, widest_friction);
  HeldContact held{it.contact.id, ContactMode::slip, {1, 0}, friction, false};
  const SlipState slip = slip_of(it.velocity);
  if (slip.speed > 0) held.direction = slip.direction;
  return held;
}

bool Instant::slips(const Touching& it) { return elementary::hypot(it.velocity.t1, it.velocity.t2) > 0; }

void Instant::note_changes() {
  const std::vector<HeldContact>&before = problem_.held, &after = result_.held;
  const auto add = [&](EventKind kind, std::size_t index) {
    Event event;
    event.time = result_.state.time;
    event.kind = kind;
    event.velocity_before = event.velocity_after = result_.state.v;
    event.position = result_.state.q;
    const Touching& it = touching_[index];
    event.warnings = hints_.warnings;
    event.contacts.push_back({.id = it.contact.id,
                              .name = contact_name(model_, it.contact),
                              .velocity_before = it.velocity,
                              .velocity_after = it.velocity,
                              .impulse = {}});
    for (const Warned& each : warned_) {
      if (each.id != it.contact.id) continue;
      event.warn(each.warning);
      if (each.warning == Warning::friction_changed) event.contacts[0].friction = each.friction;
    }
    result_.events.push_back(std::move(event));
  };
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const ContactId id = touching_[i].contact.id;
    const auto same = [&](const HeldContact& each) { return each.id == id; };
    const auto old = std::find_if(before.begin(), before.end(), same);
    const auto now = std::find_if(after.begin(), after.end(), same);
    if (now == after.end()) {
      if (old != before.end() && !touching_[i].struck) add(EventKind::detach, i);
      continue;
    }
    if (now->friction.static_coefficient == 0) continue;  // neither sticks nor slips
    const bool turned =
        old != before.end() && old->direction.t1 * now->direction.t1 + old->direction.t2 * now->direction.t2 < 0;
    if (old == before.end() || old->mode != now->mode || (now->mode == ContactMode::slip && turned))
      add(now->mode == ContactMode::stick ? EventKind::stick : EventKind::slip, i);
  }
}

}  // namespace routh::internal
