// Invariant directions against a march of the slip angle itself, and by hand.
#include "routh/solvability/single_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random_problems.h"

namespace {

using routh::ContactInertia;
using routh::InvariantSlip;
using routh::InvariantSlips;
using routh::SlipAttraction;

// dφ/dτ from c and b alone.
double turning(const ContactInertia& d, double mu, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const double n1 = d.c1 - mu * (d.b11 * c + d.b12 * s), n2 = d.c2 - mu * (d.b12 * c + d.b22 * s);
  return -s * n1 + c * n2;
}

TEST(InvariantSlips, AreWhereTheTurningChangesItsSign) {
  testing_support::Random random(2821);
  bool met[5] = {};
  for (int k = 0; k < testing_support::scaled(300); ++k) {
    const double r[6] = {random.normal(), random.normal(), random.normal(),
                         random.normal(), random.normal(), random.normal()};
    const double shrink = k % 3 == 0 ? 0.1 : 1;  // a small c has four
    const ContactInertia d = routh::spatial_inertia(3 + r[0] * r[0], shrink * r[1], shrink * r[2], 0.3 + r[3] * r[3],
                                                    r[3] * r[4], 0.3 + r[4] * r[4] + r[5] * r[5]);
    const double mu = random.uniform(0.1, 2);
    const InvariantSlips found = routh::invariant_slips(d, mu);
    ASSERT_FALSE(found.every);
    // Signs around the circle, at points that no root of a random problem hits.
    const int steps = 20000;
    int count = 0, next = 0;
    double before = turning(d, mu, -std::numbers::pi);
    for (int i = 1; i <= steps; ++i) {
      const double to = -std::numbers::pi + 2 * std::numbers::pi * i / steps, here = turning(d, mu, to);
      if ((before > 0) != (here > 0)) {
        ++count;
        ASSERT_LT(next, found.count);
        const InvariantSlip& slip = found.slips[static_cast<std::size_t>(next++)];
        EXPECT_NEAR(std::atan2(slip.direction.t2, slip.direction.t1), to, 4e-4);
        EXPECT_EQ(slip.attraction, here < 0 ? SlipAttraction::attracting : SlipAttraction::repelling);
        const double angle = std::atan2(slip.direction.t2, slip.direction.t1);
        EXPECT_NEAR(turning(d, mu, angle), 0, 1e-9);
        EXPECT_NEAR(slip.A, d.a - mu * (d.c1 * std::cos(angle) + d.c2 * std::sin(angle)), 1e-9);
      }
      before = here;
    }
    EXPECT_EQ(found.count, count);
    met[found.count] = true;
  }
  EXPECT_TRUE(met[2] && met[4]);
}

TEST(InvariantSlips, OfABallAreAlongItsCoupling) {
  const InvariantSlips found = routh::invariant_slips(routh::spatial_inertia(1, 0.6, 0, 3, 0, 3), 0.1);
  ASSERT_EQ(found.count, 2);
  for (int k = 0; k < 2; ++k) {
    const InvariantSlip& slip = found.slips[static_cast<std::size_t>(k)];
    const bool along = slip.direction.t1 > 0;  // grows along c: 0.6 > 0.3
    EXPECT_NEAR(std::abs(slip.direction.t1), 1, 1e-12);
    EXPECT_EQ(slip.attraction, along ? SlipAttraction::attracting : SlipAttraction::repelling);
    EXPECT_NEAR(slip.growth, along ? 0.3 : -0.9, 1e-12);
  }
  EXPECT_TRUE(routh::invariant_slips(routh::spatial_inertia(1, 0, 0, 3, 0, 3), 0.5).every);
  const InvariantSlips planar = routh::invariant_slips(routh::planar_inertia(1, 0.6, 1), 2);
  ASSERT_EQ(planar.count, 2);
  EXPECT_NEAR(planar.slips[0].A, -0.2, 1e-15);
  EXPECT_NEAR(planar.slips[1].growth, -2.6, 1e-15);
}

}  // namespace
