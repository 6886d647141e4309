#include "routh/simulation/instant.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "routh/dynamics/kinematics.h"
#include "routh/impact/inertia.h"
#include "routh/simulation/moment.h"
#include "routh/simulation/rounding.h"
#include "routh/solvability/rest_verdict.h"

namespace routh {

namespace {

constexpr double touch_tolerance = 1e-10;  // [m] or [rad]: gaps that close within rounding of one another
constexpr double zero_speed = 1e-11;       // of the speeds that make it up, a velocity that counts as none
constexpr int most_jams = 8;               // one after the other at one instant
constexpr double rounding_height = 1e-15;  // [m]: one that cannot be followed

// Friction that can no longer hold: just below what it needed.
Friction weakened(const Friction& friction, double by) {
  const double mu = friction.kinetic_coefficient * (1 - by);
  return {mu, mu};
}
// Slip that halts where friction could just hold it goes on in neither way by rounding: it sticks.
Friction strengthened(const Friction& friction) {
  return {friction.static_coefficient * (1 + 1e-7), friction.kinetic_coefficient};
}
// By how much, one after the other, until it gives way: rounding decides which is the first.
constexpr double weakenings[] = {1e-9, 1e-7, 1e-5, 1e-3};

}  // namespace

Instant::Instant(const Model& model, const SimulationOptions& options)
    : model_(model), options_(options), striker_(model), closure_(model) {}

SimulationStatus Instant::fail(SimulationStatus status, std::string what) {
  trouble_ = std::move(what);
  return status;
}

bool Instant::listed(const std::vector<ContactId>& list, ContactId id) const {
  return std::find(list.begin(), list.end(), id) != list.end();
}

SimulationStatus Instant::resolve(const InstantHints& hints, State& state, const Eigen::VectorXd& force,
                                  ContactMotion& motion, Workspace& workspace) {
  hints_ = &hints;
  force_ = &force;
  motion_ = &motion;
  workspace_ = &workspace;
  events_.clear();
  completed_.clear();
  trouble_.clear();
  before_ = motion.held();
  speed_scale_ = 0;
  rounds_ = 0;
  find_touching(state);
  if (const Touching* const within = entered()) {
    const Contact& contact = within->contact;
    return fail(SimulationStatus::overlapping,
                fmt::format("{}: came in by {:g} from a side without a surface (a strip ends at its border: use a box)",
                            contact_name(model_, contact), -contact.gap));
  }
  if (lift_overlaps(state)) find_touching(state);
  if (hints.unseen_speed > 0) bring_to_rest(state);
  bool wedged = hints.jammed;
  int jams = wedged ? 1 : 0;
  while (true) {
    if (++rounds_ > options_.max_events_at_once)
      return fail(SimulationStatus::event_limit, "impacts at one instant do not come to an end");
    SimulationStatus status = wedged ? tangential_impact(resting(), state) : SimulationStatus::ready;
    if (status == SimulationStatus::unsolved_impact && halt_slowest()) status = SimulationStatus::ready;
    if (status == SimulationStatus::ready) status = strike_all(state);
    if (status != SimulationStatus::ready) return status;
    status = settle(state);
    if (status == SimulationStatus::unsolved_modes) {
      // What an impact leaves behind may wedge elsewhere.
      wedged = ++jams <= most_jams;
      if (!wedged && !halt_slowest()) return status;
      continue;
    }
    if (status != SimulationStatus::ready) return status;
    wedged = false;
    if (!halt_at_once(state) && !complete_bounces(state)) break;
  }
  note_changes(before_, state);
  return SimulationStatus::ready;
}

// Contacts that throw one another up for ever, or wedge again and again, slowly, come to rest together: the velocities
// nearest in the sense of kinetic energy, of which none is gained.
void Instant::bring_to_rest(State& state) {
  const double unseen = hints_->unseen_speed;
  std::vector<ClosedContact> closed;
  std::vector<Touching*> stopped;
  for (Touching& each : touching_) {
    const double slip = std::hypot(each.velocity.t1, each.velocity.t2), speed = std::hypot(each.velocity.n, slip);
    if (each.gone || !(std::abs(each.velocity.n) < unseen)) continue;
    const bool rough = contact_friction(model_, each.contact).static_coefficient > 0;
    closed.push_back({each.contact.id, rough && slip < unseen ? ContactMode::stick : ContactMode::slip});
    stopped.push_back(&each);
    if (closed.back().mode == ContactMode::stick && speed > each.rounding)
      completed_.push_back({state.time, each.contact.id, speed});
  }
  if (closed.empty() || !closure_.close_velocity(model_, closed, state, *workspace_).closed) return;
  update_velocities(state);
  for (std::size_t k = 0; k < closed.size(); ++k) {
    stopped[k]->velocity.n = 0;
    if (closed[k].mode == ContactMode::stick) stopped[k]->velocity.t1 = stopped[k]->velocity.t2 = 0;
  }
}

// The last resort where neither forces nor an impact are found: slip that is slow beside the others comes to a halt.
bool Instant::halt_slowest() {
  Touching* slowest = nullptr;
  double least = 1e-3 * speed_scale_;
  for (Touching& each : touching_) {
    const double speed = std::hypot(each.velocity.t1, each.velocity.t2);
    if (each.velocity.n != 0 || !(speed > 0 && speed < least)) continue;
    least = speed;
    slowest = &each;
  }
  if (slowest) slowest->velocity.t1 = slowest->velocity.t2 = 0;
  return slowest != nullptr;
}

void Instant::find_touching(const State& state) {
  compute_velocities(model_, state.q, state.v, *workspace_);
  find_contacts(model_, *workspace_, state.q, hints_->first ? options_.touch : touch_tolerance * size_of(state),
                found_);
  touching_.clear();
  for (const Contact& contact : found_) touching_.push_back({.contact = contact, .velocity = {}});
  for (const HeldContact& held : before_) {
    const auto same = [&](const Touching& each) { return each.contact.id == held.id; };
    if (std::any_of(touching_.begin(), touching_.end(), same)) continue;
    if (const auto contact = find_contact(model_, *workspace_, state.q, held.id);
        contact && contact->gap <= options_.touch)
      touching_.push_back({.contact = *contact, .velocity = {}});
  }
  std::sort(touching_.begin(), touching_.end(),
            [](const Touching& a, const Touching& b) { return a.contact.id < b.contact.id; });
  for (Touching& each : touching_) each.gone = listed(hints_->detached, each.contact.id);
  update_velocities(state);
}

// A shape that came into another where that has no surface, as under a strip from its border, and is met in its midst;
// null when there is none. An impulse there would mean nothing.
const Instant::Touching* Instant::entered() const {
  for (const Touching& each : touching_) {
    const auto held = [&](const HeldContact& other) { return other.id == each.contact.id; };
    if (each.contact.gap < -options_.touch && std::none_of(before_.begin(), before_.end(), held)) return &each;
  }
  return nullptr;
}

// A contact located by rounding below its surface would be let go from there, and sink from bounce to bounce.
bool Instant::lift_overlaps(State& state) {
  std::vector<ClosedContact> below;
  for (const Touching& each : touching_)
    if (each.contact.gap < 0) below.push_back({each.contact.id, ContactMode::slip});
  return !below.empty() && closure_.close_position(model_, below, state, *workspace_).closed;
}

// Of velocities: below it they are zero.
double Instant::rounding() const { return std::max(1e-15, zero_speed * speed_scale_); }

void Instant::update_velocities(const State& state) {
  compute_velocities(model_, state.q, state.v, *workspace_);
  Eigen::MatrixXd J(contact_rows(model_), model_.velocities);
  for (Touching& each : touching_) {
    contact_jacobian(model_, *workspace_, each.contact, J);
    const ContactVector belt = surface_velocity(model_, *workspace_, each.contact, state.time);
    each.velocity = {J.row(0).dot(state.v) - belt.n, J.row(1).dot(state.v) - belt.t1,
                     J.rows() == 3 ? J.row(2).dot(state.v) - belt.t2 : 0};
    const double size = (J.cwiseAbs() * state.v.cwiseAbs()).maxCoeff() + std::abs(belt.t1) + std::abs(belt.t2);
    // What cancels here was as fast before the impacts of this instant; impacts carry the rounding of one contact to
    // the others.
    speed_scale_ = std::max(speed_scale_, size);
    // What stuck, and was not struck, still does; and a halt was located as well as can be.
    const auto held = std::find_if(before_.begin(), before_.end(),
                                   [&](const HeldContact& other) { return other.id == each.contact.id; });
    if (each.struck) continue;
    if (held != before_.end()) each.velocity.n = 0;
    if ((held != before_.end() && held->mode == ContactMode::stick) || listed(hints_->stopped, each.contact.id))
      each.velocity.t1 = each.velocity.t2 = 0;
  }
  for (Touching& each : touching_) {
    each.rounding = std::max(each.rounding, rounding());
    keep_beginning(each);
    if (std::abs(each.velocity.n) <= each.rounding || (each.immovable && each.velocity.n < 0)) each.velocity.n = 0;
    if (std::hypot(each.velocity.t1, each.velocity.t2) <= each.rounding) each.velocity.t1 = each.velocity.t2 = 0;
  }
}

// Slip that has hardly begun goes on, in the direction it began with.
void Instant::keep_beginning(Touching& it) const {
  if (it.struck || listed(hints_->stopped, it.contact.id) || std::hypot(it.velocity.t1, it.velocity.t2) > it.rounding)
    return;
  for (const HeldContact& each : before_)
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

// Contacts that act on one another, through D of the contacts `motion_` was prepared with; indices into `contacts`.
std::vector<std::vector<std::size_t>> Instant::coupled_groups(const std::vector<std::size_t>& contacts) const {
  const Eigen::MatrixXd& D = motion_->inertia();
  const Eigen::Index rows = contact_rows(model_);
  const std::size_t count = contacts.size();
  std::vector<std::size_t> group(count);
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto block = [&](std::size_t i, std::size_t j) {
    return D.block(rows * static_cast<Eigen::Index>(i), rows * static_cast<Eigen::Index>(j), rows, rows)
        .cwiseAbs()
        .maxCoeff();
  };
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (block(i, j) > 1e-12 * std::sqrt(block(i, i) * block(j, j))) {
        const std::size_t from = group[i], to = group[j];
        for (std::size_t& each : group)
          if (each == from) each = to;
      }
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < count; ++i)
      if (group[i] == k) members.push_back(i);
    if (!members.empty()) groups.push_back(members);
  }
  return groups;
}

