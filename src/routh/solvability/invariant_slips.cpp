// g(φ) = σ⊥ᵀ(c − μ b σ) = c₂ cos φ − c₁ sin φ − μ b₁₂ cos 2φ + ½ μ (b₁₁ − b₂₂) sin 2φ. With t = tan(ψ/2), ψ counted
// from an angle whose opposite is far from a root, g (1 + t²)² is a quartic without a root at infinity.
#include "routh/solvability/single_contact.h"

#include <algorithm>
#include <cmath>

#include "routh/math/small_roots.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

struct Turning {
  double cos1 = 0, sin1 = 0, cos2 = 0, sin2 = 0;

  double at(SlipDirection p) const {
    return cos1 * p.t1 + sin1 * p.t2 + cos2 * (p.t1 * p.t1 - p.t2 * p.t2) + sin2 * 2 * p.t1 * p.t2;
  }
  double slope(SlipDirection p) const {
    return sin1 * p.t1 - cos1 * p.t2 + 2 * (sin2 * (p.t1 * p.t1 - p.t2 * p.t2) - cos2 * 2 * p.t1 * p.t2);
  }
  double size() const { return std::abs(cos1) + std::abs(sin1) + std::abs(cos2) + std::abs(sin2); }
  Turning seen_from(SlipDirection o) const {
    const double c2 = o.t1 * o.t1 - o.t2 * o.t2, s2 = 2 * o.t1 * o.t2;
    return {cos1 * o.t1 + sin1 * o.t2, sin1 * o.t1 - cos1 * o.t2, cos2 * c2 + sin2 * s2, sin2 * c2 - cos2 * s2};
  }
};

InvariantSlip slip_along(const ContactInertia& d, double mu, SlipDirection s, SlipAttraction attraction) {
  InvariantSlip slip{s, attraction, 0, 0};
  slip.growth = s.t1 * (d.c1 - mu * (d.b11 * s.t1 + d.b12 * s.t2)) + s.t2 * (d.c2 - mu * (d.b12 * s.t1 + d.b22 * s.t2));
  slip.A = d.a - mu * (d.c1 * s.t1 + d.c2 * s.t2);
  return slip;
}

// Angles in (−π, π] ascend with this: no arctangent is needed.
double angle_order(SlipDirection s) { return s.t2 >= 0 ? 1 - s.t1 : s.t1 - 1; }

}  // namespace

InvariantSlips invariant_slips(const ContactInertia& d, double mu) {
  InvariantSlips out;
  const auto add = [&](SlipDirection s, SlipAttraction attraction) {
    out.slips[static_cast<std::size_t>(out.count++)] = slip_along(d, mu, s, attraction);
  };
  if (d.dimension == Dimension::planar) {
    add({1, 0}, SlipAttraction::neutral);
    add({-1, 0}, SlipAttraction::neutral);
    return out;
  }
  const Turning g{d.c2, -d.c1, -mu * d.b12, 0.5 * mu * (d.b11 - d.b22)};
  // Of the terms that cancel where b is isotropic and c vanishes.
  const double terms = std::abs(d.c1) + std::abs(d.c2) + mu * (std::abs(d.b11) + std::abs(d.b22));
  if (!(g.size() > tolerances::marginal_relative * terms)) {
    out.every = true;
    return out;
  }
  // Eight directions: a quartic cannot vanish at more than four of their opposites.
  const double half = std::sqrt(0.5);
  const SlipDirection compass[] = {{1, 0},  {half, half},   {0, 1},  {-half, half},
                                   {-1, 0}, {-half, -half}, {0, -1}, {half, -half}};
  const auto far = [&](SlipDirection a, SlipDirection b) { return std::abs(g.at(a)) < std::abs(g.at(b)); };
  const SlipDirection opposite = *std::max_element(std::begin(compass), std::end(compass), far);
  const SlipDirection origin{-opposite.t1, -opposite.t2};
  const Turning h = g.seen_from(origin);
  const double quartic[] = {h.cos1 + h.cos2, 2 * h.sin1 + 4 * h.sin2, -6 * h.cos2, 2 * h.sin1 - 4 * h.sin2,
                            h.cos2 - h.cos1};
  for (const double t : internal::real_roots(quartic)) {
    const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
    const SlipDirection root{origin.t1 * c - origin.t2 * s, origin.t2 * c + origin.t1 * s};
    const double slope = g.slope(root);
    const bool flat = std::abs(slope) <= tolerances::slip_direction_slope * g.size();
    add(root, flat ? SlipAttraction::neutral : slope < 0 ? SlipAttraction::attracting : SlipAttraction::repelling);
  }
  std::sort(out.slips.begin(), out.slips.begin() + out.count, [](const InvariantSlip& a, const InvariantSlip& b) {
    return angle_order(a.direction) < angle_order(b.direction);
  });
  return out;
}

}  // namespace routh
