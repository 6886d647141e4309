// What holds for every frictional contact problem, over seeded random machines.
#include <gtest/gtest.h>

#include <numeric>

#include "contact_oracles.h"
#include "routh/base/error.h"
#include "routh/contacts/pyramid.h"
#include "routh/impact/solve.h"
#include "support/count_allocations.h"
#include "support/stepped_machine.h"

namespace {

using namespace contact_problems;
using routh::ContactsOptions;
using routh::ContactsSolution;
using routh::ContactsStatus;
using testing_support::scaled;

TEST(ContactLaws, RandomMachinesKeepThemAndGainNothing) {
  Random random(2301);
  routh::FrictionContactSolver solver;
  const int count = scaled(100000);
  ContactsOptions options;
  options.uniqueness = false;  // a question of its own
  int missed = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const double mass_ratio = std::pow(10, random.uniform(0, 6));
    const Machine m =
        random_machine(random, 1 + random.below(8), k % 3 == 0 ? Dimension::planar : Dimension::spatial, mass_ratio);
    const ContactsSolution& s = solver.solve(m.problem, options);
    ASSERT_NE(s.status, ContactsStatus::infeasible);
    if (s.status != ContactsStatus::solved) {
      ++missed;
      continue;
    }
    ASSERT_LE(violation(m.problem, s.impulse), 1e-7);
    ASSERT_LE(s.energy_change, 1e-9 * m.kinetic_energy());
    ASSERT_NEAR(s.residual, natural_residual(m.problem, s.impulse), 1e-12);
    // T from the generalised velocity, another way; but for the rounding of p·Dp, which self-stress makes large.
    const Eigen::VectorXd after =
        m.velocity + m.masses.cwiseInverse().asDiagonal() * (m.jacobian.transpose() * s.impulse);
    ASSERT_NEAR(0.5 * after.cwiseProduct(m.masses).dot(after) - m.kinetic_energy(), s.energy_change,
                1e-8 * m.kinetic_energy() + 1e-12 * s.impulse.norm() * m.problem.velocity.norm() +
                    1e-15 * s.impulse.cwiseAbs().dot(dense(m.problem).cwiseAbs() * s.impulse.cwiseAbs()));
  }
  EXPECT_LE(missed, 1 + count / 5000);  // redundant contacts between bodies of very different mass
}

TEST(ContactLaws, IllConditioned) {
  Random random(2315);
  routh::FrictionContactSolver solver;
  const int count = scaled(2000, 100);
  int missed = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const Dimension dimension = k % 3 == 0 ? Dimension::planar : Dimension::spatial;
    Machine m = stiff_machine(random, 1 + random.below(6), dimension);
    for (double& mu : m.problem.friction) mu = random.uniform(0, 1.5);
    const ContactsSolution& s = solver.solve(m.problem);
    ASSERT_NE(s.status, ContactsStatus::infeasible);
    missed += s.status != ContactsStatus::solved;
    if (s.status != ContactsStatus::solved) continue;
    ASSERT_LE(violation(m.problem, s.impulse), 1e-7);
    ASSERT_LE(s.energy_change, 1e-8 * m.kinetic_energy());
  }
  EXPECT_LE(missed, 1 + count / 500);
}

// Friction up to 10³ and infinite friction: a solution exists, and is missed in one of a thousand at most.
TEST(ContactLaws, LargeAndInfiniteFriction) {
  Random random(2302);
  routh::FrictionContactSolver solver;
  const int count = scaled(2000, 500);
  int missed = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    Machine m = random_machine(random, 1 + random.below(6), Dimension::spatial, std::pow(10, random.uniform(0, 4)));
    for (double& mu : m.problem.friction) {
      if (random.chance(0.2)) mu = std::pow(10, random.uniform(0, 3));
      if (random.chance(0.1)) mu = std::numeric_limits<double>::infinity();
    }
    const ContactsSolution& s = solver.solve(m.problem);
    missed += s.status != ContactsStatus::solved;
    ASSERT_NE(s.status, ContactsStatus::infeasible);
    if (s.status == ContactsStatus::solved) {
      ASSERT_LE(s.energy_change, 1e-8 * m.kinetic_energy());
    } else {
      EXPECT_FALSE(s.tried.empty());
    }
  }
  EXPECT_LE(missed, 1 + count / 1000);
}

