// All solutions of the frictional acceleration problem: closed forms for one contact, all complementary bases for
// several in the plane, convexity without friction.
#include "routh/solvability/contact_modes.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "routh/base/error.h"
#include "solvability/contact_modes_support.h"

namespace {

using namespace contact_modes_testing;
using testing_support::scaled;

// ---- one contact ----

// Slip given [Liu 2007, Table 1]: A λ_n + B = v̇_n with A = a − μ c σ, B = f_n.
TEST(ContactModes, OneSlidingContactIsLiusTable) {
  constexpr std::uint64_t seed = 7301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int none = 0, two = 0;
  for (int k = 0; k < scaled(2000, 200); ++k) {
    ModesProblem p = random_problem(random, Dimension::planar, 1, 1);
    p.free_acceleration[0] = random.normal();
    p.friction[0].kinetic_coefficient = p.friction[0].static_coefficient = random.uniform(0, 4);
    const double sigma = p.velocity[1] > 0 ? 1 : -1, mu = p.friction[0].kinetic_coefficient;
    const Eigen::Vector2d column = p.inertia * Eigen::Vector2d(1, -mu * sigma);
    const double b = p.free_acceleration[0];
    std::vector<Eigen::VectorXd> expected;
    if (b > 0) expected.push_back(p.free_acceleration);
    if (-b / column[0] > 0) expected.push_back(p.free_acceleration - b / column[0] * column);
    none += expected.empty();
    two += expected.size() == 2;
    const ModesReport report = examine_modes(p);
    ASSERT_EQ(report.status, ModesStatus::complete);
    expect_same_list(p, report, expected);
    if (HasFailure()) return;
  }
  EXPECT_GT(none, 0);
  EXPECT_GT(two, 0);
}

// At rest in the plane; static friction above kinetic, so that stick and slip can both be right.
TEST(ContactModes, OneRestingContactInThePlane) {
  constexpr std::uint64_t seed = 7302;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int both = 0;
  for (int k = 0; k < scaled(2000, 200); ++k) {
    ModesProblem p = random_problem(random, Dimension::planar, 1, 0);
    const double mu_k = random.uniform(0, 2), mu_s = mu_k * random.uniform(1, 1.8);
    p.friction[0] = {mu_s, mu_k};
    const Eigen::Vector2d f = p.free_acceleration;
    const Eigen::Matrix2d d = p.inertia;
    std::vector<Eigen::VectorXd> expected;
    if (f[0] > 0) expected.push_back(f);
    const Eigen::Vector2d hold = -d.inverse() * f;
    const bool sticks = hold[0] > 0 && std::abs(hold[1]) < mu_s * hold[0];
    if (sticks) expected.push_back(Eigen::Vector2d::Zero());
    for (const double sigma : {1.0, -1.0}) {
      const Eigen::Vector2d column = d * Eigen::Vector2d(1, -mu_k * sigma);
      const double normal = -f[0] / column[0];
      const Eigen::Vector2d a = f + column * normal;
      if (normal > 0 && sigma * a[1] > 0) {
        expected.push_back(a);
        both += sticks;
      }
    }
    const ModesReport report = examine_modes(p);
    ASSERT_EQ(report.status, ModesStatus::complete);
    expect_same_list(p, report, expected);
    if (HasFailure()) return;
  }
  EXPECT_GT(both, 0);
}

// At rest in space: the direction of slip by a fine scan of the circle.
std::vector<Eigen::VectorXd> scan_circle(const ModesProblem& p) {
  const Eigen::Vector3d f = p.free_acceleration;
  const Eigen::Matrix3d d = p.inertia;
  const double mu_s = p.friction[0].static_coefficient, mu_k = p.friction[0].kinetic_coefficient;
  std::vector<Eigen::VectorXd> found;
  if (f[0] > 0) found.push_back(f);
  const Eigen::Vector3d hold = -d.inverse() * f;
  if (hold[0] > 0 && hold.tail<2>().norm() < mu_s * hold[0]) found.push_back(Eigen::Vector3d::Zero());
  const auto acceleration = [&](double angle) -> Eigen::Vector4d {
    const Eigen::Vector3d column = d * Eigen::Vector3d(1, -mu_k * std::cos(angle), -mu_k * std::sin(angle));
    const double normal = -f[0] / column[0];
    const Eigen::Vector3d a = f + column * normal;
    return {a[0], a[1], a[2], normal};
  };
  const auto across = [&](double angle) {
    const Eigen::Vector4d a = acceleration(angle);
    return a[2] * std::cos(angle) - a[1] * std::sin(angle);
  };
  constexpr int samples = 4000;
  for (int k = 0; k < samples; ++k) {
    double low = 2 * pi * k / samples, high = 2 * pi * (k + 1) / samples;
    if (across(low) * across(high) > 0) continue;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (across(low) * across(middle) > 0 ? low : high) = middle;
    }
    const Eigen::Vector4d a = acceleration(low);
    const double along = a[1] * std::cos(low) + a[2] * std::sin(low);
    if (std::abs(across(low)) < 1e-6 * (1 + a.norm()) && a[3] > 0 && along > 0) found.push_back(a.head<3>());
  }
  return found;
}

