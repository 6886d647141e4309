// Derivatives of random runs against extrapolated differences of the runs themselves, event kind by event kind, and
// what the derivative of a run without loss obeys: it is symplectic, through its impacts too.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <map>

#include "routh/dynamics/dynamics.h"
#include "routh/simulation/sensitivity.h"
#include "simulation/random_scene.h"
#include "simulation/trial.h"

namespace {

using routh::EventKind;
using routh::RunSensitivity;
using routh::Scene;
using routh::SensitivityDoubt;
using routh::SimulationOptions;
using routh::State;
using testing_support::Random;
using testing_support::RandomScene;
using testing_support::scaled;

SimulationOptions exact_events() {
  SimulationOptions options;
  options.engine = routh::EngineKind::events;
  options.tolerance = 1e-13;
  options.max_events = 300;
  options.max_steps = 20'000;
  return options;
}

// A run from a start moved along (dq, dv), as tangents from the end of the run that is judged; its events beside it.
struct Neighbour {
  Eigen::VectorXd end;
  std::vector<std::pair<EventKind, double>> events;
  bool whole = false;
};

class Neighbours {
 public:
  Neighbours(const Scene& scene, const State& end, double until, Random& random)
      : scene_(scene), end_(end), until_(until), dq_(scene.model.velocities), dv_(scene.model.velocities) {
    for (double& x : dq_) x = random.normal();
    for (double& x : dv_) x = random.normal();
  }

  Eigen::VectorXd direction() const {
    Eigen::VectorXd all(2 * dq_.size());
    all << dq_, dv_;
    return all;
  }

  Neighbour at(double s) const {
    State start = scene_.state;
    integrate(scene_.model, scene_.state.q, dq_, s, start.q);
    start.v += s * dv_;
    routh::Simulator simulator(scene_.model, start, exact_events());
    Neighbour out;
    out.whole = simulator.advance(until_) == routh::SimulationStatus::ready;
    Eigen::VectorXd moved(dq_.size());
    difference(scene_.model, end_.q, simulator.state().q, moved);
    out.end.resize(2 * dq_.size());
    out.end << moved, simulator.state().v;
    for (const routh::Event& event : simulator.events()) out.events.emplace_back(event.kind, event.time);
    return out;
  }

