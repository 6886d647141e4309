#include "routh/solvability/admissible_set.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/bounds.h"
#include "routh/impact/inertia.h"
#include "routh/impact/restitution.h"
#include "routh/solvability/slip_verdict.h"

namespace routh {

namespace {

struct StickLoss {
  const ContactInertia& d;
  double kn, kt;

  double at(Tangent rho) const {
    const Tangent c = coupling(d);
    const Tangent b_rho = apply_tangential(d, rho);
    return kn * (d.a + dot(c, rho)) + kt * (dot(rho, c) + dot(rho, b_rho));
  }

  // (k_t b + τ) ρ = −½ (k_n + k_t) c
  Tangent stationary(double tau) const {
    const double h = -0.5 * (kn + kt);
    const double b11 = kt * d.b11 + tau, b22 = kt * d.b22 + tau, b12 = kt * d.b12;
    if (d.dimension == Dimension::planar) return {h * d.c1 / b11, 0};
    const double determinant = b11 * b22 - b12 * b12;
    return {h * (b22 * d.c1 - b12 * d.c2) / determinant, h * (b11 * d.c2 - b12 * d.c1) / determinant};
  }

  // Where the loss is least in the disk ‖ρ‖ ≤ radius: inside, or on its edge with the multiplier τ ≥ 0.
  Tangent least(double radius) const {
    const double size = 0.5 * (kn + kt) * norm(coupling(d));
    if (size == 0 || radius == 0) return {};
    const double trace = kt * (d.b11 + d.b22);
    double low = 1e-15 * trace, high = size / radius;
    if (low > 0 && norm(stationary(low)) <= radius) return stationary(low);
    for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
      const double middle = 0.5 * (low + high);
      (norm(stationary(middle)) > radius ? low : high) = middle;
    }
    return stationary(high);
  }
};

double restitution_of(const ImpactProblem& problem) {
  return restitution_at(problem.restitution, std::max(0.0, problem.surface_velocity.n - problem.velocity.n))
      .coefficient;
}

}  // namespace

AdmissibleRegion admissible_region(const ImpactProblem& problem) {
  const ImpactBounds bounds = compute_bounds(problem);
  if (problem.friction.static_coefficient >= bounds.impact_friction && std::isfinite(bounds.impact_friction))
    return restitution_of(problem) <= bounds.restitution_bound ? AdmissibleRegion::sticks
                                                               : AdmissibleRegion::stick_gains;
  return problem.friction.kinetic_coefficient < bounds.jamming_friction ? AdmissibleRegion::slips
                                                                        : AdmissibleRegion::slip_jams;
}

ForAllVelocities admissible_for_all(const ImpactProblem& problem) {
  const ContactInertia& d = problem.inertia;
  const ImpactBounds bounds = compute_bounds(problem);
  const double e = restitution_of(problem), et = problem.restitution.tangential;
  const bool no_jam = problem.friction.kinetic_coefficient < bounds.jamming_friction;
  ForAllVelocities out;
  out.printed = e <= bounds.restitution_bound_any && no_jam;
  out.exact = no_jam;
  if (et <= -1) return out;  // the tangential velocity is kept: no impulse of friction, and no gain from it
  const StickLoss loss{d, (1 - e) / (1 + e), (1 - et) / (1 + et)};
  const Tangent rho = loss.least(std::min(problem.friction.static_coefficient, widest_friction));
  const ContactVector i{1, rho.t1, rho.t2};
  const ContactVector w = apply(d, i);
  const double terms = loss.kn * (d.a + norm(coupling(d)) * norm(rho)) +
                       loss.kt * (norm(coupling(d)) * norm(rho) + dot(rho, apply_tangential(d, rho)));
  // Beyond w_n = 0 nothing approaches; on that line iᵀDi ≥ 0 makes the loss non-negative.
  if (w.n <= 0 || loss.at(rho) >= -1e-14 * terms) return out;
  out.exact = false;
  const double scale = (1 + e) / w.n;
  const ContactVector v{-scale * w.n / (1 + e), -scale * w.t1 / (1 + et), -scale * w.t2 / (1 + et)};
  out.worst_velocity = v;
  // T⁻ = ½ vᵀGv; G v as an impulse.
  const ContactVector momentum = impulse_for_change(d, v).impulse;
  const double energy = 0.5 * (momentum.n * v.n + momentum.t1 * v.t1 + momentum.t2 * v.t2);
  if (energy > 0) out.worst_gain = -0.5 * scale * scale * loss.at(rho) / energy;
  return out;
}

AdmissibleCurves admissible_curves(const ImpactProblem& problem, int points) {
  AdmissibleCurves out;
  ImpactProblem at = problem;
  for (int k = 0; k < points; ++k) {
    const double e = points > 1 ? static_cast<double>(k) / (points - 1) : 0;
    at.restitution.kind = RestitutionKind::constant;
    at.restitution.normal = e;
    const double friction = compute_bounds(at).impact_friction;
    if (std::isfinite(friction)) out.critical.push_back({e, friction});
  }
  const ImpactBounds bounds = compute_bounds(problem);
  out.restitution_bound = std::min(bounds.restitution_bound, 1.0);
  out.restitution_bound_any = bounds.restitution_bound_any;
  out.jamming_friction = bounds.jamming_friction;
  return out;
}

const char* name(AdmissibleRegion region) {
  switch (region) {
    case AdmissibleRegion::sticks:
      return "sticks";
    case AdmissibleRegion::slips:
      return "slips";
    case AdmissibleRegion::stick_gains:
      return "stick gains";
    case AdmissibleRegion::slip_jams:
      return "slip jams";
  }
  return "";
}

}  // namespace routh
