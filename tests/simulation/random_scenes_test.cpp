// Seeded random mechanisms over floors and belts: every run ends with a status, finite, and with its energy accounted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "routh/contact/contact.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/state.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::scaled;

// Writes one scene as text, so that a scene that fails can be kept as it is.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed), planar_(random_.chance(0.5)) {}

  std::string scene() {
    const int count = 1 + random_.below(4);
    text_ = fmt::format("dimension: {}\n", planar_ ? "planar" : "spatial");
    write_surfaces();
    text_ += "bodies:\n";
    for (int k = 0; k < count; ++k) write_body(k);
    write_world();
    if (random_.chance(0.3))
      text_ += fmt::format(
          "springs: {{s: {{bodies: [world, b0], at: [{}, {}], stiffness: {:.3f}, rest_length: 0.3, "
          "damping: {:.3f}}}}}\n",
          vector(0.2, 2, 0), vector(0, 0, 0), random_.uniform(5, 200), random_.uniform(0, 3));
    text_ += "state:\n  position: {" + position_ + "}\n  velocity: {" + velocity_ + "}\n";
    return text_;
  }

 private:
  std::string vector(double x, double up, double y) const {
    return planar_ ? fmt::format("[{:.4f}, {:.4f}]", x, up) : fmt::format("[{:.4f}, {:.4f}, {:.4f}]", x, y, up);
  }
  double signed_uniform(double size) { return random_.uniform(-size, size); }

  void write_surfaces() {
    constexpr const char* laws[] = {"energetic", "poisson"};
    const double mu = random_.chance(0.15) ? 0 : random_.uniform(0, 1.2);
    const double e = random_.chance(0.2) ? 0 : random_.chance(0.1) ? 1 : random_.uniform(0, 1);
    text_ += fmt::format(
        "surfaces: {{s: {{friction: {{static: {:.4f}, kinetic: {:.4f}}}, restitution: {:.4f}, law: {}}}}}\n",
        mu * (random_.chance(0.5) ? 1 : random_.uniform(1, 1.3)), mu, e, laws[random_.below(2)]);
  }

  std::string inertia(double mass) {
    const double size = mass * random_.uniform(0.005, 0.05);
    if (planar_) return fmt::format("{:.5f}", size);
    return fmt::format("[{:.5f}, {:.5f}, {:.5f}]", size, size * random_.uniform(0.7, 1.3), size);
  }

  void write_shapes(int k) {
    text_ += "    shapes:\n";
    const int kind = random_.below(5);
    if (kind == 0) {
      text_ += fmt::format("      p{}: {{kind: sphere, radius: {:.4f}, surface: s}}\n", k, random_.uniform(0.05, 0.25));
    } else if (kind == 1) {
      const std::string size =
          planar_ ? fmt::format("[{:.4f}, {:.4f}]", random_.uniform(0.1, 0.5), random_.uniform(0.1, 0.5))
                  : fmt::format("[{:.4f}, {:.4f}, {:.4f}]", random_.uniform(0.1, 0.5), random_.uniform(0.1, 0.5),
                                random_.uniform(0.1, 0.5));
      text_ += fmt::format("      p{}: {{kind: box, size: {}, surface: s}}\n", k, size);
    } else if (kind == 2) {
      text_ += fmt::format("      p{}: {{kind: capsule, radius: {:.4f}, length: {:.4f}, surface: s}}\n", k,
                           random_.uniform(0.03, 0.1), random_.uniform(0.1, 0.4));
    } else {
      for (int n = 0; n < 1 + kind % 3; ++n)
        text_ += fmt::format("      p{}_{}: {{kind: point, at: {}, surface: s}}\n", k, n,
                             vector(signed_uniform(0.3), signed_uniform(0.3), signed_uniform(0.3)));
    }
  }

  void write_joint(int k) {
    const bool root = k == 0 || random_.chance(0.25);
    if (root && random_.chance(0.75)) {
      text_ += planar_ ? "    joint: {kind: planar}\n" : "    joint: {kind: free}\n";
      // Far enough apart and above the floor not to overlap.
      const double x = 1.2 * k, up = random_.uniform(0.25, 0.5);
      if (!position_.empty()) position_ += ", ", velocity_ += ", ";
      if (planar_) {
        position_ += fmt::format("b{}: [{:.3f}, {:.4f}, {:.3f}]", k, x, up, signed_uniform(3));
        velocity_ += fmt::format("b{}: [{:.3f}, {:.4f}, {:.3f}]", k, signed_uniform(2), signed_uniform(1) - 2,
                                 signed_uniform(5));
      } else {
        position_ += fmt::format("b{}: {{position: [{:.3f}, 0, {:.4f}], rotation: {{rpy: [{:.3f}, {:.3f}, {:.3f}]}}}}",
                                 k, x, up, signed_uniform(1), signed_uniform(1), signed_uniform(1));
        velocity_ += fmt::format("b{}: [{:.3f}, {:.3f}, {:.3f}, {:.3f}, {:.3f}, {:.3f}]", k, signed_uniform(2),
                                 signed_uniform(2), signed_uniform(1) - 2, signed_uniform(5), signed_uniform(5),
                                 signed_uniform(5));
      }
      return;
    }
    const std::string parent = root ? "world" : fmt::format("b{}", k - 1);
    const bool turns = random_.chance(0.7);
    std::string axis;
    if (!turns) axis = ", axis: " + vector(signed_uniform(0.5), 1, signed_uniform(0.5));
    if (turns && !planar_) axis = ", axis: " + vector(signed_uniform(1), signed_uniform(1), 1);
    const std::string at = root ? vector(1.2 * k, 0.5, 0) : vector(signed_uniform(0.2), 0.6, 0);
    std::string more;
    if (random_.chance(0.3))
      more += fmt::format(", limits: {{lower: -0.4, upper: 0.5, restitution: {:.3f}}}", random_.uniform());
    if (random_.chance(0.3)) more += fmt::format(", spring: {{stiffness: {:.3f}}}", random_.uniform(1, 50));
    if (random_.chance(0.3)) more += fmt::format(", damping: {:.3f}", random_.uniform(0, 2));
    if (random_.chance(0.2))
      more += fmt::format(
          ", drive: {{stiffness: 20, damping: 2, position: {{table: [[0, 0], [0.1, 0.3], [0.2, -0.2]]}}, limit: "
          "{:.2f}}}",
          random_.uniform(1, 20));
    text_ += fmt::format("    joint: {{kind: {}, parent: {}, at: {}{}{}}}\n", turns ? "revolute" : "prismatic", parent,
                         at, axis, more);
    if (!position_.empty()) position_ += ", ", velocity_ += ", ";
    position_ += fmt::format("b{}: {:.4f}", k, signed_uniform(0.35));
    velocity_ += fmt::format("b{}: {:.4f}", k, signed_uniform(3));
  }

  void write_body(int k) {
    const double mass = random_.uniform(0.5, 4);
    text_ += fmt::format("  b{}:\n    mass: {:.4f}\n    inertia: {}\n", k, mass, inertia(mass));
    if (random_.chance(0.4)) text_ += "    com: " + vector(signed_uniform(0.1), signed_uniform(0.1), 0) + "\n";
    write_joint(k);
    write_shapes(k);
  }

  void write_world() {
    text_ += "world:\n  shapes:\n    floor: {kind: half_space, at: " + vector(0, -0.1, 0) + ", surface: s";
    if (random_.chance(0.3)) text_ += ", belt: {velocity: " + vector(signed_uniform(2), 0, signed_uniform(1)) + "}";
    text_ += "}\n";
    if (random_.chance(0.3))
      text_ += "    wall: {kind: half_space, normal: " + vector(1, 0.3, 0) + ", at: " + vector(-1.2, 0, 0) +
               ", surface: s}\n";
  }

  Random random_;
  bool planar_;
  std::string text_, position_, velocity_;
};

