// Singular points and slides, against the printed numbers of [Liu 2007], the closed form of the uniform rod, and
// integration by other means.
#include "routh/solvability/slip_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "routh/base/error.h"
#include "solvability/sliding_machines.h"
#include "support/random_problems.h"

namespace {

using routh::FlowBox;
using routh::FlowEnd;
using routh::FlowTrajectory;
using routh::name;
using routh::singular_points;
using routh::SingularKind;
using routh::SingularPoint;
using routh::slide;
using routh::SlipEntry;
using routh::SlipFlow;
using routh::SlipFlowValue;
using testing_support::Random;
using testing_support::scaled;

const FlowBox liu = {-0.8411, 0.8411, -4, 4};
const FlowBox rods = {0.1, 3.1, -6, 6};

template <typename Machine>
SlipFlow flow_of(Machine machine) {
  return [machine](double x, double rate) -> std::optional<SlipFlowValue> {
    const auto s = machine.at(x, rate);
    if (!s) return {};
    return SlipFlowValue{s->A, s->B, s->gain, s->rest, s->slip};
  };
}

// Printed to four digits; the second eigenvalues of μ = 0.5 recomputed (22 is a misprint).
TEST(SlipFlow, PointsOfLiu) {
  const std::vector<SingularPoint> half = singular_points(flow_of(sliding::Arm{0.5}), liu);
  ASSERT_EQ(half.size(), 2u);
  EXPECT_NEAR(half[0].x, 0.6819, 5e-5);
  EXPECT_NEAR(half[0].rate, -1.006, 5e-4);
  EXPECT_NEAR(half[0].eigenvalues[0].real(), 1.273, 5e-4);
  EXPECT_NEAR(half[0].eigenvalues[1].real(), 1.964, 5e-4);
  EXPECT_EQ(half[0].kind, SingularKind::unstable_node);
  EXPECT_EQ(half[0].entry, SlipEntry::none);
  EXPECT_NEAR(half[1].x, 0.744, 5e-5);
  EXPECT_NEAR(half[1].rate, -0.982, 5e-4);
  EXPECT_NEAR(half[1].eigenvalues[0].real(), -1.379, 5e-4);
  EXPECT_NEAR(half[1].eigenvalues[1].real(), 5.080, 5e-4);
  EXPECT_EQ(half[1].kind, SingularKind::saddle);
  EXPECT_EQ(half[1].entry, SlipEntry::one);

  const std::vector<SingularPoint> more = singular_points(flow_of(sliding::Arm{0.8}), liu);
  ASSERT_EQ(more.size(), 2u);
  EXPECT_NEAR(more[0].x, 0.5266, 5e-5);
  EXPECT_NEAR(more[0].rate, 1.6153, 5e-5);
  EXPECT_NEAR(more[1].x, 0.7944, 5e-5);
  EXPECT_NEAR(more[1].rate, -0.8617, 5e-5);
  for (const auto& points : {half, more})
    for (const SingularPoint& p : points) EXPECT_FALSE(p.entered_from_slip) << p.x;
  for (const SingularPoint& p : more) EXPECT_EQ(p.kind, SingularKind::saddle) << p.x;
  EXPECT_TRUE(singular_points(flow_of(sliding::Arm{0.48}), liu).empty()) << "below the least critical friction";
}

// Two points that approach each other as μ falls to its least critical value: both within one cell, then within the
// last refinement.
TEST(SlipFlow, PointsCloseTogether) {
  double mu_least = 0.48;  // by bisection on whether A < 0 occurs, on a fine grid around θ1 = 0.7164
  double above = 0.49;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (mu_least + above);
    bool negative = false;
    for (int i = 0; i <= 4000; ++i)
      negative = negative || sliding::Arm{middle}.at(0.7164 + 2e-4 * (i - 2000) / 2000, -1)->A < 0;
    (negative ? above : mu_least) = middle;
  }
  for (const double excess : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const sliding::Arm arm{above + excess};
    const std::vector<SingularPoint> points = singular_points(flow_of(arm), liu);
    ASSERT_EQ(points.size(), 2u) << excess;
    for (const SingularPoint& p : points) {
      EXPECT_NEAR(arm.at(p.x, p.rate)->A, 0, 1e-14) << excess;
      EXPECT_NEAR(arm.at(p.x, p.rate)->B, 0, 1e-11) << excess;
    }
    // They lie symmetrically about the least, at a distance that grows as the root of the excess.
    EXPECT_NEAR((points[1].x - points[0].x) / std::sqrt(excess), 0.44, 0.04) << excess;
  }
}

