#include "routh/impact/swerve.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

double size_of(const ContactVector& v) { return elementary::hypot(v.n, v.t1, v.t2); }

// Slip stays on its line where dv_t/dI = c − μ B σ has no part across σ.
bool swerves(const ImpactProblem& problem, const Phase& phase) {
  const ContactInertia& d = problem.inertia;
  const double mu = problem.friction.kinetic_coefficient, s1 = phase.direction_t1, s2 = phase.direction_t2;
  if (phase.kind == PhaseKind::stick || !std::isfinite(mu)) return false;
  const double across = s1 * (d.c2 - mu * (d.b12 * s1 + d.b22 * s2)) - s2 * (d.c1 - mu * (d.b11 * s1 + d.b12 * s2));
  return std::abs(across) >
         tolerances::drawn_turn_relative * (elementary::hypot(d.c1, d.c2) + mu * std::max(d.b11, d.b22));
}

// How far a point lies from the line between two others, at its impulse.
double distance(const PathPoint& from, const PathPoint& point, const PathPoint& to) {
  const double length = to.normal_impulse - from.normal_impulse;
  const double s = length > 0 ? (point.normal_impulse - from.normal_impulse) / length : 0;
  const ContactVector &a = from.velocity, &b = to.velocity, &v = point.velocity;
  return size_of({v.n - a.n - s * (b.n - a.n), v.t1 - a.t1 - s * (b.t1 - a.t1), v.t2 - a.t2 - s * (b.t2 - a.t2)});
}

// The points between the first and the last without which the line would miss one of them [Douglas, Peucker 1973].
void keep_needed(std::span<const PathPoint> points, double tolerance, std::vector<PathPoint>& kept) {
  std::size_t farthest = 0;
  double largest = tolerance;
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    const double off = distance(points.front(), points[k], points.back());
    if (off > largest) largest = off, farthest = k;
  }
  if (farthest == 0) return;
  keep_needed(points.first(farthest + 1), tolerance, kept);
  kept.push_back(points[farthest]);
  keep_needed(points.subspan(farthest), tolerance, kept);
}

}  // namespace

std::vector<PathPoint> swerving_points(const ImpactProblem& problem, const ImpactResult& result) {
  std::vector<PathPoint> kept;
  if (problem.inertia.dimension == Dimension::planar ||
      std::none_of(result.begin(), result.end(), [&](const Phase& phase) { return swerves(problem, phase); }))
    return kept;
  const std::vector<PathPoint> path = trace_impact(problem, result.law);
  double speed = 0;
  for (const PathPoint& point : path) speed = std::max(speed, size_of(point.velocity));
  if (path.empty()) return kept;
  std::vector<PathPoint> stretch = {path.front()};
  auto next = path.begin();
  for (const Phase& phase : result) {
    for (; next != path.end() && next->normal_impulse < phase.normal_impulse; ++next)
      if (next->normal_impulse > stretch.front().normal_impulse) stretch.push_back(*next);
    stretch.push_back({phase.normal_impulse, phase.velocity, phase.stage});
    keep_needed(stretch, tolerances::recorded_path_relative * speed, kept);
    stretch = {stretch.back()};
  }
  return kept;
}

}  // namespace routh::internal
