// The energy account, closed loops and contacts, and the order of the method, over long runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::example;
using testing_support::Trial;

double scale_of(const EnergyAccount& energy) {
  return std::abs(energy.initial) + std::abs(energy.kinetic) + energy.dissipated + std::abs(energy.supplied);
}

TEST(Energy, BalanceOfTheExamplesOverLongRuns) {
  struct Case {
    const char* file;
    double duration;
  };
  for (const Case& c : {Case{"kane.yaml", 10}, Case{"four_bar.yaml", 10}, Case{"walker.yaml", 5},
                        Case{"two_bodies.yaml", 10}, Case{"liu_arm.yaml", 5}}) {
    Trial run(example(c.file));
    double worst_gap = 0, worst_balance = 0;
    run.simulator.on_sample(0.01, 0, [&](const Sample& sample) {
      for (const ActiveContact& each : sample.active) worst_gap = std::max(worst_gap, std::abs(each.contact.gap));
      worst_balance = std::max(worst_balance, std::abs(sample.energy.balance()) / scale_of(sample.energy));
    });
    EXPECT_EQ(run.to(c.duration), SimulationStatus::ready) << c.file << ": " << run.simulator.message();
    EXPECT_LE(worst_balance, 1e-8) << c.file;
    EXPECT_LE(worst_gap, 1e-9) << c.file;
    EXPECT_LE(run.simulator.energy().gained, 1e-12) << c.file;
    EXPECT_GT(run.simulator.statistics().events, 0) << c.file;
  }
}

TEST(Energy, QuadrupedFallsAndItsEnergyIsAccounted) {
  Trial run(example("quadruped.yaml"), testing_support::by(EngineKind::events));
  ASSERT_EQ(run.to(0.2), SimulationStatus::ready) << run.simulator.message();
  EXPECT_GE(run.simulator.statistics().impacts, 4);
  EXPECT_LE(std::abs(run.simulator.energy().balance()), 1e-7 * scale_of(run.simulator.energy()));
  EXPECT_NEAR(run.simulator.state().q.segment<4>(3).norm(), 1, 1e-14);
}

// Drives, belts, springs and dampers at once. The balance is checked against work counted here: of the drive by its
// own formula, by the trapezoidal rule.
TEST(Energy, WorkOfADriveAgainstTheTrapezoidalRule) {
  Trial run(R"(
dimension: planar
bodies:
  arm: {mass: 2, com: [0.5, 0], inertia: 0.2,
    joint: {kind: revolute, damping: 0.3,
        drive: {stiffness: 30, damping: 4, position: {table: [[0, 0], [0.5, 1], [2, -1]]}, velocity: 0.5, limit: 12}}}
springs: {s: {bodies: [world, arm], at: [[0, 2], [1, 0]], stiffness: 20, rest_length: 0.5, damping: 0.7}}
state: {velocity: {arm: 1}}
)");
  const auto target = [](double t) { return t < 0.5 ? 2 * t : std::max(-1.0, 1 - 4.0 / 3 * (t - 0.5)); };
  double work = 0, last = 0, lost = 0, last_lost = 0;
  bool begun = false;
  run.simulator.on_sample(1e-4, 0, [&](const Sample& sample) {
    const double q = sample.state.q[0], v = sample.state.v[0], t = sample.state.time;
    const double u = std::clamp(30 * (target(t) - q) + 4 * (0.5 - v), -12.0, 12.0);
    const double ax = std::cos(q), ay = std::sin(q) - 2, length = std::hypot(ax, ay);
    const double rate = (ax * -std::sin(q) + ay * std::cos(q)) * v / length;
    const double power = u * v, loss = 0.3 * v * v + 0.7 * rate * rate;
    if (begun) work += 0.5e-4 * (power + last), lost += 0.5e-4 * (loss + last_lost);
    last = power;
    last_lost = loss;
    begun = true;
  });
  const auto mechanical = [](double q, double v) {
    const double stretch = std::hypot(std::cos(q), std::sin(q) - 2) - 0.5;
    return 0.5 * (0.2 + 2 * 0.25) * v * v + 2 * 9.81 * 0.5 * std::sin(q) + 10 * stretch * stretch;
  };
  ASSERT_EQ(run.to(3), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(mechanical(run.q(0), run.v(0)) - mechanical(0, 1), work - lost, 1e-6);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8 * scale_of(run.simulator.energy()));
}