// Every friction between 1 and 10⁶: contacts lock each other, impulses are large beside velocities over the mobility.
TEST(ContactLaws, EveryFrictionHuge) {
  Random random(2309);
  routh::FrictionContactSolver solver;
  const int count = scaled(4000, 500);
  int missed = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    Machine m = random_machine(random, 1 + random.below(6), Dimension::spatial, std::pow(10, random.uniform(0, 4)));
    for (double& mu : m.problem.friction) mu = std::pow(10, random.uniform(0, 6));
    const ContactsSolution& s = solver.solve(m.problem);
    missed += s.status != ContactsStatus::solved;
    ASSERT_NE(s.status, ContactsStatus::infeasible);
    if (s.status == ContactsStatus::solved) {
      ASSERT_LE(s.energy_change, 1e-8 * m.kinetic_energy());
    }
  }
  EXPECT_LE(missed, 1 + count / 1000);
}

// Every friction infinite: a contact is open, holds, or is dragged along with no normal impulse.
TEST(ContactLaws, EveryFrictionInfinite) {
  Random random(2310);
  routh::FrictionContactSolver solver;
  const int count = scaled(2000, 200);
  int missed = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    Machine m = random_machine(random, 1 + random.below(6), k % 4 == 0 ? Dimension::planar : Dimension::spatial,
                               std::pow(10, random.uniform(0, 4)));
    for (double& mu : m.problem.friction) mu = std::numeric_limits<double>::infinity();
    const ContactsSolution& s = solver.solve(m.problem);
    missed += s.status != ContactsStatus::solved;
    ASSERT_NE(s.status, ContactsStatus::infeasible);
    if (s.status != ContactsStatus::solved) continue;
    ASSERT_LE(s.energy_change, 1e-8 * m.kinetic_energy());
    for (int i = 0; i < m.problem.contacts(); ++i) ASSERT_TRUE(obeys_infinite_friction(m.problem, i, s)) << i;
  }
  EXPECT_LE(missed, 1 + count / 2000);
}

// One contact without rebound is the textbook's impact: try stick, else friction opposes the final slip.
TEST(ContactLaws, OneContactIsTheClassicalImpact) {
  Random random(2303);
  for (int k = 0; k < scaled(3000); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    routh::ImpactProblem one = testing_support::random_spatial(random);
    one.restitution = {};
    one.friction.static_coefficient = one.friction.kinetic_coefficient;
    const routh::ImpactResult expected = solve_impact(one, routh::Law::classical);
    if (expected.status != routh::ImpactStatus::ok) continue;
    const auto& d = one.inertia;
    FrictionContactProblem p;
    p.inertia = Eigen::MatrixXd(Eigen::Matrix3d{{d.a, d.c1, d.c2}, {d.c1, d.b11, d.b12}, {d.c2, d.b12, d.b22}});
    p.velocity = Eigen::Vector3d(one.velocity.n, one.velocity.t1, one.velocity.t2);
    p.friction = {one.friction.kinetic_coefficient};
    const ContactsSolution s = solve_contacts(p);
    ASSERT_EQ(s.status, ContactsStatus::solved);
    const Eigen::Vector3d impulse(expected.impulse.n, expected.impulse.t1, expected.impulse.t2);
    // Beyond jamming friction one contact can have several answers.
    if (p.friction[0] * std::hypot(d.c1, d.c2) > 0.99 * d.a) continue;
    ASSERT_LE((s.impulse - impulse).norm(), 1e-7 * impulse.norm());
  }
}

TEST(ContactLaws, OrderUnitsAndFramesDoNotMatter) {
  Random random(2304);
  for (int k = 0; k < scaled(500); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const int n = 2 + random.below(6);
    Machine m;
    m.jacobian = Eigen::MatrixXd::NullaryExpr(3 * n, 9 * n, [&] { return random.normal(); });
    m.masses = Eigen::VectorXd::Ones(9 * n);
    m.velocity = Eigen::VectorXd::NullaryExpr(9 * n, [&] { return random.normal(); });
    finish(m, n);
    for (double& mu : m.problem.friction) mu = random.uniform(0, 0.4);  // weak coupling: the motion is unique
    const std::vector<double> friction = m.problem.friction;
    const ContactsSolution s = solve_contacts(m.problem);
    ASSERT_EQ(s.status, ContactsStatus::solved);
    // Permuted, each contact's tangents turned, lengths and masses in other units.
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; --i)
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.below(i + 1))]);
    Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    FrictionContactProblem other;
    other.friction.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      const int from = order[static_cast<std::size_t>(i)];
      const double angle = random.uniform(0, 6.28);
      turn.block<3, 3>(3 * i, 3 * from) = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).toRotationMatrix();
      other.friction[static_cast<std::size_t>(i)] = friction[static_cast<std::size_t>(from)];
    }
    const double mass = 1e3, length = 1e-2;
    other.inertia = Eigen::MatrixXd(turn * dense(m.problem) * turn.transpose() / mass);
    other.velocity = length * turn * m.problem.velocity;
    const ContactsSolution t = solve_contacts(other);
    ASSERT_EQ(t.status, ContactsStatus::solved);
    ASSERT_LE((t.velocity / length - turn * s.velocity).norm(), 1e-7 * m.problem.velocity.norm());
  }
}

