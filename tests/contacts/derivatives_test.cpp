// The derivative of contact problems' solutions: closed forms, and differences of the solutions themselves.
#include "routh/contacts/contacts_derivatives.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "contact_problems.h"

namespace {

using namespace contact_problems;
using routh::ContactsDerivatives;
using routh::ContactsSolution;
using routh::DerivativeStatus;
using testing_support::scaled;

routh::ContactsOptions sharp_options() {
  routh::ContactsOptions options;
  options.tolerance = 1e-13;
  options.uniqueness = false;
  return options;
}

enum class Does { open, sticks, slips };

std::vector<Does> what_contacts_do(const FrictionContactProblem& problem, const ContactsSolution& s) {
  const Eigen::Index d = problem.rows_per_contact();
  std::vector<Does> all;
  const double speed = problem.velocity.norm();
  for (Eigen::Index k = 0; k < problem.contacts(); ++k)
    all.push_back(s.impulse[d * k] < 1e-8                                      ? Does::open
                  : s.velocity.segment(d * k + 1, d - 1).norm() > 1e-8 * speed ? Does::slips
                                                                               : Does::sticks);
  return all;
}

struct ContactsTally {
  int judged = 0, open = 0, sticks = 0, slips = 0, border = 0, none = 0, redundant = 0, changed = 0;
  double worst = 0;
};

// Along a change of q̇ and of every μ; of redundant contacts, where what μ does depends on how they share the load, of q̇
// alone.
void judge(const Machine& machine, Random& random, ContactsTally& tally) {
  const FrictionContactProblem& problem = machine.problem;
  const ContactsSolution solution = solve_contacts(problem, sharp_options());
  if (solution.status != routh::ContactsStatus::solved) return;
  const ContactsDerivatives d = differentiate_contacts(problem, solution);
  if (d.status == DerivativeStatus::none) return void(++tally.none);
  if (d.status == DerivativeStatus::one_sided) return void(++tally.border);
  Eigen::VectorXd motion(machine.velocity.size()), friction(problem.contacts());
  for (double& x : motion) x = random.normal();
  for (Eigen::Index k = 0; k < friction.size(); ++k)
    friction[k] = d.impulse_unique ? problem.friction[static_cast<std::size_t>(k)] * random.normal() : 0;
  const Eigen::VectorXd dv = machine.jacobian * motion;
  const auto before = what_contacts_do(problem, solution);
  bool same = true;
  const auto at = [&](double s) {
    FrictionContactProblem moved = problem;
    moved.velocity += s * dv;
    for (Eigen::Index k = 0; k < friction.size(); ++k) moved.friction[static_cast<std::size_t>(k)] += s * friction[k];
    const ContactsSolution found = solve_contacts(moved, sharp_options());
    same = same && found.status == routh::ContactsStatus::solved && what_contacts_do(moved, found) == before;
    Eigen::VectorXd both(2 * found.velocity.size());
    both << found.velocity, found.impulse;
    return both;
  };
  const double h = 1e-4;
  const Eigen::VectorXd slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  if (!same) return void(++tally.changed);
  const ContactsDerivatives::Change ours = d.along({}, dv, friction, solution.impulse);
  const Eigen::Index rows = dv.size();
  const double scale = std::max({1.0, slope.cwiseAbs().maxCoeff(), ours.velocity.cwiseAbs().maxCoeff()});
  double error = (ours.velocity - slope.head(rows)).cwiseAbs().maxCoeff() / scale;
  if (d.impulse_unique) error = std::max(error, (ours.impulse - slope.tail(rows)).cwiseAbs().maxCoeff() / scale);
  tally.redundant += !d.impulse_unique;
  ++tally.judged;
  for (const Does each : before)
    ++(each == Does::open ? tally.open : each == Does::sticks ? tally.sticks : tally.slips);
  tally.worst = std::max(tally.worst, error);
  EXPECT_LE(error, 1e-6) << "unique: " << d.impulse_unique;
}

TEST(ContactsDerivatives, AgreeWithDifferences) {
  constexpr std::uint64_t seed = 30200;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  ContactsTally tally;
  const int count = scaled(400, 60);
  for (int k = 0; k < count; ++k) {
    const Dimension dimension = k % 2 == 0 ? Dimension::planar : Dimension::spatial;
    judge(random_machine(random, 1 + random.below(4), dimension, 10), random, tally);
  }
  std::printf(
      "  %d of %d judged, worst %.2g: open %d, sticks %d, slips %d; %d redundant, %d on a border, %d without, %d "
      "changed\n",
      tally.judged, count, tally.worst, tally.open, tally.sticks, tally.slips, tally.redundant, tally.border,
      tally.none, tally.changed);
  EXPECT_GE(tally.judged, count / 2);
  EXPECT_GT(std::min({tally.open, tally.sticks, tally.slips}), count / 20);
  EXPECT_LE(tally.border + tally.none, count / 4);  // many of these machines have redundant contacts
}

// p_n = −v_n/a, p_t = −μ p_n σ; stuck: v⁺ = 0, p = −D⁻¹v.
TEST(ContactsDerivatives, OneContactInClosedForm) {
  FrictionContactProblem problem;
  problem.dimension = Dimension::spatial;
  problem.inertia = Eigen::MatrixXd(Eigen::Vector3d(2, 1, 1).asDiagonal());
  problem.velocity = Eigen::Vector3d(-3, 4, 3);
  problem.friction = {0.2};
  const ContactsDerivatives slides = differentiate_contacts(problem, solve_contacts(problem, sharp_options()));
  ASSERT_EQ(slides.status, DerivativeStatus::exact);
  EXPECT_NEAR(slides.impulse_by_velocity(0, 0), -0.5, 1e-12);
  EXPECT_NEAR(slides.impulse_by_velocity(1, 0), 0.2 * 0.5 * 0.8, 1e-9);
  EXPECT_NEAR(slides.impulse_by_friction(1, 0), -1.5 * 0.8, 1e-9);
  EXPECT_NEAR(slides.velocity_by_friction(2, 0), -1.5 * 0.6, 1e-9);
  // Across the slip friction turns with it: v⁺_t = v_t (1 − 0.3/|v_t|), of which the part across has (1 − 0.3/5).
  const Eigen::Vector3d across(0, -0.6, 0.8);
  EXPECT_LE((slides.velocity_by_velocity * across - (1 - 0.3 / 5) * across).norm(), 1e-9);
  problem.friction = {5};
  const ContactsDerivatives sticks = differentiate_contacts(problem, solve_contacts(problem, sharp_options()));
  EXPECT_EQ(sticks.status, DerivativeStatus::exact);
  EXPECT_LE(sticks.velocity_by_velocity.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(sticks.impulse_by_velocity(1, 1), -1, 1e-12);
  // By D: p = −D⁻¹v, so that δp = D⁻¹ δD D⁻¹ v.
  Eigen::MatrixXd dD = Eigen::MatrixXd::Zero(3, 3);
  dD(0, 1) = dD(1, 0) = 0.1;
  const auto solution = solve_contacts(problem, sharp_options());
  const auto change = sticks.along(dD, {}, {}, solution.impulse);
  EXPECT_LE((change.impulse - Eigen::Vector3d(0.5 * 0.1 * 4, 0.1 * -3 / 2, 0)).norm(), 1e-9);
  problem.velocity[0] = 1;
  const ContactsDerivatives open = differentiate_contacts(problem, solve_contacts(problem, sharp_options()));
  EXPECT_EQ(open.velocity_by_velocity, Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 3)));
}

