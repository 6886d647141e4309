// Simultaneous impact: cases whose answer is known.
#include "routh/impact/simultaneous.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <array>
#include <cmath>

#include "simultaneous_oracle.h"

namespace {

using namespace testing_support;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using routh::ContactRole;
using routh::Restitution;
using routh::SimultaneousProblem;
using routh::SimultaneousResult;
using routh::SimultaneousStatus;

Restitution constant(double e) {
  Restitution r;
  r.normal = e;
  return r;
}

VectorXd vector(std::initializer_list<double> values) {
  VectorXd v(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double value : values) v[i++] = value;
  return v;
}

// Moore and Penrose's inverse by singular values.
MatrixXd pseudo_inverse_by_svd(const MatrixXd& a) {
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  VectorXd inverse = svd.singularValues();
  for (double& s : inverse) s = s > 1e-10 * svd.singularValues()[0] ? 1 / s : 0;
  return svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
}

// q̇⁻ − (1 + e) S q̇⁻ + M_o⁺ i_u [Aghili 2019, eq. 27].
VectorXd projected(const SimultaneousProblem& p, double e) {
  const Index n = p.velocity.size();
  const MatrixXd a = stacked(p.bilateral, p.normal), one = MatrixXd::Identity(n, n);
  const MatrixXd projector = one - pseudo_inverse_by_svd(a) * a;
  const MatrixXd m_c = projector * p.mass_matrix * projector + one - projector;
  const MatrixXd m_o = projector * m_c.inverse() * projector;
  const MatrixXd s = one - m_o * p.mass_matrix;
  return p.velocity - (1 + e) * s * p.velocity + m_o * p.external_impulse;
}

TEST(Simultaneous, OneRestitutionForAllIsTheProjection) {
  constexpr std::uint64_t seed = 9101;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int compared = 0;
  for (int k = 0; k < scaled(2000, 400); ++k) {
    SimultaneousProblem p = random_simultaneous(random, static_cast<RowFamily>(k % 3));
    const double e = random.uniform();
    for (Restitution& r : p.restitution) r.normal = e;
    p.external_impulse = VectorXd::Zero(p.velocity.size());
    for (double& i : p.external_impulse) i = 0.1 * random.normal();
    const SimultaneousResult r = solve_simultaneous(p);
    bool all = r.status == SimultaneousStatus::ok;
    for (const auto& contact : r.contacts) all = all && contact.acts && contact.role != ContactRole::separates;
    if (!all) continue;
    ++compared;
    const VectorXd expected = projected(p, e);
    ASSERT_LE((r.velocity - expected).norm(), 1e-9 * (1 + expected.norm())) << "problem " << k;
  }
  EXPECT_GT(compared, 40);
}

// Equal balls in a row, the first strikes the second, which touches the third. Newton's rule for both contacts at once:
// v₂ − v₁ = 1 and v₃ = v₂. One collision after the other would send the last ball off alone, (0, 0, 1), and compliant
// contacts nearly so: laws of other assumptions, with the same momentum and energy.
TEST(Simultaneous, ThreeBallsInARow) {
  SimultaneousProblem p;
  p.mass_matrix = MatrixXd::Identity(3, 3);
  p.velocity = vector({1, 0, 0});
  p.normal = MatrixXd::Zero(2, 3);
  p.normal << -1, 1, 0, 0, -1, 1;
  p.restitution = {constant(1), constant(1)};
  const SimultaneousResult r = solve_simultaneous(p);
  ASSERT_EQ(r.status, SimultaneousStatus::ok);
  EXPECT_LE((r.velocity - vector({-1. / 3, 2. / 3, 2. / 3})).norm(), 1e-14);
  EXPECT_NEAR(r.contacts[0].normal_impulse, 4. / 3, 1e-14);
  EXPECT_NEAR(r.contacts[1].normal_impulse, 2. / 3, 1e-14);
  EXPECT_EQ(r.contacts[0].role, ContactRole::strikes);
  EXPECT_EQ(r.contacts[1].role, ContactRole::rests);
  EXPECT_NEAR(r.energy_change, 0, 1e-15);
  EXPECT_EQ(r.normal_work, 0) << "not even rounding for e = 1";
  EXPECT_NEAR(r.ratio, 1, 1e-14);
  EXPECT_TRUE(r.consistent);
  EXPECT_EQ(r.rank, 2);
  EXPECT_EQ(r.rows, 2);
}

// The third ball already leaves, slowly, and is caught again. Struck, it takes what turns its velocity round: v₂ − v₁ =
// 1 and v₃ − v₂ = −ε, with the same energy. Balls 2 and 3 approach then and stop one another, which costs ε²/4.
TEST(Simultaneous, CaughtContactTakesNoMoreThanItGives) {
  SimultaneousProblem p;
  const double slow = 0.3;
  p.mass_matrix = MatrixXd::Identity(3, 3);
  p.velocity = vector({1, 0, slow});
  p.normal = MatrixXd::Zero(2, 3);
  p.normal << -1, 1, 0, 0, -1, 1;
  p.restitution = {constant(1), constant(1)};
  const SimultaneousResult r = solve_simultaneous(p);
  ASSERT_EQ(r.status, SimultaneousStatus::ok);
  EXPECT_EQ(r.contacts[1].role, ContactRole::separates);
  EXPECT_TRUE(r.contacts[1].acts);
  const double first = (1 + slow - 2 + slow) / 3;  // v₁ with v₂ = v₁ + 1, v₃ = v₂ − ε
  EXPECT_LE((r.velocity - vector({first, first + 1 - slow / 2, first + 1 - slow / 2})).norm(), 1e-14);
  EXPECT_NEAR(r.energy_change, -slow * slow / 4, 1e-14);
  EXPECT_NEAR(r.normal_work, -slow * slow / 4, 1e-14);
  EXPECT_TRUE(r.consistent);
  // It does not matter whether the third ball just about leaves or just about rests.
  p.velocity[2] = 1e-9;
  EXPECT_LE((solve_simultaneous(p).velocity - vector({-1. / 3, 2. / 3, 2. / 3})).norm(), 2e-9);
}

// A ball between two walls cannot bounce off one of them.
TEST(Simultaneous, BetweenTwoWalls) {
  SimultaneousProblem p;
  p.mass_matrix = MatrixXd::Identity(1, 1);
  p.velocity = vector({-2});
  p.normal = vector({1, -1});
  p.restitution = {constant(0.5), constant(0.5)};
  const SimultaneousResult r = solve_simultaneous(p);
  ASSERT_EQ(r.status, SimultaneousStatus::ok);
  EXPECT_NEAR(r.velocity[0], 0, 1e-14);
  EXPECT_NEAR(r.contacts[0].residual, -1, 1e-14);
  EXPECT_NEAR(r.contacts[0].normal_impulse - r.contacts[1].normal_impulse, 2, 1e-14);
  EXPECT_FALSE(r.contacts[0].impulse_unique);
}

// Planar block of half width b and half height h, coordinates x, y, angle; it turns about its left foot until the right
// one strikes. Rows of both feet.
SimultaneousProblem block(double b, double h) {
  SimultaneousProblem p;
  p.mass_matrix = vector({1, 1, (b * b + h * h) / 3}).asDiagonal();
  p.velocity = vector({h, -b, -1});
  p.normal = MatrixXd::Zero(2, 3);
  p.normal << 0, 1, -b, 0, 1, b;
  p.tangential = MatrixXd::Zero(2, 3);
  p.tangential << 1, 0, h, 1, 0, h;
  p.restitution = {constant(0), constant(0)};
  return p;
}

// Housner's 1 − (3/2) sin²α while that is positive; a wider block stays down.
TEST(Simultaneous, RockingBlock) {
  for (const double b : {0.1, 0.5, 1.0, 1.4, 1.42, 3.0}) {
    SCOPED_TRACE(b);
    SimultaneousProblem p = block(b, 1);
    const double ratio = 1 - 1.5 * b * b / (b * b + 1);
    const double needed = (1 - ratio) / (b * (1 + ratio));
    p.friction.assign(2, {1.001 * needed, 0});
    const SimultaneousResult r = solve_simultaneous(p);
    ASSERT_EQ(r.status, SimultaneousStatus::ok);
    EXPECT_TRUE(r.consistent);
    if (ratio > 0) {
      EXPECT_LE((r.velocity - vector({ratio, ratio * b, -ratio})).norm(), 1e-13);
      EXPECT_EQ(r.contacts[0].role, ContactRole::released);
      EXPECT_EQ(r.contacts[0].normal_impulse, 0);
      EXPECT_TRUE(r.contacts[1].inside_cone);
      EXPECT_NEAR(r.contacts[1].tangential_impulse[0], -(1 - ratio), 1e-13);
      EXPECT_NEAR(r.contacts[1].normal_impulse, b * (1 + ratio), 1e-13);
      p.friction.assign(2, {0.999 * needed, 0});
      EXPECT_FALSE(solve_simultaneous(p).contacts[1].inside_cone);
    } else {
      EXPECT_LE(r.velocity.norm(), 1e-13);
      EXPECT_EQ(r.contacts[0].role, ContactRole::rests);
      EXPECT_GE(r.contacts[0].normal_impulse, 0);
      EXPECT_TRUE(r.contacts[0].impulse_unique) << "normals are; the tangents share one row";
      EXPECT_FALSE(r.contacts[0].tangential_unique);
    }
  }
}

// Four legs at (±1, ±2), going round; coordinates z and two angles.
SimultaneousProblem table(const std::array<double, 4>& e) {
  SimultaneousProblem p;
  p.mass_matrix = vector({3, 5, 2}).asDiagonal();
  p.velocity = vector({-1, 0, 0});
  p.normal = MatrixXd::Zero(4, 3);
  p.normal << 1, 2, -1, 1, 2, 1, 1, -2, 1, 1, -2, -1;
  for (const double value : e) p.restitution.push_back(constant(value));
  return p;
}

// The departures of four legs obey nᵀφ̇ = 0, n = (1, −1, 1, −1), and all rows have the same length: the nearest
// attainable rules are g − n nᵀg/4. The impulse of least norm has nᵀλ = 0.
TEST(Simultaneous, TableWithFourRestitutions) {
  const std::array<double, 4> e{0.4, 0.5, 0.3, 0.6};
  const SimultaneousProblem p = table(e);
  const SimultaneousResult r = solve_simultaneous(p);
  ASSERT_EQ(r.status, SimultaneousStatus::ok);
  EXPECT_EQ(r.rank, 3);
  EXPECT_EQ(r.rows, 4);
  const double excess = (e[0] - e[1] + e[2] - e[3]) / 4;
  const VectorXd sign = vector({1, -1, 1, -1});
  const double z = (e[0] + e[1] + e[2] + e[3]) / 4;
  VectorXd departure(4);
  for (Index j = 0; j < 4; ++j) {
    const auto& contact = r.contacts[static_cast<std::size_t>(j)];
    departure[j] = e[static_cast<std::size_t>(j)] - sign[j] * excess;
    EXPECT_NEAR(contact.departure, departure[j], 1e-13);
    EXPECT_NEAR(contact.residual, -sign[j] * excess, 1e-13);
    EXPECT_EQ(contact.role, ContactRole::strikes);
    EXPECT_FALSE(contact.impulse_unique);
  }
  const VectorXd after = pseudo_inverse_by_svd(p.normal) * departure;
  EXPECT_LE((r.velocity - after).norm(), 1e-13);
  EXPECT_NEAR(after[0], z, 1e-13);
  for (Index j = 0; j < 4; ++j) {
    const double share = 3 * (1 + z) / 4 + p.normal(j, 1) * 5 * after[1] / 16 + p.normal(j, 2) * 2 * after[2] / 4;
    EXPECT_GE(share, 0);
    EXPECT_NEAR(r.contacts[static_cast<std::size_t>(j)].normal_impulse, share, 1e-13);
  }
}

// Least squares alone would drive the second leg into the ground at 1/4. Of the attainable departures that do not, the
// nearest to (0, 0, 0, 1) is (1/3, 0, 1/3, 2/3).
TEST(Simultaneous, NoLegIsDrivenIntoTheGround) {
  const SimultaneousResult r = solve_simultaneous(table({0, 0, 0, 1}));
  ASSERT_EQ(r.status, SimultaneousStatus::ok);
  const VectorXd expected = vector({1. / 3, 0, 1. / 3, 2. / 3});
  for (Index j = 0; j < 4; ++j) EXPECT_NEAR(r.contacts[static_cast<std::size_t>(j)].departure, expected[j], 1e-12);
}

TEST(Simultaneous, DuplicatesAndOrderDoNotMatter) {
  SimultaneousProblem p = table({0.4, 0.5, 0.3, 0.6});
  p.mass_matrix << 3, 0.2, -0.1, 0.2, 5, 0.3, -0.1, 0.3, 2;
  p.velocity = vector({-1, 0.1, -0.05});
  const VectorXd plain = solve_simultaneous(p).velocity;
  const std::array<Index, 7> order{3, 1, 1, 0, 2, 3, 1};
  SimultaneousProblem q = p;
  q.normal.resize(7, 3);
  q.restitution.clear();
  for (Index i = 0; i < 7; ++i) {
    const Index j = order[static_cast<std::size_t>(i)];
    q.normal.row(i) = p.normal.row(j) * std::pow(10, i - 3);
    q.restitution.push_back(p.restitution[static_cast<std::size_t>(j)]);
  }
  const SimultaneousResult r = solve_simultaneous(q);
  ASSERT_EQ(r.status, SimultaneousStatus::ok);
  EXPECT_LE((r.velocity - plain).norm(), 1e-12);
  for (const auto& contact : r.contacts) EXPECT_GE(contact.normal_impulse, 0);
}

// Each contact by the restitution of its own approach speed.
TEST(Simultaneous, RestitutionOfEachSpeed) {
  SimultaneousProblem p;
  p.mass_matrix = MatrixXd::Identity(2, 2);
  p.velocity = vector({-1, -2});
  p.normal = MatrixXd::Identity(2, 2);
  p.restitution.resize(2);
  for (Restitution& r : p.restitution) {
    r.kind = routh::RestitutionKind::linear;
    r.alpha = 0.25;
  }
  EXPECT_LE((solve_simultaneous(p).velocity - vector({0.75, 1})).norm(), 1e-15);
}

}  // namespace
