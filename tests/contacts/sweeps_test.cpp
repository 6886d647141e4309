// Sweeps without D, against the residual of the public solver, its velocities, and conservation.
#include "routh/contacts/sweeps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

// Bodies that move freely, in contact with the world and with each other, some of them side by side in the rows: what
// sweeps take four at a time. The number of contacts is none of fours, so that packs are not full, and one body that
// slides beside them is in no pack.
TEST(Sweeps, SolveFreeBodies) {
  Random random(2503);
  const int count = scaled(20, 4);
  for (int k = 0; k < count; ++k) {
    const int bodies = 12 + random.below(20), contacts = 2 * bodies + random.below(7), rows = 6 * bodies + 1;
    Machine m;
    m.masses.resize(rows);
    for (int i = 0; i < rows; ++i) m.masses[i] = 0.5 + random.uniform();
    m.jacobian.setZero(3 * contacts, rows);
    internal::ResponseColumns response;
    for (int i = 0; i < contacts; ++i) {
      const int a = random.below(bodies), b = random.chance(0.3) ? (a + 1) % bodies : random.below(bodies);
      std::vector<int> touched;
      const auto touch = [&](int first, int last) {
        for (int row = first; row < last; ++row) {
          touched.push_back(row);
          for (int r = 0; r < 3; ++r) m.jacobian(3 * i + r, row) = random.uniform() - 0.5;
        }
      };
      touch(6 * a, 6 * a + 6);
      if (i == 3) touch(rows - 1, rows);
      if (i != 3 && a != b && random.chance(0.7)) touch(6 * b, 6 * b + 6);
      std::sort(touched.begin(), touched.end());
      for (const int row : touched) {
        response.row.push_back(row);
        for (int r = 0; r < 3; ++r) response.value.push_back(m.jacobian(3 * i + r, row) / std::sqrt(m.masses[row]));
      }
      response.begin.push_back(response.row.size());
      m.problem.friction.push_back(random.chance(0.2) ? 0 : 0.6 * random.uniform());
    }
    m.velocity.resize(rows);
    for (double& x : m.velocity) x = random.normal();
    contact_problems::finish(m, contacts);
    Eigen::VectorXd p = Eigen::VectorXd::Zero(3 * contacts), z = Eigen::VectorXd::Zero(rows);
    internal::ContactSweeps sweeps;
    const auto outcome = sweeps.solve(response, m.problem.velocity, m.problem.friction, 1e-8, 20'000, p, z);
    EXPECT_LT(outcome.residual, 1e-8) << k;
    EXPECT_LT(natural_residual(m.problem, p), 1e-7) << k;
    const Eigen::VectorXd moved = m.masses.cwiseSqrt().cwiseInverse().asDiagonal() * (m.jacobian.transpose() * p);
    EXPECT_LT((z - moved).norm(), 1e-9 * (1 + moved.norm())) << k;
  }
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
