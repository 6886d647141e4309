// One impact from a machine's own matrices: Kane's double pendulum strikes the ground.
// Build against an installed Routh with find_package(routh) and target_link_libraries(… routh::routh).
#include <cmath>
#include <cstdio>

#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"

int main() {
  // Two uniform rods, 3 kg and 2 m each, at 20° and 30° from the vertical.
  const double first = 20 * M_PI / 180, second = 30 * M_PI / 180;
  Eigen::Matrix2d mass_matrix;
  mass_matrix << 16, 6 * std::cos(second - first), 6 * std::cos(second - first), 4;
  Eigen::Matrix2d jacobian;  // normal row first
  jacobian << 2 * std::sin(first), 2 * std::sin(second), 2 * std::cos(first), 2 * std::cos(second);
  const Eigen::Vector2d velocity(-0.1, -0.2);
  const Eigen::MatrixXd no_loops(0, 2);
  const Eigen::VectorXd no_impulse;

  const routh::MachineState machine{mass_matrix, jacobian, velocity, no_loops, no_impulse};
  routh::Reduction reduction(2, 0);
  if (reduction.compute(machine) != routh::ReductionStatus::ok) return 1;

  routh::ImpactProblem problem;
  problem.inertia = reduction.inertia();
  problem.velocity = reduction.contact_velocity();
  problem.friction = {0.51, 0.5};
  problem.restitution.normal = 0.7;

  for (const routh::Law law : routh::all_laws) {
    routh::ImpactResult result = routh::solve_impact(problem, law);
    reduction.expand(machine, result);
    std::printf("%-10s %-24s velocity %8.4f %8.4f rad/s   energy %+.4f J\n", name(law), name(result.mode),
                reduction.velocity_after()(0), reduction.velocity_after()(1), result.energy.change);
  }
  return 0;
}
