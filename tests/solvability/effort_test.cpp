// Least efforts against brute force over active sets (plane), against a scan of directions (space) and statics by
// hand; rates against differences of the solved modes.
#include "routh/solvability/effort.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "routh/base/error.h"
#include "solvability/contact_modes_support.h"

namespace {

using namespace contact_modes_testing;
using routh::ContactAim;
using routh::EffortAnswer;
using routh::EffortProblem;
using routh::EffortRange;

constexpr double boundless = std::numeric_limits<double>::infinity();

EffortProblem random_efforts(Random& random, Dimension dimension, int count, int efforts, double slip_chance) {
  EffortProblem p;
  p.contacts = random_problem(random, dimension, count, slip_chance);
  p.response = random_matrix(random, count * p.contacts.rows(), efforts);
  p.lower.setConstant(efforts, -boundless);
  p.upper.setConstant(efforts, boundless);
  p.price.resize(efforts);
  for (double& price : p.price) price = random.uniform(0.3, 3);
  if (random.chance(0.5)) p.normal_force = random.uniform(0, 0.5);
  if (random.chance(0.3)) p.reserve = random.uniform(0, 0.5);
  return p;
}

// Constraints on (e, λ), of planar contacts: E y = d, G y ≥ h. Written from the definition.
struct Polyhedron {
  Eigen::MatrixXd equal, least;
  Eigen::VectorXd d, h;

  void add(Eigen::MatrixXd& rows, Eigen::VectorXd& bounds, const Eigen::RowVectorXd& row, double bound) {
    rows.conservativeResize(rows.rows() + 1, row.size());
    rows.bottomRows(1) = row;
    bounds.conservativeResize(bounds.size() + 1);
    bounds[bounds.size() - 1] = bound;
  }

