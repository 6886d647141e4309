// Numbers, vectors, rotations and functions of time as scenes write them.
#include "routh/scene/values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene/samples.h"

namespace routh {
namespace {

using std::numbers::pi;
using testing_support::described;
using testing_support::refusal;
using testing_support::spatial_scene;

// The value of the key `v` of a text.
template <class Read>
auto read_value(const std::string& value, Read&& read) {
  const Document document = Document::from_text("v: " + value + "\n", "f");
  return read(document.root().require("v"));
}

double angle(const std::string& value) {
  return read_value(value, [](const Node& node) { return read_measure(node, Measure::angle); });
}

Matrix3 rotation(const std::string& value) {
  return read_value(value, [](const Node& node) { return read_rotation(node, Dimension::spatial); });
}

void expect_same(const Vector3& a, const Vector3& b, double tolerance = 1e-15) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(SceneValues, AnglesAreRadiansOrDegrees) {
  EXPECT_EQ(angle("0.5"), 0.5);
  EXPECT_DOUBLE_EQ(angle("20 deg"), pi / 9);
  EXPECT_DOUBLE_EQ(angle("'20 deg'"), pi / 9);  // as JSON must write it
  EXPECT_DOUBLE_EQ(angle("-1.5e2 deg"), -pi * 5 / 6);
  EXPECT_DOUBLE_EQ(angle("+.5   deg"), pi / 360);
  EXPECT_EQ(angle("0 deg"), 0);
  for (const char* bad :
       {"20deg", "deg", "1 2 deg", "0x10 deg", "inf deg", "1e999 deg", "20 degrees", "20 Deg", "'20'"})
    EXPECT_THROW(angle(bad), InputError) << bad;
}

TEST(SceneValues, OnlyAnglesHaveDegrees) {
  for (const Measure measure : {Measure::number, Measure::length, Measure::speed, Measure::rate})
    EXPECT_THROW(read_value("20 deg", [&](const Node& node) { return read_measure(node, measure); }), InputError);
}

TEST(SceneValues, DirectionsAreUnitVectorsWhateverTheirLength) {
  const auto direction = [](const std::string& value) {
    return read_value(value, [](const Node& node) { return read_direction(node, Dimension::spatial); });
  };
  expect_same(direction("[0, 0, -3]"), {0, 0, -1});
  expect_same(direction("[1e300, 1e300, 0]"), {std::sqrt(0.5), std::sqrt(0.5), 0});
  expect_same(direction("[3e-310, 0, 4e-310]"), {0.6, 0, 0.8});
}

TEST(SceneValues, EveryFormOfARotationIsTheSameRotation) {
  // A quarter turn about z takes x to y.
  const double s = std::sqrt(0.5);
  for (const std::string& form : {std::string("{axis: [0, 0, 7], angle: 90 deg}"), std::string("{rpy: [0, 0, 90 deg]}"),
                                  std::string("{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}"),
                                  "{quaternion: [" + std::to_string(s) + ", 0, 0, " + std::to_string(s) + "]}"}) {
    SCOPED_TRACE(form);
    const Matrix3 R = rotation(form);
    expect_same(R * Vector3{1, 0, 0}, {0, 1, 0}, 4e-16);
    expect_same(R * Vector3{0, 0, 1}, {0, 0, 1}, 4e-16);
  }
}

TEST(SceneValues, RollPitchYawTurnsAboutFixedAxesInThatOrder) {
  // x rolls nothing, pitches to −z, and −z is not moved by the yaw.
  expect_same(rotation("{rpy: [30 deg, 90 deg, 40 deg]}") * Vector3{1, 0, 0}, {0, 0, -1});
  // y rolls to z, pitches to x, yaws to y.
  expect_same(rotation("{rpy: [90 deg, 90 deg, 90 deg]}") * Vector3{0, 1, 0}, {0, 1, 0});
  // Yaw after pitch: with the order reversed this would stay (0, 1, 0).
  expect_same(rotation("{rpy: [0, 90 deg, 90 deg]}") * Vector3{0, 0, 1}, {0, 1, 0});
}

TEST(SceneValues, AQuaternionIsMadeUnitWithin1e6) {
  const auto quaternion = [](const std::string& value) { return read_value(value, read_quaternion); };
  const Quaternion q = quaternion("[0.7071068, 0, 0.7071068, 0]");
  EXPECT_DOUBLE_EQ(q.w, std::sqrt(0.5));
  EXPECT_NEAR(q.w * q.w + q.y * q.y, 1, 4e-16);
  EXPECT_DOUBLE_EQ(quaternion("[1.0000009, 0, 0, 0]").w, 1);
  for (const char* bad : {"[1.0000011, 0, 0, 0]", "[0.9999989, 0, 0, 0]", "[0, 0, 0, 0]",
                          "[1e308, 1e308, 1e308, 1e308]", "[1e-200, 0, 0, 0]", "[1, 0, 0]", "1"})
    EXPECT_THROW(quaternion(bad), InputError) << bad;
}

TEST(SceneValues, AMatrixIsMadeARotationWithin1e6) {
  const Matrix3 R = rotation("{matrix: [[0.6000001, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]}");
  expect_same(R * Vector3{1, 0, 0}, {0.6, 0.8, 0}, 2e-7);
  EXPECT_NEAR(norm(R * Vector3{1, 0, 0}), 1, 4e-16);
  EXPECT_NEAR(dot(column_x(R), column_y(R)), 0, 4e-16);
  for (const char* bad : {"[[0.60001, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]", "[[1, 0, 0], [0, -1, 0], [0, 0, 1]]",
                          "[[1e200, 0, 0], [0, 1, 0], [0, 0, 1]]", "[[1, 0], [0, 1]]", "[1, 0, 0]"})
    EXPECT_THROW(rotation(std::string("{matrix: ") + bad + "}"), InputError) << bad;
}

TEST(SceneValues, PosesAndNormals) {
  const auto shape = [](const std::string& text, const char* scene) {
    return described(scene + ("world: {shapes: {f: " + text + "}}\n")).shapes.at(0);
  };
  const char* planar = "routh: 1\ndimension: planar\nbodies: {a: {mass: 1, inertia: 1, joint: {kind: planar}}}\n";
  const char* spatial = "routh: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}}}\n";
  // The up axis (y in the plane, z in space) points along the normal.
  expect_same(shape("{kind: half_space, normal: [-3, 4]}", planar).at.rotation * Vector3{0, 1, 0}, {-0.6, 0.8, 0});
  expect_same(shape("{kind: half_space, normal: [2, 0, 0]}", spatial).at.rotation * Vector3{0, 0, 1}, {1, 0, 0});
  const Pose pose = shape("{kind: point, at: {position: [1, 2], rotation: 90 deg}}", planar).at;
  expect_same(pose * Vector3{1, 0, 0}, {1, 3, 0});
  const ShapeDescription strip = shape("{kind: strip, width: 3}", spatial);
  EXPECT_EQ(strip.half_extents.x, 1.5);
  EXPECT_EQ(strip.half_extents.y, unlimited);
}

TEST(SceneValues, Profiles) {
  const auto profile = [](const std::string& value) {
    return read_value(value, [](const Node& node) { return read_profile(node, Measure::angle); });
  };
  EXPECT_EQ(profile("3")(100), 3);
  const Profile ramp = profile("{table: [[1, 0], [3, 180 deg]]}");
  EXPECT_EQ(ramp(0), 0);
  EXPECT_DOUBLE_EQ(ramp(2), pi / 2);
  EXPECT_DOUBLE_EQ(ramp(9), pi);
}

}  // namespace
}  // namespace routh
