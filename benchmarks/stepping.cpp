// Steps of fixed length through crowds of contacts: limp robots against MuJoCo, poured spheres against Bullet, at the
// same step, from the same description of the machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "bench.h"
#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"
#include "stepping.h"
#include "timing.h"

namespace bench {

namespace {

constexpr double deg = 0.017453292519943295;

LimpRobot quadruped() {
  LimpRobot robot{"quadruped", {}, 0.6};
  robot.parts.push_back({.name = "trunk", .mass = 6, .shape = LimpShape::box, .size = {0.2, 0.1, 0.05}});
  int leg = 0;
  for (const double x : {0.18, -0.18})
    for (const double y : {0.1, -0.1}) {
      const std::string k = std::to_string(leg++);
      robot.parts.push_back(
          {"hip" + k, "trunk", {x, y, 0}, {1, 0, 0}, 40 * deg, 0.6, LimpShape::none, {0.03, 0.03, 0.03}, 0});
      robot.parts.push_back({"thigh" + k,
                             "hip" + k,
                             {0, y > 0 ? 0.06 : -0.06, 0},
                             {0, 1, 0},
                             80 * deg,
                             1,
                             LimpShape::capsule,
                             {0.025, 0.08, 0},
                             -0.1});
      robot.parts.push_back({"shank" + k,
                             "thigh" + k,
                             {0, 0, -0.21},
                             {0, 1, 0},
                             120 * deg,
                             0.3,
                             LimpShape::capsule,
                             {0.02, 0.08, 0},
                             -0.12});
    }
  return robot;
}

LimpRobot humanoid() {
  LimpRobot robot{"humanoid", {}, 1.3};
  const auto add = [&](LimpPart part) { robot.parts.push_back(std::move(part)); };
  const Triple none{0.03, 0.03, 0.03};
  add({.name = "pelvis", .mass = 8, .shape = LimpShape::box, .size = {0.08, 0.12, 0.05}});
  add({"waist_yaw", "pelvis", {0, 0, 0.08}, {0, 0, 1}, 60 * deg, 1, LimpShape::none, none, 0});
  add({"waist_pitch", "waist_yaw", {0, 0, 0}, {0, 1, 0}, 50 * deg, 1, LimpShape::none, none, 0});
  add({"chest", "waist_pitch", {0, 0, 0}, {1, 0, 0}, 30 * deg, 14, LimpShape::box, {0.08, 0.13, 0.12}, 0.2});
  add({"head", "chest", {0, 0, 0.36}, {0, 1, 0}, 40 * deg, 4, LimpShape::sphere, {0.09, 0, 0}, 0.1});
  for (const double side : {1.0, -1.0}) {
    const std::string s = side > 0 ? "l_" : "r_";
    add({s + "shoulder_p", "chest", {0, side * 0.18, 0.28}, {0, 1, 0}, 150 * deg, 0.6, LimpShape::none, none, 0});
    add({s + "shoulder_r", s + "shoulder_p", {0, 0, 0}, {1, 0, 0}, 90 * deg, 0.6, LimpShape::none, none, 0});
    add({s + "arm",
         s + "shoulder_r",
         {0, side * 0.03, 0},
         {0, 0, 1},
         80 * deg,
         1.8,
         LimpShape::capsule,
         {0.035, 0.09, 0},
         -0.15});
    add({s + "forearm",
         s + "arm",
         {0, 0, -0.3},
         {0, 1, 0},
         130 * deg,
         1.2,
         LimpShape::capsule,
         {0.03, 0.08, 0},
         -0.13});
    add({s + "wrist_y", s + "forearm", {0, 0, -0.25}, {0, 0, 1}, 80 * deg, 0.3, LimpShape::none, none, 0});
    add({s + "wrist_p", s + "wrist_y", {0, 0, 0}, {0, 1, 0}, 60 * deg, 0.3, LimpShape::none, none, 0});
    add({s + "hand", s + "wrist_p", {0, 0, 0}, {1, 0, 0}, 40 * deg, 0.4, LimpShape::box, {0.03, 0.015, 0.05}, -0.07});
  }
  for (const double side : {1.0, -1.0}) {
    const std::string s = side > 0 ? "l_" : "r_";
    add({s + "hip_y", "pelvis", {0, side * 0.09, -0.06}, {0, 0, 1}, 40 * deg, 0.8, LimpShape::none, none, 0});
    add({s + "hip_r", s + "hip_y", {0, 0, 0}, {1, 0, 0}, 30 * deg, 0.8, LimpShape::none, none, 0});
    add({s + "thigh", s + "hip_r", {0, 0, 0}, {0, 1, 0}, 110 * deg, 5, LimpShape::capsule, {0.06, 0.13, 0}, -0.22});
    add({s + "shank",
         s + "thigh",
         {0, 0, -0.42},
         {0, 1, 0},
         130 * deg,
         3,
         LimpShape::capsule,
         {0.045, 0.12, 0},
         -0.19});
    add({s + "ankle", s + "shank", {0, 0, -0.4}, {0, 1, 0}, 45 * deg, 0.4, LimpShape::none, none, 0});
    add({s + "foot", s + "ankle", {0, 0, 0}, {1, 0, 0}, 25 * deg, 1, LimpShape::box, {0.11, 0.045, 0.02}, -0.06});
  }
  return robot;
}

std::string scene_text(const LimpRobot& robot) {
  std::string text = fmt::format(
      "routh: 1\ngravity: [0, 0, -9.81]\nsurfaces: {{s: {{friction: {}, restitution: {}}}}}\n"
      "world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}\nbodies:\n",
      limp_friction, limp_restitution);
  for (const LimpPart& part : robot.parts) {
    const Triple inertia = inertia_of(part);
    text += fmt::format("  {}: {{mass: {}, com: [0, 0, {}], inertia: [{:.17g}, {:.17g}, {:.17g}], joint: ", part.name,
                        part.mass, part.below, inertia.x, inertia.y, inertia.z);
    text += part.parent.empty()
                ? "{kind: free}"
                : fmt::format("{{kind: revolute, parent: {}, at: [{}, {}, {}], axis: [{}, {}, {}], limits: [{}, {}]}}",
                              part.parent, part.at.x, part.at.y, part.at.z, part.axis.x, part.axis.y, part.axis.z,
                              -part.range, part.range);
    if (part.shape != LimpShape::none) {
      const std::string what =
          part.shape == LimpShape::sphere ? fmt::format("kind: sphere, radius: {}", part.size.x)
          : part.shape == LimpShape::capsule
              ? fmt::format("kind: capsule, radius: {}, length: {}", part.size.x, 2 * part.size.y)
              : fmt::format("kind: box, size: [{}, {}, {}]", 2 * part.size.x, 2 * part.size.y, 2 * part.size.z);
      text += fmt::format(", shapes: {{{}_shape: {{{}, at: [0, 0, {}], surface: s}}}}", part.name, what, part.below);
    }
    text += "}\n";
  }
  // Tilted, so that it does not fall like a stick.
  text += fmt::format(
      "state: {{position: {{{}: {{position: [0, 0, {}], rotation: {{axis: [1, 0.5, 0], angle: 0.15}}}}}}}}\n",
      robot.parts.front().name, robot.height);
  return text;
}

constexpr double limp_duration = 2, limp_step = 1e-3;  // [s]

void measure_robot(const LimpRobot& robot) {
  const routh::Scene scene = routh::read_scene_text(scene_text(robot), robot.name);
  routh::SimulationOptions options;
  options.engine = routh::EngineKind::stepping;
  options.step = limp_step;
  double ours = 1e30, theirs = 1e30, contacts = 0;
  LimpRun peer;
  routh::EnergyAccount energy;
  routh::SimulationStatistics counts;
  for (int round = 0; round < 3; ++round) {
    const double begin = cpu_seconds();
    routh::Simulator simulator(scene.model, scene.state, options);
    contacts = 0;
    for (int k = 1; k <= 20; ++k) {
      simulator.advance(0.05 * limp_duration * k);
      contacts += 0.05 * static_cast<double>(simulator.active().size());
    }
    ours = std::min(ours, cpu_seconds() - begin);
    energy = simulator.energy();
    counts = simulator.statistics();
    peer = run_limp_mujoco(robot, limp_step, limp_duration);
    if (peer.known) theirs = std::min(theirs, peer.seconds);
  }
  std::printf(
      "  %-10s %2d dof  ours %7.1f simulated s per CPU s (%.1f contacts carry load in the mean, overlap at most "
      "%.1e m, K at the end %.1e J)\n",
      robot.name.c_str(), static_cast<int>(scene.state.v.size()), limp_duration / ours, contacts, counts.largest_gap,
      energy.kinetic);
  if (peer.known)
    std::printf("  %-10s         MuJoCo %5.1f (%.1f contacts in the mean); ours over MuJoCo's %.2f\n", "",
                limp_duration / theirs, peer.contacts, theirs / ours);
}

// By events and steps in turns, at a tolerance of 1e-6.
void measure_automatic(const LimpRobot& robot) {
  const routh::Scene scene = routh::read_scene_text(scene_text(robot), robot.name);
  routh::SimulationOptions options;
  options.engine = routh::EngineKind::automatic;
  options.tolerance = 1e-6;
  const double begin = cpu_seconds();
  routh::Simulator simulator(scene.model, scene.state, options);
  simulator.advance(limp_duration);
  const routh::SimulationStatistics& counts = simulator.statistics();
  std::printf("  %-10s         automatic %5.1f (%s, %ld events, %ld crowds of %.2f s in all)\n", "",
              limp_duration / (cpu_seconds() - begin), name(simulator.status()), counts.events, counts.crowds,
              counts.crowd_time);
}

std::string pile_text(const Pile& pile) {
  const double h = pile.half();
  std::string text = fmt::format(
      "routh: 1\ngravity: [0, 0, -9.81]\nsurfaces: {{s: {{friction: {1}, restitution: 0}}}}\nworld:\n  shapes:\n"
      "    floor: {{kind: half_space, surface: s}}\n"
      "    left: {{kind: half_space, at: [-{0}, 0, 0], normal: [1, 0, 0], surface: s}}\n"
      "    right: {{kind: half_space, at: [{0}, 0, 0], normal: [-1, 0, 0], surface: s}}\n"
      "    front: {{kind: half_space, at: [0, -{0}, 0], normal: [0, 1, 0], surface: s}}\n"
      "    back: {{kind: half_space, at: [0, {0}, 0], normal: [0, -1, 0], surface: s}}\nbodies:\n",
      h, pile_friction);
  std::string state = "state:\n  position:\n";
  for (int k = 0; k < pile.count; ++k) {
    const PilePlace at = pile.place(k);
    text += fmt::format(
        "  b{0}: {{mass: {1}, inertia: [{2}, {2}, {2}], joint: {{kind: free}}, shapes: {{s{0}: "
        "{{kind: sphere, radius: {3}, surface: s}}}}}}\n",
        k, pile_mass, pile_inertia, pile_radius);
    state += fmt::format("    b{}: {{position: [{:.17g}, {:.17g}, {:.17g}]}}\n", k, at.x, at.y, at.z);
  }
  return text + state;
}

void measure_pile(int count, double residual, double duration) {
  const double step = 5e-3;
  const Pile pile{count};
  const routh::Scene scene = routh::read_scene_text(pile_text(pile), "pile");
  routh::SimulationOptions options;
  options.engine = routh::EngineKind::stepping;
  options.step = step;
  options.residual = residual;
  const double begin = cpu_seconds();
  routh::Simulator simulator(scene.model, scene.state, options);
  simulator.advance(duration);
  const double ours = cpu_seconds() - begin;
  std::printf(
      "  %5d spheres, %g s at %g ms, residual %g: ours %.2f s CPU (%s, overlap at most %.1e m, largest residual "
      "%.1e)\n",
      count, duration, 1e3 * step, residual, ours, name(simulator.status()), simulator.statistics().largest_gap,
      simulator.statistics().largest_residual);
  const PileRun peer = run_pile_bullet(pile, step, duration);
  if (peer.known)
    std::printf("  %5s          Bullet %.2f s CPU (overlap at most %.1e m); ours over Bullet's %.1f\n", "",
                peer.seconds, peer.overlap, ours / peer.seconds);
}

// What a core does now, for comparing figures of different runs: a chain of multiplications and additions, each of
// which waits for the one before.
double chain_step() {
  constexpr int count = 20'000'000;
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    double x = 0.5;
    const double begin = cpu_seconds();
    for (int k = 0; k < count; ++k) x = x * 0.999 + 0.001;
    keep(x);
    best = std::min(best, (cpu_seconds() - begin) / count);
  }
  return best;
}

}  // namespace