  Polyhedron(const EffortProblem& p, const std::vector<ContactAim>& aims) {
    const Eigen::Index m = p.efforts(), size = m + p.contacts.inertia.rows();
    const auto force = [&](Eigen::Index row) { return Eigen::RowVectorXd(Eigen::RowVectorXd::Unit(size, m + row)); };
    const auto acceleration = [&](Eigen::Index row) {
      Eigen::RowVectorXd all(size);
      all << p.response.row(row), p.contacts.inertia.row(row);
      return all;
    };
    equal.resize(0, size);
    least.resize(0, size);
    for (Eigen::Index k = 0; k < m; ++k) {
      if (std::isfinite(p.lower[k])) add(least, h, Eigen::RowVectorXd::Unit(size, k), p.lower[k]);
      if (std::isfinite(p.upper[k])) add(least, h, -Eigen::RowVectorXd::Unit(size, k), -p.upper[k]);
    }
    for (int c = 0; c < p.contacts.count(); ++c) {
      const Eigen::Index n = 2 * c, t = n + 1;
      const routh::Friction& friction = p.contacts.friction[static_cast<std::size_t>(c)];
      const double f_n = p.contacts.free_acceleration[n], f_t = p.contacts.free_acceleration[t];
      if (aims[static_cast<std::size_t>(c)] == ContactAim::open) {
        add(equal, d, force(n), 0);
        add(equal, d, force(t), 0);
        add(least, h, acceleration(n), p.contacts.inertia(n, n) * p.normal_force - f_n);
        continue;
      }
      add(equal, d, acceleration(n), -f_n);
      add(least, h, force(n), p.normal_force);
      if (const double slip = p.contacts.velocity[t]; slip != 0) {
        add(equal, d, force(t) + friction.kinetic_coefficient * std::copysign(1, slip) * force(n), 0);
        continue;
      }
      add(equal, d, acceleration(t), -f_t);
      const double mu = friction.static_coefficient * (1 - p.reserve);
      add(least, h, mu * force(n) + force(t), 0);
      add(least, h, mu * force(n) - force(t), 0);
    }
  }
};

// The least Σ price e² over all sets of active inequalities.
std::optional<double> brute_force(const EffortProblem& p, const std::vector<ContactAim>& aims) {
  const Polyhedron set(p, aims);
  const Eigen::Index size = set.equal.cols(), fixed = set.equal.rows(), rows = set.least.rows();
  std::optional<double> best;
  for (unsigned mask = 0; mask < (1u << static_cast<unsigned>(rows)); ++mask) {
    std::vector<Eigen::Index> active;
    for (Eigen::Index i = 0; i < rows; ++i)
      if ((mask >> static_cast<unsigned>(i)) & 1u) active.push_back(i);
    const auto count = static_cast<Eigen::Index>(active.size());
    if (fixed + count > size) continue;
    Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(size + fixed + count, size + fixed + count);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(kkt.rows());
    kkt.diagonal().head(p.efforts()) = p.price;
    kkt.block(size, 0, fixed, size) = set.equal;
    kkt.block(0, size, size, fixed) = set.equal.transpose();
    right.segment(size, fixed) = set.d;
    for (Eigen::Index k = 0; k < count; ++k) {
      const Eigen::Index i = active[static_cast<std::size_t>(k)];
      kkt.row(size + fixed + k).head(size) = set.least.row(i);
      kkt.col(size + fixed + k).head(size) = set.least.row(i).transpose();
      right[size + fixed + k] = set.h[i];
    }
    const Eigen::VectorXd y = kkt.fullPivLu().solve(right);
    if ((kkt * y - right).lpNorm<Eigen::Infinity>() > 1e-8 * (1 + y.norm())) continue;
    if (((set.least * y.head(size) - set.h).array() < -1e-9 * (1 + y.norm())).any()) continue;
    const double cost = std::sqrt((p.price.array() * y.head(p.efforts()).array().square()).sum());
    if (!best || cost < *best) best = cost;
  }
  return best;
}

TEST(Effort, IsTheLeastOfAllActiveSets) {
  Random random(2801);
  const int tried = testing_support::scaled(400);
  int found = 0, refused = 0;
  for (int k = 0; k < tried; ++k) {
    const int count = 1 + k % 3, efforts = 1 + k % 4;
    EffortProblem p = random_efforts(random, Dimension::planar, count, efforts, 0.3);
    if (random.chance(0.5))
      for (int i = 0; i < efforts; ++i) p.upper[i] = random.uniform(0.2, 3);
    if (random.chance(0.5))
      for (int i = 0; i < efforts; ++i) p.lower[i] = -random.uniform(-0.1, 3);
    std::vector<ContactAim> aims;
    for (int c = 0; c < count; ++c) aims.push_back(random.chance(0.3) ? ContactAim::open : ContactAim::stay);
    const EffortAnswer answer = least_effort(p, aims);
    const std::optional<double> expected = brute_force(p, aims);
    ASSERT_EQ(answer.exists, expected.has_value()) << k << "\n" << describe(p.contacts);
    if (!expected) {
      ++refused;
      continue;
    }
    ++found;
    EXPECT_NEAR(answer.cost, *expected, 1e-9 * (1 + *expected)) << k << "\n" << describe(p.contacts);
    EXPECT_TRUE((answer.effort.array() >= p.lower.array()).all() && (answer.effort.array() <= p.upper.array()).all());
  }
  EXPECT_GT(found, tried / 4);
  EXPECT_GT(refused, tried * 30 / 400);
}

// λ = −D⁻¹(f + R e) of one contact in space that must stick; where does a ray of e enter the cone? The cone is convex
// and 0 is outside, so that the nearest point is the least entry over all directions.
TEST(Effort, StickInSpaceIsTheLeastOfAllDirections) {
  Random random(2802);
  int found = 0;
  const int tried = testing_support::scaled(60, 20);
  for (int k = 0; k < tried; ++k) {
    EffortProblem p = random_efforts(random, Dimension::spatial, 1, 2, 0);
    p.price.setOnes();
    const Eigen::Matrix3d d = p.contacts.inertia;
    const Eigen::Vector3d at = -d.inverse() * p.contacts.free_acceleration;
    const Eigen::Matrix<double, 3, 2> slope = -d.inverse() * p.response;
    const double mu = p.contacts.friction[0].static_coefficient * (1 - p.reserve);
    const auto inside = [&](const Eigen::Vector2d& e) {
      const Eigen::Vector3d force = at + slope * e;
      return std::min(force[0] - p.normal_force, mu * force[0] - force.tail(2).norm());
    };
    // min over the set of ‖e‖ by a penalty-free scan: the largest of two concave functions' minimum along a ray is
    // concave, so that its first zero is found by golden section for its top and bisection below.
    const auto entry = [&](double angle) {
      const Eigen::Vector2d along(std::cos(angle), std::sin(angle));
      double low = 0, high = 200;
      for (int i = 0; i < 120; ++i) {
        const double a = low + 0.381966 * (high - low), b = high - 0.381966 * (high - low);
        (inside(a * along) < inside(b * along) ? low : high) = inside(a * along) < inside(b * along) ? a : b;
      }
      double out = 0, in = 0.5 * (low + high);
      if (inside(in * along) < 0) return boundless;
      for (int i = 0; i < 100; ++i) (inside(0.5 * (in + out) * along) < 0 ? out : in) = 0.5 * (in + out);
      return in;
    };
    const std::vector<ContactAim> aims{ContactAim::stay};
    const EffortAnswer answer = least_effort(p, aims);
    if (inside(Eigen::Vector2d::Zero()) >= 0) {
      EXPECT_TRUE(answer.exists);
      EXPECT_NEAR(answer.cost, 0, 1e-9);
      continue;
    }
    double best = boundless, best_angle = 0;
    for (int i = 0; i < 720; ++i) {
      const double angle = i * pi / 360, r = entry(angle);
      if (r < best) best = r, best_angle = angle;
    }
    if (std::isinf(best) || best > 100) continue;
    double low = best_angle - pi / 360, high = best_angle + pi / 360;
    for (int i = 0; i < 60; ++i) {
      const double a = low + 0.381966 * (high - low), b = high - 0.381966 * (high - low);
      (entry(a) > entry(b) ? low : high) = entry(a) > entry(b) ? a : b;
    }
    best = std::min(best, entry(0.5 * (low + high)));
    ASSERT_TRUE(answer.exists) << describe(p.contacts);
    EXPECT_NEAR(answer.cost, best, 1e-7 * (1 + best)) << describe(p.contacts);
    EXPECT_LE(answer.cost, best * (1 + 1e-9)) << describe(p.contacts);
    ++found;
  }
  EXPECT_GT(found, tried / 3);
}

// A box of weight W between two fingers, each of which presses with N + e: 2 μ (N + e) carries W. Rows n, t of the left
// contact, then of the right; coordinates: finger, finger, box (x, y, angle). D is redundant: squeezing does not move.
EffortProblem gripper(double mu, double weight, double squeeze) {
  const double finger = 0.5, box = 2, turning = 0.1;
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(4, 5);
  jacobian.row(0) << -1, 0, 1, 0, 0;     // gap of the left finger opens as the box moves right of it
  jacobian.row(1) << 0, 0, 0, 1, -0.05;  // the box's side slides up
  jacobian.row(2) << 0, 1, -1, 0, 0;
  jacobian.row(3) << 0, 0, 0, 1, 0.05;
  Eigen::VectorXd inverse(5), load(5);
  inverse << 1 / finger, 1 / finger, 1 / box, 1 / box, 1 / turning;
  load << squeeze, -squeeze, 0, -weight, 0;
  EffortProblem p;
  p.contacts.dimension = Dimension::planar;
  p.contacts.inertia = jacobian * inverse.asDiagonal() * jacobian.transpose();
  p.contacts.free_acceleration = jacobian * inverse.asDiagonal() * load;
  p.contacts.velocity = Eigen::VectorXd::Zero(4);
  p.contacts.friction = {{mu, mu}, {mu, mu}};
  p.response = jacobian * inverse.asDiagonal() * Eigen::MatrixXd::Identity(5, 2);
  p.lower.setConstant(2, -boundless);
  p.upper.setConstant(2, boundless);
  p.price.setOnes(2);
  return p;
}

TEST(Effort, GripperNeedsHalfTheWeightByFriction) {
  const EffortProblem p = gripper(0.4, 19.62, 5);
  const std::vector<ContactAim> aims(2, ContactAim::stay);
  const double needed = 19.62 / (2 * 0.4) - 5;
  const EffortAnswer answer = least_effort(p, aims);
  ASSERT_TRUE(answer.exists);
  EXPECT_NEAR(answer.effort[0], needed, 1e-9);
  EXPECT_NEAR(answer.effort[1], -needed, 1e-9);
  // Pushed from one side alone the three run away with e/3, and the other finger presses with e/6 more.
  const EffortRange left = effort_range(p, aims, 0);
  ASSERT_TRUE(left.exists);
  EXPECT_NEAR(left.low, 6 * needed, 1e-8);
  EXPECT_EQ(left.high, boundless);
  EXPECT_TRUE(effort_fulfils(p, aims, Eigen::Vector2d(needed + 0.1, -needed - 0.1)));
  EXPECT_FALSE(effort_fulfils(p, aims, Eigen::Vector2d(needed - 0.1, -needed + 0.1)));
  EffortProblem limited = p;
  limited.upper[0] = needed - 0.5;
  limited.lower[1] = -needed;
  EXPECT_FALSE(least_effort(limited, aims).exists);
  EffortProblem careful = p;
  careful.reserve = 0.2;
  EXPECT_NEAR(least_effort(careful, aims).effort[0], 19.62 / (2 * 0.4 * 0.8) - 5, 1e-9);
}

// A mass on the ground, pulled by e up and g along: to stay (W − e) μ ≥ g; to open e ≥ W.
TEST(Effort, RangesOfOneEffort) {
  EffortProblem p;
  p.contacts.dimension = Dimension::planar;
  p.contacts.inertia = Eigen::Matrix2d::Identity() / 2;
  p.contacts.free_acceleration = Eigen::Vector2d(-10, 2);
  p.contacts.velocity = Eigen::Vector2d::Zero();
  p.contacts.friction = {{0.5, 0.5}};
  p.response = Eigen::Matrix2d::Identity() / 2;
  p.lower.setConstant(2, -boundless);
  p.upper.setConstant(2, boundless);
  p.price.setOnes(2);
  const std::vector<ContactAim> stay{ContactAim::stay}, open{ContactAim::open};
  const EffortRange up = effort_range(p, stay, 0), along = effort_range(p, stay, 1), opens = effort_range(p, open, 0);
  EXPECT_EQ(up.low, -boundless);
  EXPECT_NEAR(up.high, 20 - 4 / 0.5, 1e-9);
  EXPECT_NEAR(along.low, -14, 1e-9);
  EXPECT_NEAR(along.high, 6, 1e-9);
  EXPECT_NEAR(opens.low, 20, 1e-9);
  EXPECT_EQ(opens.high, boundless);
  EXPECT_FALSE(effort_range(p, open, 1).exists);
}

// Slip that jams: A < 0 whatever the effort. Brute force over the aims finds that it can only be made to let go.
TEST(Effort, AJamIsOnlyLeftByLettingGo) {
  EffortProblem p;
  p.contacts.dimension = Dimension::planar;
  p.contacts.inertia = (Eigen::Matrix2d() << 1, 1, 1, 2).finished();
  p.contacts.free_acceleration = Eigen::Vector2d(-3, 0);
  p.contacts.velocity = Eigen::Vector2d(0, 1);
  p.contacts.friction = {{1.5, 1.5}};
  p.response = Eigen::MatrixXd::Constant(2, 1, 2);
  p.lower.setConstant(1, -boundless);
  p.upper.setConstant(1, boundless);
  p.price.setOnes(1);
  ASSERT_TRUE(examine_modes(p.contacts).solutions.empty());
  const routh::EffortChoice out = least_effort_of_any(p);
  ASSERT_TRUE(out.answer.exists);
  EXPECT_NEAR(out.answer.effort[0], 1.5, 1e-9);
  for (const double e : {-5.0, 0.0, 1.0, 1.4})
    EXPECT_TRUE(examine_modes(with_effort(p, Eigen::VectorXd::Constant(1, e))).solutions.empty());
  const ModesReport after = examine_modes(with_effort(p, Eigen::VectorXd::Constant(1, 1.6)));
  ASSERT_FALSE(after.solutions.empty());
  EXPECT_EQ(after.solutions.front().modes.front(), ContactMode::free);
}

TEST(Effort, RatesAreDifferencesOfTheSolution) {
  Random random(2803);
  int compared = 0;
  const int tried = testing_support::scaled(60, 20);
  for (int k = 0; k < tried; ++k) {
    const Dimension dimension = k % 2 == 0 ? Dimension::planar : Dimension::spatial;
    const EffortProblem p = random_efforts(random, dimension, 1 + k % 2, 2, 0.4);
    const ModesReport report = examine_modes(p.contacts);
    if (report.solutions.size() != 1) continue;
    const ModesSolution& here = report.solutions.front();
    const routh::EffortRates rates = effort_rates(p, here);
    EXPECT_TRUE(rates.unique);
    for (int effort = 0; effort < 2; ++effort) {
      const double h = 1e-5;
      const ModesReport up = examine_modes(with_effort(p, h * Eigen::Vector2d::Unit(effort)));
      const ModesReport down = examine_modes(with_effort(p, -h * Eigen::Vector2d::Unit(effort)));
      if (up.solutions.size() != 1 || down.solutions.size() != 1) continue;
      if (up.solutions[0].modes != here.modes || down.solutions[0].modes != here.modes) continue;
      const Eigen::VectorXd slope = (up.solutions[0].force - down.solutions[0].force) / (2 * h);
      EXPECT_LT((rates.force.col(effort) - slope).norm(), 1e-6 * (1 + slope.norm())) << k << "\n"
                                                                                     << describe(p.contacts);
      ++compared;
    }
  }
  EXPECT_GT(compared, tried * 2 / 3);
}

TEST(Effort, RefusesWhatDoesNotFit) {
  EffortProblem p = gripper(0.4, 10, 5);
  const std::vector<ContactAim> aims(2, ContactAim::stay);
  EXPECT_THROW(least_effort(p, std::vector<ContactAim>(1, ContactAim::stay)), routh::InputError);
  p.price[0] = 0;
  EXPECT_THROW(least_effort(p, aims), routh::InputError);
  p.price[0] = 1;
  p.lower[1] = 2;
  p.upper[1] = 1;
  EXPECT_THROW(least_effort(p, aims), routh::InputError);
  p.lower[1] = -boundless;
  p.reserve = 1;
  EXPECT_THROW(least_effort(p, aims), routh::InputError);
  p.reserve = 0;
  p.response(0, 0) = std::nan("");
  EXPECT_THROW(least_effort(p, aims), routh::InputError);
}

}  // namespace
