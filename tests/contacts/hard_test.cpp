// Frictional contact problems that are hard on numbers: units far from one, towers of very different masses, friction
// that holds, impulses that only their sum decides.
#include <gtest/gtest.h>

#include "contact_oracles.h"

namespace {

using namespace contact_problems;
using routh::ContactsOptions;
using routh::ContactsSolution;
using routh::ContactsStatus;
using testing_support::scaled;

FrictionContactProblem one_contact(const Eigen::Matrix3d& inertia, const Eigen::Vector3d& velocity, double friction) {
  FrictionContactProblem p;
  p.inertia = Eigen::MatrixXd(inertia);
  p.velocity = velocity;
  p.friction = {friction};
  return p;
}

TEST(HardContacts, BilateralRowsAloneThatContradict) {
  FrictionContactProblem p;
  p.inertia = Eigen::MatrixXd(Eigen::Matrix2d::Ones());
  p.velocity = Eigen::Vector2d(1, 2);
  const ContactsSolution s = solve_contacts(p);
  ASSERT_EQ(s.status, ContactsStatus::infeasible);
  EXPECT_LT(s.certificate.dot(p.velocity), 0);
  EXPECT_NEAR(s.certificate[0] + s.certificate[1], 0, 1e-7);
  EXPECT_FALSE(s.impulse_unique.has_value());
}

// Multiples by powers of two have the same answer to the bit; the problem between them was solved otherwise: n = 1,
// p = (1, −½, 0), slip 2.
TEST(HardContacts, UnitsFarFromOne) {
  const Eigen::Matrix3d d = Eigen::Vector3d(1, 2, 2).asDiagonal();
  const FrictionContactProblem plain = one_contact(d, {-1, 3, 0}, 0.5);
  const ContactsSolution s = solve_contacts(plain);
  ASSERT_EQ(s.status, ContactsStatus::solved);
  EXPECT_NEAR((s.impulse - Eigen::Vector3d(1, -0.5, 0)).norm(), 0, 1e-10);
  for (const int of_inertia : {-400, 0, 450})
    for (const int of_velocity : {-500, -60, 0, 70, 520}) {
      SCOPED_TRACE(testing::Message() << of_inertia << " " << of_velocity);
      const double a = std::ldexp(1, of_inertia), b = std::ldexp(1, of_velocity);
      const ContactsSolution t = solve_contacts(one_contact(a * d, Eigen::Vector3d(-1, 3, 0) * b, 0.5));
      ASSERT_EQ(t.status, ContactsStatus::solved);
      EXPECT_EQ(t.impulse * a / b, s.impulse);
      EXPECT_EQ(t.velocity / b, s.velocity);
    }
  const ContactsSolution decimal = solve_contacts(one_contact(d, {-1e160, 3e160, 0}, 0.5));
  ASSERT_EQ(decimal.status, ContactsStatus::solved);
  EXPECT_NEAR((decimal.impulse / 1e160 - s.impulse).norm(), 0, 1e-10);
}

// Impulses 10⁵ times the velocities: a bound on what rounding leaves of the residual is above 1e-9, and what it leaves
// is far below.
TEST(HardContacts, ResidualsOfHeavyBodiesAreReached) {
  Random random(2406);
  ContactsOptions options;
  options.tolerance = 1e-9;
  for (int k = 0; k < scaled(300, 50); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    std::vector<Eigen::Vector3d> points;
    for (int i = 3 + random.below(12); i > 0; --i) points.emplace_back(random.normal(), random.normal(), -0.5);
    Eigen::VectorXd velocity = Eigen::VectorXd::NullaryExpr(6, [&] { return random.normal(); });
    velocity[2] -= 2;
    Machine m = body_on_points(points, random.uniform(0, 1), velocity);
    m.problem.inertia = Eigen::MatrixXd(1e-5 * dense(m.problem));
    const ContactsSolution s = solve_contacts(m.problem, options);
    ASSERT_EQ(s.status, ContactsStatus::solved);
    ASSERT_LE(natural_residual_of(m.problem, s.impulse), options.tolerance);
  }
}

// Of a doubled contact only the sum is decided, whether it slides or sticks; of one contact of a regular D all is.
TEST(HardContacts, DoubledContactsAreNotUnique) {
  Eigen::MatrixXd one(2, 2), two(4, 4);
  one << 1, 0.2, 0.2, 2;
  two << one, one, one, one;
  FrictionContactProblem p;
  p.dimension = Dimension::planar;
  for (const double slip : {3.0, 0.1, -3.0}) {
    p.inertia = two;
    p.friction = {0.1, 0.1};
    p.velocity = Eigen::Vector4d(-1, slip, -1, slip);
    EXPECT_EQ(solve_contacts(p).impulse_unique, false) << slip;
    p.inertia = one;
    p.friction = {0.1};
    p.velocity = Eigen::Vector2d(-1, slip);
    EXPECT_EQ(solve_contacts(p).impulse_unique, true) << slip;
  }
}

// A table that slides on four legs: friction of each is fixed by its normal impulse, and these by no more than their
// sum and two moments.
TEST(HardContacts, ASlidingTableIsNotUnique) {
  Eigen::VectorXd velocity(6);
  velocity << 2, 0, -1, 0, 0, 0;
  const std::vector<Eigen::Vector3d> legs = {{1, 1, -0.5}, {-1, 1, -0.5}, {-1, -1, -0.5}, {1, -1, -0.5}};
  const Machine four = body_on_points(legs, 0.2, velocity);
  EXPECT_EQ(solve_contacts(four.problem).impulse_unique, false);
  const Machine three = body_on_points({legs[0], {-1, 0, -0.5}, legs[3]}, 0.2, velocity);
  EXPECT_EQ(solve_contacts(three.problem).impulse_unique, true);
}

// Impulses ten million times the velocity over the mobility, and exact all the same.
TEST(HardContacts, SqueezedBlock) {
  FrictionContactProblem p;
  p.dimension = Dimension::planar;
  Eigen::Matrix4d d = Eigen::Matrix4d::Identity();
  d(0, 2) = d(2, 0) = -0.9999999;
  p.inertia = Eigen::MatrixXd(d);
  p.velocity = Eigen::Vector4d(-1, 0, -1, 0);
  p.friction = {0.3, 0.3};
  const ContactsSolution s = solve_contacts(p);
  ASSERT_EQ(s.status, ContactsStatus::solved);
  EXPECT_NEAR(s.impulse[0] * 1e-7, 1, 1e-6);
  EXPECT_NEAR(s.impulse[2] * 1e-7, 1, 1e-6);
}

// One contact always has an answer; with infinite friction, too, and where D spans ten powers of ten.
TEST(HardContacts, OneContactIsNeverMissed) {
  Random random(2402);
  for (int k = 0; k < scaled(3000, 500); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const Eigen::Matrix3d any = Eigen::Matrix3d::NullaryExpr([&] { return random.normal(); });
    const Eigen::Matrix3d turn = any.householderQr().householderQ();
    const Eigen::Vector3d masses(1, std::pow(10, random.uniform(0, 5)), std::pow(10, random.uniform(5, 8)));
    Eigen::Matrix3d d = turn * masses.cwiseInverse().asDiagonal() * turn.transpose();
    d = 0.5 * (d + d.transpose()).eval();
    const Eigen::Vector3d motion(random.normal(), random.normal(), random.normal());
    const Eigen::Vector3d v = turn * (motion.array() / masses.array().sqrt()).matrix();
    const ContactsSolution s = solve_contacts(one_contact(d, v, k % 3 == 0 ? infinite : any_friction(random)));
    ASSERT_EQ(s.status, ContactsStatus::solved) << s.residual;
    ASSERT_GE(s.impulse[0], 0);
    ASSERT_LE(s.energy_change, 1e-8 * motion.squaredNorm());
  }
}

// Light boxes between heavy ones, friction from none to infinite.
TEST(HardContacts, TowersOfVeryDifferentMasses) {
  Random random(2403);
  routh::FrictionContactSolver solver;
  ContactsOptions options;
  options.uniqueness = false;
  const int count = scaled(60, 30);
  for (const bool moderate : {true, false}) {
    int missed = 0;
    for (int k = 0; k < count; ++k) {
      Machine m = tower(random, 2 + random.below(10));
      for (double& mu : m.problem.friction) mu = moderate ? random.uniform(0, 1.5) : any_friction(random);
      const ContactsSolution& s = solver.solve(m.problem, options);
      ASSERT_NE(s.status, ContactsStatus::infeasible);
      missed += s.status != ContactsStatus::solved;
      if (s.status != ContactsStatus::solved) continue;
      ASSERT_LE(s.energy_change, 1e-8 * m.kinetic_energy());
      if (moderate) {
        ASSERT_LE(violation(m.problem, s.impulse), 1e-7);
      }
    }
    EXPECT_LE(missed, 1 + count / 30) << moderate;  // up to a fifth before friction and compliance were approached
  }
}

class Function : public routh::DelassusOperator {
 public:
  explicit Function(Eigen::MatrixXd d) : d_(std::move(d)) {}
  int rows() const override { return static_cast<int>(d_.rows()); }
  void apply(const Eigen::VectorXd& p, Eigen::VectorXd& v) const override { v = d_ * p; }
  void diagonal_block(int i, Eigen::Ref<Eigen::MatrixXd> block) const override { block = d_.block<3, 3>(3 * i, 3 * i); }

