#include "routh/figure/invariant_rays.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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

double bisect(const ContactInertia& d, double mu, double low, double high) {
  const bool low_positive = slip_rate(d, mu, low).across > 0;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    ((slip_rate(d, mu, middle).across > 0) == low_positive ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

std::vector<InvariantRay> invariant_rays(const ContactInertia& inertia, double kinetic_friction) {
  if (inertia.dimension == Dimension::planar || !std::isfinite(kinetic_friction) || kinetic_friction <= 0) return {};
  constexpr int samples = 1440;
  // An odd start keeps the grid off the axes, where symmetric problems have their roots.
  constexpr double offset = 1.2345e-3;
  const auto angle = [](int i) { return offset + 2 * std::numbers::pi * i / samples; };
  const double size = std::abs(inertia.c1) + std::abs(inertia.c2) +
                      kinetic_friction * (inertia.b11 + inertia.b22 + std::abs(inertia.b12));
  double largest = 0;
  std::vector<InvariantRay> rays;
  for (int i = 0; i < samples; ++i) {
    const double here = slip_rate(inertia, kinetic_friction, angle(i)).across;
    const double next = slip_rate(inertia, kinetic_friction, angle(i + 1)).across;
    largest = std::max(largest, std::abs(here));
    if ((here > 0) == (next > 0)) continue;
    const double root = bisect(inertia, kinetic_friction, angle(i), angle(i + 1));
    rays.push_back({std::cos(root), std::sin(root), slip_rate(inertia, kinetic_friction, root).along > 0});
  }
  if (largest <= 1e-12 * size) rays.clear();
  return rays;
}

}  // namespace routh::internal
