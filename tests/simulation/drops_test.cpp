// Bodies dropped on finite shapes strike them when a fall takes them there, however long the steps and thin the shapes.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

constexpr double g = 9.81;

// A body of 1 kg whose lowest point lies `height` above the table z = 0, at rest.
std::string drop(const std::string& dimension, const std::string& shape, const std::string& table, double place) {
  const bool planar = dimension == "planar";
  return fmt::format(
      R"(
dimension: {}
surfaces: {{s: {{friction: 0.3, restitution: 0.5}}}}
bodies: {{b: {{mass: 1, inertia: {}, joint: {{kind: {}}}, shapes: {{o: {{{}, surface: s}}}}}}}}
world: {{shapes: {{table: {{{}, surface: s}}}}}}
state: {{position: {{b: {}}}}}
)",
      dimension, planar ? "0.01" : "[0.01, 0.01, 0.01]", planar ? "planar" : "free", shape, table,
      planar ? fmt::format("[0.01, {:.17g}, 0]", place) : fmt::format("{{position: [0.01, 0.02, {:.17g}]}}", place));
}

struct Body {
  const char* shape;
  double below;  // of its lowest point under its origin
};

void expect_strikes(const std::string& dimension, const Body& body, const std::string& table, double height) {
  Trial run(drop(dimension, body.shape, table, height + body.below));
  const double time = std::sqrt(2 * height / g);
  ASSERT_EQ(run.to(time + 0.05), SimulationStatus::ready) << run.simulator.message();
  ASSERT_FALSE(run.all(EventKind::impact).empty()) << body.shape << " on " << table << " from " << height;
  EXPECT_NEAR(run.first(EventKind::impact), time, 1e-9) << body.shape << " on " << table;
  EXPECT_GT(run.v(dimension == "planar" ? 1 : 2), 0) << body.shape << " on " << table;
}

TEST(Drops, OnBoxesInThePlane) {
  for (const Body body :
       {Body{"kind: sphere, radius: 0.1", 0.1}, Body{"kind: point", 0}, Body{"kind: box, size: [0.2, 0.1]", 0.05},
        Body{"kind: capsule, radius: 0.05, length: 0.1", 0.1}})
    for (const double thick : {0.01, 0.1, 1.0, 3.0})
      for (const double height : {0.1, 0.5, 2.0, 20.0})
        expect_strikes("planar", body, fmt::format("kind: box, size: [2, {}], at: [0, {:.17g}]", thick, -thick / 2),
                       height);
}

TEST(Drops, OnBoxesAndMeshesInSpace) {
  for (const Body body :
       {Body{"kind: sphere, radius: 0.1", 0.1}, Body{"kind: point", 0}, Body{"kind: box, size: [0.2, 0.2, 0.1]", 0.05},
        Body{"kind: capsule, radius: 0.05, length: 0.1", 0.1}, Body{"kind: ellipsoid, size: [0.2, 0.2, 0.1]", 0.05}})
    for (const double thick : {0.01, 1.0})
      for (const double height : {0.3, 2.0}) {
        expect_strikes("spatial", body,
                       fmt::format("kind: box, size: [2, 2, {}], at: [0, 0, {:.17g}]", thick, -thick / 2), height);
        expect_strikes("spatial", body,
                       fmt::format("kind: mesh, vertices: [[-1, -1, {0}], [1, -1, {0}], [-1, 1, {0}], [1, 1, {0}], "
                                   "[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0]]",
                                   -thick),
                       height);
      }
}

// Set down nearly flat, spinning, it does not strike without end.
TEST(Drops, CylinderSetDownNearlyFlat) {
  for (const double friction : {0.0, 0.6})
    for (const double tilt : {1e-8, 1e-3, 0.03, 0.2}) {
      Trial run(fmt::format(R"(
surfaces: {{s: {{friction: {}, restitution: 0.2}}}}
bodies: {{c: {{mass: 1, inertia: [0.004, 0.0044, 0.0048], joint: {{kind: free}},
    shapes: {{y: {{kind: cylinder, radius: 0.1, length: 0.15, surface: s}}}}}}}}
world: {{shapes: {{f: {{kind: half_space, surface: s}}}}}}
state: {{position: {{c: {{position: [0, 0, 0.12], rotation: {{axis: [0.3, 1, 0], angle: {}}}}}}},
  velocity: {{c: [0, 0, 0, 0, 0, 1]}}}}
)",
                            friction, tilt));
      ASSERT_EQ(run.to(0.4), SimulationStatus::ready) << friction << ' ' << tilt << ' ' << run.simulator.message();
      EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-7) << friction << ' ' << tilt;
      EXPECT_GT(run.q(2), 0.0749) << friction << ' ' << tilt;
    }
}

// A cart on two points, its centre of mass high, slides so fast and rubs so much that its leading point jams: no force
// holds it, with restitution or without.
TEST(Drops, CartThatJamsHops) {
  for (const double e : {0.0, 0.5}) {
    Trial run(fmt::format(R"(
dimension: planar
surfaces: {{s: {{friction: 1.5, restitution: {}}}}}
bodies: {{c: {{mass: 1, com: [0, 0.5], inertia: 0.05, joint: {{kind: planar}},
    shapes: {{a: {{kind: point, at: [-0.5, 0], surface: s}}, b: {{kind: point, at: [0.5, 0], surface: s}}}}}}}}
world: {{shapes: {{f: {{kind: half_space, surface: s}}}}}}
state: {{velocity: {{c: [2, 0, 0]}}}}
)",
                          e));
    ASSERT_EQ(run.to(0.5), SimulationStatus::ready) << run.simulator.message();
    EXPECT_EQ(run.first(EventKind::tangential_impact), 0) << e;
    EXPECT_EQ(run.simulator.energy().gained, 0) << e;
    EXPECT_NEAR(run.simulator.energy().balance(), 0, 1e-9) << e;
  }
}

}  // namespace
