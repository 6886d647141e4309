// Applied forces, energy and momentum, and the balances that join them.
#include "case.h"
#include "routh/dynamics/dynamics.h"

namespace {

using reference::Case;
using reference::for_random_machines;
using reference::near;
using reference::Real;
using reference::vec;
using reference::Vector;
using reference::wide;
using testing_support::MachineOptions;
using testing_support::Random;
using testing_support::random_vector;
using testing_support::scaled;

const MachineOptions with_everything = {.dof_chance = 0.4, .springs = 2, .forces = 2};

TEST(AppliedForce, SpringsDampersDrivesAndForces) {
  for_random_machines(3301, scaled(300, 30), with_everything, [](Case& c, Random&) {
    compute_applied_force(c.model, c.state, c.workspace);
    const Vector applied = c.machine.applied_force(c.q(), c.v(), c.state.time);
    ASSERT_TRUE(near(c.workspace.applied, applied, 1e-12));
    compute_acceleration(c.model, c.state, c.workspace);
    const Vector a = wide(c.workspace.acceleration);
    const Vector residual = c.machine.inverse_dynamics(c.q(), c.v(), a) - applied;
    const double terms = reference::largest(c.machine.mass_matrix(c.q()).cwiseAbs() * a.cwiseAbs());
    ASSERT_LE(reference::largest(residual), 1e-12 * (1 + terms + reference::largest(applied)));
  });
}

TEST(Energy, KineticPotentialAndMomentum) {
  for_random_machines(3302, scaled(300, 30), with_everything, [](Case& c, Random&) {
    const routh::Energy energy = compute_energy(c.model, c.state, c.workspace);
    const double kinetic = static_cast<double>(c.machine.kinetic_energy(c.q(), c.v()));
    const double potential = static_cast<double>(c.machine.potential_energy(c.q(), c.state.time));
    EXPECT_NEAR(energy.kinetic, kinetic, 1e-13 * (1 + kinetic));
    EXPECT_NEAR(energy.potential, potential, 1e-12 * (1 + std::abs(potential)));
    compute_mass_matrix(c.model, c.state.q, c.workspace);
    EXPECT_NEAR(energy.kinetic, c.state.v.dot(c.workspace.mass_matrix * c.state.v) / 2, 1e-13 * (1 + kinetic));

    const routh::Momentum momentum = compute_momentum(c.model, c.state.q, c.state.v, c.workspace);
    const reference::Load expected = c.machine.momentum(c.q(), c.v());
    EXPECT_TRUE(near(vec(momentum.linear), expected.force, 1e-13));
    EXPECT_TRUE(near(vec(momentum.angular), expected.moment, 1e-13));
  });
}

// Leaves in the machine only what has a potential.
void make_conservative(routh::ModelDescription& description) {
  description.forces.clear();
  for (auto& spring : description.springs) spring.damping = 0;
  for (auto& joint : description.joints)
    for (auto& dof : joint.dofs) {
      dof.damping = 0;
      dof.effort.reset();
      if (dof.drive) dof.drive->damping = 0, dof.drive->limit = routh::unlimited;
    }
}

// d(T + V)/dt = τ·q̇ along the motion, τ being what acts besides springs and gravity.
TEST(Energy, GrowsByThePowerOfWhatActs) {
  for_random_machines(3303, scaled(100, 12), with_everything, [](Case& c, Random& random) {
    make_conservative(c.description);
    Case calm(c.description);
    calm.set(c.state);
    const Eigen::VectorXd tau = random_vector(random, c.n());
    compute_applied_force(calm.model, calm.state, calm.workspace);
    compute_forward_dynamics(calm.model, calm.state.q, calm.state.v, calm.workspace.applied + tau, calm.workspace);
    const Vector a = wide(calm.workspace.acceleration);
    // Fast motions are followed over a shorter time.
    const Real h = 2e-2L / (1 + calm.v().norm() + sqrtl(a.norm()));
    const auto total = [&](Real t) {
      const routh::Energy energy = compute_energy(calm.model, moved(calm, a, t), calm.workspace);
      return Real(energy.kinetic) + energy.potential;
    };
    const double power = tau.dot(calm.state.v);
    const double scale = 1 + std::abs(power) + static_cast<double>(std::abs(total(0))) / static_cast<double>(h);
    EXPECT_NEAR(static_cast<double>(reference::rate(total, h)), power, 1e-13 * scale + 1e-8 * (1 + std::abs(power)));
  });
}

// A machine that hangs from nothing: whatever acts inside, ṗ = m g and L̇ = c × m g.
TEST(Momentum, OfAFloatingMachineChangesByItsWeightOnly) {
  constexpr std::uint64_t seed = 3304;
  testing_support::Random random(seed);
  MachineOptions options = {
      .bodies = 6, .order = testing_support::TreeOrder::depth_first, .dof_chance = 0.5, .springs = 3};
  for (int k = 0; k < scaled(60, 8); ++k) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", machine " << k);
    routh::ModelDescription description = random_machine(random, options);
    auto& root = description.joints.front();
    root.kind = routh::JointKind::free;
    root.at = root.in_child = {};
    root.dofs.clear();
    for (std::size_t i = 1; i < description.joints.size(); ++i) {
      auto& joint = description.joints[i];
      if (joint.parent == routh::world_name) joint.parent = description.bodies.front().name;
      if (joint.kind == routh::JointKind::free) joint.kind = routh::JointKind::spherical, joint.dofs.clear();
      for (auto& dof : joint.dofs) dof.armature = 0;  // a rotor's momentum is none of the bodies'
    }
    auto& first = description.bodies.front();
    if (first.mass == 0) first.mass = 1, first.inertia = {1, 1, 1, 0, 0, 0};
    std::erase_if(description.springs, [](const auto& spring) { return spring.body_b == routh::world_name; });
    Case c(description);
    c.set(random_state(random, c.model));
    compute_acceleration(c.model, c.state, c.workspace);
    const Vector a = wide(c.workspace.acceleration);
    const Real h = 2e-2L / (1 + c.v().norm() + sqrtl(a.norm()));
    const auto momentum = [&](Real t) {
      const routh::State there = moved(c, a, t);
      const routh::Momentum p = compute_momentum(c.model, there.q, there.v, c.workspace);
      Eigen::Matrix<Real, 6, 1> both;
      both << vec(p.linear), vec(p.angular);
      return both;
    };
    reference::Load weight;
    const auto places = c.machine.places(c.q());
    for (int body = 1; body < c.body_count(); ++body)
      weight += reference::load_at(places[static_cast<std::size_t>(body)].position(vec(c.machine.body(body).com)),
                                   Real(c.machine.body(body).mass) * c.machine.gravity());
    Eigen::Matrix<Real, 6, 1> expected;
    expected << weight.force, weight.moment;
    EXPECT_TRUE(near(reference::rate(momentum, h), expected, 1e-9));
  }
}

}  // namespace