TEST(ContactModes, OneRestingContactInSpace) {
  constexpr std::uint64_t seed = 7303;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int several = 0;
  for (int k = 0; k < scaled(400, 40); ++k) {
    ModesProblem p = random_problem(random, Dimension::spatial, 1, 0);
    const double mu_k = random.uniform(0.05, 3);
    p.friction[0] = {mu_k * random.uniform(1, 1.5), mu_k};
    const std::vector<Eigen::VectorXd> expected = scan_circle(p);
    const ModesReport report = examine_modes(p);
    several += expected.size() > 1;
    ASSERT_EQ(report.status, ModesStatus::complete);
    expect_same_list(p, report, expected);
    if (HasFailure()) return;
  }
  EXPECT_GT(several, 0);
}

// ---- several contacts in the plane: all complementary bases of (λ_n; β₊, β₋; γ) ----

struct BasisOracle {
  Eigen::MatrixXd m, to_force;
  Eigen::VectorXd q;
};

BasisOracle basis_oracle(const ModesProblem& p) {
  const int n = p.count();
  std::vector<Eigen::VectorXd> columns, rows;
  std::vector<int> resting;
  for (int c = 0; c < n; ++c) {
    const double v = p.velocity[2 * c + 1];
    const double mu = v == 0 ? 0 : p.friction[static_cast<std::size_t>(c)].kinetic_coefficient * (v > 0 ? 1 : -1);
    rows.push_back(Eigen::VectorXd::Unit(2 * n, 2 * c));
    columns.push_back(Eigen::VectorXd::Unit(2 * n, 2 * c) - mu * Eigen::VectorXd::Unit(2 * n, 2 * c + 1));
    if (v == 0) resting.push_back(c);
  }
  for (const int c : resting)
    for (const double side : {1.0, -1.0}) {
      rows.push_back(side * Eigen::VectorXd::Unit(2 * n, 2 * c + 1));
      columns.push_back(rows.back());
    }
  const Eigen::Index forces = static_cast<Eigen::Index>(rows.size()),
                     size = forces + static_cast<Eigen::Index>(resting.size());
  BasisOracle oracle{Eigen::MatrixXd::Zero(size, size), Eigen::MatrixXd::Zero(2 * n, size),
                     Eigen::VectorXd::Zero(size)};
  for (Eigen::Index i = 0; i < forces; ++i) {
    oracle.q[i] = rows[static_cast<std::size_t>(i)].dot(p.free_acceleration);
    oracle.to_force.col(i) = columns[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < forces; ++j)
      oracle.m(i, j) = rows[static_cast<std::size_t>(i)].dot(p.inertia * columns[static_cast<std::size_t>(j)]);
  }
  for (std::size_t k = 0; k < resting.size(); ++k) {
    const Eigen::Index gamma = forces + static_cast<Eigen::Index>(k), beta = n + 2 * static_cast<Eigen::Index>(k);
    oracle.m(gamma, resting[k]) = p.friction[static_cast<std::size_t>(resting[k])].static_coefficient;
    for (const Eigen::Index j : {beta, beta + 1}) {
      oracle.m(gamma, j) = -1;
      oracle.m(j, gamma) = 1;
    }
  }
  return oracle;
}

std::vector<Eigen::VectorXd> all_bases(const ModesProblem& p) {
  const BasisOracle oracle = basis_oracle(p);
  const Eigen::Index size = oracle.q.size();
  std::vector<Eigen::VectorXd> found;
  for (unsigned subset = 0; subset < (1u << size); ++subset) {
    Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
      if (((subset >> i) & 1u) != 0) basis.col(i) = -oracle.m.col(i);
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(basis);
    if (std::abs(lu.matrixLU().diagonal().cwiseAbs().minCoeff()) < 1e-12) continue;
    Eigen::VectorXd x = lu.solve(oracle.q);
    if (!(x.minCoeff() >= -1e-11)) continue;
    for (Eigen::Index i = 0; i < size; ++i)
      if (((subset >> i) & 1u) == 0) x[i] = 0;
    const Eigen::VectorXd a = p.inertia * (oracle.to_force * x) + p.free_acceleration;
    if (std::none_of(found.begin(), found.end(), [&](const Eigen::VectorXd& y) { return same(y, a); }))
      found.push_back(a);
  }
  return found;
}

