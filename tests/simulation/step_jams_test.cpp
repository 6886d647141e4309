// Steps through jams: towards the event engine's answer, with the first power of the step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulation/trial.h"

namespace {

using namespace routh;
using testing_support::example;
using testing_support::Trial;

Scene paper(const std::string& name) {
  return read_scene_file(fmt::format("{}/../../papers/{}", ROUTH_TEST_DATA, name));
}

// Halves the step twice and compares with the run of events: the errors in q, from a step of h on.
struct Course {
  double errors[3];
  double order() const { return 0.5 * std::log2(errors[1] / errors[2]); }
};
Course step_through(const Scene& scene, double until, double h) {
  Trial exact(scene, testing_support::by(EngineKind::events));
  EXPECT_EQ(exact.to(until), SimulationStatus::ready);
  Course course;
  for (int k = 0; k < 3; ++k) {
    SimulationOptions options = testing_support::by(EngineKind::stepping);
    options.step = std::ldexp(h, -2 * k);
    Trial run(scene, options);
    EXPECT_EQ(run.to(until), SimulationStatus::ready);
    EXPECT_LE(run.simulator.energy().gained, 0);
    course.errors[k] = (run.simulator.state().q - exact.simulator.state().q).norm();
  }
  return course;
}

// The rod jams at once, hops and lands on its end; without the impact of the jam it was 4e-3 m off at any step.
TEST(StepJams, PainlevesRodHops) {
  const Course course = step_through(example("painleve_rod.yaml"), 0.3, 2e-3);
  EXPECT_NEAR(course.order(), 1, 0.2);
  EXPECT_LT(course.errors[2], 5e-5);
}

// A tangential impact, then strikes with rebound and flights between them: of order two, for no contact lasts.
TEST(StepJams, LiusArmIsThrownOff) {
  const Course course = step_through(example("liu_arm.yaml"), 1, 4e-3);
  EXPECT_GT(course.order(), 1.5);
  EXPECT_LT(course.errors[2], 1e-6);
}

// Case 5: slip, stick, slip, off, back by an impact that ends in slip, off and back again.
TEST(StepJams, LiusCaseFive) {
  const Course course = step_through(paper("liu-2007/case-5.yaml"), 4, 2e-3);
  EXPECT_NEAR(course.order(), 1, 0.2);
  EXPECT_LT(course.errors[2], 2e-4);
}

// A jam is an event of its own, as by events, and its impulse is that of the law.
TEST(StepJams, TheEventIsATangentialImpact) {
  Trial exact(example("painleve_rod.yaml"), testing_support::by(EngineKind::events));
  Trial run(example("painleve_rod.yaml"), testing_support::by(EngineKind::stepping));
  ASSERT_EQ(exact.to(0.01), SimulationStatus::ready);
  ASSERT_EQ(run.to(0.01), SimulationStatus::ready);
  const auto of = [](const Trial& trial) { return trial.all(EventKind::tangential_impact); };
  ASSERT_EQ(of(exact).size(), 1u);
  ASSERT_EQ(of(run).size(), 1u);
  const EventContact there = of(exact)[0].contacts[0], here = of(run)[0].contacts[0];
  EXPECT_NEAR(here.impulse.n, there.impulse.n, 1e-6 * there.impulse.n);
  EXPECT_NEAR(here.impulse.t1, there.impulse.t1, 1e-6 * there.impulse.n);
}

}  // namespace