// Three points of one body, some of them several times: how copies share an impulse is open, their sum and the velocity
// are not. (With four points the share of each would turn a body that slides.)
TEST(ContactLaws, OrderOfRedundantContactsDoesNotMatter) {
  Random random(2316);
  int compared = 0;
  for (int k = 0; k < scaled(300); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    std::vector<Eigen::Vector3d> points;
    for (int i = 0; i < 3; ++i) points.emplace_back(random.normal(), random.normal(), -0.3);
    for (int i = 1 + random.below(4); i > 0; --i) points.push_back(points[static_cast<std::size_t>(random.below(3))]);
    Eigen::VectorXd velocity = Eigen::VectorXd::NullaryExpr(6, [&] { return random.normal(); });
    velocity[2] -= 1;
    const Machine m = body_on_points(points, random.uniform(0, 0.5), velocity);
    for (std::size_t i = points.size(); i > 1; --i)
      std::swap(points[i - 1], points[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    const Machine other = body_on_points(points, m.problem.friction[0], velocity);
    const ContactsSolution s = solve_contacts(m.problem), t = solve_contacts(other.problem);
    ASSERT_EQ(s.status, ContactsStatus::solved);
    ASSERT_EQ(t.status, ContactsStatus::solved);
    if (s.velocity_unique == false || t.velocity_unique == false) continue;
    ++compared;
    const Eigen::VectorXd gained = m.jacobian.transpose() * s.impulse - other.jacobian.transpose() * t.impulse;
    ASSERT_LE(gained.norm(), 1e-7 * velocity.norm());
  }
  EXPECT_GE(compared, scaled(300) * 9 / 10);
}

TEST(ContactLaws, BlocksAndOperatorsAreTheSameProblem) {
  class Dense : public routh::DelassusOperator {
   public:
    explicit Dense(Eigen::MatrixXd d) : d_(std::move(d)) {}
    int rows() const override { return static_cast<int>(d_.rows()); }
    void apply(const Eigen::VectorXd& p, Eigen::VectorXd& v) const override { v = d_ * p; }
    void diagonal_block(int i, Eigen::Ref<Eigen::MatrixXd> block) const override {
      block = d_.block(3 * i, 3 * i, 3, 3);
    }

   private:
    Eigen::MatrixXd d_;
  };
  Random random(2305);
  for (int k = 0; k < scaled(300); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const int n = 1 + random.below(10);
    Machine m = random_machine(random, n, Dimension::spatial, 10);
    m.jacobian = Eigen::MatrixXd::NullaryExpr(3 * n, 3 * n + 3, [&] { return random.normal(); });
    m.masses = Eigen::VectorXd::Ones(3 * n + 3);
    m.velocity = Eigen::VectorXd::NullaryExpr(3 * n + 3, [&] { return random.normal(); });
    finish(m, n);
    for (double& mu : m.problem.friction) mu = random.uniform(0, 0.4);
    const ContactsSolution s = solve_contacts(m.problem);
    FrictionContactProblem blocks = m.problem, function = m.problem;
    routh::BlockMatrix by_blocks;
    by_blocks.row_start.push_back(0);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        by_blocks.column.push_back(j);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) by_blocks.values.push_back(dense(m.problem)(3 * i + r, 3 * j + c));
      }
      by_blocks.row_start.push_back(n * (i + 1));
    }
    blocks.inertia = by_blocks;
    function.inertia = std::make_shared<Dense>(dense(m.problem));
    ASSERT_EQ(solve_contacts(blocks).impulse, s.impulse);  // to the bit
    const ContactsSolution f = solve_contacts(function);
    ASSERT_EQ(f.status, ContactsStatus::solved) << f.residual;
    ASSERT_LE((f.velocity - s.velocity).norm(), 1e-7 * m.problem.velocity.norm());
  }
}

TEST(ContactLaws, SolversRepeatThemselvesAndStartWarm) {
  Random random(2306);
  routh::FrictionContactSolver solver;
  for (int k = 0; k < scaled(200); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const Machine m = random_machine(random, 1 + random.below(8), Dimension::spatial, 100);
    const ContactsSolution cold = solver.solve(m.problem);
    ASSERT_EQ(solve_contacts(m.problem).impulse, cold.impulse);  // a fresh solver, to the bit
    const ContactsSolution warm =
        solver.solve(m.problem, {}, {cold.impulse.data(), static_cast<std::size_t>(cold.impulse.size())});
    ASSERT_EQ(warm.status, ContactsStatus::solved);
    ASSERT_EQ(warm.iterations, 0);
  }
}

