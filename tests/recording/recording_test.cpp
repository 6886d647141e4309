// Recordings: columns, flights, and the mistakes that are found in them.
#include "routh/recording/recording.h"

#include <gtest/gtest.h>

#include <cmath>

#include "disc_throws.h"
#include "routh/recording/flight.h"
#include "routh/recording/hygiene.h"
#include "routh/recording/throw_remarks.h"
#include "routh/recording/validate.h"
#include "routh/scene/scene.h"

namespace {

using namespace routh;
using namespace routh::internal;
using namespace throws_support;
using testing_support::Random;

Model disc() { return read_scene_text(disc_scene, "disc.yaml").model; }

Recording clean(std::uint64_t seed = 1) {
  Random random(seed);
  return record(random_start(random), 0.15, 0.6, 0, random);
}

// The message of the refusal of a text, or of a recording.
std::string refusal(const std::string& text) {
  try {
    const Model model = disc();
    refuse_impossible_motion(recording_of(parse_sample_list(text, "a.csv"), model, "a.csv"), model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}
std::string refusal(const Recording& recording) {
  try {
    refuse_impossible_motion(recording, disc());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Recording, NastyDataAreRefusedWithTheirPlace) {
  EXPECT_TRUE(has(refusal("time,x,y,angle\n0,0,1,0\n"), "a.csv:2:1: error: a recording of 1 rows is no motion"));
  EXPECT_TRUE(has(refusal("time,x,y,angle\n0,0,1,0\n0.1,nan,1,0\n"), "a.csv:3:5: error: 'nan'"));
  EXPECT_TRUE(has(refusal("time,x,y\n0,0,1\n"), "a.csv:1:1: error: there is no column 'angle'"));
  EXPECT_TRUE(
      has(refusal("time,x,y,angel\n0,0,1,0\n"), "a.csv:1:10: error: the column 'angel' is none of a recording"));
  EXPECT_TRUE(has(refusal("time,x,y,angle\n0,0,1,0\n0.1,0,1,0\n0.1,0,1,0\n0.2,0,1,0\n"), "a.csv:4:1: error: the time"));
  EXPECT_EQ(refusal(clean()), "");
}

TEST(Recording, GapsAndJumpsAreRefusedWithTheirPlace) {
  Recording gap = clean();
  gap.times.erase(gap.times.begin() + 40, gap.times.begin() + 60);
  gap.q.erase(gap.q.begin() + 40, gap.q.begin() + 60);
  gap.where.erase(gap.where.begin() + 40, gap.where.begin() + 60);
  EXPECT_TRUE(has(refusal(gap), "disc.csv:62:1: error: before this row samples are missing"));
  Recording jump = clean();
  jump.q[80][0] += 0.5;
  EXPECT_TRUE(has(refusal(jump), "disc.csv:82:1: error: the body jumps here"));
}

TEST(Recording, FlightGivesTheStart) {
  Random random(4);
  const Model model = disc();
  for (int k = 0; k < testing_support::scaled(20); ++k) {
    const DiscStart start = random_start(random);
    const Throw one = throw_of(record(start, 0.15, 0.6, 0, random), model);
    const DiscStart there = disc_at(start, static_cast<double>(one.first) / 250, 0.15, 0.6);
    const double expected[] = {there.x, there.y, there.angle, there.vx, there.vy, there.w};
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(one.start.q[j], expected[j], 1e-9);
      EXPECT_NEAR(one.start.v[j], expected[3 + j], 1e-8);
    }
  }
}

// A body in space that turns about a fixed axis, its centre of mass off the origin of its frame: the quaternion is
// (cos ½|ω|t, sin ½|ω|t ω/|ω|), the origin moves on the parabola of the centre less the turned offset.
TEST(Recording, FlightOfABodyInSpaceWhoseCentreIsOffItsOrigin) {
  const Model model = read_scene_text(R"(
routh: 1
bodies:
  cube: {mass: 1, com: [0.01, -0.02, 0.03], inertia: [0.002, 0.002, 0.002], joint: {kind: free},
         shapes: {cube: {kind: box, size: [0.1, 0.1, 0.1]}}}
world: {shapes: {floor: {kind: half_space}}}
state: {position: {cube: [0, 0, 1, 1, 0, 0, 0]}}
)",
                                      "cube.yaml")
                          .model;
  const Eigen::Vector3d w(3, -8, 5), com(0.01, -0.02, 0.03), c0(0.1, 0.2, 0.6), v0(1, -0.5, 0.3);
  Recording recording;
  for (int k = 0; k < 80; ++k) {
    const double t = k / 200.0, half = w.norm() * t / 2;
    Eigen::VectorXd q(7);
    const Eigen::Vector3d axis = std::sin(half) * w.normalized();
    q.tail<4>() << std::cos(half), axis;
    const Eigen::Vector3d turned = com + 2 * axis.cross(axis.cross(com) + std::cos(half) * com);
    q.head<3>() = c0 + v0 * t + Eigen::Vector3d(0, 0, -9.81 / 2 * t * t) - turned;
    recording.times.push_back(t);
    recording.q.push_back(q);
    recording.where.push_back({"cube.csv", k + 2, 1});
  }
  const Throw one = throw_of(recording, model);
  EXPECT_GT(one.first, 20u);
  EXPECT_LT((one.start.v.tail<3>() - w).norm(), 1e-8);
  const double t = static_cast<double>(one.first) / 200;
  const Vector3 place = centre_of(model, model.joints[0], one.start.q);
  EXPECT_NEAR(place.z, 0.6 + 0.3 * t - 9.81 / 2 * t * t, 1e-9);
  // The origin's velocity by differences of its path.
  const Eigen::VectorXd by_differences =
      (recording.q[one.first + 1].head<3>() - recording.q[one.first - 1].head<3>()) * 100;
  EXPECT_LT((one.start.v.head<3>() - by_differences).norm(), 2e-3);
}

TEST(Hygiene, ColumnsAndUnitsAreDoubted) {
  const Model model = disc();
  Recording sound = clean(2);
  for (std::size_t k = 0; k < sound.size(); ++k) {
    const std::size_t a = k > 0 ? k - 1 : 0, b = std::min(k + 1, sound.size() - 1);
    sound.v.push_back((sound.q[b] - sound.q[a]) / (sound.times[b] - sound.times[a]));
  }
  for (const auto& each : hygiene_remarks({sound}, model)) ADD_FAILURE() << each;
  Recording mirrored = sound;
  for (Eigen::VectorXd& v : mirrored.v) v[0] = -v[0];
  ASSERT_EQ(hygiene_remarks({mirrored}, model).size(), 1u);
  EXPECT_TRUE(has(hygiene_remarks({mirrored}, model)[0], "mirrored"));
  Recording swapped = sound;
  for (Eigen::VectorXd& v : swapped.v) std::swap(v[0], v[1]);
  EXPECT_TRUE(has(hygiene_remarks({swapped}, model)[0], "swapped"));
  Recording slow = clean(2);  // as if taken at half the frame rate
  for (double& t : slow.times) t *= 2;
  EXPECT_TRUE(has(hygiene_remarks({slow}, model)[0], "unit of length or time"));
}

TEST(Hygiene, TheGapAtRestIsMeasured) {
  Recordings data;
  for (int k = 0; k < 3; ++k) {
    Recording rest = clean();
    for (std::size_t j = rest.size() - 5; j < rest.size(); ++j) rest.q[j] << 1, radius + 0.001, 0;
    data.throws.push_back(rest);
  }
  const auto gap = resting_gap(data.throws, disc());
  ASSERT_TRUE(gap);
  EXPECT_NEAR(gap->median, 0.001, 1e-9);
}

TEST(Validate, BouncesFacesAndErrorsOfTheTruth) {
  Random random(8);
  Recordings data;
  for (int k = 0; k < 6; ++k) {
    data.throws.push_back(record(random_start(random), 0.15, 0.6, 0, random));
    data.throws.back().name = "disc";
  }
  Scene scene = read_scene_text(disc_scene, "disc.yaml");
  scene = with_values(scene, {{parse_parameter("surfaces.floor.friction", {}), 0.15},
                              {parse_parameter("surfaces.floor.restitution", {}), 0.6}});
  const ValidateReport report = validate(scene, data, {});
  EXPECT_LT(report.summary.mean, 1e-6);
  EXPECT_EQ(report.chi_square, 0);
  EXPECT_EQ(report.same_face, 6u);
  // Up 0.2 m/s, down, up 0.05 m/s (too slow), down, up 0.3 m/s.
  const std::vector<Vector3> path = {{0, 1, 0},    {0, 0, 0}, {0, 0.2, 0}, {0, 0, 0},
                                     {0, 0.05, 0}, {0, 0, 0}, {0, 0.3, 0}};
  EXPECT_EQ(bounces_of({0, 1, 2, 3, 4, 5, 6}, path, {0, 1, 0}), 2);
}

}  // namespace
