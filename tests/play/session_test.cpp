// A machine under the hand, without a browser.
#include "routh/play/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "routh/scene/scene.h"

namespace routh::internal {
namespace {

PlayStart start_of(const Scene& scene) {
  SimulationOptions options = simulation_options(scene.simulation, scene.touch);
  if (!options.resolution) options.resolution = usual_resolution(scene.model, options.tolerance);
  return {scene.draft.description, scene.state, options};
}

// A disc of 2 kg and 0.1 m in the plane, high above a floor.
std::string disc(const std::string& gravity, const std::string& height = "5") {
  return "routh: 1\nname: Disc\ndimension: planar\ngravity: " + gravity +
         "\nsurfaces:\n  steel: {friction: 0.3, restitution: 0.8}\n"
         "bodies:\n  disc:\n    mass: 2\n    inertia: 0.01\n    joint: {kind: planar}\n"
         "    shapes:\n      rim: {kind: sphere, radius: 0.1, surface: steel}\n"
         "world:\n  shapes:\n    floor: {kind: half_space, surface: steel}\n"
         "state:\n  position: {disc: [0, " +
         height + ", 0]}\n";
}

double stopped_clock() { return 0; }

PlaySession session_of(const std::string& text) {
  return {start_json(start_of(read_scene_text(text, "disc.yaml"))), stopped_clock};
}

void expect_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 0; i < a.size(); ++i)
    EXPECT_EQ(std::memcmp(&a[i], &b[i], sizeof(double)), 0) << i << ": " << a[i] << ", " << b[i];
}

class Examples : public testing::TestWithParam<const char*> {};

TEST_P(Examples, StartsComeBackToTheBit) {
  const Scene scene = read_scene_file(std::string(ROUTH_TEST_DATA) + "/../../examples/" + GetParam());
  const PlayStart start = start_of(scene);
  const std::string text = start_json(start);
  const PlayStart back = start_from_json(text);
  EXPECT_EQ(start_json(back), text);
  expect_bits(back.state.q, start.state.q);
  // And so does the motion of the machine that is built from it.
  Simulator here(scene.model, scene.state, start.options);
  const double until = scene.state.time + 0.05;
  here.advance(until);
  PlaySession there(text, stopped_clock);
  for (int k = 1; k <= 5; ++k)
    there.advance(k == 5 ? until : scene.state.time + 0.01 * k, 1, PlaySession::Stop::at_time);
  expect_bits(there.simulator().state().q, here.state().q);
  expect_bits(there.simulator().state().v, here.state().v);
}
INSTANTIATE_TEST_SUITE_P(Play, Examples,
                         testing::Values("kane.yaml", "four_bar.yaml", "rattleback.yaml", "slider_crank.yaml",
                                         "quadruped_stand.yaml", "compass_walker.yaml"));

// The hand is a spring on half the mass (the trace of the inverse of 2 kg in the plane is 1/kg): hanging from it, the
// disc sags by g/(ω²/2), ω = 7/T, T = √(L/g).
TEST(Hand, HoldsABodyWithTheSagOfItsSpring) {
  PlaySession session = session_of(disc("[0, -9.81]"));
  session.grab({1, {0, 0, 0}});
  session.advance(20, 1e9, PlaySession::Stop::at_time);
  const State& state = session.simulator().state();
  const double length = 0.1, frequency = 7 / std::sqrt(length / 9.81);
  EXPECT_NEAR(state.q[1], 5 - 9.81 / (frequency * frequency / 2), 1e-6) << "L of the disc is its radius";
  EXPECT_NEAR(state.v.norm(), 0, 1e-9);
}

TEST(Hand, ItsWorkIsSupplied) {
  PlaySession session = session_of(disc("[0, -9.81]"));
  session.grab({1, {0.05, 0, 0}});
  session.pull_to({1, 6, 0});
  session.advance(0.3, 1e9, PlaySession::Stop::at_time);
  session.release();
  session.advance(0.4, 1e9, PlaySession::Stop::at_time);
  const std::span<const double> frame = session.frame();  // from `kinetic` on, as in play/README.md
  const double total = frame[3] + frame[4], dissipated = frame[5], supplied = frame[6], initial = frame[9];
  EXPECT_GT(supplied, 1);
  EXPECT_NEAR(total + dissipated - supplied, initial, 1e-7 * supplied);
}

