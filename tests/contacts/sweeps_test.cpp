// Sweeps without D, against the residual of the public solver, its velocities, and conservation.
#include "routh/contacts/sweeps.h"

#include <gtest/gtest.h>

#include "contacts/contact_problems.h"

namespace {

using namespace routh;
using contact_problems::Machine;
using contact_problems::random_machine;
using testing_support::Random;
using testing_support::scaled;

// Y = M^(−½) Jᵀ of a machine, every entry of it.
internal::ResponseColumns response_of(const Machine& m, int d) {
  internal::ResponseColumns response;
  response.dimension = d;
  const Eigen::MatrixXd y = m.masses.cwiseSqrt().cwiseInverse().asDiagonal() * m.jacobian.transpose();
  for (Eigen::Index i = 0; i < y.cols() / d; ++i) {
    for (Eigen::Index k = 0; k < y.rows(); ++k) {
      response.row.push_back(static_cast<int>(k));
      for (int r = 0; r < d; ++r) response.value.push_back(y(k, d * i + r));
    }
    response.begin.push_back(response.row.size());
  }
  return response;
}

TEST(Sweeps, SolveRandomProblems) {
  Random random(2501);
  const int count = scaled(400, 40);
  int solved = 0, agreed = 0;
  for (int k = 0; k < count; ++k) {
    const Dimension dimension = k % 2 ? Dimension::planar : Dimension::spatial;
    const int contacts = 1 + random.below(12);
    Machine m = random_machine(random, contacts, dimension, 10);
    while (m.problem.bilateral_rows() > 0) m = random_machine(random, contacts, dimension, 10);
    for (double& mu : m.problem.friction) mu = random.chance(0.2) ? 0 : 0.8 * random.uniform();
    const internal::ResponseColumns response = response_of(m, m.problem.rows_per_contact());
    Eigen::VectorXd p = Eigen::VectorXd::Zero(m.problem.velocity.size()), z = Eigen::VectorXd::Zero(m.masses.size());
    internal::ContactSweeps sweeps;
    const auto outcome = sweeps.solve(response, m.problem.velocity, m.problem.friction, 1e-9, 20'000, p, z);
    // z belongs to p, whatever else.
    const Eigen::VectorXd moved = m.masses.cwiseSqrt().cwiseInverse().asDiagonal() * (m.jacobian.transpose() * p);
    EXPECT_LT((z - moved).norm(), 1e-9 * (1 + moved.norm())) << k;
    ASSERT_TRUE(p.allFinite()) << k;
    if (outcome.residual > 1e-9) continue;
    ++solved;
    EXPECT_LT(natural_residual(m.problem, p), 1e-8) << k;
    const Eigen::VectorXd after =
        m.problem.velocity + m.jacobian * (m.masses.cwiseInverse().asDiagonal() * (m.jacobian.transpose() * p));
    EXPECT_LT(p.dot(after + m.problem.velocity), 1e-9 * (1 + p.norm())) << k;  // energy is never gained
    const ContactsSolution other = solve_contacts(m.problem);
    agreed += (other.velocity - after).norm() < 1e-6 * (1 + after.norm());
  }
  // Friction makes some swing for ever; where solutions are not unique two methods may find two of them.
  EXPECT_GT(solved, 0.9 * count);
  EXPECT_GT(agreed, 0.9 * solved);
}

TEST(Sweeps, AGoodStartIsKeptAndMadeBetter) {
  Random random(2502);
  Machine m = random_machine(random, 5, Dimension::spatial, 1);
  while (m.problem.bilateral_rows() > 0) m = random_machine(random, 5, Dimension::spatial, 1);
  m.problem.friction.assign(5, 0.3);
  const internal::ResponseColumns response = response_of(m, 3);
  Eigen::VectorXd p = Eigen::VectorXd::Zero(15), z = Eigen::VectorXd::Zero(m.masses.size());
  internal::ContactSweeps sweeps;
  double residual = sweeps.solve(response, m.problem.velocity, m.problem.friction, 1e-2, 1000, p, z).residual;
  ASSERT_LE(residual, 1e-2);
  for (int k = 0; k < 200; ++k) {
    const auto outcome = sweeps.solve(response, m.problem.velocity, m.problem.friction, 1e-2, 1000, p, z);
    EXPECT_LE(outcome.sweeps, 2);
    residual = outcome.residual;
  }
  EXPECT_LT(residual, 1e-5);
}

}  // namespace
