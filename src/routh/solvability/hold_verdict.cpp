#include "routh/solvability/contact_modes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "routh/solvability/other_motions.h"
#include "routh/solvability/rest_border.h"
#include "routh/solvability/slip_forces.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool slips(const ModesProblem& problem) {
  for (Eigen::Index row = 0; row < problem.velocity.size(); row += problem.rows())
    if (!problem.velocity.segment(row + 1, problem.rows() - 1).isZero(0)) return true;
  return false;
}

// The place between `inside`, where the shortfall is zero, and `outside`, where it is not, from which it is not. Beyond
// it the shortfall rises about linearly (along a load it is convex), so that a secant through two places outside meets
// it from outside.
double border(double inside, double outside, const std::function<double(double)>& shortfall) {
  const double width = std::abs(outside - inside);
  double r = shortfall(outside), beyond = 0, r_beyond = 0;
  bool bisect = true;
  for (int k = 0; k < tolerances::rest_border_steps_max; ++k) {
    double next = 0.5 * (inside + outside);
    if (!bisect) {
      const double secant = outside + r * (outside - beyond) / (r_beyond - r);
      bisect = !(r_beyond > r) || !((secant - inside) * (outside - secant) > 0);
      if (!bisect) next = secant;
    }
    const double step = std::abs(next - outside);
    if (step <= tolerances::rest_border_width * width) return next;
    const double there = shortfall(next);
    if (there > 0) {
      beyond = outside;
      r_beyond = r;
      outside = next;
      r = there;
      bisect = false;
      continue;
    }
    if (!bisect && step <= tolerances::rest_border_secant * width) return next;
    if (std::abs(next - inside) <= tolerances::rest_border_width * width) return inside;
    inside = next;
    bisect = true;
  }
  return 0.5 * (inside + outside);
}

// Scaled by a factor, or one of them set.
class Frictions {
 public:
  explicit Frictions(const ModesProblem& problem) : friction_(problem.friction) {}

  static double times(double factor, double coefficient) { return coefficient == 0 ? 0 : factor * coefficient; }

  std::vector<Friction> scaled(double factor) const {
    std::vector<Friction> all = friction_;
    for (Friction& f : all) f = {times(factor, f.static_coefficient), times(factor, f.kinetic_coefficient)};
    return all;
  }

  // μ_s as given, μ_k in proportion.
  std::vector<Friction> with(std::size_t contact, double coefficient) const {
    std::vector<Friction> all = friction_;
    const Friction& own = friction_[contact];
    const double share = own.static_coefficient > 0 ? own.kinetic_coefficient / own.static_coefficient : 1;
    all[contact] = {coefficient, times(coefficient, share)};
    return all;
  }

 private:
  std::vector<Friction> friction_;
};

Eigen::VectorXd static_ones(const std::vector<Friction>& friction) {
  Eigen::VectorXd all(static_cast<Eigen::Index>(friction.size()));
  for (std::size_t c = 0; c < friction.size(); ++c) all[static_cast<Eigen::Index>(c)] = friction[c].static_coefficient;
  return all;
}

using Coefficients = OtherMotions::Coefficients;

// The border between a value with which rest is possible and one with which it is not.
double border(const RestForces& forces, const RestQuestion& question, double inside, double outside) {
  const auto shortfall = [&](double x) { return forces.shortfall(question.friction(x), question.load(x)); };
  const double near = border(inside, outside, shortfall);
  if (forces.scaled().dimension == Dimension::planar) return near;
  const double beside = tolerances::border_beside * std::max(std::abs(near), std::abs(outside - inside));
  return exact_border(forces, question, near, near + (outside > inside ? beside : -beside)).value_or(near);
}

HoldThreshold rest_threshold(const RestForces& forces, const Coefficients& friction) {
  if (!forces.reachable()) return {infinity, false, {}};
  const RestQuestion question{[&](double s) { return static_ones(friction(s)); },
                              [&](double) { return Eigen::VectorXd(Eigen::VectorXd::Zero(forces.rank())); }};
  const auto shortfall = [&](double s) { return forces.shortfall(question.friction(s)); };
  if (shortfall(0) == 0) return {0, true, {}};
  if (shortfall(infinity) > 0) return {infinity, false, {}};
  double high = 1;
  while (shortfall(high) > 0) {
    high *= 2;
    if (high > tolerances::rest_friction_max) return {infinity, false, {}};
  }
  double low = high / 2;
  while (shortfall(low) == 0) {
    high = low;
    low /= 2;
    if (low < tolerances::rest_friction_min) return {0, false, {}};
  }
  const double from = border(forces, question, high, low);
  const double outside = shortfall(from * (1 - tolerances::rest_border_beside));
  return {from, outside <= tolerances::rest_border_jump * forces.size(), {}};
}

// Where rest is not possible, some motion is: of contacts at rest one or the other always is.
HoldThreshold threshold(const RestForces& forces, const OtherMotions* motions, const Coefficients& friction) {
  HoldThreshold result = rest_threshold(forces, friction);
  if (forces.holds(Eigen::VectorXd::Zero(forces.scaled().count)))
    result.motions.emplace();  // at rest without friction: the other forces have no power along any motion
  else if (std::isinf(result.rest_from))
    result.motions.emplace(1, MotionRange{0, infinity});
  else if (motions && motions->known())
    result.motions = motions->ranges(friction, result.rest_from);
  return result;
}

