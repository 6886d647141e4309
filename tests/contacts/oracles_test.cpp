// Answers known by other means: enumeration of modes, a march of small steps, statics by hand.
#include <gtest/gtest.h>

#include "contact_oracles.h"

namespace {

using namespace contact_problems;
using routh::ContactsOptions;
using routh::ContactsSolution;
using routh::ContactsStatus;
using testing_support::scaled;

TEST(ContactOracles, EveryAnswerInThePlaneIsAmongThoseEnumerated) {
  Random random(2311);
  for (int k = 0; k < scaled(1500); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const int n = 1 + random.below(4);
    Machine m;
    m.problem.dimension = Dimension::planar;
    m.jacobian = Eigen::MatrixXd::NullaryExpr(2 * n, 2 * n + 1, [&] { return random.normal(); });
    m.masses = Eigen::VectorXd::Ones(2 * n + 1);
    m.velocity = Eigen::VectorXd::NullaryExpr(2 * n + 1, [&] { return random.normal(); });
    finish(m, n);
    for (double& mu : m.problem.friction) mu = random.uniform(0, 3);
    const ContactsSolution s = solve_contacts(m.problem);
    ASSERT_EQ(s.status, ContactsStatus::solved);
    double nearest = 1e300;
    for (const Eigen::VectorXd& v : enumerate(m.problem)) nearest = std::min(nearest, (v - s.velocity).norm());
    ASSERT_LE(nearest, 1e-7 * m.problem.velocity.norm());
  }
}

// A second velocity is told where enumeration has one and nowhere else, by itself.
TEST(ContactOracles, SecondSolutions) {
  Random random(2312);
  int several = 0, told = 0, known = 0;
  for (int k = 0; k < scaled(800, 400); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    Machine m;
    m.problem.dimension = Dimension::planar;
    m.jacobian = Eigen::MatrixXd::NullaryExpr(4, 5, [&] { return random.normal(); });
    m.masses = Eigen::VectorXd::Ones(5);
    m.velocity = Eigen::VectorXd::NullaryExpr(5, [&] { return random.normal(); });
    finish(m, 2);
    for (double& mu : m.problem.friction) mu = random.uniform(1, 6);
    const ContactsSolution s = solve_contacts(m.problem);
    double apart = 0;
    for (const Eigen::VectorXd& v : enumerate(m.problem)) apart = std::max(apart, (v - s.velocity).norm());
    const bool more = apart > 1e-5 * m.problem.velocity.norm();
    several += more;
    told += s.other_velocity.size() > 0;
    known += s.velocity_unique.has_value();
    ASSERT_EQ(s.other_velocity.size() > 0, s.velocity_unique == false);
    if (s.velocity_unique) {
      ASSERT_EQ(*s.velocity_unique, !more);
    }
  }
  EXPECT_GT(several, 5);
  EXPECT_EQ(told, several);
  EXPECT_GE(known, scaled(800, 400) * 99 / 100);
}

// A march of small steps, independent of every method of the solver: dp/dτ = P_K(p − ρ û) − p from p = 0 until it
// stands still, which is a solution. False where it does not come to rest.
bool march_to_rest(const FrictionContactProblem& p, Eigen::VectorXd& impulse) {
  const int d = p.rows_per_contact();
  const double rho = 1 / dense(p).operatorNorm(), step = 0.2;
  impulse = Eigen::VectorXd::Zero(p.velocity.size());
  for (int k = 0; k < 20000; ++k) {
    const Eigen::VectorXd v = p.velocity + dense(p) * impulse;
    Eigen::VectorXd rate = -rho * v;  // of bilateral rows
    for (int i = 0; i < p.contacts(); ++i) {
      const double mu = p.friction[static_cast<std::size_t>(i)];
      Eigen::VectorXd u = v.segment(d * i, d);
      u[0] += mu * u.tail(d - 1).norm();
      rate.segment(d * i, d) = nearest_in_cone(impulse.segment(d * i, d) - rho * u, mu) - impulse.segment(d * i, d);
    }
    impulse += step * rate;
    if (rate.norm() <= 1e-14 * rho * p.velocity.norm()) return true;
  }
  return false;
}

// Coupling and friction weak enough that the answer is unique.
TEST(ContactOracles, SmallStepsArriveAtTheSameAnswer) {
  Random random(2314);
  int compared = 0;
  const int count = scaled(200, 40);
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    Machine m;
    m.problem.dimension = k % 2 == 0 ? Dimension::planar : Dimension::spatial;
    const int n = 1 + random.below(5), rows = m.problem.rows_per_contact() * n + random.below(3), dof = 4 * rows;
    m.jacobian = Eigen::MatrixXd::NullaryExpr(rows, dof, [&] { return random.normal(); });
    m.masses = Eigen::VectorXd::Ones(dof);
    m.velocity = Eigen::VectorXd::NullaryExpr(dof, [&] { return random.normal(); });
    finish(m, n);
    for (double& mu : m.problem.friction) mu = random.chance(0.1) ? 0 : random.uniform(0, 0.5);
    const ContactsSolution s = solve_contacts(m.problem);
    ASSERT_EQ(s.status, ContactsStatus::solved);
    Eigen::VectorXd marched;
    if (!march_to_rest(m.problem, marched)) continue;
    ++compared;
    ASSERT_LE((marched - s.impulse).norm(), 1e-8 * s.impulse.norm() + 1e-12);
  }
  EXPECT_GE(compared, count - 2);
}

