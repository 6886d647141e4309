// The event locator alone: on motions that are given in closed form, without an engine and without a stepper.
#include <gtest/gtest.h>

#include <cmath>

#include "routh/simulation/watch.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;

constexpr double ball_radius = 0.1;

// A ball in the plane whose height is y₀ + v t + ½ a t², on a step of length h.
class Parabola : public StepView {
 public:
  Parabola(State start, double acceleration, double h) : start_(std::move(start)), acceleration_(acceleration), h_(h) {}

  bool at(double theta, State& state) override {
    const double t = theta * h_;
    state = start_;
    state.time += t;
    state.q[1] += start_.v[1] * t + 0.5 * acceleration_ * t * t;
    state.v[1] += acceleration_ * t;
    return true;
  }
  void bound_accelerations(Eigen::VectorXd& bound) override {
    bound = Eigen::Vector3d(0, 2 * std::abs(acceleration_), 0);
  }

 private:
  State start_;
  double acceleration_, h_;
};

// What the locator finds for a ball above a floor.
struct Search {
  Search() : scene(read_scene_text("routh: 1\n" + testing_support::ball(ball_radius, 1, 0.5), "test")) {}

  WatchResult look(double gap, double speed, double acceleration, double h) {
    State start = scene.state;
    start.q[1] = ball_radius + gap;
    start.v[1] = speed;
    Workspace workspace(scene.model);
    ContactMotion motion(scene.model);
    const Eigen::VectorXd no_force;
    Watch watch(scene.model, {});
    watch.set_user_events(&user_events);
    watch.expect_step(h);
    watch.begin(start, nullptr, no_force, motion, workspace);
    Parabola view(start, acceleration, h);
    return watch.look(view, h, no_force, motion, workspace);
  }

  Scene scene;
  std::vector<UserEvent> user_events;
};

// The first time at which the gap falls to zero; none within h: −1.
double first_root(double gap, double speed, double acceleration, double h) {
  const double inside = speed * speed - 2 * acceleration * gap;
  if (inside < 0) return -1;
  const double root = std::sqrt(inside);
  double first = -1;
  for (const double t : {(-speed - root) / acceleration, (-speed + root) / acceleration})
    if (t > 0 && t <= h && speed + acceleration * t < 0 && (first < 0 || t < first)) first = t;
  return first;
}

TEST(Locator, FindsTheFirstStrike) {
  Random random(5100);
  Search search;
  const int count = testing_support::scaled(2000, 100);
  int strikes = 0;
  for (int k = 0; k < count; ++k) {
    const double gap = std::pow(10, random.uniform(-5, 0)), h = std::pow(10, random.uniform(-3, 0));
    // Falling, or falling and rising again within the step.
    const double speed = -random.uniform(0, 3) * gap / h;
    const double acceleration =
        random.chance(0.5) ? random.uniform(-3, 0) * gap / (h * h) : -speed / (h * random.uniform(0.1, 2));
    const double expected = first_root(gap, speed, acceleration, h);
    SCOPED_TRACE(fmt::format("seed 5100, {}: gap {} speed {} acceleration {} h {}", k, gap, speed, acceleration, h));
    const WatchResult found = search.look(gap, speed, acceleration, h);
    // A dip that goes less deep than the locator must see is left out of the question.
    const double lowest = acceleration > 0 ? gap - speed * speed / (2 * acceleration) : -1;
    if (std::abs(lowest) < 1e-8) continue;
    ASSERT_EQ(found.found, expected > 0);
    if (!found.found) continue;
    ++strikes;
    ASSERT_EQ(found.items.size(), 1u);
    EXPECT_EQ(found.items[0].kind, WatchKind::gap);
    // To a small part of the step, and where the gap is zero to rounding.
    const double rate = std::abs(speed + acceleration * expected);
    EXPECT_NEAR(found.theta * h, expected, 1e-11 * h + 1e-14 / rate);
  }
  EXPECT_GT(strikes, count / 4);
}

TEST(Locator, FindsWhatUsersAskFor) {
  Search search;
  search.user_events.push_back({"half way", [](const State& state) { return state.q[1] - ball_radius - 0.5; },
                                UserEvent::Direction::falling, UserEvent::Action::note});
  // 1 m above the floor, the ball falls through the middle first.
  const WatchResult found = search.look(1, 0, -10, 1);
  ASSERT_TRUE(found.found);
  ASSERT_EQ(found.items.size(), 1u);
  EXPECT_EQ(found.items[0].kind, WatchKind::user);
  EXPECT_NEAR(found.theta, std::sqrt(0.1), 1e-12);
}

}  // namespace
