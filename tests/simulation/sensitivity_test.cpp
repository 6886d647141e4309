// Derivatives of runs: closed forms, conservation laws, and central differences of the runs themselves.
#include "routh/simulation/sensitivity.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "trial.h"

namespace {

using routh::EventKind;
using routh::RunParameter;
using routh::RunSensitivity;
using routh::Scene;
using routh::SimulationOptions;
using routh::State;
using testing_support::ball;

SimulationOptions sharp() {
  SimulationOptions options;
  options.engine = routh::EngineKind::events;
  options.tolerance = 1e-13;
  return options;
}

Scene scene_of(const std::string& text) { return routh::read_scene_text("routh: 1\n" + text, "test"); }

// A parameter that is a number in the text.
RunParameter number_in(const std::function<std::string(double)>& text, double value) {
  return {"number", value, [text](double p) {
            Scene scene = scene_of(text(p));
            return RunParameter::Case{std::move(scene.model), scene.state};
          }};
}

RunSensitivity follow(const Scene& scene, double until, const std::vector<RunParameter>& parameters = {}) {
  return run_sensitivity(scene.model, scene.state, until, sharp(), parameters);
}

bool has(const RunSensitivity& run, routh::SensitivityDoubt doubt) {
  return std::any_of(run.notes.begin(), run.notes.end(), [&](const auto& each) { return each.doubt == doubt; });
}

// Column by column against central differences of the run, of fourth order.
void expect_differences(const Scene& scene, double until, const RunSensitivity& found, double step, double tolerance,
                        std::vector<Eigen::Index> columns = {}) {
  const routh::Model& model = scene.model;
  const Eigen::Index n = model.velocities;
  ASSERT_TRUE(found.exists) << (found.notes.empty() ? "" : found.notes.front().text);
  const auto end = [&](const Eigen::VectorXd& dq, const Eigen::VectorXd& dv, double s) {
    State start = scene.state;
    integrate(model, scene.state.q, dq, s, start.q);
    start.v += s * dv;
    routh::Simulator simulator(model, start, sharp());
    EXPECT_EQ(simulator.advance(until), routh::SimulationStatus::ready);
    Eigen::VectorXd x(2 * n), moved(n);
    difference(model, found.state.q, simulator.state().q, moved);
    x << moved, simulator.state().v;
    return x;
  };
  Eigen::MatrixXd all(2 * n, found.position.cols());
  all << found.position, found.velocity;
  const double scale = all.cwiseAbs().maxCoeff();
  if (columns.empty())
    for (Eigen::Index c = 0; c < 2 * n; ++c) columns.push_back(c);
  for (const Eigen::Index c : columns) {
    const Eigen::VectorXd dq = c < n ? Eigen::VectorXd(Eigen::VectorXd::Unit(n, c)) : Eigen::VectorXd::Zero(n);
    const Eigen::VectorXd dv = c < n ? Eigen::VectorXd(Eigen::VectorXd::Zero(n)) : Eigen::VectorXd::Unit(n, c - n);
    const Eigen::VectorXd expected =
        (8 * (end(dq, dv, step) - end(dq, dv, -step)) - (end(dq, dv, 2 * step) - end(dq, dv, -2 * step))) / (12 * step);
    EXPECT_LE((all.col(c) - expected).cwiseAbs().maxCoeff(), tolerance * scale)
        << "column " << c << ": " << all.col(c).transpose() << "\nexpected " << expected.transpose();
  }
}

// Three bounces of a ball from the height h: its position, velocity and the time of each bounce in closed form.
TEST(Sensitivity, BouncingBallInClosedForm) {
  const double h = 1.3, e = 0.8, g = 9.81, until = 2.0;
  const auto text = [](double height, double restitution) { return ball(0.1, height, restitution); };
  const Scene scene = scene_of(text(h, e));
  const RunSensitivity run =
      follow(scene, until,
             {number_in([&](double p) { return text(p, e); }, h), number_in([&](double p) { return text(h, p); }, e)});
  ASSERT_TRUE(run.exists);
  // t_1 = √(2h/g); bounces k = 2, 3 … at t_1 (1 + 2 Σ e^j).
  const double t1 = std::sqrt(2 * h / g);
  std::vector<double> times, by_h, by_e;
  double sum = 1, slope = 0;
  for (int k = 0; k < 6; ++k) {
    times.push_back(t1 * sum);
    by_h.push_back(t1 * sum / (2 * h));
    by_e.push_back(t1 * slope);
    sum += 2 * std::pow(e, k + 1);
    slope += 2 * (k + 1) * std::pow(e, k);
  }
  std::size_t bounces = 0;
  for (const auto& event : run.events) {
    if (event.kind != EventKind::impact) continue;
    ASSERT_NEAR(event.time, times[bounces], 1e-9);
    EXPECT_NEAR(event.change[6], by_h[bounces], 1e-9);
    EXPECT_NEAR(event.change[7], by_e[bounces], 1e-9);
    EXPECT_NEAR(event.change[1], by_h[bounces], 1e-9);  // the start's own height
    ++bounces;
  }
  ASSERT_GE(bounces, 2u);
  // After bounce k: y = r + v_k (t − t_k) − ½ g (t − t_k)², v_k = e^k √(2 g h).
  const double v1 = std::sqrt(2 * g * h), vk = std::pow(e, double(bounces)) * v1, tk = times[bounces - 1];
  const double late = until - tk;
  const double dv = static_cast<double>(bounces) * std::pow(e, double(bounces) - 1) * v1;
  EXPECT_NEAR(run.position(1, 7), dv * late - (vk - g * late) * by_e[bounces - 1], 1e-9);
  EXPECT_NEAR(run.velocity(1, 7), dv + g * by_e[bounces - 1], 1e-9);
  EXPECT_NEAR(run.position(1, 6), vk / (2 * h) * late - (vk - g * late) * by_h[bounces - 1], 1e-9);
  EXPECT_GT(run.validity[7], 0);
}

// The sum of all bounces: t_∞ = √(2h/g) (1 + e)/(1 − e).
TEST(Sensitivity, BouncesThatPileUp) {
  const double h = 0.7, e = 0.6, g = 9.81;
  const Scene scene = scene_of(ball(0.1, h, e));
  const RunSensitivity run = follow(scene, 3,
                                    {number_in([&](double p) { return ball(0.1, p, e); }, h),
                                     number_in([&](double p) { return ball(0.1, h, p); }, e)});
  ASSERT_TRUE(run.exists) << run.notes.front().text;
  EXPECT_TRUE(run.notes.empty()) << run.notes.front().text;
  const double t1 = std::sqrt(2 * h / g);
  int ends = 0;
  for (const auto& event : run.events) {
    if (event.kind != EventKind::zeno) continue;
    ++ends;
    EXPECT_NEAR(event.time, t1 * (1 + e) / (1 - e), 1e-7);
    EXPECT_NEAR(event.change[6], t1 * (1 + e) / (1 - e) / (2 * h), 1e-6);
    EXPECT_NEAR(event.change[7], 2 * t1 / ((1 - e) * (1 - e)), 1e-6);
  }
  EXPECT_EQ(ends, 1);
  EXPECT_NEAR(run.position.row(1).cwiseAbs().maxCoeff(), 0, 1e-8);  // at rest, whatever the start
  EXPECT_NEAR(run.velocity.row(1).cwiseAbs().maxCoeff(), 0, 1e-8);
}

// A mass on a spring that strikes a wall once: det Φ = e², whatever the times between.
TEST(Sensitivity, ImpactOscillator) {
  const double e = 0.7;
  const Scene scene = scene_of(
      "dimension: planar\ngravity: [0, 0]\nbodies: {m: {mass: 1.3, inertia: 0, joint: {kind: prismatic, axis: [1, 0], "
      "spring: {stiffness: 40}, limits: {lower: -0.2, restitution: 0.7}}}}\nstate: {position: {m: 0.5}}\n");
  const RunSensitivity run = follow(scene, 1.0);
  ASSERT_TRUE(run.exists);
  int strikes = 0;
  for (const auto& event : run.events) strikes += event.kind == EventKind::limit;
  Eigen::MatrixXd all(2, 2);
  all << run.position, run.velocity;
  EXPECT_GE(strikes, 1);
  EXPECT_NEAR(all.determinant(), std::pow(e, 2 * strikes), 1e-10);
}

// A tip that slides along a floor and halts.
std::string slider(double friction, double speed) {
  return fmt::format(
      "dimension: planar\nsurfaces: {{s: {{friction: {:.17g}, restitution: 0}}}}\nworld: {{shapes: {{floor: {{kind: "
      "half_space, surface: s}}}}}}\n{}state: {{velocity: {{slide: {:.17g}}}}}\n",
      friction, testing_support::particle(), speed);
}

TEST(Sensitivity, SlipThatHalts) {
  const double mu = 0.35, v = 2.1, g = 9.81;
  const Scene scene = scene_of(slider(mu, v));
  const RunSensitivity run = follow(
      scene, 1.5,
      {number_in([&](double p) { return slider(p, v); }, mu), number_in([&](double p) { return slider(mu, p); }, v)});
  ASSERT_TRUE(run.exists) << run.notes.front().text;
  const Eigen::Index x = scene.model.find_joint("lift") == 0 ? 1 : 0;
  EXPECT_NEAR(run.position(x, 4), -v * v / (2 * mu * mu * g), 1e-9);
  EXPECT_NEAR(run.position(x, 5), v / (mu * g), 1e-9);
  EXPECT_NEAR(run.position(x, 2 + x), v / (mu * g), 1e-9);
  EXPECT_NEAR(run.velocity.row(x).cwiseAbs().maxCoeff(), 0, 1e-12);
  bool halted = false;
  for (const auto& event : run.events) {
    if (event.kind != EventKind::stick) continue;
    halted = true;
    EXPECT_NEAR(event.change[4], -v / (mu * mu * g), 1e-9);
    EXPECT_NEAR(event.change[5], 1 / (mu * g), 1e-9);
  }
  EXPECT_TRUE(halted);
  EXPECT_TRUE(has(run, routh::SensitivityDoubt::start_in_contact));
}

// In space a slip under an oblique pull swerves before it halts, and what is left of its direction settles.
TEST(Sensitivity, SlipThatHaltsInSpace) {
  const Scene scene = scene_of(
      "gravity: [1.2, 0.3, -9.81]\nsurfaces: {s: {friction: 0.4, restitution: 0}}\nworld: {shapes: {floor: {kind: "
      "half_space, surface: "
      "s}}}\nbodies:\n  a: {mass: 0, joint: {kind: prismatic, axis: [0, 0, 1]}}\n  b: {mass: 0, joint: {kind: "
      "prismatic, "
      "axis: [0, 1, 0], parent: a}}\n  c: {mass: 1, inertia: [1, 1, 1], joint: {kind: prismatic, axis: [1, 0, 0], "
      "parent: b}, "
      "shapes: {tip: {kind: point, surface: s}}}\nstate: {velocity: {b: 1.1, c: -0.8}}\n");
  const RunSensitivity run = follow(scene, 0.8);
  ASSERT_TRUE(run.exists) << run.notes.front().text;
  expect_differences(scene, 0.8, run, 1e-4, 1e-6, {1, 2, 4, 5});
  EXPECT_NEAR(run.velocity.cwiseAbs().maxCoeff(), 0, 1e-7);
}

// A four-bar linkage with a spring and a damper that strikes a stop: derivatives along its loop, by the parameters that
// leave it closed.
TEST(Sensitivity, FourBar) {
  const auto text = [](double mass, double speed) {
    return fmt::format(R"(
dimension: planar
surfaces: {{steel: {{friction: 0.2, restitution: 0.6}}}}
bodies:
  crank: {{mass: {:.17g}, com: [0.5, 0], inertia: 0.17, joint: {{kind: revolute, damping: 0.3}}}}
  coupler: {{mass: 3, com: [1.5, 0], inertia: 2.25, joint: {{kind: revolute, parent: crank, at: [1, 0]}}}}
  rocker: {{mass: 2.5, com: [1.25, 0], inertia: 1.3, joint: {{kind: revolute, at: [1.7, 0.4], spring: {{stiffness: 9}}}},
    shapes: {{nose: {{kind: point, at: [1.25, 0], surface: steel}}}}}}
loops: {{pin: {{kind: point, bodies: [coupler, rocker], at: [[3, 0], [2.5, 0]]}}}}
world: {{shapes: {{stop: {{kind: half_space, at: [2.25, 1.6], normal: [-0.96, 0.28], surface: steel}}}}}}
state: {{position: {{crank: 90 deg, coupler: -0.9272952180016122, rocker: 1.2870022175865687}}, velocity: {{crank: {:.17g}}}}}
)",
                       mass, speed);
  };
  const double until = 1.2, h = 1e-4;
  const Scene scene = scene_of(text(2, -2));
  const RunSensitivity run = follow(
      scene, until,
      {number_in([&](double p) { return text(p, -2); }, 2), number_in([&](double p) { return text(2, p); }, -2)});
  ASSERT_TRUE(run.exists) << run.notes.front().text;
  const auto end = [&](double mass, double speed) {
    const Scene other = scene_of(text(mass, speed));
    routh::Simulator simulator(other.model, other.state, sharp());
    simulator.advance(until);
    Eigen::VectorXd x(6);
    x << simulator.state().q, simulator.state().v;
    return x;
  };
  Eigen::MatrixXd by(6, 2), all(6, 8);
  by << (end(2 + h, -2) - end(2 - h, -2)) / (2 * h), (end(2, -2 + h) - end(2, -2 - h)) / (2 * h);
  all << run.position, run.velocity;
  EXPECT_FALSE(run.events.empty());
  EXPECT_LE((all.rightCols(2) - by).cwiseAbs().maxCoeff(), 1e-6 * by.cwiseAbs().maxCoeff())
      << all.rightCols(2) << "\nexpected\n"
      << by;
}