struct Outcome {
  SimulationStatus status = SimulationStatus::ready;
  std::string fault;
};

double kinetic_change(const Model& model, const Event& event, Workspace& workspace) {
  const auto kinetic = [&](const Eigen::VectorXd& v) {
    return compute_energy(model, {event.position, v, event.time}, workspace).kinetic;
  };
  return kinetic(event.velocity_after) - kinetic(event.velocity_before);
}

Outcome simulate(const Scene& scene, double until) {
  SimulationOptions options;
  options.engine = EngineKind::events;
  options.tolerance = 1e-9;
  options.max_events = 3000;
  options.max_events_in_burst = 1000;
  options.max_steps = 60'000;
  Simulator simulator(scene.model, scene.state, options);
  Outcome outcome;
  double scale = std::abs(simulator.energy().initial) + 1;
  // Nothing overlaps on the way, whatever the engine held or let go.
  Workspace workspace(scene.model);
  std::vector<Contact> contacts;
  double deepest = 0;
  simulator.on_sample(0.01, 0, [&](const Sample& sample) {
    compute_kinematics(scene.model, sample.state.q, workspace);
    find_contacts(scene.model, workspace, sample.state.q, 0, contacts);
    for (const Contact& each : contacts) deepest = std::min(deepest, each.gap);
  });
  outcome.status = simulator.advance(until);
  const State& end = simulator.state();
  if (!end.q.allFinite() || !end.v.allFinite()) outcome.fault = "not finite";
  const EnergyAccount energy = simulator.energy();
  scale = std::max({scale, energy.kinetic, energy.dissipated, energy.supplied});
  // A hundred times the tolerance for the whole way; nothing is booked to close the account.
  const double allowed = 100 * options.tolerance * scale;
  if (!(std::abs(energy.balance()) <= allowed)) outcome.fault = fmt::format("balance {:.3g}", energy.balance());
  if (!(std::abs(energy.corrected) <= allowed)) outcome.fault = fmt::format("corrected {:.3g}", energy.corrected);
  for (const Event& each : simulator.events()) {
    if (!each.energy.consistent)
      outcome.fault = fmt::format("gain of {:.3g} by {} at {:.9f}", each.energy.change, name(each.rule), each.time);
    // What the impulses did is what became of the velocities.
    const double change = kinetic_change(scene.model, each, workspace);
    const double ledger = each.energy.normal_work + each.energy.tangential_work + each.energy.supplied;
    if (!(std::abs(change - ledger) <= 1e-10 * scale))
      outcome.fault = fmt::format("ledger off by {:.3g} by {} at {:.9f}", change - ledger, name(each.rule), each.time);
  }
  if (energy.gained > 1e-9 * scale) outcome.fault = fmt::format("gained {:.3g}", energy.gained);
  for (const ActiveContact& each : simulator.active())
    if (outcome.status == SimulationStatus::ready && std::abs(each.contact.gap) > 1e-8)
      outcome.fault = fmt::format("gap {:.3g}", each.contact.gap);
  if (deepest < -1e-8 && outcome.status != SimulationStatus::overlapping)
    outcome.fault = fmt::format("overlap of {:.3g}", deepest);
  if (failed(outcome.status)) outcome.fault += simulator.message();
  return outcome;
}

