#include "routh/report/impact_path.h"

#include <algorithm>

namespace routh::internal {

std::vector<PathPoint> recorded_path(const EventContact& contact) {
  std::vector<PathPoint> points = {{0, contact.velocity_before, Stage::compression}};
  auto between = contact.path.begin();
  for (const Phase& phase : contact.phases) {
    for (; between != contact.path.end() && between->normal_impulse < phase.normal_impulse; ++between)
      points.push_back(*between);
    points.push_back({phase.normal_impulse, phase.velocity, phase.stage});
  }
  if (contact.phases.empty()) points.push_back({contact.impulse.n, contact.velocity_after, Stage::restitution});
  return points;
}

std::vector<PathPoint> thinned(const std::vector<PathPoint>& points, std::size_t most) {
  if (points.size() <= most) return points;
  const std::size_t stride = (points.size() + most - 1) / std::max<std::size_t>(1, most);
  std::vector<PathPoint> out;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const bool last = k + 1 == points.size();
    if (k % stride == 0 || last || points[k].stage != points[k + 1].stage) out.push_back(points[k]);
  }
  return out;
}

void write_path_points(const std::vector<PathPoint>& points, JsonWriter& json) {
  json.list("velocity", points, [&](const PathPoint& point) { json.short_vector(point.velocity); });
  json.list("impulse", points, [&](const PathPoint& point) { json.short_number(point.normal_impulse); });
}

}  // namespace routh::internal