// A = 0: t² − 3 μ t + 4 = 0, t = −tan θ; B = 0: θ̇² = g / sin θ. Near μ = 4/3 the roots are close.
TEST(SlipFlow, PointsOfTheRod) {
  constexpr std::uint64_t seed = 71101;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(40, 8); ++k) {
    const double mu = 4.0 / 3 + std::pow(10, random.uniform(-7, 0.2));
    const std::vector<SingularPoint> points = singular_points(flow_of(sliding::Rod{mu}), rods);
    ASSERT_EQ(points.size(), 4u) << mu;
    const double root = std::sqrt(9 * mu * mu - 16);
    for (std::size_t i = 0; i < 4; ++i) {
      const SingularPoint& p = points[i];
      const double theta = std::acos(-1) - std::atan((3 * mu + (i < 2 ? root : -root)) / 2);
      const double omega = std::copysign(std::sqrt(9.8 / std::sin(theta)), p.rate);
      ASSERT_NEAR(p.x, theta, 1e-9 + 1e-13 / root) << mu;
      ASSERT_NEAR(p.rate, omega, 1e-8 + 1e-12 / root) << mu;
      double first = (-3 * std::sin(2 * p.x) + 3 * mu * std::cos(2 * p.x)) * p.rate;
      double second = 3 * (std::cos(p.x) + mu * std::sin(p.x)) * 2 * p.rate * std::sin(p.x);
      if (first > second) std::swap(first, second);
      ASSERT_NEAR(p.eigenvalues[0].real(), first, 1e-6 * std::abs(first - second)) << mu;
      ASSERT_NEAR(p.eigenvalues[1].real(), second, 1e-6 * std::abs(first - second)) << mu;
    }
  }
}

TEST(SlipFlow, PointsAtTheEdgeOfTheBox) {
  const SlipFlow flow = flow_of(sliding::Arm{0.5});
  const SingularPoint p = singular_points(flow, liu)[1];
  for (const double distance : {1e-3, 1e-6, 1e-9}) {
    EXPECT_EQ(singular_points(flow, {p.x - distance, 0.8411, -4, 4}).size(), 1u) << distance;
    EXPECT_EQ(singular_points(flow, {p.x + distance, 0.8411, -4, 4}).size(), 0u) << distance;
    EXPECT_EQ(singular_points(flow, {0.7, 0.8411, -4, p.rate + distance}).size(), 1u) << distance;
    EXPECT_EQ(singular_points(flow, {0.7, 0.8411, -4, p.rate - distance}).size(), 0u) << distance;
  }
}

// A flow with given K at (x, ẋ) = (0, 1), where P = [1 0; h −g].
struct Linear {
  double a1, a2, b1, b2, g, h;

  SlipFlow flow() const {
    return [*this](double x, double rate) {
      return SlipFlowValue{a1 * x + a2 * (rate - 1), b1 * x + b2 * (rate - 1), g, h};
    };
  }
  // (α, β)' = G P (α, β)
  std::pair<double, double> operator()(double alpha, double beta) const {
    const double x = alpha, rate = h * alpha - g * beta;
    return {a1 * x + a2 * rate, b1 * x + b2 * rate};
  }
};

