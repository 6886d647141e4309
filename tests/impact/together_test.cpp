// Several contacts together: one contact against `solve_impact`, chains and boxes against other means, and bad input.
#include "routh/march/together.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "routh/impact/solve.h"
#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::describe;
using testing_support::Random;
using testing_support::scaled;

TogetherContact contact(double mu, double e) {
  TogetherContact c;
  c.friction = {mu, mu};
  c.restitution.normal = e;
  return c;
}

TogetherProblem as_together(const ImpactProblem& p, Law law) {
  TogetherProblem t;
  t.dimension = p.inertia.dimension;
  const ContactInertia& d = p.inertia;
  const Eigen::Index n = t.dimension == Dimension::planar ? 2 : 3;
  Eigen::Matrix3d full;
  full << d.a, d.c1, d.c2, d.c1, d.b11, d.b12, d.c2, d.b12, d.b22;
  const ContactVector &v = p.velocity, &s = p.surface_velocity;
  t.inertia = full.topLeftCorner(n, n);
  t.surface_velocity = Eigen::Vector3d(s.n, s.t1, s.t2).head(n);
  t.velocity = Eigen::Vector3d(v.n, v.t1, v.t2).head(n) - t.surface_velocity;
  t.contacts.push_back({p.friction, p.restitution, law, p.load});
  return t;
}

// Relative difference of impulse, velocity and works.
double difference(const ImpactResult& one, const TogetherResult& many) {
  const TogetherContactResult& c = many.contacts[0];
  const double impulse = testing_support::norm(one.impulse);
  const double speed = testing_support::norm(one.relative_velocity) + std::abs(one.energy.change) / impulse;
  return std::max({testing_support::distance(one.impulse, c.impulse) / impulse,
                   testing_support::distance(one.relative_velocity, c.velocity) / speed,
                   std::abs(one.energy.normal_work - c.normal_work) / (impulse * speed),
                   std::abs(one.energy.tangential_work - c.tangential_work) / (impulse * speed)});
}

// How much the answer of solve_impact itself moves with the last digits of the problem.
double sensitivity(const ImpactProblem& p, Law law) {
  ImpactProblem shaken = p;
  shaken.velocity.n *= 1 + 1e-14;
  shaken.friction.kinetic_coefficient *= 1 - 1e-14;
  shaken.inertia.a *= 1 + 1e-14;
  shaken.inertia.stick_slope += 1e-14 * p.inertia.a;
  const ImpactResult x = solve_impact(p, law), y = solve_impact(shaken, law);
  return testing_support::distance(x.impulse, y.impulse) / testing_support::norm(x.impulse);
}

void compare_with_one(const ImpactProblem& p, Law law, double tolerance, int& compared) {
  const ImpactResult one = solve_impact(p, law);
  // Almost locked by sticking, the spring takes longer than is allowed.
  if (one.status != ImpactStatus::ok || p.inertia.stick_slope < 1e-6 * p.inertia.a) return;
  if (law == Law::poisson && one.energy.normal_work > -1e-6) return;  // takes out more than went in
  const TogetherResult many = solve_together(as_together(p, law));
  ASSERT_EQ(many.status, ImpactStatus::ok) << describe(p);
  ASSERT_LT(difference(one, many), tolerance + 100 * sensitivity(p, law)) << name(law) << " " << describe(p);
  ASSERT_TRUE(many.energy.consistent);
  ASSERT_NEAR(many.energy.supplied, one.energy.supplied, 1e-6 * (1 + std::abs(one.energy.supplied)));
  ++compared;
}

// Each problem that `next` draws, under both laws.
template <class Next>
void compare_many_with_one(std::uint64_t seed, int count, double tolerance, Next next) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int compared = 0;
  for (int k = 0; k < count; ++k) {
    const ImpactProblem p = next(random);
    for (const Law law : {Law::energetic, Law::poisson}) compare_with_one(p, law, tolerance, compared);
  }
  EXPECT_GT(compared, count);
}

TEST(Together, OnePlanarContactIsSolveImpact) {
  compare_many_with_one(8101, scaled(3000, 150), 1e-9, [](Random& random) {
    ImpactProblem p = testing_support::random_planar(random);
    if (random.chance(0.2)) p.surface_velocity = {0.1 * random.normal(), random.normal(), 0};
    return p;
  });
}

TEST(Together, OneSpatialContactIsSolveImpact) {
  compare_many_with_one(8102, scaled(2000, 100), 1e-8,
                        [](Random& random) { return testing_support::random_spatial(random); });
}