 private:
  Eigen::MatrixXd d_;
};

// One body on many contacts, given as a function, is the same problem to the bit as where D is given.
TEST(HardContacts, SmallOperatorsAreFormed) {
  Random random(2404);
  for (int k = 0; k < scaled(80, 40); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    std::vector<Eigen::Vector3d> points;
    for (int i = 8 + random.below(32); i > 0; --i) points.emplace_back(random.normal(), random.normal(), -0.5);
    Machine m = body_on_points(points, 0, Eigen::VectorXd::NullaryExpr(6, [&] { return random.normal(); }));
    for (double& mu : m.problem.friction) mu = random.uniform();
    FrictionContactProblem function = m.problem;
    function.inertia = std::make_shared<Function>(dense(m.problem));
    const ContactsSolution s = solve_contacts(function);
    ASSERT_EQ(s.status, ContactsStatus::solved);
    ASSERT_EQ(s.impulse, solve_contacts(m.problem).impulse);
  }
}

// More rows than are formed: Newton's method with biconjugate gradients, and nothing told of uniqueness.
TEST(HardContacts, LargeOperatorsAreSolvedByProducts) {
  Random random(2405);
  const int n = 101, dof = 9 * n;
  Machine m;
  m.jacobian = Eigen::MatrixXd::NullaryExpr(3 * n, dof, [&] { return random.normal(); });
  m.masses = Eigen::VectorXd::Ones(dof);
  m.velocity = Eigen::VectorXd::NullaryExpr(dof, [&] { return random.normal(); });
  finish(m, n);
  for (double& mu : m.problem.friction) mu = random.uniform(0, 0.4);
  const ContactsSolution s = solve_contacts(m.problem);
  m.problem.inertia = std::make_shared<Function>(dense(m.problem));
  const ContactsSolution f = solve_contacts(m.problem);
  ASSERT_EQ(f.status, ContactsStatus::solved) << f.residual;
  EXPECT_LE((f.velocity - s.velocity).norm(), 1e-7 * m.problem.velocity.norm());
  EXPECT_FALSE(f.impulse_unique.has_value());
}

}  // namespace
