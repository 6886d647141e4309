// Derivatives of the equations of motion against differences of the reference machine, in extended precision, and of
// the library's own motion under loops, extrapolated.
#include "routh/dynamics/derivatives.h"

#include "case.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "support/count_allocations.h"

namespace {

using reference::Case;
using reference::for_random_machines;
using reference::Matrix;
using reference::near;
using reference::Real;
using reference::Vector;
using reference::wide;
using routh::DynamicsDerivatives;
using testing_support::MachineOptions;
using testing_support::Random;
using testing_support::random_vector;
using testing_support::scaled;

constexpr Real derivative_step = 2e-3L;  // of the difference of eighth order

// Column by column: f of q moved along each degree of freedom.
template <class F>
Matrix along_position(const Case& c, const F& f) {
  Matrix columns(c.n(), c.n());
  for (int j = 0; j < c.n(); ++j)
    columns.col(j) = reference::rate(
        [&](Real t) -> Vector { return f(reference::advanced(c.model, c.q(), Vector::Unit(c.n(), j), t)); },
        derivative_step);
  return columns;
}
template <class F>
Matrix along_velocity(const Case& c, const F& f) {
  Matrix columns(c.n(), c.n());
  for (int j = 0; j < c.n(); ++j)
    columns.col(j) =
        reference::rate([&](Real t) -> Vector { return f(c.v() + t * Vector::Unit(c.n(), j)); }, derivative_step);
  return columns;
}

TEST(DynamicsDerivatives, InverseDynamics) {
  for_random_machines(3951, scaled(15, 3), {.dof_chance = 0.4}, [](Case& c, Random& random) {
    const Eigen::VectorXd a = random_vector(random, c.n());
    DynamicsDerivatives found(c.model);
    found.compute_inverse(c.model, rest_state(c.model).q, a, a, c.workspace);  // leaves other numbers behind
    found.compute_inverse(c.model, c.state.q, c.state.v, a, c.workspace);
    const Matrix by_position =
        along_position(c, [&](const Vector& q) { return c.machine.inverse_dynamics(q, c.v(), wide(a)); });
    const Matrix by_velocity =
        along_velocity(c, [&](const Vector& v) { return c.machine.inverse_dynamics(c.q(), v, wide(a)); });
    ASSERT_TRUE(near(found.force_by_position(), by_position, 1e-12));
    ASSERT_TRUE(near(found.force_by_velocity(), by_velocity, 1e-12));
    ASSERT_TRUE(near(found.mass_matrix(), c.machine.mass_matrix(c.q()), 1e-13));
  });
}

// M ∂q̈/∂x + ∂τ/∂x = 0 with the derivatives of the reference, relative to the terms of the sum.
TEST(DynamicsDerivatives, ForwardDynamics) {
  for_random_machines(3952, scaled(15, 3), {.dof_chance = 0.4}, [](Case& c, Random& random) {
    const Eigen::VectorXd tau = 3 * random_vector(random, c.n());
    DynamicsDerivatives found(c.model);
    ASSERT_EQ(found.compute_forward(c.model, c.state.q, c.state.v, tau, c.workspace), -1);
    const Vector a = wide(c.workspace.acceleration);
    const Matrix M = c.machine.mass_matrix(c.q());
    const auto expect = [&](const Eigen::MatrixXd& by, const Matrix& right) {
      const double terms = reference::largest(M.cwiseAbs() * by.cast<Real>().cwiseAbs());
      return reference::largest(M * by.cast<Real>() + right) <= 1e-11 * (1 + terms);
    };
    ASSERT_TRUE(expect(found.acceleration_by_position(),
                       along_position(c, [&](const Vector& q) { return c.machine.inverse_dynamics(q, c.v(), a); })));
    ASSERT_TRUE(expect(found.acceleration_by_velocity(),
                       along_velocity(c, [&](const Vector& v) { return c.machine.inverse_dynamics(c.q(), v, a); })));
    ASSERT_TRUE(expect(found.acceleration_by_force(), -Matrix::Identity(c.n(), c.n())));
  });
}

// Springs, dampers, drives and forces as well.
TEST(DynamicsDerivatives, UnderAllThatActs) {
  for_random_machines(3953, scaled(15, 3), {.dof_chance = 0.4, .springs = 2, .forces = 2}, [](Case& c, Random&) {
    DynamicsDerivatives found(c.model);
    ASSERT_EQ(found.compute_motion(c.model, c.state, Eigen::VectorXd(), c.workspace), -1);
    const Vector a = wide(found.motion().acceleration);
    const Real time = c.state.time;
    const Matrix M = c.machine.mass_matrix(c.q());
    const auto expect = [&](const Eigen::MatrixXd& by, const Matrix& right) {
      const double terms = reference::largest(M.cwiseAbs() * by.cast<Real>().cwiseAbs()) + reference::largest(right);
      const double error = reference::largest(M * by.cast<Real>() + right);
      EXPECT_LE(error, 1e-10 * (1 + terms));
      return error <= 1e-10 * (1 + terms);
    };
    ASSERT_TRUE(expect(found.acceleration_by_position(), along_position(c, [&](const Vector& q) -> Vector {
                         return c.machine.inverse_dynamics(q, c.v(), a) - c.machine.applied_force(q, c.v(), time);
                       })));
    ASSERT_TRUE(expect(found.acceleration_by_velocity(), along_velocity(c, [&](const Vector& v) -> Vector {
                         return c.machine.inverse_dynamics(c.q(), v, a) - c.machine.applied_force(c.q(), v, time);
                       })));
  });
}

// Loops that are closed in the state they are made for, of every kind; q̈ and λ by differences of the motion itself.
TEST(DynamicsDerivatives, UnderLoops) {
  constexpr std::uint64_t seed = 3954;
  Random random(seed);
  int kind = 0, compared = 0;
  for (int k = 0; k < scaled(48, 8); ++k) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", machine " << k);
    MachineOptions options{.dof_chance = 0.3, .springs = 1};
    options.dimension = k % 3 == 2 ? routh::Dimension::planar : routh::Dimension::spatial;
    options.bodies = 3 + k % 6;
    routh::ModelDescription description = random_machine(random, options);
    const Case tree(description);
    const routh::State state = random_state(random, tree.model);
    routh::Workspace workspace(tree.model);
    compute_kinematics(tree.model, state.q, workspace);
    const auto placed = [&](std::size_t i) -> testing_support::PlacedBody {
      return {tree.model.bodies[i].name, body_pose(tree.model, workspace, static_cast<int>(i))};
    };
    const auto kinds = {routh::LoopKind::point, routh::LoopKind::hinge, routh::LoopKind::weld,
                        routh::LoopKind::distance};
    const routh::LoopKind chosen = *(kinds.begin() + kind++ % 4);
    const std::size_t last = tree.model.bodies.size() - 1;
    if (tree.model.bodies[last].link == tree.model.bodies[last / 2].link) continue;  // nothing to close
    description.loops = {random_loop(random, options.dimension, chosen, placed(last), placed(last / 2))};
    Case c(description);
    c.set(state);
    routh::ConstrainedDynamics motion(c.model);
    DynamicsDerivatives found(c.model);
    ASSERT_EQ(found.compute_motion(c.model, c.state, Eigen::VectorXd(), c.workspace), -1);
    if (found.motion().rank < c.model.loop_rows) continue;  // where λ, and whether loops close, is no function of q
    ++compared;
    const auto at = [&](const routh::State& s) -> Vector {
      const auto& it = motion.compute(c.model, s, c.workspace);
      Eigen::VectorXd all(c.n() + c.model.loop_rows);
      all << it.acceleration, it.multipliers;
      return wide(all);
    };
    const double condition = 1 + found.acceleration_by_position().cwiseAbs().maxCoeff();
    for (int j = 0; j < c.n(); ++j) {
      const auto moved = [&](Real t) {
        routh::State s = state;
        integrate(c.model, state.q, Eigen::VectorXd::Unit(c.n(), j), static_cast<double>(t), s.q);
        return at(s);
      };
      const auto pushed = [&](Real t) {
        routh::State s = state;
        s.v[j] += static_cast<double>(t);
        return at(s);
      };
      const auto column = [&](const auto& a, const auto& l) -> Vector {
        Eigen::VectorXd all(c.n() + c.model.loop_rows);
        all << a, l;
        return wide(all);
      };
      ASSERT_TRUE(near(column(found.acceleration_by_position().col(j), found.multipliers_by_position().col(j)),
                       reference::rate(moved, 1e-3L), 1e-7 * condition));
      ASSERT_TRUE(near(column(found.acceleration_by_velocity().col(j), found.multipliers_by_velocity().col(j)),
                       reference::rate(pushed, 1e-2L), 1e-7 * condition));
    }
  }
  EXPECT_GE(compared, scaled(48, 8) / 4);
}

TEST(DynamicsDerivatives, AllocateNothing) {
  if (!testing_support::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  Case c(testing_support::humanoid().description);
  Random random(3955);
  c.set(random_state(random, c.model));
  DynamicsDerivatives found(c.model);
  EXPECT_EQ(testing_support::count_allocations([&] {
              found.compute_forward(c.model, c.state.q, c.state.v, c.state.v, c.workspace);
              found.compute_inverse(c.model, c.state.q, c.state.v, c.state.v, c.workspace);
            }),
            0);
}

}  // namespace