// Friction that all but holds a contact at rest: slip begins along a direction that it keeps, so that the impulse lies
// on one ray, p = p_n (1, −μσ), and slip is slow beside the time in which friction turns it.
TEST(Together, SlipThatFrictionAllButHolds) {
  Eigen::Matrix3d d;
  d << 8.4, -3.4, 2.6, -3.4, 22.3, -2.1, 2.6, -2.1, 8.7;
  const Eigen::Vector2d stuck = -d.bottomRightCorner<2, 2>().inverse() * d.col(0).tail<2>();  // p_t/p_n
  for (const double lacking : {1e-3, 1e-5, 1e-7}) {
    SCOPED_TRACE(testing::Message() << "friction lacks " << lacking);
    const double mu = stuck.norm() * (1 - lacking);
    TogetherProblem p;
    p.dimension = Dimension::spatial;
    p.inertia = d;
    p.velocity = Eigen::Vector3d(-2.5, 0, 0);
    p.contacts = {contact(mu, 0)};
    const TogetherResult r = solve_together(p);
    ASSERT_EQ(r.status, ImpactStatus::ok);
    EXPECT_LT(r.steps, 50);
    // v_t = p_n (c + μ B f) = −α p_n f: (μ B + α) f = −c with ‖f‖ = 1, α by Newton's method from zero.
    Eigen::Vector2d friction;
    for (double alpha = 0, step = 1; std::abs(step) > 1e-14; alpha += step) {
      const Eigen::Matrix2d b = mu * d.bottomRightCorner<2, 2>() + alpha * Eigen::Matrix2d::Identity();
      friction = -b.inverse() * d.col(0).tail<2>();
      step = (friction.squaredNorm() - 1) / (2 * friction.dot(b.inverse() * friction));
    }
    const Eigen::Vector3d ray(1, mu * friction[0], mu * friction[1]);
    const Eigen::Vector3d impulse = 2.5 / (d * ray)[0] * ray;
    EXPECT_LT((r.impulse - impulse).norm(), 1e-10 * impulse.norm());
  }
}

TEST(Together, TangentialImpactOfAPressedContact) {
  constexpr std::uint64_t seed = 8103;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int compared = 0;
  for (int k = 0; k < scaled(1500, 800); ++k) {
    ImpactProblem p = random.chance(0.5) ? testing_support::random_planar(random)
                                         : testing_support::random_spatial(random, testing_support::Family::coupled);
    p.surface_velocity = {};
    p.velocity.n = 0;
    p.load = Load::pressed;
    if (solve_impact(p).status == ImpactStatus::ok) compare_with_one(p, Law::energetic, 1e-6, compared);
    p.load = Load::unknown;
    const TogetherResult unknown = solve_together(as_together(p, Law::energetic));
    ASSERT_EQ(unknown.status, ImpactStatus::no_impact);
    ASSERT_EQ(unknown.has(Warning::jams_if_pressed), solve_impact(p).has(Warning::jams_if_pressed));
  }
  EXPECT_GT(compared, 20);
}

