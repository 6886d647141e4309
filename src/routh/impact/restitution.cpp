#include "routh/impact/restitution.h"

#include <algorithm>

namespace routh::internal {

namespace {

RestitutionValue interpolate(std::span<const RestitutionPoint> table, double speed) {
  if (speed < table.front().speed) return {table.front().coefficient, false};
  if (speed > table.back().speed) return {table.back().coefficient, false};
  const auto after = std::upper_bound(table.begin(), table.end(), speed,
                                      [](double s, const RestitutionPoint& p) { return s < p.speed; });
  if (after == table.end()) return {table.back().coefficient, true};
  const RestitutionPoint& high = *after;
  const RestitutionPoint& low = *(after - 1);
  const double share = (speed - low.speed) / (high.speed - low.speed);
  return {low.coefficient + share * (high.coefficient - low.coefficient), true};
}

}  // namespace

RestitutionValue restitution_at(const Restitution& restitution, double speed) {
  switch (restitution.kind) {
    case RestitutionKind::constant:
      return {restitution.normal, true};
    case RestitutionKind::linear: {
      const double e = 1 - restitution.alpha * speed;
      return {std::max(e, 0.0), e >= 0};
    }
    case RestitutionKind::table:
      return interpolate(restitution.table, speed);
  }
  return {};
}

double restitution_alpha(double damping, double stiffness) { return 2 * damping / (3 * stiffness); }

}  // namespace routh::internal