// A block dragged by a belt against a spring and a damper, with strikes at a limit.
TEST(Energy, BeltSpringDamperAndLimit) {
  Trial run(R"(
dimension: planar
surfaces: {s: {friction: {static: 0.6, kinetic: 0.4}, restitution: 0.3}}
bodies:
  box: {mass: 2, inertia: 0.05, joint: {kind: planar, dofs: {x: {spring: {stiffness: 60}, damping: 0.8,
      limits: {upper: 0.12, restitution: 0.6}}}},
    shapes: {b: {kind: box, size: [0.5, 0.2], surface: s}}}
world: {shapes: {belt: {kind: half_space, surface: s, belt: {velocity: [1, 0], speed: {table: [[0, 0.2], [3,
    1.5], [6, -1]]}}}}}
state: {position: {box: [0, 0.3, 0.2]}}
)");
  ASSERT_EQ(run.to(10), SimulationStatus::ready) << run.simulator.message();
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8 * scale_of(run.simulator.energy()));
  EXPECT_GE(run.all(EventKind::limit).size(), 1u);
}

std::string four_bar() {
  return R"(
dimension: planar
bodies:
  crank: {mass: 2, com: [0.5, 0], inertia: 0.17, joint: {kind: revolute}}
  coupler: {mass: 3, com: [1.5, 0], inertia: 2.25, joint: {kind: revolute, parent: crank, at: [1, 0]}}
  rocker: {mass: 2.5, com: [1.25, 0], inertia: 1.3, joint: {kind: revolute, at: [1.7, 0.4]}}
loops: {pin: {kind: point, bodies: [coupler, rocker], at: [[3, 0], [2.5, 0]]}}
state:
  position: {crank: 90 deg, coupler: -0.9272952180016122, rocker: 1.2870022175865687}
  velocity: {crank: -2}
)";
}

// The pin of the four-bar by trigonometry.
double pin_gap(const Eigen::VectorXd& q) {
  const double x = std::cos(q[0]) + 3 * std::cos(q[0] + q[1]) - 1.7 - 2.5 * std::cos(q[2]);
  const double y = std::sin(q[0]) + 3 * std::sin(q[0] + q[1]) - 0.4 - 2.5 * std::sin(q[2]);
  return std::hypot(x, y);
}

TEST(Energy, FourBarStaysClosedForTwentySeconds) {
  Trial run(four_bar());
  double worst = 0;
  run.simulator.on_sample(0.01, 0, [&](const Sample& sample) { worst = std::max(worst, pin_gap(sample.state.q)); });
  ASSERT_EQ(run.to(20), SimulationStatus::ready) << run.simulator.message();
  EXPECT_LE(worst, 1e-9);
  EXPECT_LE(pin_gap(run.simulator.state().q), 1e-12);
  EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-8 * 100);
}

TEST(Energy, QuaternionsKeepTheirLength) {
  Trial run(example("two_bodies.yaml"));
  double worst = 0;
  run.simulator.on_sample(0.013, 0, [&](const Sample& sample) {
    worst = std::max(
        {worst, std::abs(sample.state.q.segment<4>(3).norm() - 1), std::abs(sample.state.q.segment<4>(10).norm() - 1)});
  });
  ASSERT_EQ(run.to(10), SimulationStatus::ready) << run.simulator.message();
  EXPECT_LE(std::abs(run.simulator.state().q.segment<4>(3).norm() - 1), 1e-15);
  EXPECT_LE(worst, 1e-14);
}

