// Another library solves the same problems: fc3d of siconos-numerics, where it is installed.
#include <gtest/gtest.h>

#ifdef ROUTH_HAVE_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_Solvers.h>
#endif

#include "contact_problems.h"

namespace {

using namespace contact_problems;

#ifdef ROUTH_HAVE_SICONOS
// v⁺ by siconos' sweeps, to 1e-12; empty where it does not get there.
Eigen::VectorXd siconos_velocity(const routh::FrictionContactProblem& p) {
  const int rows = static_cast<int>(p.velocity.size());
  ::FrictionContactProblem* problem = frictionContactProblem_new();
  problem->dimension = 3;
  problem->numberOfContacts = p.contacts();
  problem->M = NM_create(NM_DENSE, rows, rows);
  Eigen::Map<Eigen::MatrixXd>(problem->M->matrix0, rows, rows) = dense(p);
  problem->q = static_cast<double*>(std::malloc(sizeof(double) * static_cast<std::size_t>(rows)));
  problem->mu = static_cast<double*>(std::malloc(sizeof(double) * p.friction.size()));
  Eigen::Map<Eigen::VectorXd>(problem->q, rows) = p.velocity;
  std::copy(p.friction.begin(), p.friction.end(), problem->mu);
  SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 20000;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(rows), velocity = impulse;
  const int fault = fc3d_driver(problem, impulse.data(), velocity.data(), options);
  solver_options_delete(options);
  frictionContactProblem_free(problem);
  return fault == 0 ? velocity : Eigen::VectorXd();
}
#endif

TEST(ContactSiconos, SameVelocitiesWhereTheMotionIsUnique) {
#ifdef ROUTH_HAVE_SICONOS
  Random random(2321);
  int compared = 0;
  const int count = testing_support::scaled(200, 50);
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(testing::Message() << "problem " << k);
    const int n = 1 + random.below(8);
    Machine m;
    m.jacobian = Eigen::MatrixXd::NullaryExpr(3 * n, 9 * n, [&] { return random.normal(); });
    m.masses = Eigen::VectorXd::Ones(9 * n);
    m.velocity = Eigen::VectorXd::NullaryExpr(9 * n, [&] { return random.normal(); });
    finish(m, n);
    for (double& mu : m.problem.friction) mu = random.uniform(0.05, 0.4);  // weak coupling: the motion is unique
    const Eigen::VectorXd expected = siconos_velocity(m.problem);
    if (expected.size() == 0) continue;
    ++compared;
    const routh::ContactsSolution s = solve_contacts(m.problem);
    ASSERT_EQ(s.status, routh::ContactsStatus::solved);
    ASSERT_LE((s.velocity - expected).norm(), 1e-8 * m.problem.velocity.norm());
  }
  EXPECT_GT(compared, count * 9 / 10);
#else
  GTEST_SKIP() << "siconos-numerics is not installed";
#endif
}

}  // namespace
