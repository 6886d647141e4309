// M q̈ + h = τ against Newton's and Euler's equations of the single bodies, and against Lagrange's of the energy.
#include "case.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/path_bias.h"

namespace {

using reference::Case;
using reference::for_random_machines;
using reference::largest;
using reference::near;
using reference::Real;
using reference::Vector;
using reference::wide;
using routh::internal::compute_path_bias;
using testing_support::MachineOptions;
using testing_support::Random;
using testing_support::random_vector;
using testing_support::scaled;

const MachineOptions with_armature = {.dof_chance = 0.4};

TEST(EquationsOfMotion, MassMatrix) {
  for_random_machines(3201, scaled(300, 30), with_armature, [](Case& c, Random&) {
    // Twice, from a state that leaves other numbers behind.
    compute_mass_matrix(c.model, rest_state(c.model).q, c.workspace);
    compute_mass_matrix(c.model, c.state.q, c.workspace);
    ASSERT_TRUE(near(c.workspace.mass_matrix, c.machine.mass_matrix(c.q()), 1e-13));
    EXPECT_EQ(c.workspace.mass_matrix, c.workspace.mass_matrix.transpose());
  });
}

TEST(EquationsOfMotion, InverseDynamicsBiasAndGravity) {
  for_random_machines(3202, scaled(300, 30), with_armature, [](Case& c, Random& random) {
    const Eigen::VectorXd a = random_vector(random, c.n());
    const Vector none = Vector::Zero(c.n());
    compute_inverse_dynamics(c.model, c.state.q, c.state.v, a, c.workspace);
    ASSERT_TRUE(near(c.workspace.force, c.machine.inverse_dynamics(c.q(), c.v(), wide(a)), 1e-12));
    compute_bias(c.model, c.state.q, c.state.v, c.workspace);
    ASSERT_TRUE(near(c.workspace.force, c.machine.inverse_dynamics(c.q(), c.v(), none), 1e-12));
    compute_gravity_force(c.model, c.state.q, c.workspace);
    ASSERT_TRUE(near(c.workspace.force, c.machine.inverse_dynamics(c.q(), none, none), 1e-12));
  });
}

// With w = v it is h; along any other path its power is that of ½ vᵀ (∂_w M) v, by differences of the reference's M,
// and of gravity.
TEST(EquationsOfMotion, BiasAlongAPath) {
  constexpr double step = 1e-5;
  for_random_machines(3211, scaled(300, 30), {}, [](Case& c, Random& random) {
    const Eigen::VectorXd& v = c.state.v;
    compute_path_bias(c.model, c.state.q, v, v, c.workspace);
    ASSERT_TRUE(near(c.workspace.force, c.machine.inverse_dynamics(c.q(), c.v(), Vector::Zero(c.n())), 1e-12));
    const Eigen::VectorXd w = v + 0.5 * random_vector(random, c.n());
    compute_path_bias(c.model, c.state.q, v, w, c.workspace);
    const Vector none = Vector::Zero(c.n());
    const Vector bias = wide(c.workspace.force) - c.machine.inverse_dynamics(c.q(), none, none);
    const auto kinetic = [&](double along) {
      Eigen::VectorXd q(c.state.q.size());
      integrate(c.model, c.state.q, w, along, q);
      return c.v().dot(c.machine.mass_matrix(wide(q)) * c.v()) / 2;
    };
    const Real expected = (kinetic(step) - kinetic(-step)) / (2 * step);
    const double terms = largest(bias.cwiseAbs().cwiseProduct(c.v().cwiseAbs()));
    ASSERT_NEAR(static_cast<double>(c.v().dot(bias)), static_cast<double>(expected), 1e-7 * (1 + terms));
  });
}

// The residual of the found q̈ in the equations, relative to the terms it is the sum of.
TEST(EquationsOfMotion, ForwardDynamics) {
  for_random_machines(3203, scaled(300, 30), with_armature, [](Case& c, Random& random) {
    const Eigen::VectorXd tau = 3 * random_vector(random, c.n());
    compute_forward_dynamics(c.model, c.state.q, c.state.v, tau, c.workspace);
    const Vector a = wide(c.workspace.acceleration);
    const Vector residual = c.machine.inverse_dynamics(c.q(), c.v(), a) - wide(tau);
    const double terms = largest(c.machine.mass_matrix(c.q()).cwiseAbs() * a.cwiseAbs()) + largest(wide(tau));
    ASSERT_LE(largest(residual), 1e-12 * (1 + terms)) << c.workspace.acceleration.transpose();
  });
}

TEST(EquationsOfMotion, ForwardAndInverseUndoEachOther) {
  for (const auto& machine : testing_support::benchmark_machines()) {
    Case c(machine.description);
    constexpr std::uint64_t seed = 3204;
    SCOPED_TRACE(testing::Message() << machine.description.name << ", seed " << seed);
    testing_support::Random random(seed);
    for (int k = 0; k < scaled(50, 5); ++k) {
      c.set(random_state(random, c.model));
      const Eigen::VectorXd a = random_vector(random, c.n());
      compute_inverse_dynamics(c.model, c.state.q, c.state.v, a, c.workspace);
      const Eigen::VectorXd tau = c.workspace.force;
      compute_forward_dynamics(c.model, c.state.q, c.state.v, tau, c.workspace);
      ASSERT_TRUE(near(c.workspace.acceleration, a, 1e-10));
      compute_mass_matrix(c.model, c.state.q, c.workspace);
      compute_bias(c.model, c.state.q, c.state.v, c.workspace);
      ASSERT_TRUE(near(c.workspace.mass_matrix * a + c.workspace.force, tau, 1e-12));
    }
  }
}

TEST(EquationsOfMotion, BenchmarkMachines) {
  constexpr std::uint64_t seed = 3205;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  testing_support::Random random(seed);
  const int sizes[] = {7, 18, 36};
  int index = 0;
  for (const auto& machine : testing_support::benchmark_machines()) {
    Case c(machine.description);
    ASSERT_EQ(c.n(), sizes[index++]);
    c.set(random_state(random, c.model));
    const Eigen::VectorXd a = random_vector(random, c.n());
    compute_mass_matrix(c.model, c.state.q, c.workspace);
    EXPECT_TRUE(near(c.workspace.mass_matrix, c.machine.mass_matrix(c.q()), 1e-13));
    compute_inverse_dynamics(c.model, c.state.q, c.state.v, a, c.workspace);
    EXPECT_TRUE(near(c.workspace.force, c.machine.inverse_dynamics(c.q(), c.v(), wide(a)), 1e-12));
  }
}

// d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = τ by differences, where every coordinate is a number. T is quadratic in q̇, so that
// ∂T/∂q̇_j = (T(q̇ + e_j) − T(q̇ − e_j))/2 exactly.
TEST(EquationsOfMotion, LagrangeByDifferencesOfTheEnergy) {
  using routh::JointKind;
  MachineOptions options = with_armature;
  options.kinds = {JointKind::fixed, JointKind::revolute, JointKind::prismatic, JointKind::planar};
  for_random_machines(3206, scaled(40, 6), options, [](Case& c, Random& random) {
    for (auto& joint : c.description.joints)
      for (auto& dof : joint.dofs) {
        dof.stiffness = 0;  // the left side has no springs
        dof.drive.reset();
      }
    Case bare(c.description);
    const Vector q = c.q(), v = c.v(), a = wide(random_vector(random, c.n()));
    const Real h = 1e-2L;
    Vector tau(c.n());
    for (int j = 0; j < c.n(); ++j) {
      const Vector unit = Vector::Unit(c.n(), j);
      const auto momentum = [&](Real t) {
        const Vector there = q + v * t + a * t * t / 2, speed = v + a * t;
        return (bare.machine.kinetic_energy(there, speed + unit) - bare.machine.kinetic_energy(there, speed - unit)) /
               2;
      };
      const auto lagrangian = [&](Real t) {
        const Vector there = q + unit * t;
        return bare.machine.kinetic_energy(there, v) - bare.machine.potential_energy(there, 0);
      };
      tau[j] = reference::rate(momentum, h) - reference::rate(lagrangian, h);
    }
    compute_inverse_dynamics(c.model, c.state.q, c.state.v, a.cast<double>(), c.workspace);
    ASSERT_TRUE(near(c.workspace.force, tau, 1e-11));
  });
}

}  // namespace