// Steps of limp robots: every one of them is solved, most in a few iterations from the last one's impulses; a solver
// that has solved others before gives the same bits.
TEST(ContactLaws, LimpRobotsStepByStep) {
  Random random(2308);
  routh::FrictionContactSolver solver;
  ContactsOptions options;
  options.uniqueness = false;
  options.tolerance = 1e-8;
  for (const int freedoms : {18, 36})
    for (const int contacts : {4, 8, 16, 24, 40}) {
      testing_support::SteppedMachine machine(random, contacts, freedoms);
      Eigen::VectorXd last = Eigen::VectorXd::Zero(3 * contacts);
      long iterations = 0;
      const int steps = scaled(400, 20);
      for (int k = 0; k < steps; ++k) {
        SCOPED_TRACE(testing::Message() << contacts << " contacts, " << freedoms << " freedoms, step " << k);
        const FrictionContactProblem& p = machine.next();
        const std::span<const double> start{last.data(), static_cast<std::size_t>(last.size())};
        const ContactsSolution& s = solver.solve(p, options, start);
        ASSERT_EQ(s.status, ContactsStatus::solved);
        ASSERT_LE(violation(p, s.impulse), 1e-6);
        ASSERT_LE(s.energy_change, 1e-9 * p.velocity.squaredNorm());
        iterations += s.iterations;
        if (k % 50 == 0) {
          ASSERT_EQ(routh::FrictionContactSolver().solve(p, options, start).impulse, s.impulse);
        }
        last = s.impulse;
        machine.take(last);
      }
      EXPECT_LE(iterations, 5 * steps + 100);
    }
}

TEST(ContactLaws, NoAllocationAfterTheFirst) {
  if (!testing_support::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  Random random(2307);
  routh::FrictionContactSolver solver;
  ContactsOptions options;
  int solved = 0;
  for (int k = 0; k < 50; ++k) {
    Machine m = body_on_points({{1, 1, -0.5}, {-1, 1, -0.5}, {-1, -1, -0.5}, {1, -1, -0.5}}, 0.5,
                               Eigen::VectorXd::NullaryExpr(6, [&] { return random.normal(); }));
    Eigen::Index another = 0;
    const long count = testing_support::count_allocations([&] {
      const ContactsSolution& s = solver.solve(m.problem, options);
      solved += s.status == ContactsStatus::solved;
      another = s.other_velocity.size();
    });
    if (k > 5) {
      EXPECT_EQ(count, another > 0) << k;  // the second velocity where there is one
    }
  }
  EXPECT_EQ(solved, 50);
}

// Of one size, with bilateral rows and without, whatever path Lemke's method takes.
TEST(ContactLaws, PyramidsAllocateOnce) {
  if (!testing_support::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  using namespace routh::internal;
  Random random(2308);
  int solved = 0;
  for (const Dimension dimension : {Dimension::planar, Dimension::spatial})
    for (const int bilateral : {0, 3}) {
      PyramidSolver solver;
      ContactSystem system;
      PyramidFans fans;
      std::vector<Vector3> impulse;
      for (int k = 0; k < 20; ++k) {
        Machine m;
        do m = random_machine(random, 5, dimension, 1e6);
        while (m.problem.bilateral_rows() != bilateral);
        for (double& mu : m.problem.friction) mu += 0.1;  // smooth contacts would make another size
        system.take_up(m.problem);
        fans.widen(system.size());
        bool found = false;
        const long count = testing_support::count_allocations([&] { found = solver.solve(system, fans, impulse); });
        solved += found;
        // The first and second path have memory of their own.
        if (k > 10) {
          EXPECT_EQ(count, 0) << k;
        }
      }
    }
  EXPECT_GE(solved, 60);
}

TEST(ContactLaws, BadNumbersAreRefused) {
  Machine m = body_on_points({{1, 0, 0}, {0, 1, 0}}, 0.5, Eigen::VectorXd::Ones(6));
  const auto refused = [](FrictionContactProblem p) { EXPECT_THROW(solve_contacts(p), routh::InputError); };
  FrictionContactProblem p = m.problem;
  p.velocity[2] = std::nan("");
  refused(p);
  p = m.problem;
  p.velocity.conservativeResize(5);
  refused(p);
  p = m.problem;
  p.friction[1] = -0.1;
  refused(p);
  p = m.problem;
  p.friction[0] = std::nan("");
  refused(p);
  p = m.problem;
  p.inertia = Eigen::MatrixXd(Eigen::MatrixXd::Identity(5, 5));
  refused(p);
  p = m.problem;
  p.surface_velocity = Eigen::VectorXd::Zero(4);
  refused(p);
  p = m.problem;
  p.slip.resize(1);
  refused(p);
  p = m.problem;
  p.inertia = routh::BlockMatrix{{0, 1}, {0}, {1, 2, 3}};
  refused(p);
}

}  // namespace