constexpr double duration = 0.3;  // [s]

// Scenes that went wrong are written into the folder named by ROUTH_KEEP_SCENES, and the ends are counted there.
TEST(RandomScenes, EndWithAStatusAndTheirEnergyAccounted) {
  constexpr std::uint64_t seed = 91000;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const int count = scaled(1000, 50);
  std::map<SimulationStatus, int> ends;
  int bad = 0;
  for (int k = 0; k < count; ++k) {
    const std::string text = "routh: 1\n" + Writer(seed + static_cast<std::uint64_t>(k)).scene();
    const Scene scene = read_scene_text(text, fmt::format("scene {}", k));
    const Outcome outcome = simulate(scene, duration);
    ++ends[outcome.status];
    // Shapes overlap where a scene begins, nowhere else.
    if (outcome.status == SimulationStatus::overlapping) {
      if (outcome.fault.find("was missed") != std::string::npos) ADD_FAILURE() << outcome.fault << "\n" << text;
      continue;
    }
    if (!outcome.fault.empty()) ++bad;
    if (!outcome.fault.empty() && !failed(outcome.status))
      ADD_FAILURE() << "scene " << k << ": " << outcome.fault << "\n" << text;
    if (const char* folder = std::getenv("ROUTH_KEEP_SCENES"); folder && !outcome.fault.empty()) {
      std::ofstream(fmt::format("{}/random{}.yaml", folder, k))
          << "# " << outcome.fault.substr(0, outcome.fault.find('\n')) << "\n"
          << text;
    }
  }
  std::string table;
  for (const auto& [status, number] : ends) table += fmt::format("  {} {}\n", name(status), number);
  RecordProperty("ends", table);
  if (std::getenv("ROUTH_KEEP_SCENES")) std::fputs(table.c_str(), stdout);
  EXPECT_LE(ends[SimulationStatus::overlapping], count / 4);
  EXPECT_LE(bad, 1 + count / 100) << table;
}

