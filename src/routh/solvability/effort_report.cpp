#include "routh/solvability/effort.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

bool all_at_rest(const ModesProblem& contacts) {
  for (Eigen::Index row = 0; row < contacts.velocity.size(); row += contacts.rows())
    if (!contacts.velocity.segment(row + 1, contacts.rows() - 1).isZero(0)) return false;
  return true;
}

HoldVerdict verdict_of(const ModesProblem& contacts, const ModesReport& modes) {
  return judge_hold(contacts, modes, Eigen::MatrixXd(contacts.inertia.rows(), 0)).verdict;
}

// Of contacts at rest some forces that hold are enough, since what can hold is taken to hold: so they open only where
// none do. A slip must be the answer that is taken.
bool does(const ModesProblem& contacts, const ModesReport& modes, HoldVerdict verdict,
          const std::vector<ContactAim>& aims) {
  const bool stays = std::count(aims.begin(), aims.end(), ContactAim::stay) == static_cast<std::ptrdiff_t>(aims.size());
  const bool holds = verdict == HoldVerdict::must_hold || verdict == HoldVerdict::can_hold;
  if (all_at_rest(contacts) && (stays || holds)) return stays && holds;
  if (modes.solutions.empty()) return false;
  const ModesSolution& taken = modes.solutions.front();
  for (std::size_t c = 0; c < aims.size(); ++c)
    if ((aims[c] == ContactAim::open) != (taken.modes[c] == ContactMode::free)) return false;
  return true;
}

EffortProblem without_limits(EffortProblem problem) {
  problem.lower.setConstant(-std::numeric_limits<double>::infinity());
  problem.upper.setConstant(std::numeric_limits<double>::infinity());
  return problem;
}

// What the efforts of the answer bring about.
void judge(const EffortProblem& problem, EffortCure& cure) {
  const ModesProblem after = with_effort(problem, cure.answer.effort);
  const ModesReport modes = examine_modes(after);
  cure.after = verdict_of(after, modes);
  if (!does(after, modes, cure.after, cure.aims))
    cure.outcome = EffortOutcome::not_unique;
  else if (cure.outcome == EffortOutcome::found && cure.answer.effort.isZero(0))
    cure.outcome = EffortOutcome::needless;
}

EffortCure cure_for(const EffortProblem& problem, ContactAim aim) {
  EffortCure cure;
  cure.aims.assign(problem.contacts.friction.size(), aim);
  const auto fulfilled = [&](const EffortProblem& with) {
    // Exactly zero where nothing needs to change: the least by rounding is no advice.
    if (effort_fulfils(with, cure.aims, Eigen::VectorXd::Zero(with.efforts()))) {
      EffortProblem none = with;
      none.lower.setZero();
      none.upper.setZero();
      return least_effort(none, cure.aims);
    }
    return least_effort(with, cure.aims);
  };
  cure.answer = fulfilled(problem);
  cure.outcome = cure.answer.exists ? EffortOutcome::found : EffortOutcome::none;
  if (!cure.answer.exists) {
    cure.answer = least_effort(without_limits(problem), cure.aims);
    if (cure.answer.exists) cure.outcome = EffortOutcome::limited;
  }
  if (cure.answer.exists) judge(problem, cure);
  for (Eigen::Index k = 0; k < problem.efforts(); ++k)
    cure.alone.push_back(cure.outcome == EffortOutcome::not_unique ? EffortRange{}
                                                                   : effort_range(problem, cure.aims, k));
  return cure;
}

EffortCure cure_of_jam(const EffortProblem& problem) {
  EffortCure cure;
  EffortChoice choice = least_effort_of_any(problem);
  cure.outcome = choice.answer.exists ? EffortOutcome::found : EffortOutcome::none;
  if (!choice.answer.exists) {
    choice = least_effort_of_any(without_limits(problem));
    if (choice.answer.exists) cure.outcome = EffortOutcome::limited;
  }
  cure.answer = std::move(choice.answer);
  cure.aims = std::move(choice.aims);
  if (cure.answer.exists) judge(problem, cure);
  return cure;
}

