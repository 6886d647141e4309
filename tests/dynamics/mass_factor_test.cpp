// LᵀL = M along the tree.
#include "routh/dynamics/mass_factor.h"

#include "case.h"
#include "routh/dynamics/dynamics.h"

namespace {

using reference::Case;
using reference::for_random_machines;
using reference::near;
using testing_support::Random;
using testing_support::random_vector;
using testing_support::scaled;

const testing_support::MachineOptions with_armature = {.dof_chance = 0.3};

// Lᵀ from L⁻ᵀ, which is upper triangular as well.
Eigen::MatrixXd transposed_factor(const routh::MassFactor& factor, int n) {
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(n, n);
  for (int j = 0; j < n; ++j) factor.half_solve(inverse.col(j));
  EXPECT_TRUE(inverse.isUpperTriangular(0));
  return inverse.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(n, n));
}

// Whether one of the two is on the way from the other to the world: the same joint, or joints of one branch.
bool related(const routh::Model& model, int i, int j) {
  const auto above = [&](int dof, int other) {
    for (int body = model.joints[model.dofs[dof].joint].child; body > 0; body = model.joints[body - 1].parent)
      if (body - 1 == model.dofs[other].joint) return true;
    return false;
  };
  return above(i, j) || above(j, i);
}

TEST(MassFactor, IsAFactorOfTheMassMatrix) {
  for_random_machines(3401, scaled(200, 20), with_armature, [](Case& c, Random& random) {
    compute_mass_matrix(c.model, c.state.q, c.workspace);
    routh::MassFactor factor(c.model);
    factor.load(c.state.q, c.workspace);
    ASSERT_EQ(factor.non_finite(), -1);
    ASSERT_EQ(factor.decompose(), -1);
    const int n = c.n();
    const Eigen::MatrixXd Lt = transposed_factor(factor, n), M = c.workspace.mass_matrix;
    ASSERT_TRUE(near(Lt * Lt.transpose(), M, 1e-12));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        // L is lower triangular; Lᵀ has its zeros below the diagonal, and between branches.
        const bool apart = !related(c.model, i, j);
        EXPECT_TRUE(Lt(i, j) == 0 || !(i > j || apart)) << i << " " << j;
        EXPECT_TRUE(M(i, j) == 0 || !apart) << i << " " << j;
      }
    const Eigen::VectorXd f = random_vector(random, n);
    Eigen::VectorXd x = f, half = f;
    factor.solve(x);
    ASSERT_LE((M * x - f).norm(), 1e-12 * (1 + M.norm() * x.norm()));
    factor.half_solve(half);
    EXPECT_NEAR(half.squaredNorm(), f.dot(x), 1e-11 * (1 + half.squaredNorm()));
    factor.finish_solve(half);
    EXPECT_TRUE(near(half, x, 1e-12));
  });
}

TEST(MassFactor, ReportsThePivotThatIsNotPositive) {
  for_random_machines(3402, scaled(100, 10), with_armature, [](Case& c, Random& random) {
    if (c.n() == 0) return;
    compute_mass_matrix(c.model, c.state.q, c.workspace);
    routh::MassFactor factor(c.model);
    const int k = random.below(c.n());
    const double kept = c.workspace.mass_matrix(k, k);
    for (const double bad :
         {-1.0, 0.0, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      factor.load(c.state.q, c.workspace);
      factor.add_to_diagonal(k, bad - kept);
      EXPECT_EQ(factor.non_finite(), std::isfinite(bad) ? -1 : k);
      EXPECT_EQ(factor.decompose(), k) << bad;
    }
    // Afterwards it is as good as new.
    factor.load(c.state.q, c.workspace);
    EXPECT_EQ(factor.decompose(), -1);
    EXPECT_TRUE(near(transposed_factor(factor, c.n()) * transposed_factor(factor, c.n()).transpose(),
                     c.workspace.mass_matrix, 1e-12));
  });
}

}  // namespace
