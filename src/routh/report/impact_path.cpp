#include "routh/report/impact_path.h"

#include <algorithm>
#include <cmath>

namespace routh::internal {

namespace {

double size_of(const ContactVector& v) { return std::hypot(v.n, v.t1, v.t2); }

bool agrees(const ContactVector& a, const ContactVector& b) {
  return size_of({a.n - b.n, a.t1 - b.t1, a.t2 - b.t2}) <= 1e-6 * size_of(b);
}

}  // namespace

bool PathFinder::has_path(const Event& event) { return event.rule == ImpactRule::single && event.contacts.size() == 1; }

std::optional<ImpactPath> PathFinder::find(const Event& event, const State& before, const Contact& contact) {
  const Model& model = machine_.model();
  if (striker_.prepare(model, before, machine_.workspace()) >= 0) return std::nullopt;
  ImpactProblem problem = striker_.reduce(model, machine_.workspace(), contact);
  const EventContact& recorded = event.contacts.front();
  // As the simulator had it, with the rounding taken out.
  const ContactVector& v = recorded.velocity_before;
  problem.velocity = {v.n, v.t1 + problem.surface_velocity.t1, v.t2 + problem.surface_velocity.t2};
  problem.load = event.kind == EventKind::tangential_impact ? Load::pressed : Load::unknown;
  // Zero where there was no friction or, in old files, none was recorded: then it is that of the surfaces.
  if (recorded.friction > 0) {
    problem.friction.kinetic_coefficient = recorded.friction;
    problem.friction.static_coefficient = std::max(problem.friction.static_coefficient, recorded.friction);
  }
  ImpactPath path;
  path.result = solve_impact(problem, event.law);
  if (!usable(path.result.status) || !agrees(path.result.impulse, recorded.impulse)) return std::nullopt;
  path.points = trace_impact(problem, event.law);
  if (path.points.empty()) return std::nullopt;
  return path;
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
  json.begin_list("velocity");
  for (const PathPoint& point : points) json.short_vector(point.velocity);
  json.end_list();
  json.begin_list("impulse");
  for (const PathPoint& point : points) json.short_number(point.normal_impulse);
  json.end_list();
}

}  // namespace routh::internal
