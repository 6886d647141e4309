// Laws of contact force: against their integration in extended precision by another method, closed forms and printed
// numbers.
#include "routh/impact/compliance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "routh/impact/solve.h"
#include "support/random_problems.h"

namespace compliance_testing {

using namespace routh;
using Real = long double;

constexpr Real pi = 3.14159265358979323846L;

struct Course {
  Real restitution = 0, duration = 0, peak = 0, depth = 0;
};

// m δ″ = −F(δ, δ′) by Runge and Kutta's classical method, with t = τ⁴/64 so that powers of δ ≈ v t are smooth where the
// contact begins; `scale` is about the duration. The end is where F, after compression, falls to zero.
Course integrate(const std::function<Real(Real, Real)>& force, Real mass, Real speed, Real scale, int steps) {
  const Real h = std::pow(64 * scale, 0.25L) / steps;
  Real x = 0, y = speed, tau = 0;
  const auto rate = [&](Real at, Real p, Real q, Real& dp, Real& dq) {
    const Real dt = at * at * at / 16;
    dp = dt * q;
    dq = -dt * force(std::max<Real>(p, 0), q) / mass;
  };
  Course out;
  for (int k = 0; k < 20 * steps; ++k) {
    Real a, b, c, d, e, f, g, i;
    rate(tau, x, y, a, b);
    rate(tau + h / 2, x + h / 2 * a, y + h / 2 * b, c, d);
    rate(tau + h / 2, x + h / 2 * c, y + h / 2 * d, e, f);
    rate(tau + h, x + h * e, y + h * f, g, i);
    const Real x1 = x + h / 6 * (a + 2 * c + 2 * e + g), y1 = y + h / 6 * (b + 2 * d + 2 * f + i);
    const Real was = k == 0 ? 1 : x > 0 ? force(x, y) : 0, is = x1 > 0 ? force(x1, y1) : -1;
    out.peak = std::max({out.peak, was, is});
    out.depth = std::max(out.depth, x1);
    if (y1 < 0 && is <= 0) {
      const Real share = x1 > 0 ? was / (was - is) : x / (x - x1);
      out.restitution = -(y + share * (y1 - y)) / speed;
      out.duration = std::pow(tau + share * h, 4) / 64;
      return out;
    }
    x = x1, y = y1, tau += h;
  }
  ADD_FAILURE() << "the contact does not end";
  return out;
}

void expect_course(const Compliance& law, double speed, const std::function<Real(Real, Real)>& force, Real mass) {
  const CompliantImpact found = compliant_impact(law, speed);
  ASSERT_TRUE(found.duration && found.peak_force && found.indentation);
  const Course course = integrate(force, mass, speed, *found.duration, 40000);
  EXPECT_NEAR(found.restitution, static_cast<double>(course.restitution), 2e-7);
  EXPECT_NEAR(*found.duration / static_cast<double>(course.duration), 1, 1e-4);  // F ends with a slope of zero
  EXPECT_NEAR(*found.peak_force / static_cast<double>(course.peak), 1, 1e-7);
  EXPECT_NEAR(*found.indentation / static_cast<double>(course.depth), 1, 1e-7);
}

Compliance steel_ball(ComplianceKind kind) {
  Compliance law;
  law.kind = kind;
  law.mass = 0.032;
  law.bodies[0] = {210e9, 0.3, 1e9, 0.01};
  law.bodies[1] = {210e9, 0.3, 1e9};
  return law;
}
constexpr double modulus = 210e9 / (2 * (1 - 0.3 * 0.3));

TEST(Compliance, SpringAndDashpot) {
  for (const double damping : {0.0, 3.0, 40.0, 63.0, 100.0, 126.0}) {
    Compliance law;
    law.mass = 0.2, law.stiffness = 2e4, law.damping = damping;  // critical at 126.5
    SCOPED_TRACE(damping);
    const auto force = [=](Real x, Real y) { return 2e4L * x + static_cast<Real>(damping) * y; };
    const CompliantImpact found = compliant_impact(law, 0.7);
    const Course course = integrate(force, 0.2L, 0.7L, *found.duration, 20000);
    EXPECT_NEAR(found.restitution, static_cast<double>(course.restitution), 1e-8);
    EXPECT_NEAR(*found.duration / static_cast<double>(course.duration), 1, 1e-8);
    EXPECT_NEAR(*found.peak_force / static_cast<double>(std::max<Real>(course.peak, damping * 0.7)), 1, 1e-7);
    EXPECT_NEAR(*found.indentation / static_cast<double>(course.depth), 1, 1e-7);
    EXPECT_EQ(found.restitution, compliant_impact(law, 70).restitution);
  }
  // Across critical damping, where e = e⁻².
  Compliance law;
  law.mass = 1, law.stiffness = 1;
  for (const double damping : {2 - 1e-12, 2.0, 2 + 1e-12}) {
    law.damping = damping;
    EXPECT_NEAR(compliant_impact(law, 1).restitution, std::exp(-2.0), 1e-12);
    EXPECT_NEAR(*compliant_impact(law, 1).duration, 2, 1e-11);
  }
  law.damping = 6;  // e = exp(−2ζ acosh ζ/√(ζ² − 1))
  EXPECT_NEAR(compliant_impact(law, 1).restitution, std::exp(-6 * std::acosh(3.0) / std::sqrt(8.0)), 1e-14);
}

TEST(Compliance, HuntAndCrossley) {
  for (const double exponent : {1.5, 1.0, 2.0})
    for (const double loss : {1e-3, 0.1, 0.5, 3.0}) {
      Compliance law;
      law.kind = ComplianceKind::hunt_crossley;
      law.mass = 0.5, law.stiffness = 3e5, law.exponent = exponent, law.damping = loss * law.stiffness / 2;
      SCOPED_TRACE(testing::Message() << exponent << ' ' << loss);
      const Real n = exponent, c = law.damping;
      expect_course(
          law, 2, [=](Real x, Real y) { return std::pow(x, n) * (3e5L + c * y); }, 0.5L);
    }
  // To first order e = 1 − 2λv/3.
  Compliance law;
  law.kind = ComplianceKind::hunt_crossley;
  law.stiffness = 1, law.damping = 1;
  for (const double speed : {1e-9, 1e-5, 1e-3})
    EXPECT_NEAR((1 - compliant_impact(law, speed).restitution) / speed, 2.0 / 3, speed + 1e-16 / speed);
  EXPECT_FALSE(compliant_impact(law, 1).duration);
}

TEST(Compliance, LankaraniAndNikravesh) {
  for (const double e0 : {0.0, 0.5, 0.9, 1.0}) {
    Compliance law;
    law.kind = ComplianceKind::lankarani_nikravesh;
    law.restitution = e0;
    EXPECT_FALSE(compliant_impact(law, 3).peak_force);
    law.mass = 0.5, law.stiffness = 3e5;
    SCOPED_TRACE(e0);
    const Real loss = 0.75L * (1 - static_cast<Real>(e0) * e0) / 3;
    expect_course(
        law, 3, [=](Real x, Real y) { return 3e5L * std::pow(x, 1.5L) * (1 + loss * y); }, 0.5L);
    EXPECT_GE(compliant_impact(law, 3).restitution, e0);
  }
}

TEST(Compliance, Hertz) {
  Compliance law = steel_ball(ComplianceKind::hertz);
  const CompliantImpact elastic = compliant_impact(law, 1);
  // T = 2.87 (m²/(R E*² v))^{1/5} [Johnson 1985, eq. 11.24], 2.94 δ/v.
  EXPECT_NEAR(*elastic.duration, 2.87 * std::pow(0.032 * 0.032 / (0.01 * modulus * modulus), 0.2),
              2e-3 * *elastic.duration);
  EXPECT_NEAR(*elastic.duration / *elastic.indentation, 2.9432, 1e-4);
  EXPECT_NEAR(elastic.restitution, 1, 1e-12);
  const Real stiffness = 4.0L / 3 * modulus * std::sqrt(0.01L);
  for (const double loss : {1e-7, 1e-6, 1e-5, 1e-4}) {
    law.loss_time = loss;
    SCOPED_TRACE(loss);
    const Real a = loss;
    expect_course(
        law, 1.3, [=](Real x, Real y) { return stiffness * std::sqrt(x) * (x + 1.5L * a * y); }, 0.032L);
  }
  // e = 1 − 1.153449 d + 0.798267 d² + (4/15) d^{5/2} + …, d = ³⁄₂ A (K/m)^{2/5} v^{1/5} [Schwager and Pöschel 2008].
  law.loss_time = 1e-8;
  const double d = 1.5e-8 * std::pow(static_cast<double>(stiffness) / 0.032, 0.4);
  EXPECT_NEAR(compliant_impact(law, 1).restitution, 1 - 1.153449 * d + 0.798267 * d * d + 4.0 / 15 * std::pow(d, 2.5),
              d * d * d + 1e-9);
}

TEST(Compliance, Thornton) {
  const Compliance law = steel_ball(ComplianceKind::thornton);
  const double pressure = yield_pressure_ratio(0.3) * 1e9, yields_at = yield_speed(law);
  EXPECT_NEAR(0.5 * 0.032 * yields_at * yields_at,
              std::pow(M_PI, 5) * 1e-6 * std::pow(pressure, 5) / (60 * std::pow(modulus, 4)), 1e-12);
  // ½ m v² = 53 R³Y⁵/E*⁴ [Johnson 1985, eq. 11.16].
  EXPECT_NEAR(0.5 * 0.032 * yields_at * yields_at / (1e-6 * 1e45 / std::pow(modulus, 4)), 53, 0.06 * 53);
  for (const double ratio : {1.0000001, 1.1, 3.0, 10.0, 100.0}) {
    const double u = 1 / ratio;  // the closed formula [Thornton 1997, eq. 47]
    const double printed = std::sqrt(6 * std::sqrt(3.0) / 5) * std::sqrt(1 - u * u / 6) *
                           std::pow(u / (u + 2 * std::sqrt(1.2 - u * u / 5)), 0.25);
    EXPECT_NEAR(compliant_impact(law, ratio * yields_at).restitution, printed, 1e-9) << ratio;
  }
  EXPECT_NEAR(compliant_impact(law, 1e6 * yields_at).restitution * std::pow(1e6, 0.25), 1.185, 5e-4);
  EXPECT_EQ(compliant_impact(law, 0.5 * yields_at).restitution, 1);
}

// Loading and unloading one after the other, the force law of each written down again.
TEST(Compliance, ThorntonTakesAsLongAsItsForces) {
  const Compliance law = steel_ball(ComplianceKind::thornton);
  const Real p = yield_pressure_ratio(0.3) * 1e9L, e = modulus, r = 0.01L;
  const Real depth = pi * pi * p * p * r / (4 * e * e), at = 4.0L / 3 * e * std::sqrt(r) * depth * std::sqrt(depth);
  const auto loading = [&](Real x) {
    return x < depth ? 4.0L / 3 * e * std::sqrt(r) * x * std::sqrt(x) : at + pi * r * p * (x - depth);
  };
  for (const double speed : {0.2, 1.0, 8.0}) {
    Real x = 0, y = speed, t = 0;
    const CompliantImpact found = compliant_impact(law, speed);
    const Real h = *found.duration / 200000;
    while (y > 0) {  // velocities at half steps
      y -= h * loading(x + h / 2 * y) / 0.032L;
      x += h * y, t += h;
    }
    const Real force = loading(x);
    const Real radius = 4 * e / (3 * force) * std::pow((2 * force + at) / (2 * pi * p), 1.5L);
    const Real stiffness = 4.0L / 3 * e * std::sqrt(radius);
    Real z = std::pow(force / stiffness, 2 / 3.0L), w = 0;
    while (z > 0) w += h * stiffness * z * std::sqrt(z) / 0.032L, z -= h * w, t += h;
    EXPECT_NEAR(*found.duration / static_cast<double>(t), 1, 1e-4) << speed;
    EXPECT_NEAR(found.restitution, static_cast<double>(w) / speed, 1e-4) << speed;
    EXPECT_NEAR(*found.peak_force / static_cast<double>(force), 1, 1e-4) << speed;
    EXPECT_NEAR(*found.indentation / static_cast<double>(x), 1, 1e-4) << speed;
  }
}

TEST(Compliance, Johnson) {
  Compliance law = steel_ball(ComplianceKind::johnson);
  law.bodies[0].yield = 1e8;  // the softer body yields
  // e = 3.8 (Y/E*)^{1/2} (½ m v²/(Y R³))^{−1/8} [Johnson 1985, eq. 11.22]; 3.74 before rounding.
  for (const double speed : {0.2, 1.0, 4.0}) {
    const double printed =
        3.8 * std::sqrt(1e8 / modulus) * std::pow(0.5 * 0.032 * speed * speed / (1e8 * 1e-6), -0.125);
    EXPECT_NEAR(compliant_impact(law, speed).restitution / printed, 1, 0.02);
    EXPECT_TRUE(compliant_impact(law, speed).in_range);
  }
  EXPECT_FALSE(compliant_impact(law, 0.01).in_range);
  EXPECT_FALSE(compliant_impact(law, 10).in_range);
}

// 1.295 exp(0.736 ν) is a fit of this [Jackson and Green 2005]; 1.60 for ν = 0.3 [Johnson 1985, eq. 6.9].
TEST(Compliance, YieldPressure) {
  EXPECT_NEAR(yield_pressure_ratio(0.3), 1.60, 0.015);
  for (const double poisson : {0.0, 0.1, 0.2, 0.3, 0.4, 0.45})
    EXPECT_NEAR(yield_pressure_ratio(poisson) / (1.295 * std::exp(0.736 * poisson)), 1, 0.01) << poisson;
}

TEST(Compliance, TablesAreAsGoodAsTheySay) {
  std::vector<Compliance> laws = {steel_ball(ComplianceKind::thornton), steel_ball(ComplianceKind::hertz),
                                  steel_ball(ComplianceKind::johnson)};
  laws[1].loss_time = 2e-6;
  laws[2].bodies[0].yield = 1e8;
  laws.emplace_back();
  laws[3].kind = ComplianceKind::hunt_crossley, laws[3].stiffness = 1, laws[3].damping = 0.4;
  constexpr std::uint64_t seed = 20261119;
  testing_support::Random random(seed);
  for (const Compliance& law : laws) {
    ASSERT_EQ(check(law).rule, nullptr) << name(law.kind);
    std::vector<RestitutionPoint> table;
    ImpactProblem p;
    p.inertia = planar_inertia(1, 0, 1);
    p.restitution = to_restitution(law, table);
    ASSERT_EQ(p.restitution.kind, RestitutionKind::table);
    ASSERT_EQ(check(p).rule, nullptr);
    const double low = table[1].speed, high = table.back().speed;
    for (int k = 0; k < 300; ++k) {
      const double speed = low * std::pow(high / low, random.uniform(0, 1));
      p.velocity = {-speed, 0, 0};
      EXPECT_NEAR(solve_impact(p).restitution, compliant_impact(law, speed).restitution, 2.5e-6)
          << "seed " << seed << ' ' << name(law.kind) << ' ' << speed;
    }
    p.velocity = {-1.1 * high, 0, 0};
    EXPECT_TRUE(solve_impact(p).has(Warning::restitution_out_of_range));
  }
}

TEST(Compliance, RefusesWhatCannotBe) {
  const auto refused = [](const Compliance& law, const char* key) {
    const ComplianceViolation found = check(law);
    ASSERT_NE(found.rule, nullptr) << name(law.kind) << ' ' << key;
    EXPECT_STREQ(found.key, key);
  };
  const double infinite = HUGE_VAL, nan = std::nan("");
  for (const ComplianceKind kind : {ComplianceKind::hertz, ComplianceKind::thornton, ComplianceKind::johnson}) {
    const Compliance good = steel_ball(kind);
    Compliance bad = good;
    for (const double mass : {0.0, -1.0, nan, infinite, 1e-320}) bad = good, bad.mass = mass, refused(bad, "mass");
    for (const double value : {0.0, -1.0, nan}) {
      bad = good, bad.bodies[1].young = value, refused(bad, "young");
      bad = good, bad.bodies[0].radius = value, refused(bad, "radius");
    }
    bad = good, bad.bodies[0].radius = infinite, refused(bad, "radius");
    bad = good, bad.bodies[1].poisson = 0.51, refused(bad, "poisson");
    if (kind == ComplianceKind::hertz) {
      bad = good, bad.loss_time = -1, refused(bad, "loss_time");
      continue;
    }
    bad = good, bad.bodies[0].yield = bad.bodies[1].yield = infinite, refused(bad, "yield");
    bad = good, bad.bodies[0].yield = bad.bodies[1].yield = 1e12, refused(bad, "yield");
  }
  Compliance bad = steel_ball(ComplianceKind::johnson);
  bad.bodies[0].yield = bad.bodies[1].yield = 5e9;
  refused(bad, "yield");
  Compliance spring;
  refused(spring, "mass");
  spring.mass = 1;
  refused(spring, "stiffness");
  spring.stiffness = 1, spring.damping = -1;
  refused(spring, "damping");
  spring.damping = 1e308, spring.stiffness = 1e-300;
  refused(spring, "stiffness");
  Compliance nikravesh;
  nikravesh.kind = ComplianceKind::lankarani_nikravesh, nikravesh.restitution = 1.1;
  refused(nikravesh, "restitution");
  nikravesh.restitution = 0.5, nikravesh.exponent = 0.9;
  refused(nikravesh, "exponent");
  nikravesh.kind = ComplianceKind::hunt_crossley, nikravesh.exponent = 1.5;
  refused(nikravesh, "stiffness");
}

}  // namespace compliance_testing