// Directions in the quadrant that keep their direction and shrink; and whether starts spread over it (none on such a
// direction) shrink to nothing without leaving it.
SlipEntry entry_by_force(const Linear& k) {
  constexpr int directions = 20000;
  const auto turning = [&](int i) {
    const double phi = -std::acos(0) * (i + 0.5) / directions;
    const auto [p, q] = k(std::cos(phi), std::sin(phi));
    return std::pair(std::cos(phi) * q - std::sin(phi) * p, std::cos(phi) * p + std::sin(phi) * q);
  };
  int fixed = 0;
  for (int i = 0; i + 1 < directions; ++i)
    if (turning(i).first * turning(i + 1).first < 0 && turning(i).second < 0) ++fixed;
  for (int start = 1; start < 40; ++start) {
    double alpha = std::cos(-std::acos(0) * start / 40), beta = std::sin(-std::acos(0) * start / 40);
    const auto [k11, k21] = k(1, 0);
    const auto [k12, k22] = k(0, 1);
    const double step = 0.02 / (std::hypot(k11, k12) + std::hypot(k21, k22));
    for (int i = 0; i < 200000 && alpha > 0 && beta < 0; ++i) {
      const double radius = std::hypot(alpha, beta);
      if (radius < 1e-12) return SlipEntry::open_set;
      if (radius > 1e3) break;
      const auto [p, q] = k(alpha, beta);
      const auto [pm, qm] = k(alpha + 0.5 * step * p, beta + 0.5 * step * q);
      alpha += step * pm;
      beta += step * qm;
    }
  }
  return fixed > 0 ? SlipEntry::one : SlipEntry::none;
}

TEST(SlipFlow, KindAndEntryOfRandomFlows) {
  constexpr std::uint64_t seed = 71102;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int kinds[6] = {}, entries[3] = {};
  for (int n = 0; n < scaled(300, 60); ++n) {
    const double slope =
        random.chance(0.4) ? 0 : random.normal();  // A that depends on x only, as with constant friction
    const Linear k{random.normal(), slope, random.normal(), random.normal(), random.normal(), random.normal()};
    const auto [k11, k21] = k(1, 0);
    const auto [k12, k22] = k(0, 1);
    const double half = 0.5 * (k11 + k22), determinant = k11 * k22 - k12 * k21, square = half * half - determinant;
    const double unit = std::hypot(k11, k12, k21) + std::abs(k22);
    if (std::abs(determinant) < 0.05 * unit * unit || std::abs(square) < 0.02 * unit * unit ||
        std::abs(half) < 0.05 * unit)
      continue;  // nearly degenerate: force would need too long
    const std::vector<SingularPoint> points = singular_points(k.flow(), {-1, 0.9, 0.05, 2.1}, {20});
    ASSERT_EQ(points.size(), 1u);
    const SingularPoint& p = points[0];
    ASSERT_NEAR(p.x, 0, 1e-12);
    ASSERT_NEAR(p.rate, 1, 1e-12);
    ASSERT_NEAR(p.jacobian[0][0], k.a1, 1e-8 * unit);
    ASSERT_NEAR(p.jacobian[0][1], k.a2, 1e-8 * unit);
    ASSERT_NEAR(p.jacobian[1][0], k.h * k.a1 - k.g * k.b1, 1e-8 * unit);
    ASSERT_NEAR(p.jacobian[1][1], k.h * k.a2 - k.g * k.b2, 1e-8 * unit);
    const SingularKind expected = determinant < 0 ? SingularKind::saddle
                                  : square < 0 ? (half < 0 ? SingularKind::stable_focus : SingularKind::unstable_focus)
                                  : half < 0   ? SingularKind::stable_node
                                               : SingularKind::unstable_node;
    ASSERT_STREQ(name(p.kind), name(expected));
    ASSERT_STREQ(name(p.entry), name(entry_by_force(k)))
        << k.a1 << ' ' << k.a2 << ' ' << k.b1 << ' ' << k.b2 << ' ' << k.g << ' ' << k.h;
    ASSERT_EQ(p.entered_from_slip, p.entry == SlipEntry::open_set);
    ++kinds[static_cast<int>(p.kind)];
    ++entries[static_cast<int>(p.entry)];
  }
  for (int i = 0; i < 5; ++i) EXPECT_GT(kinds[i], 0) << name(static_cast<SingularKind>(i));
  for (const int count : entries) EXPECT_GT(count, 0);
}