bool Instant::slips(const Touching& it) { return std::hypot(it.velocity.t1, it.velocity.t2) > 0; }

bool Instant::begins(const HeldContact& held, const Touching& it) const {
  if (model_.dimension == Dimension::planar || held.mode != ContactMode::slip || held.friction.static_coefficient == 0)
    return false;
  if (!slips(it)) return true;
  const auto old = std::find_if(before_.begin(), before_.end(), [&](const auto& each) { return each.id == held.id; });
  return old != before_.end() && old->beginning && !it.struck;
}

// What does not slip yet has no slip at all, whatever it begins to do.
ClosedContact Instant::closed_contact(const Touching& it) const {
  const bool rough = contact_friction(model_, it.contact).static_coefficient > 0;
  return {it.contact.id, rough && !slips(it) ? ContactMode::stick : ContactMode::slip};
}

// Slip left over from an impact that would halt within a distance no one can see has halted: contacts do not open and
// close again because of it.
void Instant::forget_faint_slip(Touching& it, std::size_t position) const {
  constexpr double unseen = 1e-13;  // [m]
  const Eigen::Index rows = contact_rows(model_);
  const auto f = motion_->free_acceleration().segment(rows * static_cast<Eigen::Index>(position), rows);
  if (it.struck && it.velocity.t1 * it.velocity.t1 + it.velocity.t2 * it.velocity.t2 < unseen * f.norm())
    it.velocity.t1 = it.velocity.t2 = 0;
}

