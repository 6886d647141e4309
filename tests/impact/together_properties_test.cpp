// Random machines with two to five contacts: what must hold whatever the contacts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "routh/march/together.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using testing_support::Random;
using testing_support::scaled;

enum class Machine {
  joints,     // more freedoms than rows: D regular; some contacts rest, some are limits without tangential rows
  deficient,  // fewer freedoms than rows: D singular, contacts often locked
  body,       // one rigid body with its feet on a plane: D singular, all feet slip together
};
constexpr Machine machines[] = {Machine::joints, Machine::deficient, Machine::body};

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (double& x : m.reshaped()) x = random.normal();
  return m;
}

Eigen::MatrixXd body_rows(Random& random, int contacts, Dimension dimension) {
  const bool planar = dimension == Dimension::planar;
  const double h = 0.5, slim = 1.7, flat = 1.5;
  Eigen::MatrixXd j(contacts * (planar ? 2 : 3), planar ? 3 : 6);
  for (int i = 0; i < contacts; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    if (planar) {
      j.row(2 * i) << 0, 1, x * slim;
      j.row(2 * i + 1) << 1, 0, h * slim;
    } else {
      j.row(3 * i) << 0, 0, 1, y * slim, -x * slim, 0;
      j.row(3 * i + 1) << 1, 0, 0, 0, -h * slim, -y * flat;
      j.row(3 * i + 2) << 0, 1, 0, h * slim, 0, x * flat;
    }
  }
  return j;
}

TogetherContact random_surface(Random& random) {
  TogetherContact c;
  const double mu = random.chance(0.2) ? 0 : random.uniform(0, 1.2);
  c.friction = {mu * (random.chance(0.5) ? 1 : 1.2), mu};
  c.restitution.normal = random.chance(0.3) ? 0 : random.chance(0.1) ? 1 : random.uniform();
  c.law = random.chance(0.2) ? Law::poisson : Law::energetic;
  return c;
}

TogetherProblem random_problem(Random& random, Machine machine) {
  TogetherProblem p;
  p.dimension = random.chance(0.5) ? Dimension::planar : Dimension::spatial;
  const int d = p.dimension == Dimension::planar ? 2 : 3, m = 2 + random.below(4);
  Eigen::MatrixXd j;
  switch (machine) {
    case Machine::joints:
      j = random_matrix(random, d * m, d * m + 2);
      break;
    case Machine::deficient:
      j = random_matrix(random, d * m, 2 + random.below(d * m - 2));
      break;
    case Machine::body:
      j = body_rows(random, m, p.dimension);
      break;
  }
  p.inertia = j * j.transpose();
  p.velocity = j * random_matrix(random, j.cols(), 1);
  if (random.chance(0.3)) p.surface_velocity = random_matrix(random, d * m, 1);
  const TogetherContact common = random_surface(random);
  for (int i = 0; i < m; ++i) {
    p.contacts.push_back(random.chance(0.5) ? random_surface(random) : common);
    if (machine != Machine::joints) continue;
    if (random.chance(0.2)) p.velocity[d * i] = 0;
    if (random.chance(0.2)) p.velocity.segment(d * i + 1, d - 1).setZero();
    if (!random.chance(0.1)) continue;
    p.velocity.segment(d * i + 1, d - 1).setZero();
    p.inertia.middleRows(d * i + 1, d - 1).setZero();
    p.inertia.middleCols(d * i + 1, d - 1).setZero();
  }
  return p;
}

int rows_of(const TogetherProblem& p) { return p.dimension == Dimension::planar ? 2 : 3; }

double impulse_size(const TogetherResult& r) { return r.impulse.cwiseAbs().maxCoeff(); }

