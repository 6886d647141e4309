// The compliant referee: against the rigid laws, which share only D with it, and closed forms where there are any.
#include "routh/referee/referee.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "routh/impact/solve.h"
#include "support/compare.h"
#include "support/random_problems.h"

namespace referee_testing {

using namespace routh;
using namespace testing_support;

constexpr double pi = 3.14159265358979323846;

double distance(const ContactVector& v, const ContactVector& w) {
  return std::max({std::abs(v.n - w.n), std::abs(v.t1 - w.t1), std::abs(v.t2 - w.t2)});
}

AccelerationProblem planar(double a, double c, double b, double mu, ContactVector velocity, double e = 0.5) {
  AccelerationProblem p;
  p.contact.inertia = planar_inertia(a, c, b);
  p.contact.friction = {mu, mu};
  p.contact.velocity = velocity;
  p.contact.restitution.normal = e;
  return p;
}

// A central slide without other forces is a damped oscillation: v_n⁺ = −e v_n⁻ with e = exp(−2ψ cot ψ), in a time of
// 2ψ/(ω₀ sin ψ).
TEST(Referee, CentralSlideInClosedForm) {
  const AccelerationProblem p = planar(2, 0, 3, 0.2, {-0.7, 5, 0});
  for (const double psi : {1.5, 1.2, 0.7}) {
    const CompliantContact contact{1e6, 2 * std::cos(psi) * std::sqrt(1e6 / 2), 0};
    const CompliantCourse course = integrate_contact(p, contact);
    ASSERT_EQ(course.end, CourseEnd::separates);
    const double e = std::exp(-2 * psi / std::tan(psi));
    EXPECT_NEAR(course.velocity.n, 0.7 * e, 1e-10);
    EXPECT_NEAR(course.duration * std::sqrt(2e6), 2 * psi / std::sin(psi), 1e-9);
    EXPECT_NEAR(course.velocity.t1, 5 - 3 * 0.2 * 0.7 * (1 + e) / 2, 1e-10);
    EXPECT_NEAR(-course.restitution_work / course.compression_work, e * e, 1e-9);
  }
}

// Without other forces the path is Routh's at any stiffness, in every mode, and the energetic restitution that the
// dashpot amounts to leads there.
TEST(Referee, AgreesInEveryMode) {
  constexpr std::uint64_t seed = 20261119;
  Random random(seed);
  std::map<ImpactMode, int> modes;
  int compared = 0, jams = 0;
  for (int k = 0; k < scaled(300, 60); ++k) {
    AccelerationProblem p;
    p.contact = k % 2 == 0 ? random_planar(random) : random_spatial(random);
    p.contact.load = Load::unknown;
    if (!std::isfinite(p.contact.friction.static_coefficient)) continue;
    p.contact.restitution = {};
    p.contact.restitution.normal = random.uniform(0.05, 1);
    const ImpactResult before = solve_impact(p.contact);
    if (before.status != ImpactStatus::ok || before.has(Warning::ill_conditioned)) continue;
    RefereeOptions options;
    options.durations = {random.uniform(1e-6, 1e-2)};
    const RefereeReport report = referee(p, options);
    const RefereeTrial& trial = report.trials[0];
    SCOPED_TRACE(testing::Message() << "seed " << seed << ' ' << describe(p.contact));
    ASSERT_EQ(trial.course.end, CourseEnd::separates);
    if (trial.rigid.status != ImpactStatus::ok || trial.rigid.has(Warning::ill_conditioned) ||
        trial.rigid.has(Warning::recompression))
      continue;
    ++compared, ++modes[trial.rigid.mode], jams += trial.course.jams;
    EXPECT_LT(trial.difference, p.contact.inertia.dimension == Dimension::planar ? 1e-8 : 1e-6);
    EXPECT_LT(distance(trial.course.impulse, trial.rigid.impulse),
              1e-6 * (std::abs(trial.rigid.impulse.n) + std::abs(trial.rigid.impulse.t1)));
  }
  std::printf("seed %llu: %d compared, %zu modes, %d jams\n", static_cast<unsigned long long>(seed), compared,
              modes.size(), jams);
  EXPECT_GT(compared, scaled(300, 60) / 2);
  EXPECT_GE(modes.size(), 4u);
}

// Under other forces the difference falls as the duration does.
TEST(Referee, ConvergesUnderForces) {
  for (const double mu : {0.1, 0.3, 0.8})
    for (const double slip : {2.0, 0.1, -0.3}) {
      AccelerationProblem p = planar(1.6, 1.2, 3.4, mu, {-0.5, slip, 0});
      p.free_acceleration = {-9.81, 2, 0};
      RefereeOptions options;
      options.durations = {1e-4, 1e-5, 1e-6};
      const RefereeReport report = referee(p, options);
      SCOPED_TRACE(testing::Message() << mu << ' ' << slip);
      EXPECT_EQ(report.verdict, RefereeVerdict::converges);
      for (std::size_t k = 1; k < 3; ++k)
        EXPECT_NEAR(report.trials[k - 1].difference / report.trials[k].difference, 10, 1.5);
    }
}

// Painlevé's M_s⁴ (A < 0, B < 0): no force holds the slide; the spring finds the tangential impact, whose energetic and
// Poisson's restitution are those of its path.
TEST(Referee, TangentialImpactOfAnInconsistentSlide) {
  AccelerationProblem p = planar(1, 1, 2, 2, {0, 1, 0});
  p.free_acceleration = {-5, 0, 0};
  const RefereeReport report = referee(p, {});
  EXPECT_EQ(report.verdict, RefereeVerdict::converges);
  const RefereeTrial& last = report.trials.back();
  EXPECT_TRUE(last.course.jams);
  // By hand: slip halts at I = v_t/(μ b − c) = 1/3, where v_n = A I = −1/3; it sticks from there.
  EXPECT_NEAR(last.course.fastest_approach, 1.0 / 3, 1e-5);
  EXPECT_NEAR(last.course.velocity.t1, 0, 1e-12);
  // Stuck, dv_n/dI = a − c²/b = 1/2: W_c = −(1/18 + 1/9), and W_r = e² of that over v²: v_n⁺ = e √(1/6).
  EXPECT_NEAR(last.course.compression_work, -1.0 / 6, 1e-5);
  EXPECT_NEAR(last.course.velocity.n, last.energetic * std::sqrt(1.0 / 6), 1e-5);
}

// M_s³ (A < 0, B > 0): touching, it detaches; of any approach there is a stiffness beyond which it jams.
TEST(Referee, BothSolutionsOfAnIndeterminateSlide) {
  AccelerationProblem p = planar(1, 1, 2, 2, {0, 1, 0});
  p.free_acceleration = {5, 0, 0};
  EXPECT_EQ(referee(p, {}).trials.back().course.end, CourseEnd::detaches);
  EXPECT_EQ(referee(p, {}).verdict, RefereeVerdict::no_impact);
  for (const double approach : {1e-2, 1e-3, 1e-4}) {
    p.contact.velocity.n = -approach;
    // −A F overcomes B once √(k/a) v > B, that is at a duration of π v/B.
    RefereeOptions options;
    options.durations = {10 * pi * approach / 5, 0.05 * pi * approach / 5, 0.005 * pi * approach / 5};
    const RefereeReport report = referee(p, options);
    EXPECT_LT(report.trials[0].course.fastest_approach, 1.01 * approach);
    EXPECT_FALSE(report.trials[0].course.jams);
    EXPECT_TRUE(report.trials[1].course.jams);
    EXPECT_LT(report.trials[2].difference, 0.2 * report.trials[1].difference);
  }
}

TEST(Referee, ContactThatIsHeldStays) {
  AccelerationProblem p = planar(1, 0, 3, 0.2, {-1e-4, 1, 0}, 0.01);
  p.free_acceleration = {-10, 0, 0};
  for (const double e : {0.001, 0.01, 0.3, 1.0}) {
    p.contact.restitution.normal = e;
    const RefereeReport report = referee(p, {.durations = {1e-2, 1e-3}});
    EXPECT_EQ(report.trials[0].course.end, e == 1 ? CourseEnd::separates : CourseEnd::stays) << e;
    if (e == 1) continue;
    EXPECT_EQ(report.trials[0].energetic, 0);
    EXPECT_LT(report.trials[0].course.velocity.t1, 1);  // what is left of it slides on
  }
}

// With c = 0 the two directions are oscillators of their own. Where the tangential one is exactly as fast, or twice as
// fast, and friction holds, v_t comes back reversed, or as it was [Maw, Barber and Fawcett 1976; Stronge 2000].
TEST(Referee, TangentialSpringInClosedForm) {
  for (const int times : {1, 2}) {
    AccelerationProblem p = planar(1.5, 0, 4, 5, {-1, 0.3, 0}, 1);
    const double ratio = times * times * 1.5 / 4;
    const CompliantCourse course = integrate_contact(p, {1e6, 0, ratio});
    ASSERT_EQ(course.end, CourseEnd::separates);
    EXPECT_NEAR(course.velocity.n, 1, 2e-6);
    EXPECT_NEAR(course.velocity.t1, times == 1 ? -0.3 : 0.3, 2e-3);
    EXPECT_NEAR(course.duration * std::sqrt(1.5e6) / pi, 1, 1e-3);
  }
  // Spatial, turned: the same along any direction.
  AccelerationProblem p;
  p.contact.inertia = spatial_inertia(1.5, 0, 0, 4, 0, 4);
  p.contact.velocity = {-1, 0.18, 0.24};
  p.contact.friction = {5, 5};
  const CompliantCourse course = integrate_contact(p, {1e6, 0, 1.5 / 4});
  EXPECT_NEAR(course.velocity.t1, -0.18, 2e-3);
  EXPECT_NEAR(course.velocity.t2, -0.24, 2e-3);
  // Routh's answer, which halts, is another one, at every stiffness.
  p.contact.restitution.normal = 1;
  EXPECT_EQ(referee(p, {{1e-3, 1e-4}, 1.5 / 4}).verdict, RefereeVerdict::differs);
}

// A tangent that is millions of times as stiff is told, not followed for minutes.
TEST(Referee, GivesUpWhatWouldTakeForEver) {
  AccelerationProblem p = planar(1, 0, 1e7, 0.5, {-1, 0.3, 0});
  const RefereeReport report = referee(p, {{1e-3}, 1});
  EXPECT_EQ(report.trials[0].course.end, CourseEnd::failed);
  EXPECT_EQ(report.verdict, RefereeVerdict::no_impact);
  ASSERT_EQ(report.sentences.size(), 1u);
}

// Energy: the springs and the dashpot give no more than they took.
TEST(Referee, NeverGains) {
  constexpr std::uint64_t seed = 20261120;
  Random random(seed);
  for (int k = 0; k < scaled(60, 20); ++k) {
    AccelerationProblem p;
    p.contact = k % 2 == 0 ? random_planar(random) : random_spatial(random);
    if (!std::isfinite(p.contact.friction.static_coefficient)) continue;
    const CompliantContact contact{1e5, random.uniform(0, 50), k % 4 < 2 ? 0 : random.uniform(0.2, 2)};
    const CompliantCourse course = integrate_contact(p, contact);
    if (course.end != CourseEnd::separates) continue;
    ContactVector mean = p.contact.velocity;
    const ContactVector& i = course.impulse;
    const auto half = [](double v, double w) { return 0.5 * (v + w); };
    mean = {half(mean.n - p.contact.surface_velocity.n, course.velocity.n),
            half(mean.t1 - p.contact.surface_velocity.t1, course.velocity.t1),
            half(mean.t2 - p.contact.surface_velocity.t2, course.velocity.t2)};
    const double change = i.n * mean.n + i.t1 * mean.t1 + i.t2 * mean.t2;
    EXPECT_LT(change, 1e-5 * (std::abs(i.n * mean.n) + std::abs(course.compression_work)))
        << "seed " << seed << ' ' << describe(p.contact);
  }
}

TEST(Referee, DampingForARestitution) {
  for (const double e : {0.001, 0.05, 0.1353352832366127, 0.3, 0.9, 1.0}) {
    const double d = damping_for(e);
    const AccelerationProblem p = planar(1, 0, 1, 0, {-1, 0, 0});
    EXPECT_NEAR(integrate_contact(p, {1e4, d * 1e2, 0}).velocity.n, e, 1e-9);
  }
}

}  // namespace referee_testing
