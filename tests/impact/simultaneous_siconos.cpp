// The law of several strikes against another engine, where it is installed: Lemke's method of siconos-numerics on
// w = D λ + (I + E) φ̇⁻, with 1 for the restitution of a contact that separates, and then on w = D λ + φ̇.
#include <gtest/gtest.h>

#ifdef ROUTH_HAVE_SICONOS
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <Eigen/LU>
#include <cmath>

#include "simultaneous_oracle.h"

namespace {

using namespace testing_support;
using Eigen::MatrixXd;
using Eigen::VectorXd;

bool solve_with_siconos(MatrixXd D, VectorXd q, VectorXd& impulse) {
  const int size = static_cast<int>(q.size());
  VectorXd w = VectorXd::Zero(size);
  impulse = VectorXd::Zero(size);
  LinearComplementarityProblem problem;
  NumericsMatrix* matrix = NM_create(NM_DENSE, size, size);
  std::copy(D.data(), D.data() + D.size(), matrix->matrix0);
  problem.size = size;
  problem.M = matrix;
  problem.q = q.data();
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  const int info = linearComplementarity_driver(&problem, impulse.data(), w.data(), options);
  solver_options_delete(options);
  NM_clear(matrix);
  free(matrix);
  return info == 0;
}

TEST(SimultaneousSiconos, IndependentContacts) {
  constexpr std::uint64_t seed = 9301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int compared = 0;
  for (int k = 0; k < scaled(200, 60); ++k) {
    routh::SimultaneousProblem p = random_simultaneous(random, RowFamily::independent);
    p.bilateral.resize(0, p.velocity.size());
    p.external_impulse.resize(0);
    const routh::SimultaneousResult r = solve_simultaneous(p);
    if (r.status != routh::SimultaneousStatus::ok) continue;
    const MatrixXd response = p.mass_matrix.partialPivLu().solve(p.normal.transpose());
    VectorXd q = p.normal * p.velocity;
    for (Eigen::Index c = 0; c < q.size(); ++c) {
      const bool strikes = q[c] < 0, rests = std::abs(q[c]) < 1e-10;
      q[c] *= rests ? 1 : strikes ? 1 + r.contacts[static_cast<std::size_t>(c)].restitution : 2;
    }
    VectorXd impulse, closing;
    if (!solve_with_siconos(p.normal * response, q, impulse)) continue;
    const VectorXd struck = p.velocity + response * impulse;
    if (!solve_with_siconos(p.normal * response, p.normal * struck, closing)) continue;
    ++compared;
    const VectorXd expected = struck + response * closing;
    EXPECT_LT((r.velocity - expected).norm(), 1e-8 * (1 + expected.norm())) << k;
  }
  EXPECT_GT(compared, 20);
}

}  // namespace
#else
TEST(SimultaneousSiconos, IndependentContacts) { GTEST_SKIP() << "siconos-numerics is not installed"; }
#endif
