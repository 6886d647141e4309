// What stands by itself, and what does not: arches and houses of cards in fixed steps, against statics.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

SimulationOptions standing_steps() {
  SimulationOptions options = testing_support::by(EngineKind::stepping);
  options.step = 1e-3;
  return options;
}

double pressing_on_floor(const Trial& run) {
  double sum = 0;
  for (const ActiveContact& each : run.simulator.active())
    if (each.contact.point.z < 1e-3) sum += each.force.n;
  return sum;
}

// A half circle of wedges, its middle line of radius 1 m, on the floor.
struct Arch {
  static constexpr int wedges = 9;
  static constexpr double width = 0.3, density = 1000;
  double thickness = 0;

  double half_angle() const { return std::numbers::pi / (2 * wedges); }
  double inner() const { return (1 - 0.5 * thickness) * std::cos(half_angle()); }  // of the faces below and above
  double outer() const { return (1 + 0.5 * thickness) * std::cos(half_angle()); }
  // Of the trapezium x = inner … outer, |z| ≤ x tan(half angle): ∫ xᵏ dA.
  double moment(int k) const {
    return 2 * std::tan(half_angle()) * (std::pow(outer(), k + 2) - std::pow(inner(), k + 2)) / (k + 2);
  }
  double mass() const { return density * width * moment(0); }
  double centre() const { return moment(1) / moment(0); }
  double place_z(int k) const { return centre() * std::sin((2 * k + 1) * half_angle()); }

  std::string scene() const {
    std::string text =
                    "surfaces: {s: {friction: 0.8, restitution: 0}}\n"
                    "world: {shapes: {floor: {kind: half_space, surface: s}}}\nbodies:\n",
                state = "state:\n  position:\n", corners;
    for (const double x : {inner(), outer()})
      for (const double y : {-0.5 * width, 0.5 * width})
        for (const double side : {-1.0, 1.0})
          corners += fmt::format("{}[{:.17g}, {}, {:.17g}]", corners.empty() ? "" : ", ", x - centre(), y,
                                 side * x * std::tan(half_angle()));
    const double tangent = std::tan(half_angle()), depth = density * width,
                 xx = depth * moment(2) - mass() * centre() * centre(), zz = depth * moment(2) * tangent * tangent / 3,
                 yy = mass() * width * width / 12;
    for (int k = 0; k < wedges; ++k) {
      const double angle = std::numbers::pi - (2 * k + 1) * half_angle();
      text += fmt::format(
          "  w{0}: {{mass: {1:.17g}, inertia: [{2:.17g}, {3:.17g}, {4:.17g}], joint: {{kind: free}}, shapes: "
          "{{s{0}: {{kind: mesh, vertices: [{5}], surface: s}}}}}}\n",
          k, mass(), zz + yy, xx + zz, xx + yy, corners);
      state +=
          fmt::format("    w{}: {{position: [{:.17g}, 0, {:.17g}], rotation: {{axis: [0, 1, 0], angle: {:.17g}}}}}\n",
                      k, centre() * std::cos(angle), centre() * std::sin(angle), -angle);
    }
    return text + state;
  }
};

// A half circle under its own weight stands from a thickness of 0.1075 radii on [Milankovitch 1907; Heyman 1969]; a
// little less is enough for few wedges, which can turn at their joints only.
TEST(Standing, AnArchStandsIfItIsThickEnough) {
  const Arch thick{0.12};
  Trial run(thick.scene(), standing_steps());
  const State before = run.simulator.state();
  ASSERT_EQ(run.to(2), SimulationStatus::ready);
  EXPECT_LT((run.simulator.state().q - before.q).norm(), 1e-5);
  EXPECT_NEAR(pressing_on_floor(run) / (9.81 * Arch::wedges * thick.mass()), 1, 1e-4);

  const Arch thin{0.08};
  Trial falls(thin.scene(), standing_steps());
  ASSERT_EQ(falls.to(0.7), SimulationStatus::ready);
  EXPECT_LT(falls.q(7 * (Arch::wedges / 2) + 2), 0.7 * thin.place_z(Arch::wedges / 2));  // its keystone
  EXPECT_LE(falls.simulator.energy().total(), falls.simulator.energy().initial * (1 + 1e-3));
}

// Three storeys of cards with round heads and feet that lean on each other in pairs, plates between the storeys. A card
// of the lowest bears W and, with plates of ½ W, P = (6 W + W)/6 at its head: its foot stands where
// μ ≥ (P + ½ W) L sin θ / ((P + W) h), h between r + L cos θ and 2 r + L cos θ by what the plate's friction takes.
std::string house_of_cards(double friction) {
  constexpr double r = 0.02, length = 1, angle = std::numbers::pi / 6, half_plate = 0.02;
  const double foot = r + length * std::sin(angle), height = 2 * r + length * std::cos(angle), pitch = 2 * foot + 4 * r;
  std::string text = fmt::format(
                  "dimension: planar\nsurfaces: {{s: {{friction: {}, restitution: 0}}}}\n"
                  "world: {{shapes: {{floor: {{kind: half_space, surface: s}}}}}}\nbodies:\n",
                  friction),
              state = "state:\n  position:\n";
  double level = 0;
  for (int pairs = 3; pairs > 0; --pairs) {
    for (int k = 0; k < pairs; ++k)
      for (const int side : {-1, 1}) {
        const std::string name = fmt::format("c{}{}{}", pairs, k, side < 0 ? "l" : "r");
        text += fmt::format(
            "  {0}: {{mass: 1, inertia: {1:.17g}, joint: {{kind: planar}}, shapes: {{{0}_head: {{kind: sphere, radius: "
            "{2}, at: [0, {3}], surface: s}}, {0}_foot: {{kind: sphere, radius: {2}, at: [0, -{3}], surface: s}}}}}}\n",
            name, 1.0 / 12, r, 0.5 * length);
        state +=
            fmt::format("    {}: [{:.17g}, {:.17g}, {:.17g}]\n", name,
                        (k - 0.5 * (pairs - 1)) * pitch + side * 0.5 * (r + foot), level + 0.5 * height, side * angle);
      }
    level += height;
    if (pairs == 1) break;
    const double wide = pairs * pitch;
    text += fmt::format(
        "  p{0}: {{mass: 0.5, inertia: {1:.17g}, joint: {{kind: planar}}, shapes: {{plate{0}: {{kind: box, size: "
        "[{2:.17g}, {3}], surface: s}}}}}}\n",
        pairs, 0.5 * wide * wide / 12, wide, 2 * half_plate);
    state += fmt::format("    p{}: [0, {:.17g}, 0]\n", pairs, level + half_plate);
    level += 2 * half_plate;
  }
  return text + state;
}

TEST(Standing, AHouseOfCardsNeedsItsFriction) {
  Trial run(house_of_cards(0.45), standing_steps());  // needed: between 0.425 and 0.434
  const State before = run.simulator.state();
  ASSERT_EQ(run.to(2), SimulationStatus::ready);
  EXPECT_LT((run.simulator.state().q - before.q).norm(), 1e-6);
  EXPECT_EQ(run.simulator.energy().gained, 0);

  Trial slips(house_of_cards(0.41), standing_steps());
  ASSERT_EQ(slips.to(0.3), SimulationStatus::ready);
  EXPECT_GT((slips.simulator.state().q - before.q).norm(), 1e-3);

  Trial falls(house_of_cards(0.3), standing_steps());
  const double high = falls.simulator.energy().potential;
  ASSERT_EQ(falls.to(1), SimulationStatus::ready);
  EXPECT_LT(falls.simulator.energy().potential, 0.5 * high);
}

}  // namespace