// Energy, cones of friction, balance of the works, and no approach left.
void expect_sound(const TogetherProblem& p, const TogetherResult& r) {
  ASSERT_TRUE(r.impulse.allFinite() && r.velocity.allFinite());
  // Rounding of D i, which redundant contacts that press each other make large.
  const Eigen::VectorXd terms = p.inertia.cwiseAbs() * r.impulse.cwiseAbs();
  const double slack = 1e-15 * terms.maxCoeff(), energy_slack = 1e-15 * r.impulse.cwiseAbs().dot(terms);
  const double work = r.impulse.cwiseAbs().dot(p.velocity.cwiseAbs());
  // The work of the contacts from impulse and inertia alone.
  const double gain = r.impulse.dot(p.velocity) + 0.5 * r.impulse.dot(p.inertia * r.impulse);
  ASSERT_LE(gain, 1e-12 * work + energy_slack);
  ASSERT_TRUE(r.energy.consistent);
  double supplied = 0;
  if (p.surface_velocity.size() > 0) supplied = p.surface_velocity.dot(r.impulse);
  ASSERT_NEAR(r.energy.supplied, supplied, 1e-12 * (work + std::abs(supplied)));
  if (r.status != ImpactStatus::ok) return;
  ASSERT_NEAR(gain, r.energy.normal_work + r.energy.tangential_work, 1e-8 * work);
  ASSERT_NEAR(r.energy.change, gain + supplied, 1e-10 * (work + std::abs(supplied)));
  const double speed = p.velocity.cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const TogetherContactResult& c = r.contacts[i];
    ASSERT_GE(c.velocity.n, -1e-10 * speed - slack);
    ASSERT_GE(c.impulse.n, -1e-11 * impulse_size(r));
    // The plastic end of a march takes all impulses at once, in proportion: only their total work is bounded.
    if (!r.has(Warning::plastic_end)) {
      ASSERT_LE(c.normal_work, 1e-11 * work + energy_slack);
      ASSERT_LE(c.tangential_work, 1e-11 * work + energy_slack);
    }
    ASSERT_LE(std::hypot(c.impulse.t1, c.impulse.t2),
              p.contacts[i].friction.static_coefficient * c.impulse.n * (1 + 1e-6) + 1e-9 * impulse_size(r));
  }
}

TEST(TogetherProperties, NeverGainsAndNeverPenetrates) {
  for (const Machine machine : machines) {
    constexpr std::uint64_t seed = 8201;
    Random random(seed);
    int solved = 0, ended = 0;
    const int count = machine == Machine::deficient ? scaled(300, 30) : scaled(1000, 60);
    for (int k = 0; k < count; ++k) {
      SCOPED_TRACE(fmt::format("seed {} machine {} problem {}", seed, static_cast<int>(machine), k));
      const TogetherProblem p = random_problem(random, machine);
      const TogetherResult r = solve_together(p);
      ASSERT_TRUE(usable(r.status)) << name(r.status);
      expect_sound(p, r);
      if (HasFatalFailure()) return;
      if (r.status == ImpactStatus::ok) ++solved;
      if (r.has(Warning::plastic_end)) ++ended;
    }
    EXPECT_GT(solved, count / 2);
    EXPECT_LE(ended, machine == Machine::deficient ? count / 10 : 1 + count / 100);
  }
}

// What counts as rest is taken out by an impulse at once, whose work was once left out of the ledger.
TEST(TogetherProperties, RestTakenOutIsBooked) {
  Random random(8201);
  TogetherProblem p;
  for (int k = 0; k <= 3784; ++k) p = random_problem(random, Machine::deficient);
  expect_sound(p, solve_together(p));
}

TogetherProblem reordered(const TogetherProblem& p, const std::vector<int>& order) {
  TogetherProblem q = p;
  const int d = rows_of(p), m = static_cast<int>(order.size());
  for (int i = 0; i < m; ++i) {
    const int from = order[static_cast<std::size_t>(i)];
    q.contacts[static_cast<std::size_t>(i)] = p.contacts[static_cast<std::size_t>(from)];
    q.velocity.segment(d * i, d) = p.velocity.segment(d * from, d);
    for (int j = 0; j < m; ++j)
      q.inertia.block(d * i, d * j, d, d) = p.inertia.block(d * from, d * order[static_cast<std::size_t>(j)], d, d);
  }
  return q;
}

