// Light bodies under heavy ones: impulses far above the load of the light one's own contacts, and no self-stress.
#include <gtest/gtest.h>

#include "routh/contacts/friction_contact.h"

namespace {

// A body of mass 1 on the floor with one of mass m upon it, along a line: both fall by w in a step. The floor bears
// (1 + m) w, the light body m w.
TEST(LightUnderHeavy, BearsTheLoad) {
  for (const double m : {1e3, 1e6, 1e7}) {
    const double w = 9.81e-3;
    routh::FrictionContactProblem problem;
    problem.dimension = routh::Dimension::planar;
    Eigen::MatrixXd& D = problem.inertia.emplace<Eigen::MatrixXd>(Eigen::MatrixXd::Zero(4, 4));
    for (int row = 0; row < 2; ++row) {
      D(row, row) = 1;
      D(row + 2, row + 2) = 1 + 1 / m;
      D(row, row + 2) = D(row + 2, row) = -1;
    }
    problem.velocity = Eigen::Vector4d(-w, 0, 0, 0);
    problem.friction = {0.5, 0.5};
    routh::ContactsOptions options;
    options.tolerance = 1e-8;
    const routh::ContactsSolution solution = routh::solve_contacts(problem, options);
    EXPECT_EQ(solution.status, routh::ContactsStatus::solved) << m << ": " << solution.residual;
    EXPECT_NEAR(solution.impulse[0] / ((1 + m) * w), 1, 1e-4) << m;
    EXPECT_NEAR(solution.impulse[2] / (m * w), 1, 1e-4) << m;
  }
}

}  // namespace
