// With a workspace at hand, nothing allocates; and a model serves several threads at once.
#include <thread>

#include "case.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/dynamics/reactions.h"
#include "support/count_allocations.h"

namespace {

using reference::Case;
using reference::for_random_machines;
using testing_support::MachineOptions;
using testing_support::Random;
using testing_support::random_vector;
using testing_support::scaled;

const MachineOptions with_everything = {.dof_chance = 0.4, .springs = 2, .forces = 2};

// A distance between two moving bodies and one to the world; both may stand open.
void add_loops(routh::ModelDescription& description) {
  std::vector<std::string> moving;
  for (const auto& joint : description.joints)
    if (joint.kind != routh::JointKind::fixed) moving.push_back(joint.child);
  for (std::size_t i = 0; i + 1 < moving.size() && i < 2; ++i) {
    routh::LoopDescription loop;
    loop.name = "rod" + std::to_string(i);
    loop.kind = routh::LoopKind::distance;
    loop.body_a = moving[i];
    loop.body_b = i == 0 ? moving[i + 1] : std::string(routh::world_name);
    loop.at_a.position = {0.3, 0.1, 0};
    loop.distance = 0.7;
    description.loops.push_back(loop);
  }
}

// Every function that is to be free of allocations, on one state. Numbers that depend on all of them.
struct Everything {
  explicit Everything(const Case& c)
      : workspace(c.model),
        factor(c.model),
        constrained(c.model),
        q(c.model.coordinates),
        v(c.n()),
        phi(c.model.loop_rows),
        drift(c.model.loop_rows),
        rows(c.model.loop_rows, c.n()),
        jacobian(3, c.n()),
        reactions(c.model.joints.size()),
        loads(2 * c.model.loops.size()) {}

  void compute(const Case& c, const Eigen::VectorXd& a) {
    const routh::Model& model = c.model;
    const routh::State& state = c.state;
    const int body = static_cast<int>(model.bodies.size()) - 1;
    compute_mass_matrix(model, state.q, workspace);
    factor.load(state.q, workspace);
    singular = factor.decompose();
    v = a;
    factor.solve(v);
    factor.half_solve(v);
    compute_inverse_dynamics(model, state.q, state.v, a, workspace);
    sum = workspace.force.sum();
    compute_bias(model, state.q, state.v, workspace);
    sum += workspace.force.sum();
    compute_gravity_force(model, state.q, workspace);
    sum += workspace.force.sum();
    compute_forward_dynamics(model, state.q, state.v, a, workspace);
    sum += workspace.acceleration.sum();
    compute_acceleration(model, state, workspace);
    sum += workspace.acceleration.sum() + workspace.applied.sum();
    sum += compute_energy(model, state, workspace).kinetic;
    sum += compute_momentum(model, state.q, state.v, workspace).angular.z;
    compute_point_jacobian(model, state.q, body, {0.1, 0.2, 0}, workspace, jacobian);
    compute_velocities(model, state.q, state.v, workspace);
    angular_jacobian(model, workspace, body, jacobian);
    sum += jacobian.sum() + point_drift(model, workspace, body, {0.1, 0.2, 0}).linear.x;
    integrate(model, state.q, state.v, 0.1, q);
    difference(model, state.q, q, v);
    normalise(model, q);
    routh::compute_joint_reactions(model, state, a, {}, workspace, reactions);
    routh::compute_joint_impulses(model, state.q, a, {}, workspace, reactions);
    compute_velocities(model, state.q, state.v, workspace);
    loop_residual(model, workspace, state.q, phi);
    loop_jacobian(model, workspace, rows);
    loop_drift(model, workspace, drift);
    sum += routh::loop_loads(model, workspace, phi, loads);
    sum += constrained.compute(model, state, workspace).acceleration.sum();
  }

  routh::Workspace workspace;
  routh::MassFactor factor;
  routh::ConstrainedDynamics constrained;
  Eigen::VectorXd q, v, phi, drift;
  Eigen::MatrixXd rows;
  routh::Jacobian3 jacobian;
  std::vector<routh::Wrench> reactions;
  std::vector<routh::PointLoad> loads;
  int singular = -1;
  double sum = 0;
};

TEST(NoAllocation, InTheDynamics) {
  if (!testing_support::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  const double* volatile kept = nullptr;  // seen from outside, so that nothing is optimised away
  EXPECT_GT(testing_support::count_allocations([&] { kept = Eigen::VectorXd(1000).data(); }), 0);
  for_random_machines(3901, scaled(100, 12), with_everything, [](Case& tree, Random& random) {
    add_loops(tree.description);
    Case c(tree.description);
    c.set(random_state(random, c.model));
    const Eigen::VectorXd a = random_vector(random, c.n());
    Everything everything(c);
    compute_mass_matrix(c.model, c.state.q, everything.workspace);  // makes its room
    EXPECT_EQ(testing_support::count_allocations([&] { everything.compute(c, a); }), 0);
    EXPECT_EQ(everything.singular, -1);
    EXPECT_TRUE(std::isfinite(everything.sum));
  });
}

struct Answers {
  std::vector<double> sums;
  std::vector<Eigen::VectorXd> accelerations;
};

// Two threads share a model, each with its own memory, and find what one finds alone, bit for bit.
TEST(Threads, ShareAModel) {
  constexpr std::uint64_t seed = 3902;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  MachineOptions options = with_everything;
  options.bodies = 12;
  routh::ModelDescription description = random_machine(random, options);
  add_loops(description);
  Case c(description);
  std::vector<routh::State> states;
  for (int k = 0; k < scaled(200, 20); ++k) states.push_back(random_state(random, c.model));
  const auto run = [&](Answers& answers) {
    Everything everything(c);
    for (const routh::State& state : states) {
      compute_forward_dynamics(c.model, state.q, state.v, state.v, everything.workspace);
      answers.accelerations.push_back(everything.workspace.acceleration);
      compute_mass_matrix(c.model, state.q, everything.workspace);
      everything.factor.load(state.q, everything.workspace);
      everything.singular = everything.factor.decompose();
      const auto& motion = everything.constrained.compute(c.model, state, everything.workspace);
      answers.sums.push_back(motion.acceleration.sum() + motion.multipliers.sum());
      answers.sums.push_back(compute_energy(c.model, state, everything.workspace).potential);
    }
  };
  Answers alone, first, second;
  run(alone);
  std::thread one([&] { run(first); }), two([&] { run(second); });
  one.join();
  two.join();
  for (const Answers* answers : {&first, &second}) {
    EXPECT_EQ(answers->sums, alone.sums);
    EXPECT_TRUE(std::equal(alone.accelerations.begin(), alone.accelerations.end(), answers->accelerations.begin()));
  }
}

}  // namespace