TEST(Together, InfiniteFrictionHaltsSlipAtOnce) {
  constexpr std::uint64_t seed = 8104;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int compared = 0;
  for (int k = 0; k < scaled(300, 30); ++k) {
    ImpactProblem p = testing_support::random_planar(random);
    p.friction = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    const ImpactResult one = solve_impact(p);
    if (one.status != ImpactStatus::ok) continue;
    const TogetherResult many = solve_together(as_together(p, Law::energetic));
    ASSERT_EQ(many.status, ImpactStatus::ok) << describe(p);
    ASSERT_LT(difference(one, many), 1e-5) << describe(p);
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

// Three equal balls in a row, the first strikes: ẍ = −K x with unilateral springs, by Runge–Kutta with many steps.
Eigen::Vector3d chain_by_runge_kutta(double e) {
  struct State {
    double x[2], u[3];
  };
  double k[2] = {1, 1};
  bool opened[2] = {false, false};
  State s{{0, 0}, {1, 0, 0}};
  const auto rate = [&](const State& y) {
    const double f = std::max(0.0, k[0] * y.x[0]), g = std::max(0.0, k[1] * y.x[1]);
    return State{{y.u[0] - y.u[1], y.u[1] - y.u[2]}, {-f, f - g, g}};
  };
  const auto plus = [](const State& y, double h, const State& d) {
    State z = y;
    for (int i = 0; i < 2; ++i) z.x[i] += h * d.x[i];
    for (int i = 0; i < 3; ++i) z.u[i] += h * d.u[i];
    return z;
  };
  const double h = 5e-6;
  for (int step = 0; step < 1200000; ++step) {
    const State a = rate(s), b = rate(plus(s, h / 2, a)), c = rate(plus(s, h / 2, b)), d = rate(plus(s, h, c));
    s = plus(plus(plus(plus(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    for (int i = 0; i < 2; ++i)  // the end of compression: e² of the energy stays, the force is continuous
      if (!opened[i] && s.x[i] > 0 && s.u[i] < s.u[i + 1]) {
        opened[i] = true;
        s.x[i] *= e * e;
        k[i] /= e * e;
      }
  }
  return {s.u[0], s.u[1], s.u[2]};
}

TogetherProblem chain(double e) {
  TogetherProblem p;
  p.inertia.setZero(4, 4);  // no tangential rows
  p.inertia(0, 0) = p.inertia(2, 2) = 2;
  p.inertia(0, 2) = p.inertia(2, 0) = -1;
  p.velocity = Eigen::Vector4d(-1, 0, 0, 0);
  p.contacts.assign(2, contact(0.3, e));
  return p;
}

TEST(Together, NewtonsCradle) {
  for (const double e : {1.0, 0.6}) {
    SCOPED_TRACE(testing::Message() << "e " << e);
    const TogetherResult r = solve_together(chain(e));
    ASSERT_EQ(r.status, ImpactStatus::ok);
    const Eigen::Vector3d u = chain_by_runge_kutta(e);
    const double i1 = r.contacts[0].impulse.n, i2 = r.contacts[1].impulse.n;
    EXPECT_NEAR(1 - i1, u[0], 5e-6);
    EXPECT_NEAR(i1 - i2, u[1], 5e-6);
    EXPECT_NEAR(i2, u[2], 5e-6);
    EXPECT_EQ(r.contacts[0].impulse.t1, 0);
    if (e == 1) {
      EXPECT_NEAR(r.energy.change, 0, 1e-14);
      EXPECT_NEAR(1 - i1, -0.1303, 1e-4);  // the known answer for linear springs
    }
  }
}

// A box of unit mass with its corners at (±w, −h) relative to its centre, radius of gyration r.
TogetherProblem planar_box(double w, double h, const Eigen::Vector3d& motion, const TogetherContact& surface) {
  const double r = 0.8;
  Eigen::MatrixXd j(4, 3);
  j << 0, 1, -w / r, 1, 0, h / r, 0, 1, w / r, 1, 0, h / r;
  TogetherProblem p;
  p.inertia = j * j.transpose();
  p.velocity = j * motion;
  p.contacts.assign(2, surface);
  return p;
}

TEST(Together, BoxLandsFlat) {
  for (const double e : {0.0, 0.3, 0.8, 1.0})
    for (const double mu : {0.0, 0.4, 2.0}) {
      SCOPED_TRACE(fmt::format("e {} mu {}", e, mu));
      const TogetherResult r = solve_together(planar_box(1, 0.5, {0, -2, 0}, contact(mu, e)));
      ASSERT_EQ(r.status, ImpactStatus::ok);
      for (int i = 0; i < 2; ++i) {
        const TogetherContactResult& c = r.contacts[static_cast<std::size_t>(i)];
        EXPECT_NEAR(c.velocity.n, 2 * e, 1e-11);
        EXPECT_NEAR(c.velocity.t1, 0, 1e-11);
        EXPECT_NEAR(c.impulse.n, 1 + e, 1e-11);
      }
    }
}

// The same box moves sideways: friction of both feet together, −μ ΔI, turns it; the mirrored motion mirrors the answer.
TEST(Together, MirroredBox) {
  for (const double e : {0.0, 0.5})
    for (const double mu : {0.2, 0.9}) {
      const TogetherResult right = solve_together(planar_box(1, 0.5, {1.3, -2, 0.4}, contact(mu, e)));
      const TogetherResult left = solve_together(planar_box(1, 0.5, {-1.3, -2, -0.4}, contact(mu, e)));
      ASSERT_EQ(right.status, ImpactStatus::ok);
      for (int i = 0; i < 2; ++i) {
        const TogetherContactResult& a = right.contacts[static_cast<std::size_t>(i)];
        const TogetherContactResult& b = left.contacts[static_cast<std::size_t>(1 - i)];
        EXPECT_NEAR(a.impulse.n, b.impulse.n, 1e-11);
        EXPECT_NEAR(a.impulse.t1, -b.impulse.t1, 1e-11);
        EXPECT_NEAR(a.velocity.n, b.velocity.n, 1e-11);
        EXPECT_LE(std::abs(a.impulse.t1), mu * a.impulse.n + 1e-12);
      }
    }
}

TEST(Together, SpatialBoxLandsFlatOnFourCorners) {
  Eigen::MatrixXd j(12, 6);
  for (int i = 0; i < 4; ++i) {
    const double x = i % 2 == 0 ? 1 : -1, y = i < 2 ? 0.7 : -0.7, z = -0.5;
    j.row(3 * i) << 0, 0, 1, y, -x, 0;
    j.row(3 * i + 1) << 1, 0, 0, 0, z, -y;
    j.row(3 * i + 2) << 0, 1, 0, -z, 0, x;
  }
  TogetherProblem p;
  p.dimension = Dimension::spatial;
  p.inertia = j * j.transpose();
  Eigen::VectorXd motion = Eigen::VectorXd::Zero(6);
  motion[2] = -1;
  p.velocity = j * motion;
  p.contacts.assign(4, contact(0.5, 0.6));
  const TogetherResult r = solve_together(p);
  ASSERT_EQ(r.status, ImpactStatus::ok);
  for (const TogetherContactResult& c : r.contacts) {
    EXPECT_NEAR(c.velocity.n, 0.6, 1e-11);
    EXPECT_NEAR(std::hypot(c.velocity.t1, c.velocity.t2), 0, 1e-11);
    EXPECT_NEAR(c.impulse.n, 0.4, 1e-11);
  }
}

// A foot strikes while the other rests, both plastic: nothing penetrates, and the struck foot stays down.
TEST(Together, RimlessWheel) {
  for (const double mu : {0.0, 0.3, 1.0, 5.0})
    for (const double h : {0.2, 0.6, 1.5, 4.0}) {
      SCOPED_TRACE(fmt::format("mu {} h {}", mu, h));
      // Turning about the first foot: its velocity is zero.
      const double r = 0.8, w = 0.4, spin = -1;
      const TogetherResult result = solve_together(planar_box(w, h, {-spin * h, spin * w, spin * r}, contact(mu, 0)));
      ASSERT_EQ(result.status, ImpactStatus::ok);
      for (const TogetherContactResult& c : result.contacts) EXPECT_GE(c.velocity.n, -1e-11);
      EXPECT_NEAR(result.contacts[1].velocity.n, 0, 1e-11);
      EXPECT_LE(result.energy.change, 1e-14);
    }
}

TEST(Together, NothingStrikes) {
  TogetherProblem p = chain(0.5);
  p.velocity = Eigen::Vector4d(0.5, 0, 0, 0);
  const TogetherResult r = solve_together(p);
  EXPECT_EQ(r.status, ImpactStatus::no_impact);
  EXPECT_EQ(r.impulse.norm(), 0);
  EXPECT_EQ(r.velocity, p.velocity);
  EXPECT_EQ(solve_together(TogetherProblem{}).status, ImpactStatus::no_impact);
}

TEST(Together, InvalidInput) {
  const TogetherProblem sound = chain(0.5);
  ASSERT_EQ(solve_together(sound).status, ImpactStatus::ok);
  const auto refused = [&](auto spoil, ImpactStatus status) {
    TogetherProblem p = sound;
    spoil(p);
    const TogetherResult r = solve_together(p);
    EXPECT_EQ(r.status, status);
    EXPECT_TRUE(r.impulse.allFinite() && r.velocity.allFinite());
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([&](TogetherProblem& p) { p.velocity[1] = nan; }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.inertia(0, 2) = nan; }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.inertia(0, 2) = 0.5; }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.inertia(0, 0) = 0; }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.inertia(0, 2) = p.inertia(2, 0) = 3; }, ImpactStatus::ill_conditioned);
  refused([&](TogetherProblem& p) { p.velocity.conservativeResize(3); }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.surface_velocity.setZero(2); }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.dimension = Dimension::spatial; }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.contacts[0].restitution.normal = 1.5; }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.contacts[0].friction = {0.1, 0.2}; }, ImpactStatus::invalid);
  refused([&](TogetherProblem& p) { p.contacts[1].restitution.kind = RestitutionKind::table; }, ImpactStatus::invalid);
}

}  // namespace
