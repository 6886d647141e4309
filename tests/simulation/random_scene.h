// Random mechanisms over floors and belts, as text.
#pragma once

#include <fmt/format.h>

#include <string>

#include "support/random_problems.h"

namespace testing_support {

// Writes one scene as text, so that a scene that fails can be kept as it is.
class RandomScene {
 public:
  explicit RandomScene(std::uint64_t seed) : random_(seed), planar_(random_.chance(0.5)) {}

  std::string text() {
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

}  // namespace testing_support