// The modes of all that rests. Every group of coupled contacts is a problem of its own.
SimulationStatus Instant::settle(State& state) {
  std::vector<std::size_t> list;
  std::vector<HeldContact> held;
  MotionFault fault = MotionFault::lost_contact;
  while (fault == MotionFault::lost_contact) {
    list = resting();
    held.clear();
    for (const std::size_t i : list) held.push_back(held_contact(i));
    motion_->hold(held);
    if (held.empty()) return SimulationStatus::ready;
    fault = motion_->prepare(model_, state, *force_, *workspace_);
    // On the border of two kinds of contact the closing of gaps may have ended one: others stand for it.
    for (Touching& each : touching_)
      each.gone = each.gone || (fault == MotionFault::lost_contact && each.contact.id == motion_->lost());
  }
  if (fault != MotionFault::none)
    return fail(fault == MotionFault::singular ? SimulationStatus::singular : SimulationStatus::non_finite,
                "the accelerations of closed contacts cannot be computed");
  for (std::size_t k = 0; k < list.size(); ++k) forget_faint_slip(touching_[list[k]], k);
  for (const std::vector<std::size_t>& group : coupled_groups(list))
    if (!find_group_modes(group, list, held))
      return fail(SimulationStatus::unsolved_modes,
                  fmt::format("no forces obey Coulomb's law at {}",
                              contact_name(model_, touching_[list[group.front()]].contact)));
  for (std::size_t k = 0; k < list.size(); ++k) held[k].beginning = begins(held[k], touching_[list[k]]);
  std::erase_if(held, [](const HeldContact& each) { return each.mode == ContactMode::free; });
  std::vector<ClosedContact> closed;
  for (const Touching& each : touching_)
    if (std::any_of(held.begin(), held.end(), [&](const HeldContact& other) { return other.id == each.contact.id; }))
      closed.push_back(closed_contact(each));
  closure_.close(model_, closed, state, *workspace_);
  motion_->hold(std::move(held));
  return SimulationStatus::ready;
}