// The state at the end, in pieces of random length between which the run is looked at.
State end_in_pieces(const Scene& scene, const SimulationOptions& options, Random& random) {
  Simulator simulator(scene.model, scene.state, options);
  for (double time = 0; time < duration; time += random.uniform(0.01, 0.1)) {
    simulator.advance(time);
    (void)simulator.active();
    (void)simulator.acceleration();
  }
  simulator.advance(duration);
  return simulator.state();
}

// Whatever the event engine does, the automatic one comes to its time, and gives no energy away for nothing. In pieces
// it comes to the same bits.
TEST(RandomScenes, ReachTheirTimeByTheAutomaticEngine) {
  constexpr std::uint64_t seed = 92000;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SimulationOptions options;
  options.engine = EngineKind::automatic;
  options.tolerance = 1e-8;
  int crowded = 0;
  for (int k = 0; k < scaled(1000, 50); ++k) {
    const std::string text = "routh: 1\n" + Writer(seed + static_cast<std::uint64_t>(k)).scene();
    const Scene scene = read_scene_text(text, fmt::format("scene {}", k));
    Simulator simulator(scene.model, scene.state, options);
    if (simulator.status() == SimulationStatus::overlapping) continue;  // refused at its start
    EXPECT_EQ(simulator.advance(duration), SimulationStatus::ready) << simulator.message() << "\n" << text;
    EXPECT_EQ(simulator.state().time, duration);
    if (k % 4 == 0) {
      Random random(seed + static_cast<std::uint64_t>(k));
      const State pieces = end_in_pieces(scene, options, random);
      EXPECT_TRUE(pieces.q == simulator.state().q && pieces.v == simulator.state().v) << text;
    }
    const EnergyAccount energy = simulator.energy();
    const double size = std::max(1.0, energy.turnover());
    const bool stepped = simulator.statistics().crowds > 0;
    crowded += stepped;
    EXPECT_LE(energy.total() - energy.initial - energy.supplied, (stepped ? 1e-2 : 1e-6) * size) << text;
    EXPECT_LE(std::abs(energy.balance()), (stepped ? 5e-2 : 1e-6) * size) << text;
    EXPECT_LE(energy.gained, 1e-9 * size);
  }
  EXPECT_TRUE(crowded > 0 || scaled(1000, 50) < 500);  // rare enough to be missing among fewer
}

}  // namespace