 private:
  const Scene& scene_;
  const State& end_;
  double until_;
  Eigen::VectorXd dq_, dv_;
};

bool same_sequence(const Neighbour& a, const Neighbour& b) {
  return std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

// f′(0) by differences of sixth order, and what the ones of fourth order say otherwise; none where a neighbour's events
// come in another sequence.
struct Slope {
  Eigen::VectorXd value;
  double uncertainty = 0;
};
std::optional<Slope> slope_of(const Neighbours& neighbours, const Neighbour& middle, double h) {
  Eigen::VectorXd odd[3];
  for (int k = 1; k <= 3; ++k) {
    const Neighbour up = neighbours.at(k * h), down = neighbours.at(-k * h);
    if (!up.whole || !down.whole || !same_sequence(up, middle) || !same_sequence(down, middle)) return std::nullopt;
    odd[k - 1] = (up.end - down.end) / (2 * k * h);
  }
  Slope slope;
  slope.value = (15 * odd[0] - 6 * odd[1] + odd[2]) / 10;
  const Eigen::VectorXd fourth = (4 * odd[0] - odd[1]) / 3;
  slope.uncertainty = (slope.value - fourth).cwiseAbs().maxCoeff();
  return slope;
}

struct RunTally {
  int runs = 0, without = 0, undecided = 0, judged = 0, fine = 0, bad = 0;
  double worst = 0;
  std::map<EventKind, int> events, flagged;
  std::map<SensitivityDoubt, int> doubts;
};

void count_events(const RunSensitivity& run, RunTally& tally) {
  for (const auto& event : run.events) {
    ++tally.events[event.kind];
    const bool doubtful = std::any_of(run.notes.begin(), run.notes.end(), [&](const auto& note) {
      return note.doubt != SensitivityDoubt::start_in_contact && std::abs(note.time - event.time) < 1e-9;
    });
    tally.flagged[event.kind] += doubtful || !event.known;
  }
  for (const auto& note : run.notes) ++tally.doubts[note.doubt];
}

void judge_run(const std::string& text, std::uint64_t seed, RunTally& tally) {
  const Scene scene = routh::read_scene_text(text, "random");
  constexpr double until = 0.3;
  const RunSensitivity run = run_sensitivity(scene.model, scene.state, until, exact_events(), {});
  if (run.status != routh::SimulationStatus::ready) return;  // an overlap at the start, or a crowd
  ++tally.runs;
  count_events(run, tally);
  const bool doubtful = !run.notes.empty() || !run.exists;
  if (doubtful) return void(++tally.without);
  Random random(seed);
  const Neighbours neighbours(scene, run.state, until, random);
  const Neighbour middle = neighbours.at(0);
  Eigen::MatrixXd phi(2 * scene.model.velocities, 2 * scene.model.velocities);
  phi << run.position, run.velocity;
  const Eigen::VectorXd ours = phi * neighbours.direction();
  const double scale = std::max(1.0, ours.cwiseAbs().maxCoeff());
  std::optional<Slope> best;
  for (double h = 1e-3; h > 1e-6; h /= 4) {
    const auto slope = slope_of(neighbours, middle, h);
    if (slope && (!best || slope->uncertainty < best->uncertainty)) best = slope;
    if (best && best->uncertainty < 1e-9 * scale) break;
  }
  if (!best || best->uncertainty > 1e-6 * scale) return void(++tally.undecided);
  ++tally.judged;
  const double error = (ours - best->value).cwiseAbs().maxCoeff() / scale;
  tally.worst = std::max(tally.worst, error);
  tally.fine += error < 1e-8;
  // The direction of a slip in space turns without bound as it halts: it is followed to 1e-8 s before.
  const bool halts = scene.model.dimension == routh::Dimension::spatial &&
                     std::any_of(run.events.begin(), run.events.end(),
                                 [](const auto& event) { return event.kind == EventKind::stick; });
  if (error <= (halts ? 1e-6 : 1e-7) + 10 * best->uncertainty / scale) return;
  if (++tally.bad <= 3)
    ADD_FAILURE() << "seed " << seed << ": off by " << error << " (differences by " << best->uncertainty / scale
                  << ")\n"
                  << text;
}

TEST(SensitivityRuns, AgreeWithDifferences) {
  constexpr std::uint64_t seed = 30100;
  RunTally tally;
  for (int k = 0; k < scaled(30, 15); ++k) {
    const std::uint64_t scene = seed + static_cast<std::uint64_t>(k);
    judge_run("routh: 1\n" + RandomScene(scene).text(), scene, tally);
  }
  std::printf("  %d runs: %d judged, worst %.2g, %d below 1e-8; %d without or in doubt, %d undecided;", tally.runs,
              tally.judged, tally.worst, tally.fine, tally.without, tally.undecided);
  for (const auto& [kind, count] : tally.events)
    std::printf(" %s %d (%d flagged)", std::string(name(kind)).c_str(), count, tally.flagged[kind]);
  for (const auto& [doubt, count] : tally.doubts) std::printf(" [%s %d]", std::string(name(doubt)).c_str(), count);
  std::printf("\n");
  EXPECT_EQ(tally.bad, 0);
  EXPECT_GE(tally.judged, tally.runs / 2);
  EXPECT_GE(tally.fine, tally.judged * 8 / 10);
  EXPECT_LE(tally.flagged[EventKind::impact], std::max(3, tally.events[EventKind::impact] / 20));
}

// Neighbours of an instant at which several contacts act together keep what the instant found held: the corner slides
// while the limit is struck, and parts to second order from the floor on the way to a neighbour.
TEST(SensitivityRuns, WhatSlidesWhileALimitIsStruckStaysHeld) {
  RunTally tally;
  judge_run(R"(routh: 1
dimension: planar
surfaces: {s: {friction: {static: 0.4165, kinetic: 0.3909}, restitution: 0, law: poisson}}
bodies:
  b0:
    {mass: 2.1972, inertia: 0.01904, com: [-0.0235, -0.02], joint: {kind: planar},
     shapes: {p0: {kind: box, size: [0.4629, 0.1566], surface: s}}}
  b1:
    mass: 2.3115
    inertia: 0.07645
    joint: {kind: prismatic, parent: b0, at: [-0.1889, 0.6], axis: [-0.3169, 1], damping: 0.728,
            limits: {lower: -0.4, upper: 0.5, restitution: 0.888}}
world: {shapes: {floor: {kind: half_space, at: [0, -0.1], surface: s}}}
state: {position: {b0: [0, 0.3636, 0.566], b1: -0.1721}, velocity: {b0: [-1.898, -1.6423, -3.312], b1: -0.7296}}
)",
            1, tally);
  EXPECT_EQ(tally.bad, 0);
  EXPECT_EQ(tally.judged, 1);
  EXPECT_EQ(tally.events[EventKind::limit], 1);
}

// Φ in the canonical coordinates (q, p = M q̇), of a machine whose coordinates are numbers.
Eigen::MatrixXd canonical(const routh::Model& model, const RunSensitivity& run, const State& start) {
  const Eigen::Index n = model.velocities;
  routh::Workspace workspace(model);
  // (δq, δq̇) → (δq, δp)
  const auto to_momenta = [&](const State& state) {
    const auto mass = [&](const Eigen::VectorXd& q) -> Eigen::MatrixXd {
      compute_mass_matrix(model, q, workspace);
      return workspace.mass_matrix;
    };
    Eigen::MatrixXd T = Eigen::MatrixXd::Identity(2 * n, 2 * n);
    T.bottomRightCorner(n, n) = mass(state.q);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double h = 1e-3;
      const auto p = [&](double s) -> Eigen::VectorXd {
        return mass(state.q + s * Eigen::VectorXd::Unit(n, k)) * state.v;
      };
      T.col(k).tail(n) = (8 * (p(h) - p(-h)) - (p(2 * h) - p(-2 * h))) / (12 * h);
    }
    return T;
  };
  Eigen::MatrixXd phi(2 * n, 2 * n);
  phi << run.position, run.velocity;
  return to_momenta(run.state) * phi * to_momenta(start).inverse();
}

