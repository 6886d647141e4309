#include "routh/compliant/compliant_impact.h"

#include <algorithm>
#include <cmath>

#include "routh/compliant/increment.h"
#include "routh/compliant/tolerances.h"
#include "routh/impact/inertia.h"

namespace routh {

using namespace internal;

namespace {

// Rigid tangents, too soft a spring to tell from one, no friction; and a contact without approach that no slip presses
// (A = 0): it loads no spring before slip has halted.
bool is_rigid(const StrikeInput& in, double compliance) {
  if (compliance < tolerances::tangential_compliance_min || in.friction.kinetic_coefficient == 0) return true;
  if (in.velocity.n < 0) return false;
  const Tangent v = tangent(in.velocity);
  const double speed = norm(v);
  return !(slip_slope(in.inertia, in.friction.kinetic_coefficient, {v.t1 / speed, v.t2 / speed}) < 0);
}

// Whether the rigid law sees an impact at all.
bool is_impact(ImpactStatus status) {
  switch (status) {
    case ImpactStatus::ok:
    case ImpactStatus::no_solution:
    case ImpactStatus::locked:
      return true;
    case ImpactStatus::no_impact:
    case ImpactStatus::undefined:
    case ImpactStatus::ill_conditioned:
    case ImpactStatus::invalid:
    case ImpactStatus::overflow:
    case ImpactStatus::not_converged:
      return false;
  }
  return false;
}

void leave_unchanged(const ImpactProblem& problem, ImpactResult& out) {
  out.velocity = plus(problem.velocity, problem.push);
  out.relative_velocity = minus(out.velocity, problem.surface_velocity);
  out.impulse = {};
  out.energy = {};
  out.phase_count = 0;
}

double scalar_product(const ContactVector& p, const ContactVector& q) { return p.n * q.n + p.t1 * q.t1 + p.t2 * q.t2; }

// From the contact's own motion to the ledger of the problem. False where both sides do not agree.
bool close_ledger(const ImpactProblem& problem, const PushedStart& start, ImpactResult& out) {
  const ContactVector& i = out.impulse;
  const ContactVector before = plus(problem.velocity, problem.push);
  const ContactVector mean = times(plus(start.velocity, out.relative_velocity), 0.5);
  out.relative_velocity.n += start.after;
  out.velocity = plus(out.relative_velocity, problem.surface_velocity);
  EnergyLedger& energy = out.energy;
  energy.supplied = scalar_product(i, problem.surface_velocity) + i.n * start.after;
  energy.change = 0.5 * scalar_product(i, plus(before, out.velocity));
  const double work = energy.normal_work + energy.tangential_work;
  const double passed = std::abs(energy.normal_work) + std::abs(energy.tangential_work) +
                        std::abs(i.n * start.velocity.n) + std::abs(i.t1 * start.velocity.t1) +
                        std::abs(i.t2 * start.velocity.t2);
  energy.consistent = work <= tolerances::energy_gain_relative * passed;
  if (!energy.consistent) out.warn(Warning::energy_gain);
  return std::abs(work - scalar_product(i, mean)) <= tolerances::ledger_mismatch_relative * passed;
}

ImpactResult solve(const ImpactProblem& problem, double compliance, Path* path) {
  ImpactResult rigid = solve_impact(problem, Law::energetic);
  if (!is_impact(rigid.status)) return rigid;
  const PushedStart start = start_of(problem);
  const StrikeInput in = strike_input(problem, start, Law::energetic);
  if (is_rigid(in, compliance)) {
    if (path) *path = trace_impact(problem, Law::energetic);
    return rigid;
  }
  ImpactResult out;
  if (rigid.has(Warning::tangential_restitution_ignored)) out.warn(Warning::tangential_restitution_ignored);
  CompliantIncrement(in, compliance, out, path).run();
  if (out.status == ImpactStatus::ok) {
    const bool agrees = close_ledger(problem, start, out);
    const double sum =
        scalar_product(out.velocity, {1, 1, 1}) + scalar_product(out.impulse, {1, 1, 1}) + out.energy.change;
    if (!std::isfinite(sum))
      out.status = ImpactStatus::overflow;
    else if (!agrees)
      out.status = ImpactStatus::ill_conditioned;
  }
  if (!usable(out.status)) leave_unchanged(problem, out);
  return out;
}

}  // namespace

ImpactResult solve_compliant_impact(const ImpactProblem& problem, double tangential_compliance) {
  if (!check_compliant(problem, tangential_compliance).rule) return solve(problem, tangential_compliance, nullptr);
  ImpactResult out;
  out.status = ImpactStatus::invalid;
  return out;
}

std::vector<PathPoint> trace_compliant_impact(const ImpactProblem& problem, double tangential_compliance) {
  Path path;
  if (check_compliant(problem, tangential_compliance).rule) return path;
  if (!usable(solve(problem, tangential_compliance, &path).status)) path.clear();
  return path;
}

Violation check_compliant(const ImpactProblem& problem, double compliance) {
  if (const Violation broken = check(problem); broken.rule) return broken;
  if (compliance >= 0 && std::isfinite(compliance)) return {};
  return {"tangential_compliance", compliance, "must be zero or positive, and finite"};
}

double restitution_at_slip(const ImpactProblem& problem, double normal, double loss) {
  if (loss == 0) return std::clamp(normal, 0.0, 1.0);
  const ContactVector v = minus(problem.velocity, problem.surface_velocity);
  const double slip = norm(tangent(v));
  if (slip == 0) return std::clamp(normal, 0.0, 1.0);
  return v.n < 0 ? std::clamp(normal - loss * slip / -v.n, 0.0, 1.0) : 0;
}

}  // namespace routh