// A table that comes down on four legs with its centre between them: a quarter of the momentum at each leg is the share
// of least norm; any share along (1, −1, 1, −1) would do.
TEST(ContactOracles, LeastNormOfATable) {
  Eigen::VectorXd velocity(6);
  velocity << 0, 0, -2, 0, 0, 0;
  const Machine m = body_on_points({{1, 1, -0.5}, {-1, 1, -0.5}, {-1, -1, -0.5}, {1, -1, -0.5}}, 0.4, velocity);
  ContactsOptions options;
  options.least_norm = true;
  const ContactsSolution s = solve_contacts(m.problem, options);
  ASSERT_EQ(s.status, ContactsStatus::solved);
  EXPECT_EQ(s.impulse_unique, false);
  for (int leg = 0; leg < 4; ++leg) {
    EXPECT_NEAR(s.impulse[3 * leg], 0.5, 1e-10);
    EXPECT_NEAR(s.impulse.segment(3 * leg + 1, 2).norm(), 0, 1e-10);
  }
}

// Of least norm: no admissible change lessens it. Changes are sampled in the null space of D and cut to the cones.
TEST(ContactOracles, LeastNormIsLeast) {
  Random random(2313);
  ContactsOptions options;
  options.least_norm = true;
  for (int k = 0; k < scaled(60, 20); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const int n = 3 + random.below(6);
    std::vector<Eigen::Vector3d> points;
    for (int i = 0; i < n; ++i) points.emplace_back(random.normal(), random.normal(), -0.5);
    Eigen::VectorXd velocity = 0.2 * Eigen::VectorXd::NullaryExpr(6, [&] { return random.normal(); });
    velocity[2] -= 1;
    const Machine m = body_on_points(points, 0.6, velocity);
    const ContactsSolution s = solve_contacts(m.problem, options);
    ASSERT_EQ(s.status, ContactsStatus::solved);
    const Eigen::MatrixXd kernel = Eigen::FullPivLU<Eigen::MatrixXd>(m.jacobian.transpose()).kernel();
    for (int trial = 0; trial < 300; ++trial) {
      const Eigen::VectorXd change =
          kernel * Eigen::VectorXd::NullaryExpr(kernel.cols(), [&] { return random.normal(); });
      for (const double share : {1e-3, 1e-5}) {
        const Eigen::VectorXd p = s.impulse + share * change;
        if (violation(m.problem, p) > 1e-12) continue;
        ASSERT_GE(p.norm(), s.impulse.norm() * (1 - 1e-9));
      }
    }
  }
}

// A belt: what it supplies and what contacts take add up to the change of T.
TEST(ContactOracles, BeltSuppliesWhatItDoes) {
  Eigen::VectorXd velocity(6);
  velocity << 0, 0, -1, 0, 0, 0;
  Machine m = body_on_points({{0, 0, 0}}, 10, velocity);
  m.problem.surface_velocity.resize(3);
  m.problem.surface_velocity << 0, 2, 0;
  const ContactsSolution s = solve_contacts(m.problem);
  ASSERT_EQ(s.status, ContactsStatus::solved);
  EXPECT_NEAR(s.impulse[0], 1, 1e-12);
  EXPECT_NEAR(s.impulse[1], 2, 1e-12);  // a point of unit mass takes the belt's speed
  EXPECT_NEAR(s.supplied, 4, 1e-12);
  EXPECT_NEAR(s.energy_change, 0.5 * 4 - 0.5, 1e-12);
}

}  // namespace
