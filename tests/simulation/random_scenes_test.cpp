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
#include "simulation/random_scene.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::RandomScene;
using testing_support::scaled;

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
    const std::string text = "routh: 1\n" + RandomScene(seed + static_cast<std::uint64_t>(k)).text();
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
    const std::string text = "routh: 1\n" + RandomScene(seed + static_cast<std::uint64_t>(k)).text();
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