TEST(SlipFlow, DegeneratePoint) {
  // B = 0 touches A = 0.
  const SlipFlow flow = [](double x, double rate) { return SlipFlowValue{x, x + (rate - 1) * (rate - 1), 1, 0}; };
  for (const SingularPoint& p : singular_points(flow, {-1, 1, 0.1, 2})) {
    EXPECT_EQ(p.kind, SingularKind::degenerate);
    EXPECT_FALSE(p.entered_from_slip);
  }
  const SlipFlow zero = [](double, double) { return SlipFlowValue{}; };
  EXPECT_LE(singular_points(zero, {-1, 1, 0.1, 2}).size(), 1u << 20) << "ends";
}

// [Génot 1999]: sliding rods reach the singular point, with a force without bound, from μ = 8/(3√3) on. Slides from all
// around say the same (not too near below the critical value, where they detach only in the last millionth).
TEST(SlipFlow, RodEntersThePoint) {
  const double critical = 8 / (3 * std::sqrt(3));
  for (const double mu : {1.34, 1.38, 1.42, 1.56, 1.7, 2.5}) {
    const SlipFlow flow = flow_of(sliding::Rod{mu});
    const std::vector<SingularPoint> points = singular_points(flow, rods);
    const auto node = std::find_if(points.begin(), points.end(),
                                   [](const SingularPoint& p) { return p.kind == SingularKind::stable_node; });
    ASSERT_NE(node, points.end()) << mu;
    EXPECT_EQ(node->entered_from_slip, mu > critical) << mu;
    for (const SingularPoint& p : points)
      EXPECT_TRUE(p.kind == SingularKind::stable_node || p.entry == SlipEntry::none) << mu;
    int slides = 0, arrived = 0;
    for (int k = 0; k < 48; ++k) {
      const double phi = 2 * std::acos(-1) * k / 48;
      const double x = node->x + 0.02 * std::cos(phi), rate = node->rate + 0.2 * std::sin(phi);
      const auto value = flow(x, rate);
      if (!(value->A > 0 && value->B < 0)) continue;
      ++slides;
      const FlowTrajectory path = slide(flow, rods, x, rate, 5);
      if (path.end == FlowEnd::near_singular) {
        ++arrived;
        EXPECT_NEAR(path.points.back().x, node->x, 1e-5);
        EXPECT_NEAR(path.points.back().rate, node->rate, 1e-4);
      }
    }
    EXPECT_GT(slides, 5) << mu;
    EXPECT_EQ(arrived > 0, mu > critical) << mu;
  }
}

// At the saddle of μ = 0.5 one slide enters: on one side of it they detach, on the other the slip ends.
TEST(SlipFlow, OneSlideEntersTheSaddle) {
  const SlipFlow flow = flow_of(sliding::Arm{0.5});
  const SingularPoint p = singular_points(flow, liu)[1];
  double low = -1.3, high = -0.7;
  const auto passes = [&](double rate) { return slide(flow, liu, 0.76, rate, 1); };
  // From far below B > 0 at the start; from above the rod halts.
  ASSERT_EQ(passes(low).end, FlowEnd::detached);
  ASSERT_EQ(passes(high).end, FlowEnd::slip_ends);
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    const FlowEnd end = passes(middle).end;
    if (end == FlowEnd::near_singular) {
      low = high = middle;
      break;
    }
    (end == FlowEnd::detached ? low : high) = middle;
  }
  const FlowTrajectory path = passes(low);
  EXPECT_GT(path.points.size(), 5u);
  EXPECT_LT(std::hypot(path.points.back().x - p.x, path.points.back().rate - p.rate), 1e-4);
}