Instant::Verdict Instant::single_mode(std::size_t index, std::size_t position, HeldContact& held) const {
  const Eigen::MatrixXd& D = motion_->inertia();
  const Eigen::Index rows = contact_rows(model_);
  const Touching& it = touching_[index];
  const Eigen::Index row = rows * static_cast<Eigen::Index>(position);
  const ContactVector f = contact_entries(motion_->free_acceleration(), position, rows);
  if (held.friction.static_coefficient == 0) {
    held.mode = f.n < 0 ? ContactMode::slip : ContactMode::free;
    return Verdict::found;
  }
  const ContactInertia inertia = rows == 2
                                     ? planar_inertia(D(row, row), D(row + 1, row), D(row + 1, row + 1))
                                     : spatial_inertia(D(row, row), D(row + 1, row), D(row + 2, row),
                                                       D(row + 1, row + 1), D(row + 1, row + 2), D(row + 2, row + 2));
  const SlipState slip = slip_of(it.velocity);
  if (slip.speed > 0) {
    const SlipVerdict verdict = judge_slip(inertia, held.friction.kinetic_coefficient, slip.direction, f);
    if (verdict.mode == SlipMode::inconsistent) return Verdict::wedged;
    held.mode = verdict.mode == SlipMode::slides ? ContactMode::slip : ContactMode::free;
    return Verdict::found;
  }
  RestVerdict verdict;
  if (listed(hints_->broken, held.id)) {
    for (const double by : weakenings) {
      verdict = judge_rest(inertia, weakened(held.friction, by), f);
      if (verdict.count == 0 || verdict.chosen().mode != RestMode::sticks) break;
    }
  } else {
    const bool halts = listed(hints_->stopped, held.id);
    verdict = judge_rest(inertia, halts ? strengthened(held.friction) : held.friction, f);
  }
  if (verdict.count == 0) return Verdict::open;  // D may be singular, which the search for many contacts allows for
  const RestSolution& chosen = verdict.chosen();
  held.mode = chosen.mode == RestMode::detaches ? ContactMode::free
              : chosen.mode == RestMode::sticks ? ContactMode::stick
                                                : ContactMode::slip;
  held.direction = chosen.direction;
  return Verdict::found;
}

bool Instant::find_group_modes(const std::vector<std::size_t>& group, const std::vector<std::size_t>& list,
                               std::vector<HeldContact>& held) {
  ++searches_;
  const Eigen::Index rows = contact_rows(model_);
  const auto row_of = [&](std::size_t i) { return rows * static_cast<Eigen::Index>(i); };
  if (group.size() == 1) {
    const Verdict verdict = single_mode(list[group[0]], group[0], held[group[0]]);
    if (verdict != Verdict::open) return verdict == Verdict::found;
  }
  ModesProblem problem;
  problem.dimension = model_.dimension;
  const Eigen::Index size = row_of(group.size());
  problem.inertia.resize(size, size);
  problem.free_acceleration.resize(size);
  problem.velocity.resize(size);
  std::vector<ContactMode> guess;
  for (std::size_t a = 0; a < group.size(); ++a) {
    for (std::size_t b = 0; b < group.size(); ++b)
      problem.inertia.block(row_of(a), row_of(b), rows, rows) =
          motion_->inertia().block(row_of(group[a]), row_of(group[b]), rows, rows);
    problem.free_acceleration.segment(row_of(a), rows) = motion_->free_acceleration().segment(row_of(group[a]), rows);
    const Touching& it = touching_[list[group[a]]];
    const HeldContact& own = held[group[a]];
    const double slip[] = {it.velocity.n, it.velocity.t1, it.velocity.t2};
    for (Eigen::Index r = 0; r < rows; ++r) problem.velocity[row_of(a) + r] = slip[r];
    const bool broken = listed(hints_->broken, own.id);
    problem.friction.push_back(listed(hints_->stopped, own.id) ? strengthened(own.friction) : own.friction);
    guess.push_back(broken || std::hypot(slip[1], slip[2]) > 0 ? ContactMode::slip : ContactMode::stick);
  }
  ModesReport report;
  for (const double by : weakenings) {
    bool still = false;  // a contact that broke sticks all the same
    for (std::size_t a = 0; a < group.size(); ++a) {
      const HeldContact& own = held[group[a]];
      if (listed(hints_->broken, own.id)) problem.friction[a] = weakened(own.friction, by);
    }
    report = find_modes(problem, guess);
    if (report.solutions.empty()) {
      if (const Moment moment = press_for_a_moment(problem); moment.answered && !moment.jams) {
        report = find_modes(problem, moment.modes);
        // What they do is known, if not the exact share of each.
        if (report.solutions.empty())
          report.solutions.push_back({moment.modes, moment.result.impulse, moment.acceleration});
      }
    }
    if (report.solutions.empty()) return false;
    for (std::size_t a = 0; a < group.size(); ++a)
      still = still ||
              (listed(hints_->broken, held[group[a]].id) && report.solutions.front().modes[a] == ContactMode::stick);
    if (!still) break;
  }
  const ModesSolution& solution = report.solutions.front();
  for (std::size_t a = 0; a < group.size(); ++a) {
    HeldContact& own = held[group[a]];
    own.mode = solution.modes[a];
    const Touching& it = touching_[list[group[a]]];
    if (own.mode == ContactMode::stick && own.friction.static_coefficient == 0) own.mode = ContactMode::slip;
    if (own.mode != ContactMode::slip || slips(it)) continue;
    const ContactVector begins = contact_entries(solution.acceleration, a, rows);
    if (const SlipState slip = slip_of(begins); slip.speed > 0) own.direction = slip.direction;
  }
  return true;
}

