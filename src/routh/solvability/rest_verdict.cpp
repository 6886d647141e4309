#include "routh/solvability/single_contact.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "routh/impact/inertia.h"
#include "routh/math/elementary.h"
#include "routh/math/small_roots.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct RestProblem {
  const ContactInertia& d;
  const Friction& friction;
  const ContactVector& f;
};

// A trigonometric polynomial of degree two, at points of the unit circle.
struct Harmonics {
  double mean = 0, cos1 = 0, sin1 = 0, cos2 = 0, sin2 = 0;

  double at(SlipDirection p) const {
    return mean + cos1 * p.t1 + sin1 * p.t2 + cos2 * (p.t1 * p.t1 - p.t2 * p.t2) + sin2 * 2 * p.t1 * p.t2;
  }
  double slope(SlipDirection p) const {
    return sin1 * p.t1 - cos1 * p.t2 + 2 * (sin2 * (p.t1 * p.t1 - p.t2 * p.t2) - cos2 * 2 * p.t1 * p.t2);
  }
  // The same function of the angle counted from `o`.
  Harmonics seen_from(SlipDirection o) const {
    const double c2 = o.t1 * o.t1 - o.t2 * o.t2, s2 = 2 * o.t1 * o.t2;
    return {mean, cos1 * o.t1 + sin1 * o.t2, sin1 * o.t1 - cos1 * o.t2, cos2 * c2 + sin2 * s2, sin2 * c2 - cos2 * s2};
  }
};

// Cosines and sines of sixteenths of a turn.
constexpr double c1 = 0.92387953251128674, c2 = 0.70710678118654757, c3 = 0.38268343236508978;
constexpr SlipDirection compass[16] = {{1, 0},    {c1, c3},  {c2, c2},  {c3, c1},   {0, 1},     {-c3, c1},
                                       {-c2, c2}, {-c1, c3}, {-1, 0},   {-c1, -c3}, {-c2, -c2}, {-c3, -c1},
                                       {0, -1},   {c3, -c1}, {c2, -c2}, {c1, -c3}};

SlipDirection turned(SlipDirection p, double angle) {
  const SlipDirection q{p.t1 - angle * p.t2, p.t2 + angle * p.t1};
  const double length = std::sqrt(q.t1 * q.t1 + q.t2 * q.t2);
  return {q.t1 / length, q.t2 / length};
}

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
  const double terms = elementary::hypot(slip.C1, slip.C2) * force + elementary::hypot(slip.D1, slip.D2);
  if (!(along > tolerances::incipient_slip_relative * terms) || out.count == static_cast<int>(out.solutions.size()))
    return;
  out.solutions[static_cast<std::size_t>(out.count++)] = {
      RestMode::slips, direction, {force, -mu * force * direction.t1, -mu * force * direction.t2}, {0, v1, v2}};
}

struct Directions {
  int count = 0;
  std::array<SlipDirection, 4> direction;
};

SlipDirection polished(const Harmonics& g, SlipDirection p, int steps, double scale) {
  for (int k = 0; k < steps; ++k)
    if (const double slope = g.slope(p); std::abs(slope) > tolerances::slip_direction_slope * scale)
      p = turned(p, -g.at(p) / slope);
  return p;
}

constexpr double compass_step = std::numbers::pi / 8;

// Whether g' keeps its sign between two neighbours of the compass, by the same bound on the next derivative.
bool monotone(const Harmonics& g, SlipDirection from, SlipDirection to) {
  const double bend = std::abs(g.cos1) + std::abs(g.sin1) + 8 * (std::abs(g.cos2) + std::abs(g.sin2));
  const double s0 = g.slope(from), s1 = g.slope(to);
  return (s0 > 0) == (s1 > 0) && std::min(std::abs(s0), std::abs(s1)) > bend * compass_step * compass_step / 8;
}

// Roots of g by its signs around the circle; false where the signs cannot tell whether there is a pair of roots between
// two points: g bends by at most `bend`, so that it stays away from zero where both values exceed bend h²/8.
bool roots_by_signs(const Harmonics& g, const std::array<double, 16>& values, double scale, Directions& out) {
  const double bend = std::abs(g.cos1) + std::abs(g.sin1) + 4 * (std::abs(g.cos2) + std::abs(g.sin2));
  const double margin = bend * compass_step * compass_step / 8;
  for (std::size_t k = 0; k < 16; ++k) {
    const double here = values[k], there = values[(k + 1) % 16];
    if ((here > 0) == (there > 0)) {
      const bool near = std::min(std::abs(here), std::abs(there)) <= margin;
      if (near && !monotone(g, compass[k], compass[(k + 1) % 16])) return false;
      continue;
    }
    if (out.count == 4) return false;
    const SlipDirection guess = turned(compass[k], elementary::tan(compass_step * here / (here - there)));
    const SlipDirection root = polished(g, guess, tolerances::slip_direction_steps, scale);
    // Newton's method has not left the interval, and has arrived.
    const SlipDirection from = compass[k], to = compass[(k + 1) % 16];
    const bool inside = from.t1 * root.t2 - from.t2 * root.t1 >= 0 && root.t1 * to.t2 - root.t2 * to.t1 >= 0;
    if (!inside || !(std::abs(g.at(root)) <= tolerances::slip_direction_residual * scale)) return false;
    out.direction[static_cast<std::size_t>(out.count++)] = root;
  }
  return true;
}

// The same through t = tan(ψ/2), ψ counted from an angle whose opposite is far from a root, so that none is at t = ∞.
void roots_by_quartic(const Harmonics& g, SlipDirection opposite, double scale, Directions& out) {
  const SlipDirection origin{-opposite.t1, -opposite.t2};
  const Harmonics h = g.seen_from(origin);
  const double coefficients[] = {h.mean + h.cos1 + h.cos2, 2 * h.sin1 + 4 * h.sin2, 2 * h.mean - 6 * h.cos2,
                                 2 * h.sin1 - 4 * h.sin2, h.mean - h.cos1 + h.cos2};
  out.count = 0;
  for (const double t : real_roots(coefficients)) {
    const double w = 1 + t * t, cosine = (1 - t * t) / w, sine = 2 * t / w;
    const SlipDirection p{origin.t1 * cosine - origin.t2 * sine, origin.t2 * cosine + origin.t1 * sine};
    out.direction[static_cast<std::size_t>(out.count++)] =
        polished(g, p, tolerances::slip_direction_polish_steps, scale);
  }
}

void add_spatial_slips(const RestProblem& in, RestVerdict& out) {
  const Harmonics g = turning(in);
  std::array<double, 16> values;
  std::size_t farthest = 0;
  for (std::size_t k = 0; k < 16; ++k) {
    values[k] = g.at(compass[k]);
    if (std::abs(values[k]) > std::abs(values[farthest])) farthest = k;
  }
  const double scale = std::abs(values[farthest]);
  Directions roots;
  if (!roots_by_signs(g, values, scale, roots)) roots_by_quartic(g, compass[farthest], scale, roots);
  for (int k = 0; k < roots.count; ++k) add_slip(in, roots.direction[static_cast<std::size_t>(k)], out);
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

}  // namespace routh