TEST(TogetherProperties, OrderOfContactsDoesNotMatter) {
  for (const Machine machine : {Machine::joints, Machine::body}) {
    constexpr std::uint64_t seed = 8202;
    Random random(seed);
    for (int k = 0; k < scaled(300, 30); ++k) {
      SCOPED_TRACE(fmt::format("seed {} machine {} problem {}", seed, static_cast<int>(machine), k));
      TogetherProblem p = random_problem(random, machine);
      p.surface_velocity.resize(0);
      const int d = rows_of(p);
      std::vector<int> order(p.contacts.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>((i + 1) % order.size());
      if (random.chance(0.5)) std::swap(order[0], order[1]);
      const TogetherResult a = solve_together(p), b = solve_together(reordered(p, order));
      ASSERT_EQ(a.status, b.status);
      if (a.status != ImpactStatus::ok) continue;
      for (int i = 0; i < static_cast<int>(order.size()); ++i) {
        const int from = order[static_cast<std::size_t>(i)];
        ASSERT_LT((b.velocity.segment(d * i, d) - a.velocity.segment(d * from, d)).norm(),
                  1e-10 * p.velocity.cwiseAbs().maxCoeff());
        ASSERT_LT((b.impulse.segment(d * i, d) - a.impulse.segment(d * from, d)).norm(), 1e-9 * impulse_size(a));
      }
    }
  }
}

TEST(TogetherProperties, UnitsAndMirrorsDoNotMatter) {
  constexpr std::uint64_t seed = 8203;
  Random random(seed);
  for (int k = 0; k < scaled(200, 20); ++k) {
    SCOPED_TRACE(fmt::format("seed {} problem {}", seed, k));
    const TogetherProblem p = random_problem(random, k % 2 == 0 ? Machine::joints : Machine::body);
    const TogetherResult a = solve_together(p);
    if (a.status != ImpactStatus::ok) continue;
    for (const double speed : {1e-6, 3e2, 1e6})
      for (const double mass : {1e-6, 1e6}) {
        TogetherProblem q = p;
        q.velocity *= speed;
        q.surface_velocity *= speed;
        q.inertia *= mass;
        const TogetherResult b = solve_together(q);
        ASSERT_EQ(b.status, ImpactStatus::ok);
        ASSERT_LT((b.velocity / speed - a.velocity).norm(), 1e-9 * p.velocity.norm());
        ASSERT_LT((b.impulse * (mass / speed) - a.impulse).norm(), 1e-8 * a.impulse.norm());
      }
    // Every first tangent reversed: the same impact.
    TogetherProblem q = p;
    Eigen::VectorXd sign = Eigen::VectorXd::Ones(p.velocity.size());
    for (Eigen::Index row = 1; row < sign.size(); row += rows_of(p)) sign[row] = -1;
    q.velocity = sign.asDiagonal() * p.velocity;
    q.surface_velocity.resize(0);
    q.inertia = sign.asDiagonal() * p.inertia * sign.asDiagonal();
    const TogetherResult b = solve_together(q);
    ASSERT_LT((sign.asDiagonal() * b.velocity - a.velocity).norm(), 1e-9 * p.velocity.norm());
  }
}

// The same feet twice over. Two springs side by side are stiffer, so the answer differs; it must be as sound, and the
// two of each pair alike.
TEST(TogetherProperties, DuplicatedContacts) {
  constexpr std::uint64_t seed = 8204;
  Random random(seed);
  int solved = 0;
  for (int k = 0; k < scaled(200, 20); ++k) {
    SCOPED_TRACE(fmt::format("seed {} problem {}", seed, k));
    const TogetherProblem p = random_problem(random, Machine::body);
    const Eigen::Index n = p.velocity.size();
    TogetherProblem q = p;
    q.inertia = p.inertia.replicate(2, 2);
    q.velocity = p.velocity.replicate(2, 1);
    q.surface_velocity.resize(0);
    q.contacts.insert(q.contacts.end(), p.contacts.begin(), p.contacts.end());
    const TogetherResult r = solve_together(q);
    ASSERT_TRUE(usable(r.status)) << name(r.status);
    expect_sound(q, r);
    if (HasFatalFailure()) return;
    if (r.status != ImpactStatus::ok) continue;
    ++solved;
    ASSERT_LT((r.velocity.head(n) - r.velocity.tail(n)).norm(), 1e-11 * p.velocity.norm());
    ASSERT_LT((r.impulse.head(n) - r.impulse.tail(n)).norm(), 1e-8 * impulse_size(r));
  }
  EXPECT_GT(solved, 5);
}

// Contacts that do not feel one another: each is an impact of its own.
TEST(TogetherProperties, UncoupledContactsAreApart) {
  constexpr std::uint64_t seed = 8205;
  Random random(seed);
  for (int k = 0; k < scaled(200, 20); ++k) {
    SCOPED_TRACE(fmt::format("seed {} problem {}", seed, k));
    TogetherProblem p = random_problem(random, Machine::joints);
    p.surface_velocity.resize(0);
    const int d = rows_of(p), m = static_cast<int>(p.contacts.size());
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        if (i != j) p.inertia.block(d * i, d * j, d, d).setZero();
    const TogetherResult all = solve_together(p);
    for (int i = 0; i < m; ++i) {
      TogetherProblem one;
      one.dimension = p.dimension;
      one.inertia = p.inertia.block(d * i, d * i, d, d);
      one.velocity = p.velocity.segment(d * i, d);
      one.contacts = {p.contacts[static_cast<std::size_t>(i)]};
      const TogetherResult alone = solve_together(one);
      ASSERT_TRUE(usable(alone.status));
      ASSERT_LE((all.velocity.segment(d * i, d) - alone.velocity).norm(), 1e-9 * p.velocity.norm());
    }
  }
}

}  // namespace