void expect_symplectic(const std::string& text, double until, int least_strikes) {
  const Scene scene = routh::read_scene_text("routh: 1\n" + text, "test");
  const RunSensitivity run = run_sensitivity(scene.model, scene.state, until, exact_events(), {});
  ASSERT_TRUE(run.exists) << run.notes.front().text;
  EXPECT_GE(std::count_if(run.events.begin(), run.events.end(), [](const auto& e) { return is_strike(e.kind); }),
            least_strikes);
  const Eigen::Index n = scene.model.velocities;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd phi = canonical(scene.model, run, scene.state);
  const double size = std::max(1.0, phi.squaredNorm());
  EXPECT_LE((phi.transpose() * J * phi - J).cwiseAbs().maxCoeff(), 1e-9 * size) << phi;
  EXPECT_NEAR(phi.determinant(), 1, 1e-8 * size);  // Liouville
}

// Between impacts, and through those without friction and loss.
TEST(SensitivityRuns, AreSymplecticWithoutLoss) {
  const std::string pendulum = R"(
dimension: planar
surfaces: {s: {friction: 0, restitution: 1}}
world: {shapes: {floor: {kind: half_space, at: [0, HEIGHT], surface: s}}}
bodies:
  a: {mass: 1.2, com: [0.1, -0.4], inertia: 0.05, joint: {kind: revolute}}
  b: {mass: 0.8, com: [0, -0.5], inertia: 0.07, joint: {kind: revolute, parent: a, at: [0, -1], spring: {stiffness: 3}},
      shapes: {tip: {kind: sphere, radius: 0.05, at: [0, -0.9], surface: s}}}
state: {position: {a: 0.9, b: -0.4}, velocity: {a: 1.1, b: 0.7}}
)";
  const auto over = [&](const std::string& height) {
    std::string text = pendulum;
    return text.replace(text.find("HEIGHT"), 6, height);
  };
  expect_symplectic(over("-9"), 1.5, 0);
  expect_symplectic(over("-1.9"), 1.5, 1);
  // A rod that is thrown, in the plane; and a mass on a spring that strikes its limit.
  expect_symplectic(R"(
dimension: planar
surfaces: {s: {friction: 0, restitution: 1}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies: {rod: {mass: 1, inertia: 0.0833, joint: {kind: planar}, shapes: {
  plus: {kind: sphere, radius: 0.05, at: [0.5, 0], surface: s}, minus: {kind: sphere, radius: 0.05, at: [-0.5, 0], surface: s}}}}
state: {position: {rod: [0, 0.9, 0.785]}, velocity: {rod: [-2, 0, 1]}}
)",
                    0.9, 2);
  expect_symplectic(
      "dimension: planar\ngravity: [0, 0]\nbodies: {m: {mass: 1.3, inertia: 0, joint: {kind: prismatic, axis: [1, 0], "
      "spring: {stiffness: 40}, limits: {lower: -0.2, restitution: 1}}}}\nstate: {position: {m: 0.5}}\n",
      2.0, 2);
}

// A mass on a spring at whose rest there is a wall, one strike in half a period of the spring: Φ = e, so that both
// eigenvalues are e, and areas shrink by e².
TEST(SensitivityRuns, EigenvaluesOfAnImpactOscillator) {
  const double e = 0.7, period = M_PI / std::sqrt(30.0);
  const Scene scene = routh::read_scene_text(
      "routh: 1\ndimension: planar\ngravity: [0, 0]\nbodies: {m: {mass: 1, inertia: 0, joint: {kind: prismatic, axis: "
      "[1, 0], spring: {stiffness: 30}, limits: {lower: 0, restitution: 0.7}}}}\nstate: {position: {m: 0.4}}\n",
      "test");
  const RunSensitivity run = run_sensitivity(scene.model, scene.state, period, exact_events(), {});
  ASSERT_TRUE(run.exists);
  ASSERT_EQ(run.events.size(), 1u);
  Eigen::Matrix2d phi;
  phi << run.position, run.velocity;
  EXPECT_LE((phi - e * Eigen::Matrix2d::Identity()).cwiseAbs().maxCoeff(), 1e-10) << phi;
  EXPECT_NEAR(phi.determinant(), e * e, 1e-10);
}

}  // namespace