// Bounces that are too small to be followed, in a geometric sequence, or below rounding: what is left of the normal
// velocity is taken out, and the time at which the sequence ends is noted. True when something was done.
bool Instant::complete_bounces(State& state) {
  if (motion_->compute(model_, state, *force_, *workspace_) != MotionFault::none) return false;
  Eigen::MatrixXd J(contact_rows(model_), model_.velocities);
  // What rests goes on resting, so that contacts do not throw one another up for ever.
  std::vector<ClosedContact> closed;
  for (const std::size_t i : resting()) closed.push_back(closed_contact(touching_[i]));
  bool any = false;
  for (Touching& each : touching_) {
    const double speed = each.velocity.n;
    if (!each.struck || !(speed > 0)) continue;
    contact_jacobian(model_, *workspace_, each.contact, J);
    const double pull = -contact_acceleration(model_, *workspace_, each.contact, J, state, motion_->acceleration()).n;
    if (!(pull > 0)) continue;
    const double height = speed * speed / (2 * pull), flight = 2 * speed / pull;
    const auto ratio = bounces_.ratio(each.contact.id);
    const double size = size_of(state);
    // The usual height asks for a geometric sequence too.
    const double least = ratio ? hints_->unresolved_height : 1e-2 * hints_->unresolved_height;
    if (!(height < std::max(rounding_height, least) * size)) continue;
    const double rest = flight / (1 - std::min(ratio.value_or(0), 0.999));
    completed_.push_back({state.time + rest, each.contact.id, speed});
    bounces_.forget(each.contact.id);
    closed.push_back(closed_contact(each));
    any = true;
  }
  if (!any) return false;
  closure_.close_velocity(model_, closed, state, *workspace_);
  update_velocities(state);
  for (const ClosedContact& done : closed)
    for (Touching& each : touching_)
      if (each.contact.id == done.id) {
        each.velocity.n = 0;
        if (done.mode == ContactMode::stick) each.velocity.t1 = each.velocity.t2 = 0;
      }
  return true;
}

void Instant::note_changes(const std::vector<HeldContact>& before, const State& state) {
  const auto add = [&](EventKind kind, std::size_t index) {
    Event event;
    event.time = state.time;
    event.kind = kind;
    event.velocity_before = event.velocity_after = state.v;
    event.position = state.q;
    const Touching& it = touching_[index];
    event.contacts.push_back(
        {it.contact.id, contact_name(model_, it.contact), it.velocity, it.velocity, {}, Mode::none, 0});
    events_.push_back(std::move(event));
  };
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const ContactId id = touching_[i].contact.id;
    const auto same = [&](const HeldContact& each) { return each.id == id; };
    const auto old = std::find_if(before.begin(), before.end(), same);
    const auto now = std::find_if(motion_->held().begin(), motion_->held().end(), same);
    if (now == motion_->held().end()) {
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

}  // namespace routh
