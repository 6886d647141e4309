#include "routh/impact/bounds.h"

#include <cmath>
#include <limits>

#include "routh/impact/inertia.h"
#include "routh/impact/solve.h"

namespace routh {

namespace {

using namespace internal;

constexpr double none = std::numeric_limits<double>::infinity();

double inverse(double slope) { return slope == 0 ? none : 1 / slope; }

// dv_t/dI_n of slip along σ.
Tangent slip_rate(const ContactInertia& d, double mu, Tangent sigma) {
  const Tangent friction = apply_tangential(d, sigma);
  return {d.c1 - mu * friction.t1, d.c2 - mu * friction.t2};
}

IncrementStretch stretch_of(const ImpactProblem& problem, const Phase& phase) {
  const ContactInertia& d = problem.inertia;
  const bool planar = d.dimension == Dimension::planar;
  if (phase.kind == PhaseKind::stick) {
    const Tangent h = solve_tangential(d, coupling(d));
    return {phase.kind, inverse(d.stick_slope), planar ? 0 : none, {1, -h.t1, -h.t2}};
  }
  const double mu = problem.friction.kinetic_coefficient;
  const Tangent sigma{phase.direction_t1, phase.direction_t2};
  const double epsilon = planar ? inverse(slip_rate(d, mu, sigma).t1) : none;
  return {phase.kind, inverse(slip_slope(d, mu, sigma)), epsilon, {1, -mu * sigma.t1, -mu * sigma.t2}};
}

bool slips(const Phase& phase) { return phase.kind == PhaseKind::slip || phase.kind == PhaseKind::jam; }

double halt_impulse(const ImpactProblem& problem, const ImpactResult& result, const IncrementStretch& first) {
  const Phase* phase = result.begin();
  if (!slips(*phase)) return 0;
  if (problem.inertia.dimension == Dimension::planar) {
    const double slip = problem.velocity.t1 - problem.surface_velocity.t1;
    return slip * first.epsilon < 0 ? -slip * first.epsilon : none;
  }
  while (phase != result.end() && slips(*phase)) ++phase;
  return phase == result.end() ? none : (phase - 1)->normal_impulse;
}

}  // namespace

std::optional<IncrementNumbers> compute_increment_numbers(const ImpactProblem& problem, const ImpactResult& result) {
  const bool increment = result.law == Law::newton || result.law == Law::poisson || result.law == Law::energetic;
  const bool answered = result.status == ImpactStatus::ok || result.status == ImpactStatus::locked;
  if (!increment || !answered || result.phase_count == 0 || largest(problem.push) > 0) return std::nullopt;
  IncrementNumbers n;
  n.first = stretch_of(problem, *result.begin());
  n.last = stretch_of(problem, *(result.end() - 1));
  n.halt_impulse = halt_impulse(problem, result, n.first);

  const double approach = problem.velocity.n - problem.surface_velocity.n;
  const bool straight = problem.inertia.dimension == Dimension::planar && slips(*result.begin()) && n.first.zeta > 0;
  n.slip_compression_impulse = straight ? -n.first.zeta * approach : none;
  n.slip_end_impulse = (1 + result.restitution) * n.slip_compression_impulse;

  // Without restitution the impact is its compression.
  ImpactProblem plastic = problem;
  plastic.restitution = {};
  plastic.restitution.normal = 0;
  const ImpactResult compression = solve_impact(plastic, Law::energetic);
  const bool once = compression.status == result.status && !result.has(Warning::recompression) &&
                    !compression.has(Warning::recompression);
  n.compression_impulse = once ? compression.impulse.n : none;
  n.compression_work = once ? compression.energy.normal_work : none;
  n.restitution_work = once ? result.energy.normal_work - compression.energy.normal_work : none;
  return n;
}

Eigen::VectorXd velocity_per_impulse(const MachineState& machine, const IncrementStretch& stretch) {
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(machine.velocity.size());
  const Eigen::VectorXd external;
  const MachineState still{machine.mass_matrix, machine.jacobian, rest, machine.bilateral, external};
  Reduction reduction(static_cast<int>(rest.size()), static_cast<int>(machine.bilateral.rows()));
  reduction.compute(still);
  ImpactResult unit;
  unit.impulse = stretch.ratio;
  reduction.expand(still, unit);
  return reduction.velocity_after();
}

}  // namespace routh