// Where there is no derivative, the run says so.
TEST(Sensitivity, SaysWhereThereIsNone) {
  // Two tips of a table come down at once.
  const Scene table = scene_of(
      "dimension: planar\nsurfaces: {s: {friction: 0.3, restitution: 0.4}}\nworld: {shapes: {floor: {kind: half_space, "
      "surface: s}}}\nbodies: {t: {mass: 1, inertia: 0.1, joint: {kind: planar}, shapes: {a: {kind: point, at: [-0.5, "
      "0], "
      "surface: s}, b: {kind: point, at: [0.5, 0], surface: s}}}}\nstate: {position: {t: [0, 0.5, 0]}}\n");
  EXPECT_TRUE(has(follow(table, 0.4), routh::SensitivityDoubt::simultaneous));
  // A pendulum that just reaches its stop: E = k (0.2)²/2 (1 + 1e-10).
  const double speed = std::sqrt(40 / 1.3) * 0.2 * (1 + 1e-10);
  const Scene grazing = scene_of(fmt::format(
      "dimension: planar\ngravity: [0, 0]\nbodies: {{m: {{mass: 1.3, inertia: 0, joint: {{kind: prismatic, axis: "
      "[1, 0], spring: {{stiffness: 40}}, limits: {{lower: -0.2, restitution: 0.7}}}}}}}}\nstate: {{velocity: "
      "{{m: {:.17g}}}}}\n",
      -speed));
  EXPECT_TRUE(has(follow(grazing, 0.6), routh::SensitivityDoubt::grazing));
}

