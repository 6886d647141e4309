// A scene in text and its run, for tests.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"

namespace testing_support {

class Trial {
 public:
  explicit Trial(const std::string& text, const routh::SimulationOptions& options = {})
      : Trial(routh::read_scene_text("routh: 1\n" + text, "test"), options) {}
  explicit Trial(routh::Scene given, const routh::SimulationOptions& options = {})
      : scene(std::move(given)), simulator(scene.model, scene.state, options) {}

  const routh::Scene scene;
  routh::Simulator simulator;

  routh::SimulationStatus to(double time) { return simulator.advance(time); }
  double q(int index) const { return simulator.state().q[index]; }
  double v(int index) const { return simulator.state().v[index]; }

  std::vector<routh::Event> all(routh::EventKind kind) const {
    std::vector<routh::Event> list;
    for (const routh::Event& each : simulator.events())
      if (each.kind == kind) list.push_back(each);
    return list;
  }
  // −1: there is none.
  double first(routh::EventKind kind) const {
    for (const routh::Event& each : simulator.events())
      if (each.kind == kind) return each.time;
    return -1;
  }
};

inline routh::SimulationOptions by(routh::EngineKind engine) {
  routh::SimulationOptions options;
  options.engine = engine;
  return options;
}

inline routh::Scene example(const std::string& name) {
  return routh::read_scene_file(fmt::format("{}/../../examples/{}", ROUTH_TEST_DATA, name));
}

// A particle of mass 1 in the plane: `slide` moves along x, `lift` along y. `more` goes into the joint of `slide`.
inline std::string particle(const std::string& more = "") {
  return "bodies:\n"
         "  lift: {mass: 0, joint: {kind: prismatic, axis: [0, 1]}}\n"
         "  slide: {mass: 1, inertia: 0, joint: {kind: prismatic, axis: [1, 0], parent: lift" +
         more +
         "},\n"
         "    shapes: {tip: {kind: point, surface: s}}}\n";
}

// A rod with a disc at each end, dropped obliquely onto a floor: its ends strike in turns until it rests.
inline constexpr const char* dropped_rod = R"(
dimension: planar
surfaces: {s: {friction: 0.5, restitution: 0.7}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies: {rod: {mass: 1, inertia: 0.0833, joint: {kind: planar}, shapes: {
  plus: {kind: sphere, radius: 0.05, at: [0.5, 0], surface: s}, minus: {kind: sphere, radius: 0.05, at: [-0.5, 0], surface: s}}}}
state: {position: {rod: [0, 0.9, 0.785]}, velocity: {rod: [-2, 0, 0]}}
)";

// A planar ball above a floor.
inline std::string ball(double radius, double height, double e, double mass = 1) {
  return fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: 0.3, restitution: {}}}}}
bodies: {{ball: {{mass: {}, inertia: {}, joint: {{kind: planar}},
    shapes: {{b: {{kind: sphere, radius: {}, surface: s}}}}}}}}
world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}
state: {{position: {{ball: [0, {:.17g}, 0]}}}}
)",
                     e, mass, 0.4 * mass * radius * radius, radius, radius + height);
}

}  // namespace testing_support
