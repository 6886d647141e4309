// What happens at one place is nothing to contacts at another; and contacts that share a load give way together.
#include <gtest/gtest.h>

#include <cmath>

#include "trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

constexpr double pull_of_earth = 9.81, mu_static = 0.8, mu_kinetic = 0.5;

// Words in capitals stand for what plane and space write differently.
std::string written_in(bool spatial, std::string text) {
  const auto put = [&](const std::string& word, const std::string& value) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size()))
      text.replace(at, word.size(), value);
  };
  put("UP", spatial ? "[0, 0, 1]" : "[0, 1]");
  put("ALONG", spatial ? "[1, 0, 0]" : "[1, 0]");
  put("ASIDE", spatial ? "[3, 0, 0]" : "[3, 0]");
  put("PUSH", spatial ? "[6.3765, 0, 0]" : "[6.3765, 0]");
  put("TEN", spatial ? "[10, 0, 0]" : "[10, 0]");
  put("INERTIA", spatial ? "[0.1, 0.1, 0.1]" : "0.1");
  return (spatial ? "dimension: spatial\n" : "dimension: planar\n") + text;
}

// A foot that is pushed with 0.65 of its weight and sticks.
const char* const pushed_foot = R"(
surfaces: {g: {friction: {static: 0.8, kinetic: 0.5}, restitution: 0}}
world: {shapes: {floor: {kind: half_space, surface: g}}}
bodies:
  a: {mass: 1, inertia: INERTIA, joint: {kind: prismatic, axis: ALONG}}
  foot: {mass: 1, inertia: INERTIA, joint: {kind: prismatic, axis: UP, parent: a}, shapes: {p: {kind: point, surface: g}}}
)";

void expect_to_stick(const std::string& text, EventKind elsewhere, double when, const char* what) {
  for (const bool spatial : {false, true}) {
    Trial trial(written_in(spatial, pushed_foot + text));
    ASSERT_EQ(trial.to(1), SimulationStatus::ready);
    EXPECT_LT(std::abs(trial.q(0)), 1e-14) << what << (spatial ? ", spatial" : ", planar");
    EXPECT_NEAR(trial.first(elsewhere), when, 1e-10) << what;
    for (const Event& each : trial.all(EventKind::slip)) EXPECT_NE(each.contacts.front().name, "p on floor") << what;
  }
}

TEST(Strangers, StickOutlivesWhatHappensElsewhere) {
  expect_to_stick(R"(
  b: {mass: 1, inertia: INERTIA, joint: {kind: prismatic, axis: UP, at: ASIDE, effort: {table: [[0, 0], [1, 19.62]]}},
    shapes: {pb: {kind: point, surface: g}}}
forces: {push: {body: a, force: PUSH}}
)",
                  EventKind::detach, 0.5, "a contact lets go");
  expect_to_stick(R"(
  b: {mass: 1, inertia: INERTIA, joint: {kind: prismatic, axis: UP, parent: a, limits: [0, 5],
    effort: {table: [[0, 0], [1, 19.62]]}}}
forces: {push: {body: a, force: PUSH}}
)",
                  EventKind::detach, 0.5, "a limit lets go");
  expect_to_stick(R"(
  b: {mass: 1, inertia: INERTIA, joint: {kind: prismatic, axis: ALONG, at: ASIDE}}
  other: {mass: 1, inertia: INERTIA, joint: {kind: prismatic, axis: UP, parent: b}, shapes: {pb: {kind: point, surface: g}}}
forces: {push: {body: a, force: PUSH}, pull: {body: b, force: TEN, scale: {table: [[0, 0], [1, 1]]}}}
)",
                  EventKind::slip, mu_static * pull_of_earth / 10, "another slips");
}

// A trolley on a slope lifts its third leg: the other two hold it as before, up to where the leg meets its stop.
TEST(Strangers, OthersOfOneMachineGoOnSticking) {
  Trial trial(R"(
dimension: planar
gravity: [5.346335719341013, -8.22513187590925]
surfaces: {g: {friction: {static: 0.8, kinetic: 0.5}, restitution: 0}}
world: {shapes: {floor: {kind: half_space, surface: g}}}
bodies:
  b: {mass: 4, inertia: 0.5, joint: {kind: planar}, shapes: {
    f1: {kind: point, at: [-0.5, -0.1], surface: g}, f2: {kind: point, at: [0.5, -0.1], surface: g}}}
  leg: {mass: 0.2, inertia: 0.01, joint: {kind: prismatic, parent: b, axis: [0, 1], at: [0, -0.1],
    limits: {lower: 0, upper: 0.3}, effort: {table: [[0, 0], [1, 6]]}}, shapes: {f3: {kind: point, surface: g}}}
state: {position: {b: [0, 0.1, 0]}}
)");
  ASSERT_EQ(trial.to(0.6), SimulationStatus::ready);
  EXPECT_LT(std::abs(trial.q(0)), 1e-9);
  EXPECT_EQ(trial.simulator.active().size(), 2u);
  for (const ActiveContact& each : trial.simulator.active()) EXPECT_EQ(each.mode, ContactMode::stick);
  const double lifts = 0.2 * 8.22513187590925 / 6;  // where the effort carries the leg
  EXPECT_NEAR(trial.first(EventKind::detach), lifts, 1e-8);
}

// A box on its corners, pushed ever harder: all give way at once, at the limit of static friction, and slide with the
// kinetic one.
TEST(Strangers, RedundantContactsGiveWayTogether) {
  const std::string box = R"(
surfaces: {g: {friction: {static: 0.8, kinetic: 0.5}, restitution: 0}}
world: {shapes: {floor: {kind: half_space, surface: g}}}
)";
  const double begin = mu_static * pull_of_earth / 10, t = 1 - begin;
  const double exact =
      5.0 / 3 * (1 - std::pow(begin, 3)) - 5 * begin * begin * t - 0.5 * mu_kinetic * pull_of_earth * t * t;
  const std::string planar = box + R"(
bodies: {b: {mass: 1, inertia: 0.1, joint: {kind: planar}, shapes: {b: {kind: box, size: [1, 0.2], surface: g}}}}
forces: {pull: {body: b, force: [10, 0], scale: {table: [[0, 0], [1, 1]]}}}
state: {position: {b: [0, 0.1, 0]}}
)";
  const std::string spatial = box + R"(
bodies: {b: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {kind: free}, shapes: {b: {kind: box, size: [1, 0.7, 0.2], surface: g}}}}
forces: {pull: {body: b, force: [10, 0, 0], scale: {table: [[0, 0], [1, 1]]}}}
state: {position: {b: {position: [0, 0, 0.1]}}}
)";
  for (const std::string& text : {"dimension: planar" + planar, spatial}) {
    Trial trial(text);
    ASSERT_EQ(trial.to(1), SimulationStatus::ready);
    EXPECT_NEAR(trial.first(EventKind::slip), begin, 1e-8) << text;
    EXPECT_NEAR(trial.q(0), exact, 1e-7) << text;
  }
}

}  // namespace