// Free bodies without gravity: linear and angular momentum are kept through the impact and the spinning after it.
TEST(Energy, TwoBodiesKeepTheirMomenta) {
  Trial run(example("two_bodies.yaml"));
  const auto momenta = [&] {
    Workspace workspace(run.scene.model);
    const State& state = run.simulator.state();
    compute_kinematics(run.scene.model, state.q, workspace);
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    const double mass[] = {2, 0.5};
    const Eigen::Vector3d inertia[] = {{0.0217, 0.0333, 0.0417}, {0.002, 0.002, 0.002}};
    for (int k = 0; k < 2; ++k) {
      const Eigen::Vector3d x = state.q.segment<3>(7 * k), p = mass[k] * state.v.segment<3>(6 * k);
      const Eigen::Vector4d r = state.q.segment<4>(7 * k + 3);  // w, x, y, z
      const Eigen::Vector3d l = inertia[k].cwiseProduct(state.v.segment<3>(6 * k + 3)), u = r.tail<3>();
      // R l = l + 2 w u × l + 2 u × (u × l)
      const auto cross = [](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
        return Eigen::Vector3d(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
      };
      const Eigen::Vector3d ul = cross(u, l);
      sum.head<3>() += p;
      sum.tail<3>() += l + 2 * r[0] * ul + 2 * cross(u, ul) + cross(x, p);
    }
    return sum;
  };
  const Eigen::Matrix<double, 6, 1> before = momenta();
  ASSERT_EQ(run.to(5), SimulationStatus::ready) << run.simulator.message();
  EXPECT_GE(run.all(EventKind::impact).size(), 1u);
  EXPECT_LE((momenta() - before).cwiseAbs().maxCoeff(), 1e-8);
}

// Kane's pendulum in free swing, and with its strikes: the error falls with the tolerance.
TEST(Energy, ErrorFallsWithTheTolerance) {
  for (const bool strikes : {false, true}) {
    const auto end = [&](double tolerance) {
      SimulationOptions options;
      options.tolerance = tolerance;
      Scene scene = example("kane.yaml");
      if (!strikes) scene.state.q << 0.3, 0.1;
      if (!strikes) scene.model.pairs.clear();
      Trial run(std::move(scene), options);
      EXPECT_EQ(run.to(strikes ? 0.35 : 5), SimulationStatus::ready) << run.simulator.message();
      return std::pair(Eigen::Vector4d(run.q(0), run.q(1), run.v(0), run.v(1)), run.simulator.statistics().steps);
    };
    const Eigen::Vector4d exact = end(1e-13).first;
    double previous = 1;
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      const double error = (end(tolerance).first - exact).norm();
      // What is cut off from infinitely many bounces does not depend on the tolerance.
      EXPECT_LE(error, 100 * tolerance + (strikes ? 1e-8 : 0)) << strikes;
      if (!strikes) {
        EXPECT_LT(error, 0.2 * previous) << tolerance;
      }
      previous = error;
    }
    if (!strikes) {
      // Order 8: the number of steps grows as tolerance^(−1/8); of order 5 it would be 6.3 times as many.
      const double growth = static_cast<double>(end(1e-12).second) / static_cast<double>(end(1e-8).second);
      EXPECT_GT(growth, 1.5);
      EXPECT_LT(growth, 5);
    }
  }
}

// Two bodies on four points over a belt, of which two stick: the slip of a third passes zero while the fourth goes on,
// as it is the one they turn about. To take the last of that slip out would stop the turn.
TEST(Energy, ATurnAboutAContact) {
  const std::string text = R"(
dimension: spatial
surfaces: {s: {friction: {static: 1.1076, kinetic: 1.1076}, restitution: 0.0000, law: energetic}}
bodies:
  b0:
    mass: 3.7562
    inertia: [0.08974, 0.09318, 0.08974]
    joint: {kind: free}
    shapes:
      p0: {kind: sphere, radius: 0.1283, surface: s}
  b1:
    mass: 3.2657
    inertia: [0.05337, 0.04033, 0.05337]
    com: [0.0929, 0.0000, 0.0371]
    joint: {kind: free}
    shapes:
      p1_0: {kind: point, at: [-0.1538, 0.0833, -0.1742], surface: s}
      p1_1: {kind: point, at: [0.2317, 0.2593, -0.1687], surface: s}
  b2:
    mass: 3.9225
    inertia: [0.13020, 0.10514, 0.13020]
    joint: {kind: revolute, parent: b1, at: [0.0619, 0.0000, 0.6000], axis: [-0.4142, 1.0000, -0.9886]}
    shapes:
      p2_0: {kind: point, at: [-0.2170, 0.1528, 0.1312], surface: s}
      p2_1: {kind: point, at: [-0.0983, 0.2222, 0.1249], surface: s}
world:
  shapes:
    floor: {kind: half_space, at: [0.0000, 0.0000, -0.1000], surface: s, belt: {velocity: [-1.9551, -0.0802, 0.0000]}}
state:
  position: {b0: {position: [0.000, 0, 0.2838], rotation: {rpy: [-0.451, -0.953, -0.212]}},
    b1: {position: [1.200, 0, 0.4585], rotation: {rpy: [0.529, -0.359, -0.097]}}, b2: -0.0794}
  velocity: {b0: [-0.351, -1.408, -2.534, 2.031, 1.361, 1.412],
    b1: [0.283, -0.911, -2.578, 1.172, -3.316, -4.766], b2: 1.0429}
)";
  double last = 0;
  for (const double tolerance : {1e-8, 1e-9, 1e-10}) {
    SimulationOptions options = testing_support::by(EngineKind::events);  // whose errors follow the tolerance
    options.tolerance = tolerance;
    Trial run(text, options);
    ASSERT_EQ(run.to(0.3), SimulationStatus::ready) << run.simulator.message();
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e3 * tolerance);
    if (last != 0) {
      EXPECT_NEAR(run.simulator.energy().total(), last, 1e-5);
    }
    last = run.simulator.energy().total();
  }
}

