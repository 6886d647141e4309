// A start `resting`, against where things stand by elementary geometry.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "routh/base/error.h"
#include "routh/contact/contact.h"
#include "routh/scene/scene.h"

namespace set_down_testing {

using namespace routh;

State start_of(const std::string& text) { return read_scene_text(text, "machine.yaml").state; }

const char* const boxes =
    "routh: 1\n"
    "surfaces: {{wood: {{friction: 0.5, restitution: 0}}}}\n"
    "bodies:\n"
    "  low: {{mass: 1, inertia: [1, 1, 1], joint: {{kind: free}},\n"
    "         shapes: {{low_box: {{kind: box, size: [1, 1, 0.4], surface: wood}}}}}}\n"
    "  high: {{mass: 1, inertia: [1, 1, 1], joint: {{kind: free}},\n"
    "          shapes: {{ball: {{kind: sphere, radius: 0.3, surface: wood}}}}}}\n"
    "world: {{shapes: {{floor: {{kind: half_space, normal: [{0}, 0, {4}]}}}}}}\n"
    "state:\n"
    "  position: {{low: {{position: [0.2, 0, {1}], rotation: {{axis: [0, 1, 0], angle: {2}}}}},\n"
    "             high: {{position: [0.1, 0, 5]}}}}\n"
    "  resting: {3}\n";

std::string scene(double slope, double height, double angle, const std::string& resting) {
  return fmt::format(fmt::runtime(boxes), std::sin(slope), height, angle, resting, std::cos(slope));
}

TEST(SetDown, FlatTiltedAndOnOneAnother) {
  for (const double height : {2.0, 0.2, -0.7}) {  // above, touching, sunk in
    const State flat = start_of(scene(0, height, 0, "{low: floor, high: low_box}"));
    EXPECT_NEAR(flat.q[2], 0.2, 1e-12);
    EXPECT_NEAR(flat.q[9], 0.4 + 0.3, 1e-12);
    EXPECT_EQ(flat.q[0], 0.2);
    const double angle = 0.3, corner = 0.5 * std::sin(angle) + 0.2 * std::cos(angle);
    EXPECT_NEAR(start_of(scene(0, height, angle, "{low: floor}")).q[2], corner, 1e-12);
  }
  // Straight down, not along the normal; and it is told as resting.
  const double slope = 0.4;
  const std::string text = scene(slope, 3, slope, "{low: floor}");
  const Scene tilted = read_scene_text(text, "machine.yaml");
  EXPECT_NEAR(tilted.state.q[2], 0.2 / std::cos(slope) - 0.2 * std::tan(slope), 1e-11);
  EXPECT_EQ(tilted.state.q[0], 0.2);
  Workspace workspace(tilted.model);
  const TouchReport report = find_touches(tilted.model, tilted.state, tilted.touch, workspace);
  ASSERT_EQ(report.touches.size(), 4u);
  for (const Touch& touch : report.touches) EXPECT_EQ(touch.kind, TouchKind::resting);
}

TEST(SetDown, AHingeAndASlideGoTheWayTheirWeightPulls) {
  const char* const machine =
      "routh: 1\ndimension: planar\nsurfaces: {{wood: {{friction: 0.5, restitution: 0}}}}\n"
      "bodies:\n"
      "  rod: {{mass: 1, inertia: 0.1, com: [0.5, 0], joint: {{kind: revolute, at: [0, 0.6]}},\n"
      "        shapes: {{tip: {{kind: point, at: [1, 0], surface: wood}}}}}}\n"
      "  piston: {{mass: 1, inertia: 0.1, joint: {{kind: prismatic, axis: [0, {}], at: [3, 2]}},\n"
      "           shapes: {{foot: {{kind: box, size: [0.2, 0.5], surface: wood}}}}}}\n"
      "world: {{shapes: {{floor: {{kind: half_space}}}}}}\n"
      "state: {{position: {{rod: {}}}, resting: {{rod: floor, piston: floor}}}}\n";
  for (const int sign : {1, -1}) {
    const State right = start_of(fmt::format(fmt::runtime(machine), sign, 0.3));
    EXPECT_NEAR(right.q[0], -std::asin(0.6), 1e-12);
    EXPECT_NEAR(right.q[1], sign * (0.25 - 2), 1e-12);
  }
  EXPECT_NEAR(start_of(fmt::format(fmt::runtime(machine), 1, 2.5)).q[0], 3.14159265358979324 + std::asin(0.6), 1e-12);
}

TEST(SetDown, WhatCannotBeHadIsRefused) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      start_of(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [resting, words] : {std::pair<std::string, std::string>{"{low: flor}", "did you mean 'floor'"},
                                       {"{lo: floor}", "did you mean 'low'"},
                                       {"{low: low_box}", "part of 'low' itself"},
                                       {"{low: ball}", "does not come to rest on 'ball'"}}) {
    const std::string said = refusal(scene(0, 3, 0, resting));
    EXPECT_NE(said.find(words), std::string::npos) << said;
    EXPECT_NE(said.find("machine.yaml:12"), std::string::npos) << said;
  }
  const std::string beside = scene(0, 9, 0, "{low: floor, high: low_box}");
  std::string missed = beside;
  missed.replace(missed.find("[0.1, 0, 5]"), 11, "[3.1, 0, 5]");
  EXPECT_NE(refusal(missed).find("does not come to rest"), std::string::npos) << refusal(missed);
  std::string floating = beside;
  floating.insert(floating.find("surfaces"), "gravity: [0, 0, 0]\n");
  EXPECT_NE(refusal(floating).find("without gravity there is no down"), std::string::npos) << refusal(floating);
}

}  // namespace set_down_testing
