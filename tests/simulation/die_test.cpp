// A die from a mesh, thrown onto a table, comes to rest on one of its faces, and its energy is accounted.
#include <gtest/gtest.h>

#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::scaled;
using testing_support::Trial;

// Vertices at (±1, ±1, ±1), …: a face is φ²/√(φ² + 1) from the centre.
double inner_radius() {
  const double golden = (1 + std::sqrt(5)) / 2;
  return 0.01 * golden * golden / std::sqrt(golden * golden + 1);
}

void expect_rest_on_a_face(const Scene& scene) {
  Trial run(scene);
  const double weight = 0.02 * 9.81, initial = run.simulator.energy().initial;
  ASSERT_EQ(run.to(1.5), SimulationStatus::ready) << run.simulator.message();
  Simulator& simulator = run.simulator;
  EXPECT_LT(simulator.energy().kinetic, 1e-9 * initial);
  EXPECT_NEAR(run.q(2), inner_radius(), 1e-8);  // the file has single precision
  // The face's normal is vertical: no other face lies as low.
  const Polyhedron& hull = *run.scene.model.shapes.at(0).hull;
  EXPECT_EQ(hull.faces.size(), 12u);
  Workspace workspace(run.scene.model);
  compute_kinematics(run.scene.model, simulator.state().q, workspace);
  double lowest = 1;
  for (const PolyhedronFace& face : hull.faces)
    lowest = std::min(lowest, (body_pose(run.scene.model, workspace, 1).rotation * face.normal).z);
  EXPECT_NEAR(lowest, -1, 1e-12);
  // Its five corners carry the weight between them.
  EXPECT_GE(simulator.active().size(), 3u);
  EXPECT_LE(simulator.active().size(), 5u);
  double carried = 0;
  for (const ActiveContact& each : simulator.active()) carried += each.force.n;
  EXPECT_NEAR(carried, weight, 1e-6 * weight);
  EXPECT_GE(simulator.statistics().impacts, 5);
  // What it had, but for its height on the face, is gone, and nothing else.
  EXPECT_NEAR(simulator.energy().dissipated, initial - weight * inner_radius(), 1e-7 * initial);
  EXPECT_LE(std::abs(simulator.energy().balance()), 1e-8 * initial);
}

TEST(Die, ComesToRestOnAFace) { expect_rest_on_a_face(read_scene_file(ROUTH_TEST_DATA "/meshes/die.yaml")); }

TEST(Die, AnyThrowComesToRestOnAFace) {
  Scene scene = read_scene_file(ROUTH_TEST_DATA "/meshes/die.yaml");
  for (int k = 0; k < scaled(8, 2); ++k) {
    const auto seed = static_cast<std::uint64_t>(8501 + k);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    for (int i = 3; i < 7; ++i) scene.state.q[i] = random.uniform(-1, 1);
    normalise(scene.model, scene.state.q);
    for (int i = 0; i < 3; ++i) scene.state.v[i] = random.uniform(-0.5, 0.5);
    for (int i = 3; i < 6; ++i) scene.state.v[i] = random.uniform(-20, 20);
    expect_rest_on_a_face(scene);
  }
}

}  // namespace
