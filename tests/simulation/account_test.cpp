// The energy account is able to fail: what is done to the velocities behind its back shows in it, and where.
#include <gtest/gtest.h>

#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/simulation/fault_injection.h"
#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::particle;
using testing_support::Trial;

// Adds a share to every velocity at a place; `added` is what that does to the kinetic energy of the particle of mass 1.
struct Tampering {
  FaultPlace place;
  double share = 0;
  double added = 0;
  int count = 0;

  void into(Simulator& simulator) {
    SimulatorFaults::inject(simulator, {[this](FaultPlace at, Eigen::VectorXd& v) {
                              if (at != place) return;
                              const double before = 0.5 * v.squaredNorm();
                              v *= 1 + share;
                              added += 0.5 * v.squaredNorm() - before;
                              ++count;
                            }});
  }
};

const std::string bouncing = "dimension: planar\nsurfaces: {s: {friction: 0.2, restitution: 0.7}}\n" + particle() +
                             "world: {shapes: {floor: {kind: half_space, normal: [0, 1], surface: s}}}\n"
                             "state: {position: {lift: 1}, velocity: {slide: 3}}\n";
const std::string sliding = "dimension: planar\nsurfaces: {s: {friction: 0.2, restitution: 0}}\n" + particle() +
                            "world: {shapes: {floor: {kind: half_space, normal: [0.1, 1], surface: s}}}\n"
                            "state: {velocity: {slide: -3, lift: 0.3}}\n";

TEST(Account, SeesAnImpulseThatIsTooLarge) {
  Trial honest(bouncing), run(bouncing);
  Tampering fault{FaultPlace::impact, 0.01};
  fault.into(run.simulator);
  ASSERT_EQ(honest.to(0.6), SimulationStatus::ready);
  ASSERT_EQ(run.to(0.6), SimulationStatus::ready);
  ASSERT_EQ(fault.count, 1);
  ASSERT_GT(fault.added, 0.01);
  EXPECT_NEAR(honest.simulator.energy().balance(), 0, 1e-12);
  EXPECT_NEAR(run.simulator.energy().balance(), fault.added, 1e-12);
  EXPECT_DOUBLE_EQ(run.simulator.energy().dissipated, honest.simulator.energy().dissipated);
  EXPECT_EQ(run.simulator.energy().corrected, 0);
  EXPECT_FALSE(honest.simulator.energy().imbalance_matters(1e-10));
  EXPECT_TRUE(run.simulator.energy().imbalance_matters(1e-10));
}

TEST(Account, SeesWhatAProjectionAdds) {
  Trial run(sliding);
  Tampering fault{FaultPlace::projection, 1e-6};
  fault.into(run.simulator);
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  ASSERT_GT(fault.count, 0);
  const EnergyAccount energy = run.simulator.energy();
  EXPECT_NEAR(energy.corrected, fault.added, 1e-9 * fault.added + 1e-10);
  EXPECT_NEAR(energy.balance(), 0, 1e-9);
  EXPECT_TRUE(energy.corrections_matter(1e-10));
}

TEST(Account, SeesVelocitiesThatGrowOnTheWay) {
  Trial run(sliding);
  Tampering fault{FaultPlace::step, 1e-6};
  fault.into(run.simulator);
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  ASSERT_GT(fault.count, 0);
  EXPECT_NEAR(run.simulator.energy().balance() + run.simulator.energy().corrected, fault.added, 1e-3 * fault.added);
}

// Impacts of several contacts, by every rule.
TEST(Account, SeesAnImpulseThatIsTooLargeAtSeveralContacts) {
  for (const double friction : {0.0, 0.05, 0.5}) {
    Trial run(fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {}, restitution: 0.4}}}}
bodies: {{b: {{mass: 1, inertia: 0.1, joint: {{kind: planar}}, shapes: {{b: {{kind: box, size: [1, 0.4], surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, normal: [0, 1], surface: s}}}}}}
state: {{position: {{b: [0, 0.4, 0]}}, velocity: {{b: [1, -1, 0]}}}}
)",
                          friction));
    double added = 0;
    Workspace workspace(run.scene.model);
    SimulatorFaults::inject(run.simulator, {[&](FaultPlace at, Eigen::VectorXd& v) {
                              if (at != FaultPlace::impact) return;
                              State state = run.simulator.state();
                              const auto kinetic = [&] {
                                state.v = v;
                                return compute_energy(run.scene.model, state, workspace).kinetic;
                              };
                              const double before = kinetic();
                              v *= 1.01;
                              added += kinetic() - before;
                            }});
    ASSERT_EQ(run.to(0.3), SimulationStatus::ready);
    ASSERT_GT(added, 1e-3);
    EXPECT_NEAR(run.simulator.energy().balance(), added, 1e-9) << friction;
  }
}

// A contact that breaks loose only with a little less friction than it has says so, with the friction that did.
TEST(Account, FrictionThatWasChangedIsRecorded) {
  const double given = 0.5908;
  SimulationOptions options;
  options.tolerance = 1e-9;
  Trial run(read_scene_file(ROUTH_TEST_DATA "/scenes/good/breaks_loose.yaml"), options);
  ASSERT_EQ(run.to(0.3), SimulationStatus::ready);
  std::array<long, warning_count> counts = {};
  int changed = 0;
  for (const Event& event : run.simulator.events()) {
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += event.warnings >> k & 1;
    if (!event.has(Warning::friction_changed)) continue;
    ++changed;
    EXPECT_NE(event.contacts[0].friction, given);
    EXPECT_NEAR(event.contacts[0].friction, given, 1e-3 * given);
  }
  EXPECT_GT(changed, 0);
  EXPECT_EQ(counts, run.simulator.statistics().warnings);
}

// Newton's law for one contact has no counterpart for several that slip: the energetic law stands in, and says so.
TEST(Account, LawThatWasReplacedIsTold) {
  for (const Law law : {Law::energetic, Law::newton}) {
    SimulationOptions options;
    options.law = law;
    Trial run(R"(
dimension: planar
surfaces: {s: {friction: 0.05, restitution: 0.4}}
bodies: {b: {mass: 1, inertia: 0.1, joint: {kind: planar}, shapes: {b: {kind: box, size: [1, 0.4], surface: s}}}}
world: {shapes: {floor: {kind: half_space, normal: [0, 1], surface: s}}}
state: {position: {b: [0, 0.4, 0]}, velocity: {b: [1, -1, 0]}}
)",
              options);
    ASSERT_EQ(run.to(0.3), SimulationStatus::ready);
    const std::vector<Event> strikes = run.all(EventKind::impact);
    ASSERT_FALSE(strikes.empty());
    ASSERT_EQ(strikes[0].rule, ImpactRule::together);
    EXPECT_EQ(strikes[0].has(Warning::law_replaced), law == Law::newton);
    EXPECT_EQ(strikes[0].contacts[0].friction, 0.05);
  }
}

// The account goes on where a run is cut.
TEST(Account, IsKeptAcrossCheckpoints) {
  Trial whole(sliding), half(sliding);
  ASSERT_EQ(whole.to(2), SimulationStatus::ready);
  ASSERT_EQ(half.to(0.7), SimulationStatus::ready);
  Simulator rest(half.scene.model, half.simulator.checkpoint());
  ASSERT_EQ(rest.advance(2), SimulationStatus::ready);
  EXPECT_EQ(rest.energy().corrected, whole.simulator.energy().corrected);
  EXPECT_EQ(rest.energy().balance(), whole.simulator.energy().balance());
}

}  // namespace
