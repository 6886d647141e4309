#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "simulation.h"

namespace bench {

PlanarState start_of(StrikeScene scene) {
  if (scene == StrikeScene::pendulum) return {2, {1.25, 0.5, 0}, {}};
  const double angle = std::numbers::pi / 4;
  return {3, {0, 0.5 + rod_radius + rod_half * std::sin(angle), angle}, {-2, 0, 0}};
}

const char* name_of(StrikeScene scene) {
  return scene == StrikeScene::rod ? "obliquely dropped rod" : "Kane's double pendulum";
}

std::string scene_text_of(StrikeScene scene) {
  const PlanarState s = start_of(scene);
  const std::string head = fmt::format(
      "routh: 1\nname: {}\ndimension: planar\nsurfaces: {{s: {{friction: {}, restitution: {}}}}}\n"
      "world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}\n",
      name_of(scene), friction, restitution);
  if (scene == StrikeScene::rod)
    return head + fmt::format(
                      "bodies:\n  rod:\n    mass: 1\n    inertia: {}\n    joint: {{kind: planar}}\n    shapes:\n"
                      "      plus: {{kind: sphere, radius: {}, at: [{}, 0], surface: s}}\n"
                      "      minus: {{kind: sphere, radius: {}, at: [{}, 0], surface: s}}\n"
                      "state:\n  position: {{rod: [{}, {}, {}]}}\n  velocity: {{rod: [{}, {}, {}]}}\n",
                      rod_inertia, rod_radius, rod_half, rod_radius, -rod_half, s.q[0], s.q[1], s.q[2], s.v[0], s.v[1],
                      s.v[2]);
  const std::string body = fmt::format("    mass: 1\n    com: [0, {}]\n    inertia: {}\n", -link / 2, link_inertia);
  return head + fmt::format(
                    "bodies:\n  upper:\n{}    joint: {{kind: revolute, at: [0, {}]}}\n"
                    "  lower:\n{}    joint: {{kind: revolute, parent: upper, at: [0, {}]}}\n"
                    "    shapes:\n      tip: {{kind: sphere, radius: {}, at: [0, {}], surface: s}}\n"
                    "state:\n  position: {{upper: {}, lower: {}}}\n",
                    body, pivot_height, body, -link, tip_radius, -link, s.q[0], s.q[1]);
}

}  // namespace bench
