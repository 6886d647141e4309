// Simultaneous impact of random problems: against every set of acting contacts, and what must hold for all of them.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "simultaneous_oracle.h"

namespace {

using namespace testing_support;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using routh::ContactRole;
using routh::SimultaneousProblem;
using routh::SimultaneousResult;
using routh::SimultaneousStatus;

constexpr RowFamily families[] = {RowFamily::independent, RowFamily::dependent, RowFamily::twins, RowFamily::opposed};

double nearest(const std::vector<VectorXd>& answers, const VectorXd& v) {
  double least = 1e300;
  for (const VectorXd& answer : answers) least = std::min(least, (answer - v).norm() / (1 + v.norm()));
  return least;
}

// Independent rows have one answer; with dependent ones ours is among the answers.
TEST(SimultaneousProperties, AgainstEverySetOfContacts) {
  constexpr std::uint64_t seed = 9201;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int solved = 0, released = 0, compromised = 0;
  for (int k = 0; k < scaled(2000, 200); ++k) {
    const RowFamily family = families[k % row_family_count];
    SCOPED_TRACE(k);
    const SimultaneousProblem p = random_simultaneous(random, family);
    const SimultaneousResult r = solve_simultaneous(p);
    if (r.status == SimultaneousStatus::no_impact) continue;
    ASSERT_EQ(r.status, SimultaneousStatus::ok);
    const std::vector<VectorXd> answers = all_answers(p);
    if (family == RowFamily::independent) {
      ASSERT_EQ(answers.size(), 1U);
    }
    ASSERT_LE(nearest(answers, r.velocity), 1e-8);
    ++solved;
    for (const auto& contact : r.contacts) {
      released += contact.role == ContactRole::released ? 1 : 0;
      compromised += std::abs(contact.residual) > 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(released, 10);
  EXPECT_GT(compromised, 10);
}

// With sticking there can be no answer or several; ours is one, and where there is none we say so.
TEST(SimultaneousProperties, StickingAgainstEverySetOfContacts) {
  constexpr std::uint64_t seed = 9202;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int solved = 0, none = 0, missed = 0;
  for (int k = 0; k < scaled(300, 60); ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem p = random_simultaneous(random, families[k % row_family_count]);
    add_tangents(random, p);
    const SimultaneousResult r = solve_simultaneous(p);
    if (r.status == SimultaneousStatus::no_impact) continue;
    const std::vector<VectorXd> answers = all_answers(p);
    if (r.status == SimultaneousStatus::not_converged) {
      ++(answers.empty() ? none : missed);
      continue;
    }
    ASSERT_LE(nearest(answers, r.velocity), 1e-7);
    ++solved;
    for (Index j = 0; j < p.normal.rows(); ++j) {
      const Index tangents = p.tangential.rows() / p.normal.rows();
      const auto& contact = r.contacts[static_cast<std::size_t>(j)];
      if (contact.normal_impulse > 1e-8) {
        ASSERT_LE((p.tangential.middleRows(j * tangents, tangents) * r.velocity).norm(), 1e-9);
      } else if (contact.impulse_unique) {
        ASSERT_EQ(contact.tangential_impulse.norm(), 0);
      }
    }
  }
  EXPECT_GT(solved, 5 * (none + missed) / 2);
  EXPECT_LE(missed, 2 + solved / 20) << "answers exist where a contact sticks without being pressed";
}

void expect_balance(const SimultaneousProblem& p, const SimultaneousResult& r) {
  VectorXd sum = p.bilateral.transpose() * r.bilateral_impulse;
  double terms = 1 + sum.norm();
  const Index tangents = p.tangential.rows() / p.normal.rows();
  for (Index j = 0; j < p.normal.rows(); ++j) {
    const auto& contact = r.contacts[static_cast<std::size_t>(j)];
    sum += p.normal.row(j).transpose() * contact.normal_impulse;
    terms += p.normal.row(j).norm() * std::abs(contact.normal_impulse);
    for (Index t = 0; t < tangents; ++t) {
      sum += p.tangential.row(j * tangents + t).transpose() * contact.tangential_impulse[t];
      terms += p.tangential.row(j * tangents + t).norm() * std::abs(contact.tangential_impulse[t]);
    }
  }
  // Tangents that all but depend on one another may push thousands of times as hard against each other as all together.
  EXPECT_LE((sum - r.impulse).norm(), 1e-10 * terms);
  const double scale = 1 + sum.norm();
  const VectorXd change = p.mass_matrix * (r.velocity - p.velocity) - p.external_impulse;
  EXPECT_LE((change - r.impulse).norm(), 1e-10 * scale);
}

// What the law promises to every problem.
TEST(SimultaneousProperties, ConditionsAndEnergy) {
  constexpr std::uint64_t seed = 9203;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int gains = 0;
  for (int k = 0; k < scaled(8000, 400); ++k) {
    SCOPED_TRACE(k);
    SimultaneousProblem p = random_simultaneous(random, families[k % row_family_count]);
    p.external_impulse = VectorXd::Zero(p.velocity.size());
    if (random.chance(0.3))
      for (double& i : p.external_impulse) i = random.normal();
    const bool sticks = random.chance(0.2);
    if (sticks) add_tangents(random, p);
    const SimultaneousResult r = solve_simultaneous(p);
    if (r.status != SimultaneousStatus::ok) continue;
    expect_balance(p, r);
    const double speed = 1 + p.velocity.norm() + p.external_impulse.norm();
    ASSERT_TRUE(p.bilateral.rows() == 0 || (p.bilateral * r.velocity).cwiseAbs().maxCoeff() <= 1e-12 * speed);
    bool excused = sticks;
    for (const auto& contact : r.contacts) {
      ASSERT_GE(contact.departure, -1e-10 * speed) << "nothing is left approaching";
      ASSERT_GE(contact.normal_impulse, 0);
      if (!contact.acts) {
        ASSERT_EQ(contact.normal_impulse, 0);
        ASSERT_GE(contact.departure, contact.residual - contact.restitution * contact.approach - 1e-10 * speed);
      }
      excused = excused || std::abs(contact.residual) > 1e-12 * speed;
    }
    const double before = 0.5 * p.velocity.dot(p.mass_matrix * p.velocity);
    const double after = 0.5 * r.velocity.dot(p.mass_matrix * r.velocity);
    ASSERT_NEAR(r.energy_change, after - before, 1e-10 * (before + after));
    const double size = before + after + std::abs(r.supplied);
    ASSERT_NEAR(r.energy_change, r.normal_work + r.tangential_work + r.bilateral_work + r.supplied,
                1e-9 * (size + r.impulse.norm() * speed));
    ASSERT_EQ(r.consistent, !r.has(routh::Warning::energy_gain));
    ASSERT_EQ(r.consistent, r.gain == 0);
    ASSERT_TRUE(r.consistent || excused) << "contacts that meet their rules gain nothing";
    const double passed = 0.5 * p.external_impulse.dot(p.mass_matrix.partialPivLu().solve(p.external_impulse));
    const double gained = r.energy_change - r.supplied, most = std::max({before, after, passed, std::abs(r.supplied)});
    ASSERT_TRUE(r.consistent || gained > 1e-12 * most);
    ASSERT_TRUE(!r.consistent || gained <= 1e-9 * most);
    gains += r.consistent ? 0 : 1;
  }
  EXPECT_GT(gains, 0);
}

SimultaneousProblem solvable(Random& random, int k) {
  SimultaneousProblem p = random_simultaneous(random, families[k % row_family_count]);
  p.external_impulse = VectorXd::Zero(p.velocity.size());
  return p;
}

// Units of the coordinates and of the rows, the order of the contacts, and repeated ones.
TEST(SimultaneousProperties, UnitsOrderAndDuplicates) {
  constexpr std::uint64_t seed = 9204;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int k = 0; k < scaled(2000, 100); ++k) {
    SCOPED_TRACE(k);
    const SimultaneousProblem p = solvable(random, k);
    const VectorXd plain = solve_simultaneous(p).velocity;
    VectorXd unit(p.velocity.size());  // q = unit q'
    for (double& u : unit) u = std::pow(10.0, random.below(7) - 3);
    SimultaneousProblem q = p;
    q.mass_matrix = unit.asDiagonal() * p.mass_matrix * unit.asDiagonal();
    q.velocity = unit.cwiseInverse().asDiagonal() * p.velocity;
    q.bilateral = p.bilateral * unit.asDiagonal() * 1e3;
    std::vector<Index> order;
    for (Index j = 0; j < p.normal.rows(); ++j) {
      order.insert(order.begin() + random.below(static_cast<int>(order.size()) + 1), j);
      if (random.chance(0.3)) order.push_back(j);
    }
    q.normal = p.normal(order, Eigen::all) * unit.asDiagonal();
    q.restitution.clear();
    for (Index i = 0; i < q.normal.rows(); ++i) {
      q.normal.row(i) *= std::pow(10.0, random.below(9) - 4);
      q.restitution.push_back(p.restitution[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
    }
    const VectorXd again = unit.asDiagonal() * solve_simultaneous(q).velocity;
    ASSERT_LE((again - plain).norm(), 1e-9 * (1 + plain.norm()));
  }
}

// A machine with loops answers as the same machine in coordinates that need none: q̇ = N ν, A_b N = 0.
TEST(SimultaneousProperties, LoopsOrMinimalCoordinates) {
  constexpr std::uint64_t seed = 9205;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int compared = 0;
  for (int k = 0; k < scaled(2000, 200); ++k) {
    SCOPED_TRACE(k);
    const SimultaneousProblem p = solvable(random, k);
    if (p.bilateral.rows() == 0) continue;
    const MatrixXd motions = Eigen::FullPivLU<MatrixXd>(p.bilateral).kernel();
    const MatrixXd inner = motions.transpose() * motions;
    SimultaneousProblem q = p;
    q.mass_matrix = motions.transpose() * p.mass_matrix * motions;
    q.velocity = inner.inverse() * (motions.transpose() * p.velocity);
    q.bilateral.resize(0, 0);
    q.external_impulse.resize(0);
    q.normal = p.normal * motions;
    const SimultaneousResult r = solve_simultaneous(p), s = solve_simultaneous(q);
    ASSERT_EQ(r.status, s.status);
    ASSERT_LE((r.velocity - motions * s.velocity).norm(), 1e-8 * (1 + r.velocity.norm()));
    for (std::size_t j = 0; j < r.contacts.size(); ++j)
      ASSERT_NEAR(r.contacts[j].normal_impulse, s.contacts[j].normal_impulse, 1e-7 * (1 + r.impulse.norm()));
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

}  // namespace
