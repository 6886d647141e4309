#include "routh/impact/solve.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/bounds.h"
#include "routh/impact/external_push.h"
#include "routh/impact/inertia.h"
#include "routh/impact/laws.h"
#include "routh/impact/restitution.h"
#include "routh/impact/tolerances.h"

namespace routh {

namespace {

// Scaling by powers of two is exact.
bool outside_window(double size) {
  return size != 0 && !(size < tolerances::unscaled_magnitude_max && size > 1 / tolerances::unscaled_magnitude_max);
}

double power_of_two_near(double size) { return size > 0 ? std::ldexp(1.0, std::ilogb(size)) : 1.0; }

bool finite(const ContactVector& v) { return std::isfinite(v.n) && std::isfinite(v.t1) && std::isfinite(v.t2); }

ContactInertia scaled(const ContactInertia& d, double f) {
  return {d.dimension, d.a * f, d.c1 * f, d.c2 * f, d.b11 * f, d.b12 * f, d.b22 * f, d.stick_slope * f};
}

void dispatch(const StrikeInput& in, ImpactResult& out, Path* path) {
  if (!is_incremental(in.law))
    solve_average_slip(in, out);
  else if (in.inertia.dimension == Dimension::planar)
    solve_planar(in, out, path);
  else
    solve_spatial(in, out, path);
}

// Infinite kinetic friction is the limit of large friction: slip halts after next to no normal impulse, and its
// tangential impulse is what stops it. A coefficient this large is within rounding of the limit.
double finite_friction(double mu, const ContactInertia& d) {
  if (std::isfinite(mu)) return mu;
  const double mobility = std::max(d.b11, d.b22);
  return tolerances::infinite_friction_ratio * (mobility > 0 ? std::max(1.0, d.a / mobility) : 1.0);
}

// Solves in scaled magnitudes.
void solve_scaled(StrikeInput& in, double speed, double size, ImpactResult& out, Path* path) {
  const double v = power_of_two_near(speed);
  const double d = power_of_two_near(size);
  in.velocity = times(in.velocity, 1 / v);
  in.restitution.speed_unit = v;
  in.stuck_t1 /= v;
  in.stuck_t2 /= v;
  in.inertia = scaled(in.inertia, 1 / d);
  dispatch(in, out, path);
  const double impulse = v / d;
  out.relative_velocity = times(out.relative_velocity, v);
  out.impulse = times(out.impulse, impulse);
  out.energy.normal_work = out.energy.normal_work * impulse * v;
  out.energy.tangential_work = out.energy.tangential_work * impulse * v;
  for (int i = 0; i < out.phase_count; ++i) {
    Phase& phase = out.phase_storage[static_cast<std::size_t>(i)];
    phase.normal_impulse *= impulse;
    phase.velocity = times(phase.velocity, v);
  }
  if (path)
    for (PathPoint& point : *path) {
      point.normal_impulse *= impulse;
      point.velocity = times(point.velocity, v);
    }
}

// The contact does nothing.
void leave_unchanged(const ImpactProblem& problem, ImpactResult& out) {
  const ContactVector v = plus(problem.velocity, problem.push), relative = minus(v, problem.surface_velocity);
  out.velocity = finite(v) ? v : ContactVector{};
  out.relative_velocity = finite(relative) ? relative : ContactVector{};
  out.impulse = {};
  out.energy = {};
  out.phase_count = 0;
}

// ΔT of the contact's impulse from the velocities, what the surface and an external impulse supplied on the way, and
// the verdict. False when the two sides do not agree.
bool close_ledger(const ImpactProblem& problem, const PushedStart& start, ImpactResult& out) {
  const ContactVector& i = out.impulse;
  const ContactVector& s = problem.surface_velocity;
  const ContactVector before = plus(problem.velocity, problem.push);
  const ContactVector &u = start.velocity, &w = out.relative_velocity;
  const double told = 0.5 * (i.n * (u.n + w.n) + i.t1 * (u.t1 + w.t1) + i.t2 * (u.t2 + w.t2));
  out.relative_velocity.n += start.after;
  out.velocity = {out.relative_velocity.n + s.n, out.relative_velocity.t1 + s.t1, out.relative_velocity.t2 + s.t2};
  EnergyLedger& energy = out.energy;
  energy.supplied = i.n * (s.n + start.after) + i.t1 * s.t1 + i.t2 * s.t2;
  energy.change = 0.5 * (i.n * (before.n + out.velocity.n) + i.t1 * (before.t1 + out.velocity.t1) +
                         i.t2 * (before.t2 + out.velocity.t2));
  const double gain = energy.normal_work + energy.tangential_work;
  const double scale = std::abs(energy.normal_work) + std::abs(energy.tangential_work) +
                       std::abs(i.n * (before.n - s.n)) + std::abs(i.t1 * (before.t1 - s.t1)) +
                       std::abs(i.t2 * (before.t2 - s.t2));
  energy.consistent = gain <= tolerances::energy_gain_relative * scale;
  if (!(std::abs(gain - told) <= tolerances::ledger_mismatch_relative * scale)) return false;
  if (!energy.consistent) out.warn(Warning::energy_gain);
  return true;
}

bool finite_result(const ImpactResult& out) {
  const ContactVector &v = out.velocity, &i = out.impulse;
  const EnergyLedger& e = out.energy;
  const double velocities = (v.n + v.t1) + (v.t2 + i.n) + (i.t1 + i.t2);
  return 0 * (velocities + (e.normal_work + e.tangential_work) + (e.supplied + e.change)) == 0;
}

// A quick look that passes most sound problems; `check` decides, and explains, the others.
bool plainly_valid(const ImpactProblem& p) {
  const ContactInertia& d = p.inertia;
  const ContactVector &v = p.velocity, &s = p.surface_velocity, &u = p.push;
  const double sum = d.c1 + d.c2 + d.b12 + d.stick_slope + v.n + v.t1 + v.t2 + s.n + s.t1 + s.t2 + (u.n + u.t1 + u.t2);
  const double finite_only = 0 * (sum + d.a + d.b11 + d.b22 + p.friction.static_coefficient);  // NaN otherwise
  const double e = p.restitution.normal, et = p.restitution.tangential;
  return finite_only == 0 && d.a > 0 && d.stick_slope >= 0 && d.c1 * d.c1 <= d.a * d.b11 &&
         d.c2 * d.c2 <= d.a * d.b22 && d.b12 * d.b12 <= d.b11 * d.b22 && d.b11 >= 0 && d.b22 >= 0 &&
         p.friction.kinetic_coefficient >= 0 && p.friction.kinetic_coefficient <= p.friction.static_coefficient &&
         p.restitution.kind == RestitutionKind::constant && e >= 0 && e <= 1 && et >= -1 && et <= 1;
}

// Whether the problem is an impact at all; fills status and warnings when it is not.
bool strikes(const ImpactProblem& problem, const ContactVector& relative, ImpactResult& out) {
  const ContactInertia& d = problem.inertia;
  if (!plainly_valid(problem)) {
    if (check(problem).rule) {
      out.status = ImpactStatus::invalid;
      return false;
    }
    if (d.stick_slope < -tolerances::locked_slope_relative * d.a) {
      out.status = ImpactStatus::ill_conditioned;
      return false;
    }
  }
  if (std::max(d.b11, d.b22) > tolerances::inertia_ratio_max * d.a) {
    out.status = ImpactStatus::ill_conditioned;
    return false;
  }
  if (relative.n < 0) return true;
  out.status = ImpactStatus::no_impact;
  if (relative.n > 0) return false;
  const double mu = finite_friction(problem.friction.kinetic_coefficient, d);
  if (!jams_when_pressed(d, mu, tangent(relative))) return false;
  if (problem.load == Load::unknown) {
    out.warn(Warning::jams_if_pressed);
    return false;
  }
  const bool defined = has_tangential_impact(out.law);
  out.status = defined ? ImpactStatus::ok : ImpactStatus::undefined;
  return defined;
}

// Before an external impulse acts.
double approach_speed(const ImpactProblem& problem) {
  return std::max(0.0, problem.surface_velocity.n - problem.velocity.n);
}

}  // namespace

PushedStart internal::start_of(const ImpactProblem& problem) {
  const ContactVector relative = minus(problem.velocity, problem.surface_velocity);
  if (largest(problem.push) == 0 || check(problem).rule) return {.velocity = relative};
  return pushed_start(relative, problem.push, restitution_at(problem.restitution, approach_speed(problem)).coefficient);
}

StrikeInput internal::strike_input(const ImpactProblem& problem, const PushedStart& start, Law law) {
  const double et = law == Law::unified ? problem.restitution.tangential : 0;
  const ContactVector before = minus(problem.velocity, problem.surface_velocity);
  StrikeInput in{problem.inertia,
                 start.velocity,
                 problem.friction,
                 start.rule(problem.restitution),
                 -et * before.t1,
                 -et * before.t2,
                 law};
  in.friction.kinetic_coefficient = finite_friction(problem.friction.kinetic_coefficient, problem.inertia);
  return in;
}

namespace {

ImpactResult solve(const ImpactProblem& problem, Law law, Path* path) {
  ImpactResult out;
  out.law = law;
  const ContactInertia& d = problem.inertia;
  const PushedStart start = start_of(problem);
  const ContactVector& relative = start.velocity;
  if (!strikes(problem, relative, out)) {
    leave_unchanged(problem, out);
    return out;
  }
  if (problem.restitution.tangential != 0 && law != Law::unified) out.warn(Warning::tangential_restitution_ignored);
  StrikeInput in = strike_input(problem, start, law);
  const double speed = largest(relative);
  const double size = std::max({d.a, d.b11, d.b22});
  if (outside_window(speed) || outside_window(size))
    solve_scaled(in, speed, size, out, path);
  else
    dispatch(in, out, path);
  if (usable(out.status)) {
    const bool agrees = close_ledger(problem, start, out);
    if (finite_result(out) && agrees) return out;
    out.status = finite_result(out) ? ImpactStatus::ill_conditioned : ImpactStatus::overflow;
  }
  leave_unchanged(problem, out);
  return out;
}

}  // namespace

ImpactResult solve_impact(const ImpactProblem& problem, Law law) { return solve(problem, law, nullptr); }

std::vector<PathPoint> trace_impact(const ImpactProblem& problem, Law law) {
  Path path;
  const ImpactResult result = solve(problem, law, &path);
  if (!usable(result.status)) path.clear();
  if (path.empty()) {
    if (check(problem).rule) return path;
    path.push_back({0, start_of(problem).velocity});
    path.push_back({result.impulse.n, result.relative_velocity, Stage::restitution});
  } else if (start_of(problem).after > 0) {
    path.push_back({result.impulse.n, result.relative_velocity, Stage::restitution});
  }
  return path;
}

}  // namespace routh