TEST(ContactsDerivatives, BordersAreOneSided) {
  FrictionContactProblem problem;
  problem.dimension = Dimension::planar;
  problem.inertia = Eigen::MatrixXd(Eigen::Matrix2d::Identity());
  problem.friction = {0.5};
  const auto judged = [&](double n, double t) {
    problem.velocity = Eigen::Vector2d(n, t);
    return differentiate_contacts(problem, solve_contacts(problem, sharp_options()));
  };
  EXPECT_EQ(judged(-1, 0.5).status, DerivativeStatus::one_sided);  // just held
  EXPECT_EQ(judged(0, 0.5).status, DerivativeStatus::one_sided);   // just touched
  EXPECT_EQ(judged(-1, 0.5).border, std::vector<int>{0});
  EXPECT_EQ(judged(-1, 0.4).status, DerivativeStatus::exact);
  ContactsSolution unsolved;
  EXPECT_EQ(differentiate_contacts(problem, unsolved).status, DerivativeStatus::none);
}

// Four feet of one body: forces are not unique, motions are.
TEST(ContactsDerivatives, RedundantContacts) {
  Eigen::VectorXd velocity(6);
  velocity << 0.1, -0.05, -1, 0.02, 0.03, 0.01;
  const Machine body = body_on_points({{1, 1, -0.2}, {1, -1, -0.2}, {-1, 1, -0.2}, {-1, -1, -0.2}}, 0.8, velocity);
  const ContactsSolution solution = solve_contacts(body.problem, sharp_options());
  const ContactsDerivatives d = differentiate_contacts(body.problem, solution);
  ASSERT_NE(d.status, DerivativeStatus::none);
  EXPECT_FALSE(d.impulse_unique);
  EXPECT_LE((d.velocity_by_velocity * body.jacobian).cwiseAbs().maxCoeff(), 1e-9);  // all of it sticks
}

}  // namespace