TEST(Hand, APokeIsItsImpulse) {
  PlaySession session = session_of(disc("[0, 0]"));
  session.poke({1, {0, 0.02, 0}}, {0.5, 0, 0});
  session.advance(1, 1e9, PlaySession::Stop::at_time);
  const State& state = session.simulator().state();
  EXPECT_NEAR(state.v[0], 0.5 / 2, 1e-9);
  EXPECT_NEAR(state.v[1], 0, 1e-9);
  // The arm turns a little while the force acts.
  EXPECT_NEAR(state.v[2], -0.02 * 0.5 / 0.01, 1e-2);
}

TEST(Changes, KeepTheMotionAndChangeTheMachine) {
  PlaySession session = session_of(disc("[0, -9.81]"));
  session.advance(0.5, 1e9, PlaySession::Stop::at_time);
  const State before = session.simulator().state();
  session.set(R"({"/description/gravity/1": 0})");
  expect_bits(session.simulator().state().q, before.q);
  session.advance(1, 1e9, PlaySession::Stop::at_time);
  EXPECT_NEAR(session.simulator().state().q[1], before.q[1] + 0.5 * before.v[1], 1e-9);
  session.reset();
  EXPECT_EQ(session.simulator().state().time, 0);
  session.advance(0.5, 1e9, PlaySession::Stop::at_time);
  EXPECT_NEAR(session.simulator().state().v[1], 0, 1e-12) << "a reset keeps what was changed";
}

TEST(Changes, OfTheStartBeginThere) {
  PlaySession session = session_of(disc("[0, -9.81]"));
  session.advance(0.5, 1e9, PlaySession::Stop::at_time);
  session.set(R"({"/state/v/0": 3})");
  EXPECT_EQ(session.simulator().state().time, 0);
  EXPECT_EQ(session.simulator().state().v[0], 3);
}

TEST(Changes, WhatCannotBeChangesNothing) {
  PlaySession session = session_of(disc("[0, -9.81]"));
  session.advance(0.3, 1e9, PlaySession::Stop::at_time);
  const State before = session.simulator().state();
  for (const char* changes : {R"({"/description/surfaces/0/properties/friction/static": 0.1})",  // below kinetic
                              R"({"/description/bodies/0/mass": -1})", R"({"/description/bodies/7/mass": 1})",
                              R"({"/options/law": "jellett"})", "[1", R"({"/state/q": "far"})"}) {
    EXPECT_THROW(session.set(changes), InputError) << changes;
    expect_bits(session.simulator().state().q, before.q);
  }
  session.advance(0.4, 1e9, PlaySession::Stop::at_time);
  EXPECT_NEAR(session.simulator().state().v[1], -9.81 * 0.4, 1e-9);
}

TEST(Budget, StopsAndGoesOnToTheSameBits) {
  const std::string start = start_json(start_of(read_scene_text(disc("[0, -9.81]"), "disc.yaml")));
  double now = 0;
  PlaySession cut(start, [&] { return now += 1; });  // every look takes a second
  SimulationStatus status = SimulationStatus::stopped;
  int calls = 0;
  for (; status == SimulationStatus::stopped && calls < 100'000; ++calls)
    status = cut.advance(3, 1.5, PlaySession::Stop::at_time);
  EXPECT_EQ(status, SimulationStatus::ready);
  EXPECT_GT(calls, 2);
  PlaySession whole(start, stopped_clock);
  whole.advance(3, 1, PlaySession::Stop::at_time);
  expect_bits(cut.simulator().state().q, whole.simulator().state().q);
}

TEST(Events, AreToldOnce) {
  PlaySession session = session_of(disc("[0, -9.81]"));
  session.advance(10, 1e9, PlaySession::Stop::after_event);
  // Falls 4.9 m.
  EXPECT_NEAR(session.simulator().state().time, std::sqrt(2 * 4.9 / 9.81), 1e-9);
  const std::string events = session.take_events();
  EXPECT_NE(events.find(R"("kind":"impact")"), std::string::npos) << events;
  EXPECT_NE(events.find("rim on floor"), std::string::npos) << events;
  EXPECT_NE(session.take_events().find(R"("events":[])"), std::string::npos);
}

TEST(Verdicts, SayWhatHoldsARestingBody) {
  PlaySession session = session_of(disc("[0, -9.81]", "0.1"));
  session.advance(0.01, 1e9, PlaySession::Stop::at_time);
  EXPECT_NE(session.verdicts().find(R"("verdict":"sticks")"), std::string::npos) << session.verdicts();
}

}  // namespace
}  // namespace routh::internal
