// Problems without a solution, and the proofs of that; problems of few contacts, solved or refuted one and all.
#include <gtest/gtest.h>

#include "contact_oracles.h"

namespace {

using namespace contact_problems;
using routh::ContactsSolution;
using routh::ContactsStatus;
using testing_support::scaled;

void expect_proof(const FrictionContactProblem& p, const ContactsSolution& s) {
  ASSERT_EQ(s.status, ContactsStatus::infeasible);
  ASSERT_EQ(s.certificate.size(), p.velocity.size());
  Eigen::VectorXd v = p.velocity;
  if (p.surface_velocity.size() > 0) v -= p.surface_velocity;
  EXPECT_LT(s.certificate.dot(v), 0);
  const Eigen::VectorXd z = dense(p).transpose() * s.certificate;
  const int d = p.rows_per_contact();
  for (int i = 0; i < p.contacts(); ++i) {
    EXPECT_GE(s.certificate[d * i], 0);
    for (int r = 1; r < d; ++r) EXPECT_EQ(s.certificate[d * i + r], 0);
    Eigen::VectorXd ray = Eigen::VectorXd::Zero(d);
    ray[0] = 1;
    if (!p.slip.empty()) {
      for (int r = 1; r < d; ++r)
        ray[r] = -p.friction[static_cast<std::size_t>(i)] * p.slip[static_cast<std::size_t>(i)][r - 1];
      EXPECT_LE(z.segment(d * i, d).dot(ray), 1e-7);
    } else if (std::isinf(p.friction[static_cast<std::size_t>(i)])) {
      EXPECT_LE(z[d * i], 1e-7);
      EXPECT_LE(z.segment(d * i + 1, d - 1).norm(), 1e-12 * dense(p).norm());
    } else {
      const double mu = p.friction[static_cast<std::size_t>(i)];
      EXPECT_LE(z[d * i] + mu * z.segment(d * i + 1, d - 1).norm(), 1e-8 * (1 + mu) * dense(p).cwiseAbs().maxCoeff());
    }
  }
}

// Of each case: what a contact that does this allows of impulses and of velocities, from the laws.
void expect_refuted(const FrictionContactProblem& p, const routh::ContactsCase& found) {
  using routh::CaseMode;
  Eigen::VectorXd v = p.velocity;
  if (p.surface_velocity.size() > 0) v -= p.surface_velocity;
  const Eigen::VectorXd& y = found.y;
  const Eigen::VectorXd z = dense(p).transpose() * y;
  ASSERT_LT(y.dot(v), 0);
  for (int i = 0; i < p.contacts(); ++i) {
    const int r = 2 * i;
    const CaseMode mode = found.modes[static_cast<std::size_t>(i)];
    const double mu = p.friction[static_cast<std::size_t>(i)];
    const double sigma = p.slip.empty() ? 0 : p.slip[static_cast<std::size_t>(i)][0];
    if (mode == CaseMode::any || mode == CaseMode::open) {
      ASSERT_GE(y[r], 0);
    }
    const bool one_way = sigma != 0 || mu == 0;
    if (mode == CaseMode::slips_plus) {
      ASSERT_GE(y[r + 1], 0);
    } else if (mode == CaseMode::slips_minus) {
      ASSERT_LE(y[r + 1], 0);
    } else if (mode != CaseMode::sticks) {
      ASSERT_EQ(y[r + 1], 0);
    }
    ASSERT_TRUE(!one_way || mode == CaseMode::any || mode == CaseMode::open || mode == CaseMode::touches);
    if (mode == CaseMode::open) continue;
    const double allowed = 1e-9 * (1 + mu) * dense(p).cwiseAbs().maxCoeff();
    if (!(sigma < 0) && mode != CaseMode::slips_minus) {
      ASSERT_LE(z[r] - mu * z[r + 1], allowed);
    }
    if (!(sigma > 0) && mode != CaseMode::slips_plus) {
      ASSERT_LE(z[r] + mu * z[r + 1], allowed);
    }
  }
  for (Eigen::Index r = 2 * p.contacts(); r < v.size(); ++r) ASSERT_NEAR(z[r], 0, 1e-9 * dense(p).norm());
}

// The same in space: of slip within a sector, friction opposes one of its directions.
void expect_refuted_in_space(const FrictionContactProblem& p, const routh::ContactsCase& found) {
  using routh::CaseMode;
  const Eigen::VectorXd v = p.surface_velocity.size() > 0 ? p.velocity - p.surface_velocity : p.velocity;
  const Eigen::VectorXd& y = found.y;
  const Eigen::VectorXd z = dense(p).transpose() * y;
  ASSERT_LT(y.dot(v), 0);
  ASSERT_EQ(found.sectors.size(), found.modes.size());
  for (int i = 0; i < p.contacts(); ++i) {
    const CaseMode mode = found.modes[static_cast<std::size_t>(i)];
    const routh::SlipSector& sector = found.sectors[static_cast<std::size_t>(i)];
    const double mu = p.friction[static_cast<std::size_t>(i)];
    const Eigen::Vector2d yt = y.segment<2>(3 * i + 1), zt = z.segment<2>(3 * i + 1);
    if (mode == CaseMode::any || mode == CaseMode::open) {
      ASSERT_GE(y[3 * i], 0);
    }
    const double allowed = 1e-9 * dense(p).cwiseAbs().maxCoeff();
    double helps = (z[3 * i] + mu * zt.norm()) / (1 + mu);
    if (mode == CaseMode::slips) {
      ASSERT_NEAR(sector.from.norm(), 1, 1e-12);
      ASSERT_NEAR(sector.to.norm(), 1, 1e-12);
      ASSERT_GE(sector.from.dot(sector.to), -1e-12);
      helps = -1e300;
      for (int k = 0; k <= 200; ++k) {
        const Eigen::Vector2d slip = ((200 - k) * sector.from + k * sector.to).normalized();
        ASSERT_GE(yt.dot(slip), -1e-12);
        helps = std::max(helps, (z[3 * i] - mu * zt.dot(slip)) / (1 + mu));
      }
    } else if (mode != CaseMode::sticks) {
      ASSERT_EQ(yt.norm(), 0);
    }
    if (mode != CaseMode::open) {
      ASSERT_LE(helps, allowed);
    }
  }
}

// What contacts can do in space, at random: whether one of the cases has it.
bool is_covered(Random& random, int contacts, const std::vector<routh::ContactsCase>& cases) {
  using routh::CaseMode;
  std::vector<CaseMode> ways;
  std::vector<Eigen::Vector2d> slips;
  for (int i = 0; i < contacts; ++i) {
    constexpr CaseMode all[] = {CaseMode::open, CaseMode::sticks, CaseMode::slips, CaseMode::slips};
    ways.push_back(all[random.below(4)]);
    slips.push_back(Eigen::Vector2d(random.normal(), random.normal()).normalized());
  }
  const auto has = [&](const routh::ContactsCase& found, std::size_t i) {
    const CaseMode mode = found.modes[i];
    if (mode == CaseMode::any || (mode == CaseMode::touches && ways[i] != CaseMode::open)) return true;
    if (mode != ways[i]) return false;
    const routh::SlipSector& sector = found.sectors[i];
    const double turn = sector.from[0] * sector.to[1] - sector.from[1] * sector.to[0];
    const auto after = [&](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
      return (a[0] * b[1] - a[1] * b[0]) * turn >= 0;
    };
    return mode != CaseMode::slips ||
           (after(sector.from, slips[i]) && after(slips[i], sector.to) && slips[i].dot(sector.from + sector.to) > 0);
  };
  return std::any_of(cases.begin(), cases.end(), [&](const routh::ContactsCase& found) {
    for (std::size_t i = 0; i < ways.size(); ++i)
      if (!has(found, i)) return false;
    return true;
  });
}

// Whether each of the things that contacts can do together is within one of the cases.
bool cover_everything(const FrictionContactProblem& p, const std::vector<routh::ContactsCase>& cases) {
  using routh::CaseMode;
  constexpr CaseMode ways[] = {CaseMode::open, CaseMode::sticks, CaseMode::slips_plus, CaseMode::slips_minus};
  for (int code = 0; code < 1 << (2 * p.contacts()); ++code) {
    const bool covered = std::any_of(cases.begin(), cases.end(), [&](const routh::ContactsCase& found) {
      for (int i = 0; i < p.contacts(); ++i) {
        const CaseMode mode = found.modes[static_cast<std::size_t>(i)], way = ways[code >> (2 * i) & 3];
        if (mode != CaseMode::any && mode != way && (mode != CaseMode::touches || way == CaseMode::open)) return false;
      }
      return true;
    });
    if (!covered) return false;
  }
  return true;
}

// Velocities that no machine has, surfaces that move, slip that is given: every problem in the plane is solved, or
// refuted by what anyone can check.
TEST(Contradictions, EveryProblemInThePlaneIsDecided) {
  Random random(2315);
  int solved = 0, by_cones = 0, by_cases = 0;
  for (int k = 0; k < scaled(1000, 400); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const int n = 1 + random.below(6);
    Machine m = random_machine(random, n, Dimension::planar, std::pow(10, random.uniform(0, 3)));
    FrictionContactProblem& p = m.problem;
    const auto any = [&] { return random.normal(); };
    if (k % 3 == 0) p.velocity = Eigen::VectorXd::NullaryExpr(p.velocity.size(), any);
    if (k % 3 == 1) p.surface_velocity = Eigen::VectorXd::NullaryExpr(p.velocity.size(), any);
    if (k % 3 == 2) {
      for (int i = 0; i < n; ++i) p.slip.emplace_back(random.chance(0.7) ? (random.chance(0.5) ? 1 : -1) : 0, 0);
      for (double& mu : p.friction) mu = random.uniform(0, 3);
    }
    const ContactsSolution s = solve_contacts(p);
    if (s.status == ContactsStatus::solved) {
      ++solved;
      if (p.slip.empty()) {
        ASSERT_LE(violation(p, s.impulse), 1e-6);
      }
    } else if (s.certificate.size() > 0) {
      ++by_cones;
      ASSERT_NO_FATAL_FAILURE(expect_proof(p, s));
    } else {
      ASSERT_EQ(s.status, ContactsStatus::infeasible);
      ++by_cases;
      for (const routh::ContactsCase& found : s.cases) ASSERT_NO_FATAL_FAILURE(expect_refuted(p, found));
      ASSERT_TRUE(cover_everything(p, s.cases));
      if (k % 3 == 0 && n <= 4 && p.bilateral_rows() == 0) {
        ASSERT_TRUE(enumerate(p).empty());
      }
    }
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(by_cones, 10);
  EXPECT_GT(by_cases, 10);
}

// In space, velocities that no machine has and surfaces that move: what is not solved is mostly refuted, if need be by
// sectors of slip.
TEST(Contradictions, FewProblemsInSpaceAreLeftOpen) {
  Random random(2317);
  int solved = 0, by_cones = 0, by_cases = 0, open = 0;
  for (int k = 0; k < scaled(600, 150); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const int n = 1 + random.below(4), dof = 1 + random.below(3 * n + 3);
    Machine m;
    m.jacobian = Eigen::MatrixXd::NullaryExpr(3 * n, dof, [&] { return random.normal(); });
    m.masses = Eigen::VectorXd::NullaryExpr(dof, [&] { return std::pow(10, random.uniform(0, 3)); });
    m.velocity = Eigen::VectorXd::NullaryExpr(dof, [&] { return random.normal(); });
    finish(m, n);
    FrictionContactProblem& p = m.problem;
    const auto any = [&] { return random.normal(); };
    if (k % 2 == 0)
      p.velocity = Eigen::VectorXd::NullaryExpr(3 * n, any);
    else
      p.surface_velocity = Eigen::VectorXd::NullaryExpr(3 * n, any);
    for (double& mu : p.friction) mu = random.uniform(0.1, 3);
    const ContactsSolution s = solve_contacts(p);
    if (s.status == ContactsStatus::solved) {
      ++solved;
      ASSERT_LE(violation(p, s.impulse), 1e-6);
    } else if (s.status == ContactsStatus::not_solved) {
      ++open;
    } else if (s.certificate.size() > 0) {
      ++by_cones;
      ASSERT_NO_FATAL_FAILURE(expect_proof(p, s));
    } else {
      ++by_cases;
      for (const routh::ContactsCase& found : s.cases) ASSERT_NO_FATAL_FAILURE(expect_refuted_in_space(p, found));
      for (int trial = 0; trial < 300; ++trial) ASSERT_TRUE(is_covered(random, n, s.cases));
    }
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(by_cases, 5);
  EXPECT_LE(open, scaled(600, 150) / 100);
}

// A block between walls that close in: no impulse makes room.
TEST(Contradictions, ClosingWallsAreInfeasible) {
  Machine m;
  m.problem.dimension = Dimension::planar;
  m.jacobian = Eigen::MatrixXd::Zero(4, 2);
  m.jacobian << 1, 0, 0, 1, -1, 0, 0, 1;
  m.masses = Eigen::VectorXd::Constant(2, 3);
  m.velocity = Eigen::VectorXd::Zero(2);
  finish(m, 2);
  m.problem.friction = {0.3, 0.7};
  m.problem.surface_velocity.resize(4);
  m.problem.surface_velocity << 1, 0, 1, 0;
  expect_proof(m.problem, solve_contacts(m.problem));
}

// Painlevé's rod at the level of accelerations, slip given: A < 0 and B < 0 leave no force, A > 0 one.
TEST(Contradictions, PainlevesRodHasNoForce) {
  const double angle = 1.1071487177940904;  // tan = 2, where jamming friction is least, 4/3
  const double c = std::cos(angle), s = std::sin(angle);
  FrictionContactProblem p;
  p.dimension = Dimension::planar;
  p.inertia = Eigen::MatrixXd(Eigen::Matrix2d{{1 + 3 * c * c, -3 * s * c}, {-3 * s * c, 1 + 3 * s * s}});
  p.velocity = Eigen::Vector2d(-9.81, 0);
  for (const double sign : {1.0, -1.0})
    for (const double mu : {1.3, 1.4}) {
      p.friction = {mu};
      p.slip = {Eigen::Vector2d(sign, 0)};
      const double slope = dense(p)(0, 0) - mu * sign * dense(p)(0, 1);
      const ContactsSolution solution = solve_contacts(p);
      if (slope < 0) {
        expect_proof(p, solution);
      } else {
        ASSERT_EQ(solution.status, ContactsStatus::solved);
        EXPECT_NEAR(solution.impulse[0], 9.81 / slope, 1e-9 / slope);
        EXPECT_NEAR(solution.impulse[1], -mu * sign * solution.impulse[0], 1e-9 * solution.impulse[0]);
      }
    }
}

// Bilateral rows that contradict a surface: a guide of a block held, and a wall driven into it.
TEST(Contradictions, HeldBlockAndDrivenWall) {
  Machine m;
  m.problem.dimension = Dimension::planar;
  m.jacobian = Eigen::MatrixXd::Zero(3, 2);
  m.jacobian << 1, 0, 0, 1, 1, 0;
  m.masses = Eigen::VectorXd::Ones(2);
  m.velocity = Eigen::VectorXd::Zero(2);
  finish(m, 1);
  m.problem.friction = {0.5};
  m.problem.surface_velocity.resize(3);
  m.problem.surface_velocity << 1, 0, 0;
  expect_proof(m.problem, solve_contacts(m.problem));
}

// Normals that add up to nothing, y of random size, on machines of up to 60 contacts: no impulse changes y·v⁺, and the
// surfaces close in along y. So no impulse obeys the laws whatever friction is, infinite friction included.
TEST(Contradictions, SurfacesThatCloseInOnManyContacts) {
  Random random(2318);
  for (int k = 0; k < scaled(60, 30); ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    Machine m;
    m.problem.dimension = k % 3 == 0 ? Dimension::planar : Dimension::spatial;
    const int d = m.problem.rows_per_contact(), n = 2 + random.below(59), rows = d * n;
    const int dof = 2 + random.below(rows);
    m.jacobian = Eigen::MatrixXd::NullaryExpr(rows, dof, [&] { return random.normal(); });
    Eigen::VectorXd y = Eigen::VectorXd::Zero(rows);
    const int pressed = 2 + random.below(n - 1);
    for (int i = 0; i < pressed; ++i) y[d * i] = random.uniform(0.3, 3);
    m.jacobian.row(0).setZero();
    m.jacobian.row(0) = -(y.transpose() * m.jacobian) / y[0];
    m.masses = Eigen::VectorXd::NullaryExpr(dof, [&] { return std::pow(10, random.uniform(0, 3)); });
    m.velocity = Eigen::VectorXd::NullaryExpr(dof, [&] { return random.normal(); });
    finish(m, n);
    for (double& mu : m.problem.friction) mu = any_friction(random);
    Eigen::VectorXd surfaces = Eigen::VectorXd::NullaryExpr(rows, [&] { return random.normal(); });
    surfaces += (random.uniform(0.3, 1) * surfaces.norm() / y.norm() - surfaces.dot(y) / y.squaredNorm()) * y;
    m.problem.surface_velocity = surfaces;
    ASSERT_NO_FATAL_FAILURE(expect_proof(m.problem, solve_contacts(m.problem)));
  }
}

}  // namespace
