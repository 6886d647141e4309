#include "routh/figure/invariant_rays.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/figure/tolerances.h"
#include "routh/math/bracket.h"

namespace routh::internal {

namespace {

struct SlipRate {
  double along = 0;   // σᵀ(c − μ b σ)
  double across = 0;  // σ⊥ᵀ(c − μ b σ)
};

SlipRate slip_rate(const ContactInertia& d, double mu, double angle) {
  const double s1 = std::cos(angle);
  const double s2 = std::sin(angle);
  const double w1 = d.c1 - mu * (d.b11 * s1 + d.b12 * s2);
  const double w2 = d.c2 - mu * (d.b12 * s1 + d.b22 * s2);
  return {s1 * w1 + s2 * w2, s1 * w2 - s2 * w1};
}

}  // namespace

std::vector<InvariantRay> invariant_rays(const ContactInertia& inertia, double kinetic_friction) {
  if (inertia.dimension == Dimension::planar || !std::isfinite(kinetic_friction) || kinetic_friction <= 0) return {};
  constexpr int samples = tolerances::ray_samples;
  const auto angle = [](int i) { return tolerances::ray_sample_offset + 2 * std::numbers::pi * i / samples; };
  const double size = std::abs(inertia.c1) + std::abs(inertia.c2) +
                      kinetic_friction * (inertia.b11 + inertia.b22 + std::abs(inertia.b12));
  double largest = 0;
  std::vector<InvariantRay> rays;
  for (int i = 0; i < samples; ++i) {
    const double here = slip_rate(inertia, kinetic_friction, angle(i)).across;
    const double next = slip_rate(inertia, kinetic_friction, angle(i + 1)).across;
    largest = std::max(largest, std::abs(here));
    if ((here > 0) == (next > 0)) continue;
    const auto as_here = [&](double at) { return (slip_rate(inertia, kinetic_friction, at).across > 0) == (here > 0); };
    const double root = bisect({angle(i), angle(i + 1)}, 50, as_here).middle();
    rays.push_back({std::cos(root), std::sin(root), slip_rate(inertia, kinetic_friction, root).along > 0});
  }
  if (largest <= tolerances::ray_turning_relative * size) rays.clear();
  return rays;
}

}  // namespace routh::internal
