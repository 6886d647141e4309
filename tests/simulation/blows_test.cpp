// Impulses from outside: what they do to a machine, to the contacts that are closed there, and to the accounts.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::by;
using testing_support::example;
using testing_support::Trial;

constexpr double ball_mass = 0.17, ball_radius = 0.0285, ball_friction = 0.2, gravity = 9.81;

// A ball at rest on a table, struck at t = 0.1 with (x, y) at this height above its centre.
std::string struck_ball(double x, double y, double height, double restitution = 0.5, double time = 0.1) {
  return fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: {}, restitution: {}}}}}
bodies: {{ball: {{mass: {}, inertia: {:.17g}, joint: {{kind: planar}}, shapes: {{b: {{kind: sphere, radius: {}, surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
impulses: {{cue: {{time: {}, body: ball, at: [0, {:.17g}], impulse: [{:.17g}, {:.17g}]}}}}
state: {{position: {{ball: [0, {}, 0]}}}}
)",
                     ball_friction, restitution, ball_mass, 0.4 * ball_mass * ball_radius * ball_radius, ball_radius,
                     time, height, x, y, ball_radius);
}

TEST(Blows, ABallStruckThroughItsCentreSlidesThenRolls) {
  const double P = 0.34, v0 = P / ball_mass, rolls = 2 * v0 / (7 * ball_friction * gravity);
  for (const EngineKind engine : {EngineKind::events, EngineKind::automatic, EngineKind::stepping}) {
    SCOPED_TRACE(name(engine));
    const double error = engine == EngineKind::stepping ? 5e-3 : 1e-9;
    Trial run(struck_ball(P, 0, 0), by(engine));
    ASSERT_EQ(run.to(0.1 + 0.5 * rolls), SimulationStatus::ready);
    EXPECT_NEAR(run.v(0), v0 - ball_friction * gravity * 0.5 * rolls, error * v0);
    ASSERT_EQ(run.to(0.1 + 2 * rolls), SimulationStatus::ready);
    EXPECT_NEAR(run.v(0), v0 * 5 / 7, error * v0);
    EXPECT_NEAR(run.v(2), -v0 * 5 / 7 / ball_radius, error * v0 / ball_radius);
    const std::vector<Event> blows = run.all(EventKind::impulse);
    ASSERT_EQ(blows.size(), 1u);
    EXPECT_EQ(blows[0].time, 0.1);
    EXPECT_EQ(blows[0].label, "cue");
    EXPECT_NEAR(blows[0].energy.supplied, 0.5 * P * v0, 1e-12);
    EXPECT_NEAR(blows[0].energy.change, 0.5 * P * v0, 1e-12);
    EXPECT_NEAR(run.simulator.energy().supplied, 0.5 * P * v0, 1e-12);
    EXPECT_NEAR(run.simulator.energy().balance(), 0, error * P * v0);
    if (engine != EngineKind::stepping) {
      EXPECT_NEAR(run.all(EventKind::stick).back().time, 0.1 + rolls, 1e-9);
    }
  }
}

// At 7/5 of the radius above the table it rolls at once.
TEST(Blows, ABallStruckAtItsCentreOfPercussionRolls) {
  Trial run(struck_ball(0.34, 0, 0.4 * ball_radius));
  ASSERT_EQ(run.to(0.5), SimulationStatus::ready);
  EXPECT_NEAR(run.v(0), 2, 1e-12);
  EXPECT_NEAR(run.simulator.energy().dissipated, 0, 1e-12);
}

// Struck down at a slant the ball is pressed by P_n and does not rebound, whatever its restitution; friction gives
// min(μ P_n, 2/7 P_t).
TEST(Blows, APressedContactStrikesWithoutRebound) {
  for (const EngineKind engine : {EngineKind::events, EngineKind::stepping})
    for (const double restitution : {0.0, 0.5, 1.0})
      for (const double down : {0.01, 0.1, 0.3, 1.0}) {
        SCOPED_TRACE(fmt::format("{} e {} down {}", name(engine), restitution, down));
        const double P = 0.34, rubbed = std::min(ball_friction * down, P * 2 / 7);
        Trial run(struck_ball(P, -down, 0, restitution), by(engine));
        ASSERT_EQ(run.to(0.1), SimulationStatus::ready);
        const double step = engine == EngineKind::stepping ? 1e-3 : 0;
        ASSERT_EQ(run.to(0.1 + step), SimulationStatus::ready);
        EXPECT_NEAR(run.v(0), (P - rubbed) / ball_mass, 1e-9 + 1.01 * ball_friction * gravity * step);
        EXPECT_NEAR(run.v(1), 0, engine == EngineKind::stepping ? 1e-6 : 1e-12);  // the residual of a step
        ASSERT_EQ(run.to(0.2), SimulationStatus::ready);
        EXPECT_NEAR(run.q(1), ball_radius, 1e-9);
        EXPECT_NEAR(run.simulator.energy().balance(), 0, engine == EngineKind::stepping ? 1e-2 : 1e-10);
      }
}

TEST(Blows, AContactThatIsLiftedLetsGo) {
  Trial run(struck_ball(0.1, 0.05, 0));
  ASSERT_EQ(run.to(0.1), SimulationStatus::ready);
  EXPECT_NEAR(run.v(0), 0.1 / ball_mass, 1e-12);
  EXPECT_NEAR(run.v(1), 0.05 / ball_mass, 1e-12);
  EXPECT_EQ(run.all(EventKind::detach).size(), 1u);
  EXPECT_TRUE(run.all(EventKind::impact).empty());
}

// In free flight, at any time of it: the law of a rigid body.
TEST(Blows, InFlight) {
  Trial run(R"(
dimension: planar
gravity: [0, 0]
bodies: {rod: {mass: 2, inertia: 0.5, joint: {kind: planar}}}
impulses:
  turn: {time: 0.5, body: rod, angular_impulse: 0.25}
  tap: {time: 1.5, body: rod, at: [0.5, 0], impulse: [0, 3], frame: body}
state: {velocity: {rod: [0, 0, 0]}}
)");
  ASSERT_EQ(run.to(1), SimulationStatus::ready);
  EXPECT_NEAR(run.v(2), 0.5, 1e-14);
  ASSERT_EQ(run.to(2), SimulationStatus::ready);
  const double angle = 0.5;
  EXPECT_NEAR(run.v(0), -1.5 * std::sin(angle), 1e-9);
  EXPECT_NEAR(run.v(1), 1.5 * std::cos(angle), 1e-9);
  EXPECT_NEAR(run.v(2), 0.5 + 3, 1e-9);
  // Twice the mean of its point's velocity.
  const Event tap = run.all(EventKind::impulse).at(1);
  EXPECT_NEAR(tap.energy.supplied, 3 * (0.5 * (0.5 * 0.5 + (0.5 * 3.5 + 1.5))), 1e-12);
}

// Loops take what they do not let through: [M Aᵀ; A 0] by elimination.
TEST(Blows, AMachineWithLoops) {
  testing_support::Random random(7);
  for (int k = 0; k < 20; ++k) {
    Scene scene = example("four_bar.yaml");
    const int dof = random.below(scene.model.velocities);
    const double value = 0.1 * (1 + random.below(5));
    Impulse blow;
    blow.name = "blow";
    blow.time = 0.01 * random.below(20);
    blow.dof = dof;
    blow.along_dof = value;
    scene.model.impulses = {blow};
    Trial run(scene);
    ASSERT_EQ(run.to(0.3), SimulationStatus::ready) << k;
    const Event event = run.all(EventKind::impulse).at(0);
    const Model& model = run.scene.model;
    Workspace workspace(model);
    compute_kinematics(model, event.position, workspace);
    compute_mass_matrix(model, event.position, workspace);
    const Eigen::Index n = model.velocities, rows = model.loop_rows;
    Eigen::MatrixXd A(rows, n), all = Eigen::MatrixXd::Zero(n + rows, n + rows);
    loop_jacobian(model, workspace, A);
    all.topLeftCorner(n, n) = workspace.mass_matrix;
    all.topRightCorner(n, rows) = A.transpose();
    all.bottomLeftCorner(rows, n) = A;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + rows);
    right[dof] = value;
    const Eigen::VectorXd jump = all.fullPivLu().solve(right).head(n);
    EXPECT_LT((event.velocity_after - event.velocity_before - jump).norm(), 1e-9 * (1 + jump.norm())) << k;
  }
}

// A run that goes on from a checkpoint has the same bits: before the blow, at its instant on either side, after it.
TEST(Blows, CheckpointsKnowWhichHaveActed) {
  for (const EngineKind engine : {EngineKind::events, EngineKind::stepping, EngineKind::automatic}) {
    Trial whole(struck_ball(0.34, -0.2, 0.002), by(engine));
    ASSERT_EQ(whole.to(1), SimulationStatus::ready);
    ASSERT_EQ(whole.all(EventKind::impulse).size(), 1u);
    for (const double cut : {0.05, 0.0999999, 0.1, 0.1000001, 0.3}) {
      SCOPED_TRACE(fmt::format("{} {}", name(engine), cut));
      Trial half(struck_ball(0.34, -0.2, 0.002), by(engine));
      ASSERT_EQ(half.to(cut), SimulationStatus::ready);
      Simulator rest(half.scene.model, half.simulator.checkpoint(), by(engine));
      ASSERT_EQ(rest.advance(1), SimulationStatus::ready);
      EXPECT_EQ(rest.state().q, whole.simulator.state().q);
      EXPECT_EQ(rest.state().v, whole.simulator.state().v);
      EXPECT_EQ(rest.energy().supplied, whole.simulator.energy().supplied);
      ASSERT_EQ(half.to(1), SimulationStatus::ready);
      EXPECT_EQ(half.simulator.state().q, whole.simulator.state().q);
    }
  }
}

TEST(Blows, AtTheStartAndBeforeIt) {
  for (const EngineKind engine : {EngineKind::events, EngineKind::stepping, EngineKind::automatic}) {
    Trial at(struck_ball(0.34, 0, 0, 0.5, 0), by(engine)), before(struck_ball(0.34, 0, 0, 0.5, -1), by(engine));
    ASSERT_EQ(at.to(0.01), SimulationStatus::ready);
    ASSERT_EQ(before.to(0.01), SimulationStatus::ready);
    EXPECT_NEAR(at.v(0), 2 - ball_friction * gravity * 0.01, 1e-9);
    EXPECT_EQ(before.v(0), 0);
    EXPECT_TRUE(before.all(EventKind::impulse).empty());
  }
}

// Samples show the state on both sides.
TEST(Blows, SamplesBeforeAndAfter) {
  for (const EngineKind engine : {EngineKind::events, EngineKind::stepping, EngineKind::automatic}) {
    SCOPED_TRACE(name(engine));
    Trial run(struck_ball(0.34, 0, 0), by(engine));
    std::vector<double> speeds;
    run.simulator.on_sample(1, 0, [&](const Sample& sample) {
      if (sample.state.time == 0.1) speeds.push_back(sample.state.v[0]);
    });
    ASSERT_EQ(run.to(0.2), SimulationStatus::ready);
    ASSERT_EQ(speeds.size(), 2u);
    EXPECT_EQ(speeds[0], 0);
    EXPECT_NEAR(speeds[1], 2, 1e-12);
  }
}

}  // namespace