Triple inertia_of(const LimpPart& part) {
  const double a = std::max(part.size.x, 0.02), b = std::max(part.size.y, 0.02), c = std::max(part.size.z, 0.02);
  if (part.shape == LimpShape::capsule) {  // as a cylinder
    const double across = part.mass * (a * a / 4 + b * b / 3);
    return {across, across, part.mass * a * a / 2};
  }
  return {part.mass / 3 * (b * b + c * c), part.mass / 3 * (a * a + c * c), part.mass / 3 * (a * a + b * b)};
}

int Pile::columns() const { return std::max(8, static_cast<int>(std::lround(8 * std::sqrt(count / 1000.0)))); }

double Pile::half() const { return 0.5 + 0.5 * 0.115 * (columns() - 8); }

PilePlace Pile::place(int k) const {
  // Layers are shifted against one another so that spheres do not stand in columns.
  const int side = columns(), layer = k / (side * side), row = k / side % side, column = k % side;
  const double shift = 0.013 * (layer % 3), twist = 0.007 * (layer % 5), first = 0.08 - half();
  return {first + 0.115 * column + shift, first + 0.115 * row + twist, 0.06 + 0.115 * layer};
}

void run_stepping() {
  std::printf("stepping: limp robots, %g s in steps of %g ms, friction %g, restitution %g\n", limp_duration,
              1e3 * limp_step, limp_friction, limp_restitution);
  for (const LimpRobot& robot : {quadruped(), humanoid()}) {
    measure_robot(robot);
    measure_automatic(robot);
  }
  std::printf("stepping: spheres poured into a box, one thread (a multiplication and an addition take %.2f ns here)\n",
              1e9 * chain_step());
  for (const int count : {100, 300, 1000}) measure_pile(count, 1e-3, 2);
  measure_pile(1000, 1e-6, 2);
  measure_pile(10'000, 1e-3, 1);
  std::printf("\n");
}

}  // namespace bench
