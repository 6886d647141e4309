// Rotations against Rodrigues' formula; sines and cosines against long double.
#include "routh/math/spatial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "routh/math/sine_cosine.h"
#include "support/random_problems.h"

namespace {

using namespace routh;

Vector3 random_vector(testing_support::Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

double distance(const Matrix3& a, const Matrix3& b) {
  return std::max({norm(a.r0 - b.r0), norm(a.r1 - b.r1), norm(a.r2 - b.r2)});
}

// v cos θ + (u × v) sin θ + u (u·v)(1 − cos θ)
TEST(Spatial, RotationVectorTurnsAsRodriguesSays) {
  testing_support::Random random(3);
  for (int k = 0; k < 300; ++k) {
    const double size = std::pow(10, random.uniform(-9, 0.5));
    const Vector3 turn = random_vector(random, size), v = random_vector(random, 1);
    const double angle = norm(turn);
    const Vector3 u = (1 / angle) * turn;
    const Vector3 expected =
        std::cos(angle) * v + std::sin(angle) * cross(u, v) + ((1 - std::cos(angle)) * dot(u, v)) * u;
    const Quaternion q = quaternion_from_rotation_vector(turn);
    EXPECT_LE(norm(rotation_matrix(q) * v - expected), 1e-15 * 4);
    const Quaternion back = quaternion_from_matrix(rotation_matrix(q));
    EXPECT_LE(distance(rotation_matrix(back), rotation_matrix(q)), 1e-15);
    EXPECT_GE(back.w, 0);
  }
}

TEST(Spatial, QuaternionFromMatrixNearHalfTurns) {
  for (const Vector3& axis : {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}, Vector3{0.6, 0.8, 0}})
    for (const double angle : {M_PI, M_PI - 1e-9, M_PI / 2}) {
      const Matrix3 m = rotation_matrix(quaternion_from_rotation_vector(angle * axis));
      EXPECT_LE(distance(rotation_matrix(quaternion_from_matrix(m)), m), 2e-15);
    }
}

TEST(Spatial, RotationFromZTakesZToTheAxis) {
  testing_support::Random random(4);
  for (int k = 0; k < 300; ++k) {
    Vector3 axis = random_vector(random, 1);
    if (k < 3) axis = {k == 0 ? 1.0 : 0.0, k == 1 ? -1.0 : 0.0, k == 2 ? -1.0 : 0.0};
    if (k == 3) axis = {1e-12, 0, 1};
    const Matrix3 R = rotation_from_z(axis);
    EXPECT_LE(norm(column_z(R) - (1 / norm(axis)) * axis), 1e-15);
    EXPECT_LE(distance(R * transposed(R), identity3), 1e-15);
    EXPECT_NEAR(dot(cross(column_x(R), column_y(R)), column_z(R)), 1, 1e-15);
  }
}

TEST(Spatial, SymmetricBlocksTurnAsFullMatrices) {
  testing_support::Random random(8);
  for (int k = 0; k < 100; ++k) {
    const Symmetric3 s = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                          random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const Matrix3 R = rotation_matrix(quaternion_from_rotation_vector(random_vector(random, 3)));
    EXPECT_LE(distance(full(rotated(R, s)), R * full(s) * transposed(R)), 1e-15 * 4);
  }
}

TEST(SineCosine, WithinThreeUnitsOfTheLastPlace) {
  testing_support::Random random(9);
  const auto unit = [](long double x) {
    const double a = std::abs(static_cast<double>(x));
    return static_cast<long double>(std::nextafter(a, 2.0) - a);
  };
  constexpr std::size_t count = 33;
  std::vector<double> x(count), s(count), c(count);
  for (int k = 0; k < testing_support::scaled(3000, 300); ++k) {
    const double size = std::pow(10, random.uniform(-8, 6));
    for (double& angle : x) {
      angle = random.uniform(-size, size);
      if (k % 10 == 0) angle = std::round(angle) * M_PI / 2;  // where one of the two all but vanishes
    }
    sine_cosine(x.data(), count, s.data(), c.data());
    for (std::size_t i = 0; i < count; ++i) {
      const long double sine = sinl(x[i]), cosine = cosl(x[i]);
      ASSERT_LE(std::abs(s[i] - sine), 3 * unit(sine)) << x[i];
      ASSERT_LE(std::abs(c[i] - cosine), 3 * unit(cosine)) << x[i];
    }
  }
}

TEST(SineCosine, FarAngles) {
  const double x[] = {1e7, -3e200, 0.5};
  double s[3], c[3];
  sine_cosine(x, 3, s, c);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(s[i], std::sin(x[i]));
    EXPECT_EQ(c[i], std::cos(x[i]));
  }
}

}  // namespace