// A drive that is at its limit now and then: what it takes, and what it gives, against a march of small steps. Neither
// jumps where the limit is reached, so that loose tolerances tell them as well; a bend where it turns from one to the
// other costs some digits, and none of their difference.
TEST(Energy, DriveAtItsLimit) {
  const auto target = [](double t) { return t < 0.5 ? -0.66 * t : t < 1 ? -0.33 + 0.66 * (t - 0.5) : 0.0; };
  const auto slope = [](double t) { return t < 0.5 ? -0.66 : t < 1 ? 0.66 : 0.0; };
  struct Rates {
    double v, a, dissipated, supplied;
  };
  int limited = 0;
  const auto rates = [&](double t, double q, double v) {
    const double wanted = 44 * (target(t) - q) - v, u = std::clamp(wanted, -9.5, 9.5);
    limited += wanted != u;
    const double a = (u - 0.03 * v - 1.5 * 9.81 * 0.5 * std::sin(q)) / (0.15 + 1.5 * 0.25);
    // u q̇ and what goes into the spring.
    const double given = u * v + 44 * (q - target(t)) * (v - slope(t));
    return Rates{v, a, 0.03 * v * v + std::max(0.0, -given), std::max(0.0, given)};
  };
  double q = 0.3, v = 1, dissipated = 0, supplied = 0;
  constexpr int steps = 150000;
  const double h = 1.5 / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = h * i, end = t + h * (1 - 1e-9);  // of the same piece of the target
    const Rates k1 = rates(t, q, v), k2 = rates(t + h / 2, q + h / 2 * k1.v, v + h / 2 * k1.a),
                k3 = rates(t + h / 2, q + h / 2 * k2.v, v + h / 2 * k2.a), k4 = rates(end, q + h * k3.v, v + h * k3.a);
    q += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
    v += h / 6 * (k1.a + 2 * k2.a + 2 * k3.a + k4.a);
    dissipated += h / 6 * (k1.dissipated + 2 * k2.dissipated + 2 * k3.dissipated + k4.dissipated);
    supplied += h / 6 * (k1.supplied + 2 * k2.supplied + 2 * k3.supplied + k4.supplied);
  }
  ASSERT_GT(limited, 1000);
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    SimulationOptions options;
    options.tolerance = tolerance;
    Trial run(R"(
dimension: planar
bodies: {b: {mass: 1.5, com: [0, -0.5], inertia: 0.15, joint: {kind: revolute, damping: 0.03,
  drive: {stiffness: 44, damping: 1, position: {table: [[0, 0], [0.5, -0.33], [1, 0]]}, limit: 9.5}}}}
state: {position: {b: 0.3}, velocity: {b: 1}}
)",
              options);
    ASSERT_EQ(run.to(1.5), SimulationStatus::ready);
    const double near = std::max(1e-7, 100 * tolerance);
    EXPECT_NEAR(run.q(0), q, near);
    const EnergyAccount energy = run.simulator.energy();
    EXPECT_NEAR(energy.dissipated - energy.supplied, dissipated - supplied, near) << tolerance;
    const double bend = 20 * std::sqrt(tolerance);  // of the second order in steps that the tolerance decides
    EXPECT_NEAR(energy.dissipated, dissipated, bend) << tolerance;
    EXPECT_NEAR(energy.supplied, supplied, bend) << tolerance;
  }
}

// A stiff drive of the velocity turns an unbalanced wheel: it lends what the wheel falls back on, and no more. What it
// gives is what the bearing takes; d w² of the drive alone would be 45 kJ a second.
TEST(Energy, DriveOfTheVelocityBooksWhatItGives) {
  Trial run(R"(
dimension: planar
bodies: {wheel: {mass: 2, com: [0.05, 0], inertia: 0.01, joint: {kind: revolute, damping: 0.001,
  drive: {velocity: 30, damping: 50}}}}
state: {velocity: {wheel: 30}}
)");
  ASSERT_EQ(run.to(1), SimulationStatus::ready) << run.simulator.message();
  const EnergyAccount energy = run.simulator.energy();
  EXPECT_LE(std::abs(energy.balance()), 1e-8 * energy.supplied);
  // To first order in 1/d the wheel turns evenly, φ = 30 t, and the drive carries u = m g r cos φ and the bearing's
  // drag: it gives ∫ max(0, u) dφ and takes ∫ max(0, −u) dφ, here by the trapezoidal rule.
  const double lift = 2 * 9.81 * 0.05, drag = 0.001 * 30;
  double given = 0, taken = 0.001 * 900;
  constexpr int steps = 30000;
  for (int i = 0; i <= steps; ++i) {
    const double u = lift * std::cos(30.0 * i / steps) + drag, part = (i % steps == 0 ? 0.5 : 1.0) / steps;
    given += part * std::max(0.0, 30 * u);
    taken += part * std::max(0.0, -30 * u);
  }
  EXPECT_NEAR(energy.supplied, given, 2e-3 * given);
  EXPECT_NEAR(energy.dissipated, taken, 2e-3 * given);
}

}  // namespace