// Another multiple of a load at which rest ends, from one at which it is possible; to the side of `sign`.
double end_of_load(const RestForces& forces, const RestQuestion& question, double from, double step) {
  double inside = from;
  for (double reach = step; std::abs(reach) <= tolerances::rest_load_max * std::abs(step); reach *= 2) {
    const double at = from + reach;
    if (forces.shortfall(question.friction(at), question.load(at)) > 0) return border(forces, question, inside, at);
    inside = at;
  }
  return step > 0 ? infinity : -infinity;
}

HoldRange range_of_load(const RestForces& forces, const Eigen::VectorXd& friction, const Eigen::VectorXd& load) {
  const double length = load.norm();
  if (!forces.reachable() || length == 0) return {};
  const RestQuestion question{[&](double) { return friction; },
                              [&](double multiple) { return Eigen::VectorXd(multiple * load); }};
  const auto shortfall = [&](double multiple) { return forces.shortfall(friction, multiple * load); };
  const double from = shortfall(0) == 0 ? 0 : forces.best_multiple(friction, load);
  if (shortfall(from) > 0) return {};
  const double unit = (forces.size() > 0 ? forces.size() : 1) / length;
  return {true, end_of_load(forces, question, from, -unit), end_of_load(forces, question, from, unit)};
}

HoldVerdict verdict_of_modes(const std::vector<ContactMode>& modes) {
  const auto has = [&](ContactMode mode) { return std::find(modes.begin(), modes.end(), mode) != modes.end(); };
  if (has(ContactMode::slip)) return HoldVerdict::slides;
  if (!has(ContactMode::stick)) return HoldVerdict::lets_go;
  return has(ContactMode::free) ? HoldVerdict::tips : HoldVerdict::can_hold;
}

bool moves(const ModesSolution& solution) { return verdict_of_modes(solution.modes) != HoldVerdict::can_hold; }

void judge_slipping(const ModesProblem& problem, const ModesReport& report, HoldReport& out) {
  const bool complete = report.status == ModesStatus::complete;
  std::optional<bool> forces = !report.solutions.empty();
  if (report.solutions.empty() && !complete) {
    forces = slip_has_forces(problem);
    if (!forces && report.status == ModesStatus::sampled) {
      out.verdict = HoldVerdict::jams;
      out.motion = false;
    }
  }
  out.all_motions = complete || forces == false;
  if (!report.solutions.empty()) {
    out.motion = true;
    out.modes = report.solutions.front().modes;
    out.acceleration = report.solutions.front().acceleration;
    out.verdict = verdict_of_modes(out.modes);
  } else if (forces == false) {
    out.verdict = HoldVerdict::jams;
    out.motion = false;
  }
  if (forces) out.jam_factor = jam_factor(problem, *forces);
}

// A motion among the answers found, else another that can be found.
void find_motion(const ModesProblem& problem, const ModesReport& report, const OtherMotions& motions, HoldReport& out) {
  const auto found = std::find_if(report.solutions.begin(), report.solutions.end(), moves);
  if (found != report.solutions.end()) {
    out.motion = true;
    out.modes = found->modes;
    out.acceleration = found->acceleration;
    return;
  }
  if (!motions.known()) return;
  const std::vector<mode_search::Combination> others = motions.with(problem.friction);
  out.motion = !others.empty();
  if (!others.empty()) out.modes = others.front().modes;
}

}  // namespace

std::optional<double> HoldThreshold::only_rest_from() const {
  if (std::isinf(rest_from)) return rest_from;
  if (!motions) return std::nullopt;
  return motions->empty() ? rest_from : std::max(rest_from, motions->back().to);
}

bool can_rest(const ModesProblem& problem) {
  return !slips(problem) && RestForces(problem).holds(static_ones(problem.friction));
}

HoldReport judge_hold(const ModesProblem& problem, const ModesReport& report, const Eigen::MatrixXd& loads) {
  HoldReport out;
  out.friction = problem.friction;
  out.slipping = slips(problem);
  if (out.slipping) {
    judge_slipping(problem, report, out);
    return out;
  }
  const RestForces forces(problem);
  const OtherMotions motions(problem);
  const Frictions frictions(problem);
  const Eigen::VectorXd friction = static_ones(problem.friction);
  out.all_motions = motions.known() && motions.complete();
  out.factor = threshold(forces, &motions, [&](double s) { return frictions.scaled(s); });
  // In space the border is known better than whether rest is possible beside it.
  out.rest = out.factor.rest_from < 1 || (out.factor.attained && out.factor.rest_from <= 1) || forces.holds(friction);
  // Motions in space take so long that they are looked for with all friction alone.
  for (std::size_t c = 0; c < problem.friction.size(); ++c)
    out.contacts.push_back(threshold(forces, motions.complete() ? &motions : nullptr,
                                     [&, c](double mu) { return frictions.with(c, mu); }));
  out.any_load = forces.reachable() && forces.holds_any_load(friction);
  for (Eigen::Index k = 0; k < loads.cols(); ++k)
    out.loads.push_back(range_of_load(forces, friction, forces.load_of(loads.col(k))));
  const bool without_friction = out.factor.rest_from == 0 && out.factor.attained;
  if (without_friction)
    out.motion = false;
  else
    find_motion(problem, report, motions, out);
  if (out.rest)
    out.verdict = out.motion == false ? HoldVerdict::must_hold : HoldVerdict::can_hold;
  else
    out.verdict = out.modes.empty() ? HoldVerdict::unknown : verdict_of_modes(out.modes);
  return out;
}

}  // namespace routh
