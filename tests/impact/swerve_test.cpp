// The points that a run keeps of swerving slip: with the ends of the phases they follow the path of `trace_impact`.
#include "routh/impact/swerve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random_problems.h"

namespace {

using namespace testing_support;
using routh::ContactVector;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::PathPoint;

double distance(const ContactVector& a, const ContactVector& b) {
  return std::hypot(a.n - b.n, a.t1 - b.t1, a.t2 - b.t2);
}

// The lines from before through phases and points.
std::vector<PathPoint> lines(const ImpactProblem& problem, const ImpactResult& result,
                             const std::vector<PathPoint>& points) {
  const ContactVector &v = problem.velocity, &s = problem.surface_velocity;
  std::vector<PathPoint> all = {{0, {v.n - s.n, v.t1 - s.t1, v.t2 - s.t2}, routh::Stage::compression}};
  all.insert(all.end(), points.begin(), points.end());
  for (const routh::Phase& phase : result) all.push_back({phase.normal_impulse, phase.velocity, phase.stage});
  std::stable_sort(all.begin(), all.end(),
                   [](const PathPoint& a, const PathPoint& b) { return a.normal_impulse < b.normal_impulse; });
  return all;
}

ContactVector at(const std::vector<PathPoint>& all, double impulse) {
  for (std::size_t k = 1; k < all.size(); ++k) {
    const PathPoint &a = all[k - 1], &b = all[k];
    if (impulse > b.normal_impulse) continue;
    const double length = b.normal_impulse - a.normal_impulse;
    const double s = length > 0 ? (impulse - a.normal_impulse) / length : 1;
    return {a.velocity.n + s * (b.velocity.n - a.velocity.n), a.velocity.t1 + s * (b.velocity.t1 - a.velocity.t1),
            a.velocity.t2 + s * (b.velocity.t2 - a.velocity.t2)};
  }
  return all.back().velocity;
}

TEST(SwervingPoints, FollowThePath) {
  Random random(7321);
  int swerving = 0;
  std::size_t kept = 0;
  const int problems = static_cast<int>(scaled(1500, 700));
  for (int k = 0; k < problems; ++k) {
    const ImpactProblem problem = random_spatial(random);
    const ImpactResult result = routh::solve_impact(problem);
    if (result.status != routh::ImpactStatus::ok) continue;
    const std::vector<PathPoint> points = routh::swerving_points(problem, result);
    swerving += points.empty() ? 0 : 1;
    kept += points.size();
    const std::vector<PathPoint> all = lines(problem, result, points), path = trace_impact(problem, result.law);
    double speed = 0;
    for (const PathPoint& point : path) speed = std::max(speed, distance(point.velocity, {}));
    for (const PathPoint& point : path)
      ASSERT_LE(distance(point.velocity, at(all, point.normal_impulse)), speed / 200 * (1 + 1e-6))
          << "seed 7321, problem " << k;
  }
  EXPECT_GT(swerving, problems / 10);
  EXPECT_LT(kept, 12u * static_cast<std::size_t>(swerving));
}

// A ball: D has no coupling and one tangential inertia, so slip goes straight.
TEST(SwervingPoints, NoneWhereSlipIsStraight) {
  ImpactProblem problem;
  problem.inertia = routh::spatial_inertia(1, 0, 0, 3.5, 0, 3.5);
  problem.velocity = {-1, 2, 0.7};
  problem.friction = {0.2, 0.2};
  problem.restitution.normal = 0.5;
  const ImpactResult result = routh::solve_impact(problem);
  ASSERT_GT(result.phase_count, 0);
  EXPECT_TRUE(routh::swerving_points(problem, result).empty());
}

}  // namespace