// Liu's claim: no slide from the admissible set reaches the paradox.
TEST(SlipFlow, SlidesOfLiuDoNotEnter) {
  constexpr std::uint64_t seed = 71103;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (const double mu : {0.5, 0.8, 1.2}) {
    const SlipFlow flow = flow_of(sliding::Arm{mu});
    for (int k = 0; k < scaled(100, 20); ++k) {
      const double x = random.uniform(-0.84, 0.84), rate = random.uniform(-4, 4);
      const auto start = flow(x, rate);
      if (!start || !(start->A > 0 && start->B < 0)) continue;
      const FlowTrajectory path = slide(flow, liu, x, rate, 3);
      ASSERT_TRUE(path.end != FlowEnd::reached_paradox && path.end != FlowEnd::near_singular &&
                  path.end != FlowEnd::step_limit)
          << name(path.end) << " from " << x << ' ' << rate << " μ " << mu;
      const auto& last = path.points.back();
      if (std::abs(last.x) > 0.841) continue;  // at the edge of the postures B changes within rounding of x
      const double B = flow(last.x, last.rate)->B;
      ASSERT_TRUE(path.end != FlowEnd::detached || std::abs(B) < 1e-9) << B;
    }
  }
}

// Runge and Kutta's classical step in time, small and even.
routh::FlowPoint plain(const SlipFlow& flow, routh::FlowPoint p, double duration, int steps) {
  const auto acceleration = [&](double x, double rate) {
    const auto f = flow(x, rate);
    return f->rest - f->gain * f->B / f->A;
  };
  const double h = duration / steps;
  for (int k = 0; k < steps; ++k) {
    const double v1 = p.rate, a1 = acceleration(p.x, v1);
    const double v2 = p.rate + 0.5 * h * a1, a2 = acceleration(p.x + 0.5 * h * v1, v2);
    const double v3 = p.rate + 0.5 * h * a2, a3 = acceleration(p.x + 0.5 * h * v2, v3);
    const double v4 = p.rate + h * a3, a4 = acceleration(p.x + h * v3, v4);
    p.x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    p.rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    p.time += h;
  }
  return p;
}

TEST(Slide, AgreesWithPlainSteps) {
  const SlipFlow arm = flow_of(sliding::Arm{0.5}), rod = flow_of(sliding::Rod{1.4});
  struct Case {
    const SlipFlow& flow;
    FlowBox box;
    double x, rate, duration;
  };
  for (const Case& c : {Case{arm, liu, 0.3, -1, 0.5},
                        {arm, liu, 0.3, 1, 0.15},
                        {arm, liu, 0.76, -0.9, 0.01},
                        {arm, liu, -0.3, 1, 0.4},
                        {rod, rods, 2.6, -3.4, 0.1}}) {
    const FlowTrajectory path = slide(c.flow, c.box, c.x, c.rate, c.duration);
    ASSERT_EQ(path.end, FlowEnd::time_up);
    const routh::FlowPoint expected = plain(c.flow, {0, c.x, c.rate}, c.duration, 4000);
    EXPECT_NEAR(path.points.back().time, c.duration, 1e-13);
    EXPECT_NEAR(path.points.back().x, expected.x, 2e-9) << c.x;
    EXPECT_NEAR(path.points.back().rate, expected.rate, 2e-8) << c.x;
    for (std::size_t k = 1; k < path.points.size(); ++k) ASSERT_GT(path.points[k].time, path.points[k - 1].time);
  }
}

