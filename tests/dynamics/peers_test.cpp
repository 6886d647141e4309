// The same machines in MuJoCo and Simbody.
#include "peers/peer.h"

#include "case.h"
#include "peers/make_tree.h"
#include "routh/dynamics/dynamics.h"

namespace {

using reference::Case;
using routh::JointKind;
using testing_support::BenchmarkMachine;
using testing_support::Random;
using testing_support::random_vector;
using testing_support::scaled;

constexpr double agreement = 1e-10;

using Maker = std::unique_ptr<peers::Peer> (*)(const peers::Tree&);

class Peers : public testing::TestWithParam<std::pair<const char*, Maker>> {
 protected:
  // The largest disagreement over some states of the machine; negative: there is no such peer.
  double worst(const BenchmarkMachine& machine, Random& random, int states) {
    Case c(machine.description);
    const int foot = c.model.find_body(machine.foot).value();
    const auto peer = GetParam().second(peers::make_tree(c.model, machine.foot, machine.foot_point));
    if (!peer) return -1;
    double worst = 0;
    for (int k = 0; k < states; ++k) {
      c.set(random_state(random, c.model));
      const peers::Sample sample = {c.state.q, c.state.v, random_vector(random, c.n()), random_vector(random, c.n())};
      peers::Results ours;
      compute_mass_matrix(c.model, sample.q, c.workspace);
      ours.mass_matrix = c.workspace.mass_matrix;
      compute_inverse_dynamics(c.model, sample.q, sample.v, sample.a, c.workspace);
      ours.force = c.workspace.force;
      compute_forward_dynamics(c.model, sample.q, sample.v, sample.tau, c.workspace);
      ours.acceleration = c.workspace.acceleration;
      routh::Jacobian3 J(3, c.n());
      compute_point_jacobian(c.model, sample.q, foot, machine.foot_point, c.workspace, J);
      ours.foot_jacobian = J;
      worst = std::max(worst, peers::disagreement(*peer, sample, ours));
    }
    return worst;
  }

  void skip() {
    GTEST_SKIP() << GetParam().first << " is not installed; install " << package() << " to compare with it";
  }
  std::string package() const { return GetParam().first == std::string("MuJoCo") ? "libmujoco-dev" : "libsimbody-dev"; }
};

TEST_P(Peers, AgreeOnTheBenchmarkMachines) {
  constexpr std::uint64_t seed = 3801;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (const BenchmarkMachine& machine : testing_support::benchmark_machines()) {
    const double error = worst(machine, random, scaled(20, 3));
    if (error < 0) return skip();
    EXPECT_LE(error, agreement) << machine.description.name;
  }
}

TEST_P(Peers, AgreeOnRandomTrees) {
  constexpr std::uint64_t seed = 3802;
  Random random(seed);
  for (int k = 0; k < scaled(100, 8); ++k) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", machine " << k);
    testing_support::MachineOptions options;
    options.bodies = 1 + k % 9;
    options.order = testing_support::TreeOrder::depth_first;
    options.kinds = {JointKind::revolute,  JointKind::prismatic, JointKind::cylindrical, JointKind::planar,
                     JointKind::spherical, JointKind::universal, JointKind::free};
    routh::ModelDescription description = random_machine(random, options);
    for (auto& joint : description.joints)
      if (joint.kind == JointKind::free) joint.in_child = {};  // MuJoCo's free joint moves the body's own frame
    const std::string foot = description.bodies.back().name;
    const double error = worst({description, foot, {0.1, -0.2, 0.3}}, random, 3);
    if (error < 0) return skip();
    EXPECT_LE(error, agreement);
  }
}

INSTANTIATE_TEST_SUITE_P(Dynamics, Peers,
                         testing::Values(std::pair<const char*, Maker>{"MuJoCo", peers::make_mujoco},
                                         std::pair<const char*, Maker>{"Simbody", peers::make_simbody}),
                         [](const auto& tested) { return std::string(tested.param.first); });

}  // namespace