TEST(ContactModes, SeveralPlanarContactsAgainstAllBases) {
  constexpr std::uint64_t seed = 7304;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  std::vector<int> by_count(5, 0);
  for (int k = 0; k < scaled(200, 120); ++k) {
    const int count = 2 + random.below(3);
    ModesProblem p = random_problem(random, Dimension::planar, count, 0.7);
    // At most two contacts at rest keep the number of bases small.
    int resting = 0;
    for (int c = 0; c < count; ++c)
      if (p.velocity[2 * c + 1] == 0 && ++resting > 2) p.velocity[2 * c + 1] = random.normal();
    for (routh::Friction& f : p.friction) f.kinetic_coefficient = f.static_coefficient = random.uniform(0, 3);
    const std::vector<Eigen::VectorXd> expected = all_bases(p);
    ++by_count[std::min<std::size_t>(expected.size(), 4)];
    const ModesReport report = examine_modes(p);
    ASSERT_EQ(report.status, ModesStatus::complete);
    expect_same_list(p, report, expected);
    if (HasFailure()) return;
  }
  EXPECT_GT(by_count[0], 0);
  EXPECT_GT(by_count[1], 0);
  EXPECT_GT(by_count[2] + by_count[3] + by_count[4], 0);
}

// ---- without friction the problem is convex ----

TEST(ContactModes, FrictionlessByGaussSeidel) {
  constexpr std::uint64_t seed = 7305;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(120, 20); ++k) {
    const bool planar = random.chance(0.5);
    const int most = planar ? 7 : 6;
    ModesProblem p =
        random_problem(random, planar ? Dimension::planar : Dimension::spatial, 1 + random.below(most), 0.5);
    for (routh::Friction& f : p.friction) f = {0, 0};
    const int n = p.count(), rows = p.rows();
    Eigen::VectorXd normal = Eigen::VectorXd::Zero(n), a = p.free_acceleration;
    for (int sweep = 0; sweep < 20000; ++sweep) {
      double change = 0;
      for (int c = 0; c < n; ++c) {
        const double next = std::max(0.0, normal[c] - a[rows * c] / p.inertia(rows * c, rows * c));
        a += p.inertia.col(rows * c) * (next - normal[c]);
        change = std::max(change, std::abs(next - normal[c]));
        normal[c] = next;
      }
      if (change < 1e-13) break;
    }
    expect_same_list(p, examine_modes(p), {a});
    expect_same_list(p, find_modes(p, {}), {a});
    if (HasFailure()) return;
  }
}

// ---- small things ----

TEST(ContactModes, NothingPressesAndNothingMoves) {
  ModesProblem p;
  p.dimension = Dimension::spatial;
  p.inertia = Eigen::Matrix3d::Identity();
  p.free_acceleration = Eigen::Vector3d::Zero();
  p.velocity = Eigen::Vector3d::Zero();
  p.friction = {{0.5, 0.5}};
  const ModesReport report = examine_modes(p);
  ASSERT_EQ(report.solutions.size(), 1u);
  EXPECT_EQ(report.solutions[0].modes[0], ContactMode::stick);
  EXPECT_TRUE(report.solutions[0].force.isZero(0));
  p.inertia.setZero();  // a contact that no force can move
  EXPECT_EQ(examine_modes(p).solutions.size(), 1u);
  p.free_acceleration[0] = -1;
  EXPECT_TRUE(examine_modes(p).solutions.empty());
  EXPECT_EQ(examine_modes(ModesProblem{}).solutions.size(), 1u);  // no contact at all
}

TEST(ContactModes, RefusesWhatMakesNoSense) {
  ModesProblem p;
  p.inertia = Eigen::Matrix2d::Identity();
  p.free_acceleration = Eigen::Vector2d(-1, 0);
  p.velocity = Eigen::Vector2d::Zero();
  EXPECT_THROW(examine_modes(p), routh::InputError);  // no friction, hence no contact
  p.friction = {{0.2, 0.3}};
  EXPECT_THROW(examine_modes(p), routh::InputError);
  p.friction = {{0.3, 0.3}};
  EXPECT_EQ(examine_modes(p).solutions.size(), 1u);
  p.free_acceleration[0] = std::nan("");
  EXPECT_THROW(find_modes(p, {}), routh::InputError);
}

TEST(ContactModes, Names) {
  EXPECT_STREQ(routh::name(ContactMode::slip), "slip");
  EXPECT_STREQ(routh::name(ModesStatus::one_found), "one_found");
}

}  // namespace
