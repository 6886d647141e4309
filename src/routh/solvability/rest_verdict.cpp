#include "routh/solvability/rest_verdict.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "routh/impact/inertia.h"
#include "routh/math/small_roots.h"

namespace routh {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// A tangential acceleration below this share of the terms it is the sum of does not set a contact slipping.
constexpr double rounding = 1e-13;

struct RestProblem {
  const ContactInertia& d;
  const Friction& friction;
  const ContactVector& f;
};

// A trigonometric polynomial of degree two.
struct Harmonics {
  double mean = 0, cos1 = 0, sin1 = 0, cos2 = 0, sin2 = 0;

  double at(double phi) const {
    return mean + cos1 * std::cos(phi) + sin1 * std::sin(phi) + cos2 * std::cos(2 * phi) + sin2 * std::sin(2 * phi);
  }
  double slope(double phi) const {
    return sin1 * std::cos(phi) - cos1 * std::sin(phi) + 2 * (sin2 * std::cos(2 * phi) - cos2 * std::sin(2 * phi));
  }
  // The same function of φ − origin.
  Harmonics seen_from(double origin) const {
    const double c = std::cos(origin), s = std::sin(origin), c2 = std::cos(2 * origin), s2 = std::sin(2 * origin);
    return {mean, cos1 * c + sin1 * s, sin1 * c - cos1 * s, cos2 * c2 + sin2 * s2, sin2 * c2 - cos2 * s2};
  }
};

// σ⊥ᵀ(A f_t − f_n C) with A = a − μ cᵀσ and C = c − μ b σ: zero where friction along σ lets slip begin along σ.
Harmonics turning(const RestProblem& in) {
  const ContactInertia& d = in.d;
  const ContactVector& f = in.f;
  const double mu = in.friction.kinetic_coefficient;
  Harmonics g;
  g.mean = -0.5 * mu * (d.c1 * f.t2 - d.c2 * f.t1);
  g.cos1 = d.a * f.t2 - f.n * d.c2;
  g.sin1 = -(d.a * f.t1 - f.n * d.c1);
  g.cos2 = -0.5 * mu * (d.c1 * f.t2 + d.c2 * f.t1) + f.n * mu * d.b12;
  g.sin2 = -0.5 * mu * (d.c2 * f.t2 - d.c1 * f.t1) + 0.5 * f.n * mu * (d.b22 - d.b11);
  return g;
}

void add_slip(const RestProblem& in, SlipDirection direction, RestVerdict& out) {
  const double mu = in.friction.kinetic_coefficient;
  const SlipVerdict slip = judge_slip(in.d, mu, direction, in.f);
  if (slip.A == 0) return;
  const double force = -slip.B / slip.A;
  if (!(force > 0) || !std::isfinite(force)) return;
  const double v1 = slip.C1 * force + slip.D1, v2 = slip.C2 * force + slip.D2;
  const double along = v1 * direction.t1 + v2 * direction.t2;
  const double terms = std::hypot(slip.C1, slip.C2) * force + std::hypot(slip.D1, slip.D2);
  if (!(along > rounding * terms) || out.count == static_cast<int>(out.solutions.size())) return;
  out.solutions[static_cast<std::size_t>(out.count++)] = {
      RestMode::slips, direction, {force, -mu * force * direction.t1, -mu * force * direction.t2}, {0, v1, v2}};
}

// The roots through t = tan(ψ/2), ψ counted from an angle whose opposite is far from a root, so that none is at t = ∞.
void add_spatial_slips(const RestProblem& in, RestVerdict& out) {
  const Harmonics g = turning(in);
  double origin = 0, largest_value = -1;
  for (int k = 0; k < 16; ++k) {
    const double phi = 2 * std::numbers::pi * k / 16;
    if (const double value = std::abs(g.at(phi)); value > largest_value) {
      largest_value = value;
      origin = phi + std::numbers::pi;
    }
  }
  const Harmonics h = g.seen_from(origin);
  const double coefficients[] = {h.mean + h.cos1 + h.cos2, 2 * h.sin1 + 4 * h.sin2, 2 * h.mean - 6 * h.cos2,
                                 2 * h.sin1 - 4 * h.sin2, h.mean - h.cos1 + h.cos2};
  for (const double root : real_roots(coefficients)) {
    double phi = origin + 2 * std::atan(root);
    for (int k = 0; k < 2; ++k)
      if (const double slope = g.slope(phi); std::abs(slope) > 1e-8 * largest_value) phi -= g.at(phi) / slope;
    add_slip(in, {std::cos(phi), std::sin(phi)}, out);
  }
}

void examine_stick(const RestProblem& in, RestVerdict& out) {
  const ImpulseForChange hold = impulse_for_change(in.d, times(in.f, -1));
  out.stick_exists = hold.reachable;
  if (!hold.reachable) {
    out.friction_demand = infinite;
    return;
  }
  out.stick_force = hold.impulse;
  const double tangential = norm(tangent(hold.impulse));
  if (hold.impulse.n > 0)
    out.friction_demand = tangential / hold.impulse.n;
  else
    out.friction_demand = hold.impulse.n == 0 && tangential == 0 ? 0 : infinite;
  out.stick_feasible =
      hold.impulse.n >= 0 && out.friction_demand <= in.friction.static_coefficient && out.friction_demand < infinite;
}

RestAnswer answer_of(const RestVerdict& out, const Friction& friction) {
  if (out.count == 0) return RestAnswer::none;
  int counted = out.count;
  if (out.stick_feasible && out.friction_demand > friction.kinetic_coefficient)
    for (int k = 0; k < out.count; ++k)
      if (out.solutions[static_cast<std::size_t>(k)].mode == RestMode::slips) --counted;
  return counted > 1 ? RestAnswer::several : RestAnswer::unique;
}

}  // namespace

RestVerdict judge_rest(const ContactInertia& inertia, const Friction& friction,
                       const ContactVector& free_acceleration) {
  const RestProblem in{inertia, friction, free_acceleration};
  RestVerdict out;
  examine_stick(in, out);
  const bool still = largest(free_acceleration) == 0;
  if (free_acceleration.n >= 0 && !still)
    out.solutions[static_cast<std::size_t>(out.count++)] = {RestMode::detaches, {}, {}, free_acceleration};
  if (out.stick_feasible)
    out.solutions[static_cast<std::size_t>(out.count++)] = {RestMode::sticks, {}, out.stick_force, {}};
  if (std::isfinite(friction.kinetic_coefficient)) {
    if (inertia.dimension == Dimension::planar) {
      add_slip(in, {1, 0}, out);
      add_slip(in, {-1, 0}, out);
    } else {
      add_spatial_slips(in, out);
    }
  }
  out.answer = answer_of(out, friction);
  return out;
}

const char* name(RestMode mode) {
  switch (mode) {
    case RestMode::detaches:
      return "detaches";
    case RestMode::sticks:
      return "sticks";
    case RestMode::slips:
      return "slips";
  }
  return "";
}

}  // namespace routh