// A block that friction brings to rest: A = 1, B = −g, ẍ = −μ F.
TEST(Slide, BlockHalts) {
  const SlipFlow flow = [](double, double rate) { return SlipFlowValue{1, -9.8, -0.3, 0, rate}; };
  const FlowTrajectory path = slide(flow, {-1, 10, -5, 5}, 0, 2, 10);
  EXPECT_EQ(path.end, FlowEnd::slip_ends);
  const double deceleration = 0.3 * 9.8;
  EXPECT_NEAR(path.points.back().time, 2 / deceleration, 1e-9);
  EXPECT_NEAR(path.points.back().x, 2 / deceleration, 1e-8);
  EXPECT_NEAR(path.points.back().rate, 0, 1e-11);
}

// ẍ = 1/(1 − ẋ): (1 − ẋ)² = 1 − 2t, so that A = 1 − ẋ vanishes at t = 1/2, x = 1/2 − 1/3.
TEST(Slide, ReachesTheParadox) {
  const SlipFlow flow = [](double, double rate) { return SlipFlowValue{1 - rate, -1, 1, 0}; };
  const FlowTrajectory path = slide(flow, {-1, 1, -2, 2}, 0, 0, 10);
  EXPECT_EQ(path.end, FlowEnd::reached_paradox);
  EXPECT_NEAR(path.points.back().time, 0.5, 1e-9);
  EXPECT_NEAR(path.points.back().x, 1.0 / 6, 1e-9);
  EXPECT_NEAR(path.points.back().rate, 1, 1e-12);
}

// Coasting, ẋ = 1: every end that depends on x alone comes at a time that is known.
TEST(Slide, OtherEnds) {
  const auto coast = [](double wall, double lift) -> SlipFlow {
    return [=](double x, double) -> std::optional<SlipFlowValue> {
      if (x > wall) return {};
      return SlipFlowValue{1, x - lift, 0, 0};
    };
  };
  const FlowBox box = {0, 1, -2, 2};
  const auto expect = [&](const FlowTrajectory& path, FlowEnd end, double time) {
    EXPECT_STREQ(name(path.end), name(end));
    EXPECT_NEAR(path.points.back().time, time, 1e-10);
    EXPECT_NEAR(path.points.back().x, 0.1 + time, 1e-10);
  };
  expect(slide(coast(9, 9), box, 0.1, 1, 0.5), FlowEnd::time_up, 0.5);
  expect(slide(coast(9, 9), box, 0.1, 1, 5), FlowEnd::left_box, 0.9);
  expect(slide(coast(0.7, 9), box, 0.1, 1, 5), FlowEnd::no_posture, 0.6);
  expect(slide(coast(9, 0.3), box, 0.1, 1, 5), FlowEnd::detached, 0.2);
  expect(slide(coast(9, 0.05), box, 0.1, 1, 5), FlowEnd::detached, 0);
  expect(slide(coast(0.05, 9), box, 0.1, 1, 5), FlowEnd::no_posture, 0);
  // At rest for ever.
  const FlowTrajectory rest = slide(coast(9, 9), box, 0.5, 0, 5);
  EXPECT_EQ(rest.end, FlowEnd::time_up);
  EXPECT_EQ(rest.points.back().x, 0.5);
}

TEST(Slide, BadInput) {
  const SlipFlow flow = [](double, double) { return SlipFlowValue{1, -1, 0, 0}; };
  EXPECT_THROW(slide(flow, {1, 0, -1, 1}, 0, 0, 1), routh::InputError);
  EXPECT_THROW(slide(flow, {0, 1, -1, 1}, 0, 0, -1), routh::InputError);
  EXPECT_THROW(slide(flow, {0, 1, -1, 1}, std::nan(""), 0, 1), routh::InputError);
  EXPECT_THROW(singular_points(flow, {0, 1, 1, 1}), routh::InputError);
  const SlipFlow nan = [](double, double) { return SlipFlowValue{std::nan(""), -1, 0, 0}; };
  EXPECT_EQ(slide(nan, {0, 1, -1, 1}, 0.5, 0, 1).end, FlowEnd::no_posture);
  EXPECT_TRUE(singular_points(nan, {0, 1, -1, 1}).empty());
}

}  // namespace