void judge_slips(const ModesProblem& contacts, EffortReport& out) {
  const Eigen::Index rows = contacts.rows();
  for (int c = 0; c < contacts.count(); ++c) {
    const Eigen::Index row = c * rows;
    const auto d = contacts.inertia.block(row, row, rows, rows);
    const auto f = contacts.free_acceleration.segment(row, rows), v = contacts.velocity.segment(row, rows);
    const bool spatial = rows == 3;
    const SlipState slip = slip_of({0, v[1], spatial ? v[2] : 0});
    if (!(slip.speed > 0)) {
      out.slips.emplace_back();
      continue;
    }
    const ContactInertia inertia = spatial ? spatial_inertia(d(0, 0), d(0, 1), d(0, 2), d(1, 1), d(1, 2), d(2, 2))
                                           : planar_inertia(d(0, 0), d(0, 1), d(1, 1));
    const double mu = contacts.friction[static_cast<std::size_t>(c)].kinetic_coefficient;
    out.slips.emplace_back(
        judge_slip(inertia, std::min(mu, widest_friction), slip.direction, {f[0], f[1], spatial ? f[2] : 0}));
  }
}

// d(‖λ_t‖/λ_n) = (λ̂_tᵀ dλ_t − ‖λ_t‖/λ_n dλ_n) / λ_n; without friction the length of dλ_t has no sign.
void add_friction_rates(const ModesProblem& contacts, EffortReport& out) {
  const Eigen::Index rows = contacts.rows(), efforts = out.acceleration_rates.cols();
  out.friction_demand.setConstant(contacts.count(), -1);
  out.friction_rates.setZero(contacts.count(), efforts);
  if (!out.force_rates) return;
  for (int c = 0; c < contacts.count(); ++c) {
    const Eigen::Index row = c * rows;
    if (out.modes[static_cast<std::size_t>(c)] != ContactMode::stick || !(out.force[row] > 0)) continue;
    const double normal = out.force[row];
    const Eigen::VectorXd tangent = out.force.segment(row + 1, rows - 1);
    const double demand = out.friction_demand[c] = tangent.norm() / normal;
    if (demand == 0) continue;
    const auto& rates = out.force_rates->force;
    out.friction_rates.row(c) =
        (tangent.stableNormalized().transpose() * rates.middleRows(row + 1, rows - 1) - demand * rates.row(row)) /
        normal;
  }
}

}  // namespace

EffortReport examine_efforts(const EffortProblem& problem) {
  EffortReport out;
  out.slipping = !all_at_rest(problem.contacts);
  out.hold = cure_for(problem, ContactAim::stay);
  out.let_go = cure_for(problem, ContactAim::open);
  const ModesReport modes = examine_modes(problem.contacts);
  out.verdict = verdict_of(problem.contacts, modes);
  out.acceleration_rates = problem.response;
  judge_slips(problem.contacts, out);
  // What can hold is taken to hold.
  const bool holds = out.verdict == HoldVerdict::must_hold || out.verdict == HoldVerdict::can_hold;
  const auto taken = std::find_if(modes.solutions.begin(), modes.solutions.end(), [&](const ModesSolution& solution) {
    return !holds || std::all_of(solution.modes.begin(), solution.modes.end(),
                                 [](ContactMode mode) { return mode == ContactMode::stick; });
  });
  if (taken != modes.solutions.end()) {
    out.modes = taken->modes;
    out.force = taken->force;
    out.force_rates = effort_rates(problem, *taken);
  }
  add_friction_rates(problem.contacts, out);
  if (out.verdict == HoldVerdict::jams) out.no_jam = cure_of_jam(problem);
  return out;
}

}  // namespace routh
