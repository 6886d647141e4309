// Scenes as subjects: strikes and runs, against closed forms.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "study/run_study.h"

namespace routh {
namespace {

using testing_support::run_study;

const char* const ball = R"(
routh: 1
dimension: planar
gravity: [0, -10]
surfaces: {floor: {friction: 0, restitution: 0.5}}
bodies:
  ball:
    mass: 2
    inertia: 1
    joint: {kind: planar}
    shapes: {ball: {kind: sphere, radius: 0.1, surface: floor}}
world: {shapes: {ground: {kind: half_space}}}
state: {position: {ball: [0, 0.35, 0]}}
)";

class Scenes : public testing::Test {
 protected:
  Scenes() : folder_(testing::TempDir() + "routh_scene_study_" + std::to_string(getpid())) {
    std::ofstream(folder_ + ".scene.yaml") << ball;
  }
  ~Scenes() override { unlink((folder_ + ".scene.yaml").c_str()); }

  Study study(const std::string& rest) const {
    const std::string scene = folder_.substr(folder_.rfind('/') + 1) + ".scene.yaml";
    return read_study_text("study: 1\nscene: " + scene + "\n" + rest, folder_ + ".study.yaml");
  }
  std::string refusal(const std::string& rest) const {
    try {
      study(rest);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::string folder_;
};

// A ball dropped from h strikes with sqrt(2 g h), whatever its mass, and bounces with e times that.
TEST_F(Scenes, FirstStrikeOfADroppedBall) {
  const Study drop = study(R"(
strike: {moment: first_strike, within: 5}
vary:
  surfaces.floor.restitution: [0.25, 0.75]
  state.position.ball.y: [0.3, 1.7]
  bodies.ball.mass: [1, 7]
sampling: {method: grid}
measure:
  speed: before.contact_velocity.n + sqrt(20 * (sample.state.position.ball.y - 0.1))
  bounce: velocity.ball.y + sample.surfaces.floor.restitution * before.contact_velocity.n
  energy: before.energy - sample.bodies.ball.mass * 10 * (sample.state.position.ball.y - 0.1)
  e: restitution
)");
  EXPECT_EQ(drop.kind, SubjectKind::strike);
  const StudyResult result = run_study(drop);
  ASSERT_EQ(result.samples, 8u);
  EXPECT_EQ(result.failed(), 0u);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(result.measures[m].moments.high, 0, 1e-9) << m;
    EXPECT_NEAR(result.measures[m].moments.low, 0, 1e-9) << m;
  }
  // The rule for a pair of surfaces decides; both shapes have no other.
  EXPECT_NEAR(result.measures[3].moments.mean, 0.5, 1e-12);
}

TEST_F(Scenes, NothingStrikesHighAbove) {
  const Study still = study(R"(
vary: {state.position.ball.y: [1, 2]}
sampling: {method: grid}
measure: {v: velocity.ball.y}
)");
  const StudyResult result = run_study(still);
  EXPECT_EQ(result.faults[static_cast<std::size_t>(Fault::no_strike)], 2u);
}

// Bounces pile up at t = sqrt(2h/g) (1 + e) / (1 − e); then all energy but that of the height at rest is gone.
TEST_F(Scenes, RunsOfADroppedBall) {
  const Study bounces = study(R"(
run: {until: 4, interval: 0.001}
vary:
  surfaces.floor.restitution: {from: 0.2, to: 0.6, count: 3}
  state.position.ball.y: {from: 0.3, to: 0.6, count: 3}
sampling: {method: grid}
measure:
  ends: events.zeno.last - sqrt(0.2 * (sample.state.position.ball.y - 0.1)) * (1 + sample.surfaces.floor.restitution) / (1 - sample.surfaces.floor.restitution)
  first: events.impact.first - sqrt(0.2 * (sample.state.position.ball.y - 0.1))
  rests: final.position.ball.y - 0.1
  lost: energy.dissipated - 20 * (sample.state.position.ball.y - 0.1)
  height: max.position.ball.y - sample.state.position.ball.y
  fastest: min.velocity.ball.y + sqrt(20 * (sample.state.position.ball.y - 0.1))
  time: time
  never: events.detach.first
  account: energy.balance - (energy.total - energy.initial + energy.dissipated - energy.supplied - energy.corrected)
  corrected: max.energy.corrected - min.energy.corrected
)");
  const StudyResult result = run_study(bounces, 2);
  EXPECT_EQ(result.failed(), 0u);
  for (const std::size_t m : {0u, 1u, 2u, 3u, 4u, 5u}) {
    EXPECT_NEAR(result.measures[m].moments.high, 0, 2e-6) << bounces.measures[m].name;
    EXPECT_NEAR(result.measures[m].moments.low, 0, 2e-6) << bounces.measures[m].name;
  }
  EXPECT_EQ(result.measures[6].moments.mean, 4);
  EXPECT_EQ(result.measures[7].moments.missing, 9u);
  EXPECT_NEAR(result.measures[8].moments.high, 0, 1e-12);
  EXPECT_NEAR(result.measures[8].moments.low, 0, 1e-12);
  EXPECT_NEAR(result.measures[9].moments.high, 0, 1e-6);
  EXPECT_EQ(study_json(bounces, result), study_json(bounces, run_study(bounces, 1)));
}

TEST_F(Scenes, FailedSamplesAreRecorded) {
  const Study bad = study(R"(
run: {until: 0.1}
vary: {bodies.ball.mass: [-1, 1], state.position.ball.y: [0.05, 0.2]}
sampling: {method: grid}
measure: {t: time}
)");
  const StudyResult result = run_study(bad);
  EXPECT_EQ(result.faults[static_cast<std::size_t>(Fault::refused)], 2u);
  EXPECT_EQ(result.faults[static_cast<std::size_t>(Fault::overlapping)], 1u);
  EXPECT_EQ(result.measures[0].moments.count, 1u);
  EXPECT_NE(result.failures[0].reason.find("mass"), std::string::npos);
}

TEST_F(Scenes, RefusesWithSuggestions) {
  const std::string rest = "sampling: {method: grid}\nmeasure: {t: time}\nrun: {until: 1}\n";
  const auto contains = [&](const std::string& text, const char* word) {
    const std::string found = refusal(text);
    EXPECT_NE(found.find(word), std::string::npos) << found;
    EXPECT_NE(found.find("study.yaml:"), std::string::npos) << found;
  };
  contains("vary: {surfaces.flor.friction: [1]}\n" + rest, "floor");
  contains("vary: {surface.floor.friction: [1]}\n" + rest, "surfaces");
  contains("vary: {surfaces.floor.frictoin: [1]}\n" + rest, "no such number");
  contains("vary: {state.position.ball.z: [1]}\n" + rest, "ball.");
  contains("vary: {joints.ball.damping: [1]}\n" + rest, "joints.ball.x.damping");
  contains("vary: {'gravity[2]': [1]}\n" + rest, "gravity");
  const std::string vary = "vary: {surfaces.floor.friction: [1]}\nsampling: {method: grid}\n";
  contains(vary + "run: {until: 1}\nmeasure: {t: events.impakt}\n", "impact");
  contains(vary + "run: {until: 1}\nmeasure: {t: final.position.bal.x}\n", "ball.x");
  contains(vary + "run: {until: -1}\nmeasure: {t: time}\n", "end at -1 s and begin at 0 s");
  contains(vary + "run: {until: 1}\nstrike: {}\nmeasure: {t: time}\n", "exclude");
  contains(vary + "strike: {moment: later}\nmeasure: {t: mode}\n", "first_strike");
}

}  // namespace
}  // namespace routh