TEST(Sensitivity, AgainstDifferences) {
  const Scene rod = scene_of(testing_support::dropped_rod);
  expect_differences(rod, 0.5, follow(rod, 0.5), 1e-5, 1e-7);
  const Scene pendulum = scene_of(
      "bodies:\n  a: {mass: 1.1, com: [0, 0, -0.4], inertia: [0.02, 0.03, 0.04], joint: {kind: spherical}}\n  b: "
      "{mass: 0.7, "
      "com: [0.1, 0, -0.3], inertia: [0.02, 0.03, 0.01], joint: {kind: revolute, parent: a, axis: [0, 1, 0], at: [0, "
      "0, "
      "-0.8], damping: 0.05, spring: {stiffness: 0.3}}}\nstate: {velocity: {a: [0.4, 1.1, -0.6], b: 0.9}}\n");
  expect_differences(pendulum, 0.7, follow(pendulum, 0.7), 1e-3, 1e-9);
}

// A ball that is thrown with its spin against a floor in space: slip, stick and bounces, by the start and by numbers.
TEST(Sensitivity, ThrownBallInSpace) {
  const auto text = [](double friction, double radius) {
    return fmt::format(
        "surfaces: {{s: {{friction: {:.17g}, restitution: 0.75}}}}\nworld: {{shapes: {{floor: {{kind: "
        "half_space, surface: s}}}}}}\nbodies: {{b: {{mass: 0.4, inertia: [0.001, 0.0012, 0.0014], joint: "
        "{{kind: free}}, shapes: {{s: {{kind: sphere, radius: {:.17g}, surface: s}}}}}}}}\nstate: "
        "{{position: {{b: {{position: [0, 0, 0.6]}}}}, velocity: {{b: [1.2, -0.5, 0.3, 4, 9, -6]}}}}\n",
        friction, radius);
  };
  const Scene scene = scene_of(text(0.12, 0.08));
  const RunSensitivity run = follow(scene, 0.9,
                                    {number_in([&](double p) { return text(p, 0.08); }, 0.12),
                                     number_in([&](double p) { return text(0.12, p); }, 0.08)});
  expect_differences(scene, 0.9, run, 1e-4, 1e-7);
  const auto end = [&](double friction, double radius) {
    const Scene other = scene_of(text(friction, radius));
    routh::Simulator simulator(other.model, other.state, sharp());
    simulator.advance(0.9);
    Eigen::VectorXd x(12), moved(6);
    difference(scene.model, run.state.q, simulator.state().q, moved);
    x << moved, simulator.state().v;
    return x;
  };
  const double h = 1e-5;
  Eigen::MatrixXd by(12, 2), all(12, 14);
  by << (end(0.12 + h, 0.08) - end(0.12 - h, 0.08)) / (2 * h), (end(0.12, 0.08 + h) - end(0.12, 0.08 - h)) / (2 * h);
  all << run.position, run.velocity;
  EXPECT_LE((all.rightCols(2) - by).cwiseAbs().maxCoeff(), 1e-6 * by.cwiseAbs().maxCoeff())
      << all.rightCols(2) << "\nexpected\n"
      << by;
}

}  // namespace
