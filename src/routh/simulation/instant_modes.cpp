// The modes of what stays closed after the impacts of an instant.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/impact/inertia.h"
#include "routh/math/elementary.h"
#include "routh/simulation/instant_parts.h"
#include "routh/simulation/moment.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"
#include "routh/solvability/single_contact.h"

namespace routh::internal {

namespace {

// Friction that can no longer hold: just below what it needed.
Friction weakened(const Friction& friction, double by) {
  const double mu = friction.kinetic_coefficient * (1 - by);
  return {mu, mu};
}
// That of contacts which together hold no longer: just below the static coefficient; slip keeps its own.
Friction eased(const Friction& friction, double by) {
  const double mu = friction.static_coefficient * (1 - by);
  return {mu, std::min(mu, friction.kinetic_coefficient)};
}
// Slip that halts where friction could just hold it goes on in neither way by rounding: it sticks.
Friction strengthened(const Friction& friction) {
  return {friction.static_coefficient * (1 + 100 * tolerances::friction_edge), friction.kinetic_coefficient};
}

}  // namespace

bool Instant::begins(const HeldContact& held, const Touching& it) const {
  if (model_.dimension == Dimension::planar || held.mode != ContactMode::slip || held.friction.static_coefficient == 0)
    return false;
  if (!slips(it)) return true;
  const auto old =
      std::find_if(problem_.held.begin(), problem_.held.end(), [&](const auto& each) { return each.id == held.id; });
  return old != problem_.held.end() && old->beginning && !it.struck;
}

// What does not slip yet has no slip at all, whatever it begins to do.
ClosedContact Instant::closed_contact(const Touching& it) const {
  const bool rough = contact_friction(model_, it.contact).static_coefficient > 0;
  return {it.contact.id, rough && !slips(it) ? ContactMode::stick : ContactMode::slip};
}

// Slip left over from an impact that would halt within a distance no one can see has halted: contacts do not open and
// close again because of it.
void Instant::forget_faint_slip(Touching& it, std::size_t position) const {
  const Eigen::Index rows = contact_rows(model_);
  const auto f = motion_.free_acceleration().segment(rows * static_cast<Eigen::Index>(position), rows);
  if (it.struck &&
      it.velocity.t1 * it.velocity.t1 + it.velocity.t2 * it.velocity.t2 < tolerances::unseen_distance * f.norm())
    it.velocity.t1 = it.velocity.t2 = 0;
}

// The modes of all that rests. Every group of coupled contacts is a problem of its own.
SimulationStatus Instant::settle() {
  std::vector<std::size_t> list;
  std::vector<HeldContact> held;
  prepared_.clear();
  std::erase_if(warned_, [](const Warned& each) { return each.warning == Warning::motion_not_unique; });
  MotionFault fault = MotionFault::lost_contact;
  while (fault == MotionFault::lost_contact) {
    list = resting();
    held.clear();
    for (const std::size_t i : list) held.push_back(held_contact(i));
    motion_.hold(held);
    if (held.empty()) {
      result_.held.clear();
      return SimulationStatus::ready;
    }
    fault = motion_.prepare(model_, result_.state, problem_.force, workspace_);
    // On the border of two kinds of contact the closing of gaps may have ended one: others stand for it.
    for (Touching& each : touching_)
      each.gone = each.gone || (fault == MotionFault::lost_contact && each.contact.id == motion_.lost());
  }
  if (fault != MotionFault::none)
    return fail(fault == MotionFault::singular ? SimulationStatus::singular : SimulationStatus::non_finite,
                "the accelerations of closed contacts cannot be computed");
  for (std::size_t k = 0; k < list.size(); ++k) forget_faint_slip(touching_[list[k]], k);
  for (const std::vector<std::size_t>& group : motion_.coupled_groups())
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
  result_.accounts += closure_.close(model_, closed, result_.state, workspace_).energy;
  result_.held = std::move(held);
  motion_.hold(result_.held);
  return SimulationStatus::ready;
}

Instant::Verdict Instant::single_mode(std::size_t index, std::size_t position, HeldContact& held) {
  const Eigen::MatrixXd& D = motion_.inertia();
  const Eigen::Index rows = contact_rows(model_);
  const Touching& it = touching_[index];
  const Eigen::Index row = rows * static_cast<Eigen::Index>(position);
  const ContactVector f = contact_entries(motion_.free_acceleration(), position, rows);
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
    if (verdict.mode == SlipMode::indeterminate) warn(held.id, Warning::motion_not_unique);
    held.mode = verdict.mode == SlipMode::slides ? ContactMode::slip : ContactMode::free;
    return Verdict::found;
  }
  RestVerdict verdict;
  const bool broken = listed(hints_.broken, held.id);
  if (broken || listed(hints_.strained, held.id)) {
    for (double by = tolerances::friction_edge; by < tolerances::friction_edge_most; by *= 100) {
      const Friction used = broken ? weakened(held.friction, by) : eased(held.friction, by);
      verdict = judge_rest(inertia, used, f);
      if (by > tolerances::friction_edge) warn_of_friction(held.id, used.static_coefficient);
      if (verdict.count == 0 || verdict.chosen().mode != RestMode::sticks) break;
    }
  } else {
    const auto sticks = [&] { return verdict.count > 0 && verdict.chosen().mode == RestMode::sticks; };
    verdict = judge_rest(inertia, held.friction, f);
    if (!sticks() && listed(hints_.stopped, held.id)) {
      verdict = judge_rest(inertia, strengthened(held.friction), f);
      if (sticks()) warn_of_friction(held.id, strengthened(held.friction).static_coefficient);
    }
  }
  if (verdict.count == 0) return Verdict::open;  // D may be singular, which the search for many contacts allows for
  if (verdict.answer == RestAnswer::several) warn(held.id, Warning::motion_not_unique);
  const RestSolution& chosen = verdict.chosen();
  held.mode = chosen.mode == RestMode::detaches ? ContactMode::free
              : chosen.mode == RestMode::sticks ? ContactMode::stick
                                                : ContactMode::slip;
  held.direction = chosen.direction;
  return Verdict::found;
}

bool Instant::find_group_modes(std::vector<std::size_t> group, const std::vector<std::size_t>& list,
                               std::vector<HeldContact>& held) {
  ++result_.searches;
  const Eigen::Index rows = contact_rows(model_);
  const auto row_of = [&](std::size_t i) { return rows * static_cast<Eigen::Index>(i); };
  // No force changes anything at a contact that nothing moves.
  std::erase_if(group, [&](std::size_t i) {
    const bool movable = motion_.inertia()(row_of(i), row_of(i)) > 0;
    if (!movable) held[i].mode = ContactMode::free;
    return !movable;
  });
  if (group.empty()) return true;
  if (group.size() == 1) {
    const Verdict verdict = single_mode(list[group[0]], group[0], held[group[0]]);
    if (verdict != Verdict::open) return verdict == Verdict::found;
  }
  ModesProblem problem = motion_.modes_problem(model_.dimension, group);
  std::vector<ContactMode> guess;
  for (std::size_t a = 0; a < group.size(); ++a) {
    const Touching& it = touching_[list[group[a]]];
    const HeldContact& own = held[group[a]];
    const double slip[] = {it.velocity.n, it.velocity.t1, it.velocity.t2};
    for (Eigen::Index r = 0; r < rows; ++r) problem.velocity[row_of(a) + r] = slip[r];
    const bool broken = listed(hints_.broken, own.id);
    problem.friction.push_back(listed(hints_.stopped, own.id) ? strengthened(own.friction) : own.friction);
    guess.push_back(broken || elementary::hypot(slip[1], slip[2]) > 0 ? ContactMode::slip : ContactMode::stick);
  }
  // Whether a contact is what it was before.
  const auto unchanged = [&](ContactId id, ContactMode mode) {
    return std::any_of(problem_.held.begin(), problem_.held.end(),
                       [&](const HeldContact& each) { return each.id == id && each.mode == mode; });
  };
  const bool strained =
      std::any_of(group.begin(), group.end(), [&](std::size_t i) { return listed(hints_.strained, held[i].id); });
  ModesReport report;
  bool estimated = false;
  for (double by = tolerances::friction_edge; by < tolerances::friction_edge_most; by *= 100) {
    bool still = false;          // a contact that broke sticks all the same
    bool gives_way = !strained;  // or some contact of a group that was to
    for (std::size_t a = 0; a < group.size(); ++a) {
      const HeldContact& own = held[group[a]];
      const bool broke = listed(hints_.broken, own.id);
      if (!broke && !listed(hints_.strained, own.id)) continue;
      problem.friction[a] = broke ? weakened(own.friction, by) : eased(own.friction, by);
      if (by > tolerances::friction_edge) warn_of_friction(own.id, problem.friction[a].static_coefficient);
    }
    report = find_modes(problem, guess);
    if (report.solutions.empty()) {
      if (const Moment moment = press_for_a_moment(problem); moment.answered && !moment.jams) {
        report = find_modes(problem, moment.modes);
        // What they do is known, if not the exact share of each.
        estimated = report.solutions.empty();
        if (estimated) {
          report.solutions.push_back({moment.modes, moment.result.impulse, moment.acceleration});
          for (const std::size_t i : group) warn(held[i].id, Warning::modes_estimated);
        }
      }
    }
    if (report.solutions.empty()) return false;
    for (std::size_t a = 0; a < group.size(); ++a) {
      const ContactId id = held[group[a]].id;
      const ContactMode mode = report.solutions.front().modes[a];
      still = still || (listed(hints_.broken, id) && mode == ContactMode::stick);
      gives_way = gives_way || !unchanged(id, mode);
    }
    if (!still && gives_way) break;
  }
  const ModesSolution& solution = report.solutions.front();
  if (!estimated && (!solution.acceleration_unique || other_motion_.exists(problem, solution)))
    for (const std::size_t i : group) warn(held[i].id, Warning::motion_not_unique);
  for (std::size_t a = 0; a < group.size(); ++a) {
    HeldContact& own = held[group[a]];
    own.mode = solution.modes[a];
    if (own.mode == ContactMode::stick && listed(hints_.stopped, own.id)) {
      const ContactVector force = contact_entries(solution.force, a, rows);
      if (elementary::hypot(force.t1, force.t2) > own.friction.static_coefficient * force.n)
        warn_of_friction(own.id, strengthened(own.friction).static_coefficient);
    }
    const Touching& it = touching_[list[group[a]]];
    if (own.mode == ContactMode::stick && own.friction.static_coefficient == 0) own.mode = ContactMode::slip;
    if (own.mode != ContactMode::slip || slips(it)) continue;
    const ContactVector begins = contact_entries(solution.acceleration, a, rows);
    if (const SlipState slip = slip_of(begins); slip.speed > 0) own.direction = slip.direction;
  }
  return true;
}

}  // namespace routh::internal
