// The tableau of the explicit stepper against the order conditions, its count of evaluations, polynomials.
#include "routh/math/dormand_prince.h"

#include <gtest/gtest.h>

#include <vector>

#include "ode_problems.h"
#include "routh/math/dormand_prince_tableau.h"

namespace {

using namespace ode_problems;
using routh::DormandPrince8;
namespace tableau = routh::dormand_prince;

// Rooted trees with their elementary weights φ_i and densities γ [Hairer, Nørsett and Wanner 1993, II.2].
struct Tree {
  int order;
  double density;
  std::vector<double> phi;    // φ_i
  std::vector<double> a_phi;  // Σ_j a_ij φ_j
};

// Grafts children of total order `left`, in falling order of their index so that each set comes once.
void graft(std::vector<Tree>& trees, const Tree& root, int left, std::size_t most) {
  if (left == 0) {
    Tree tree = root;
    tree.density *= tree.order;
    tree.a_phi.assign(tableau::stages, 0);
    for (std::size_t i = 0; i < tableau::stages; ++i)
      for (std::size_t j = 0; j < i; ++j) tree.a_phi[i] += tableau::a[i][j] * tree.phi[j];
    trees.push_back(tree);
    return;
  }
  for (std::size_t k = 0; k < most; ++k) {
    if (trees[k].order > left) continue;
    Tree larger = root;
    larger.density *= trees[k].density;
    for (std::size_t i = 0; i < tableau::stages; ++i) larger.phi[i] *= trees[k].a_phi[i];
    graft(trees, larger, left - trees[k].order, k + 1);
  }
}

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> trees;
  for (int k = 1; k <= order; ++k)
    graft(trees, {k, 1, std::vector<double>(tableau::stages, 1), {}}, k - 1, trees.size());
  return trees;
}

// Σ w_i φ_i − target, over the sum of the sizes.
double defect(const double* weights, const Tree& tree, double target) {
  double sum = -target, size = 1;
  for (std::size_t i = 0; i < tableau::stages; ++i) {
    sum += weights[i] * tree.phi[i];
    size += std::abs(weights[i] * tree.phi[i]);
  }
  return std::abs(sum) / size;
}

TEST(DormandPrince8, TableauMeetsTheOrderConditions) {
  const std::vector<Tree> trees = trees_up_to(9);
  ASSERT_EQ(trees.size(), 486u);  // 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115 + 286
  double largest9 = 0;
  for (const Tree& tree : trees) {
    const double target = 1 / tree.density;
    if (tree.order <= 8) {
      EXPECT_LT(defect(tableau::a[tableau::stages], tree, target), 1e-14) << "order " << tree.order;
    } else {
      largest9 = std::max(largest9, defect(tableau::a[tableau::stages], tree, target));
    }
    if (tree.order <= 5) {
      EXPECT_LT(defect(tableau::estimate5, tree, 0), 1e-14) << "order " << tree.order;
    }
    if (tree.order <= 3) {
      EXPECT_LT(defect(tableau::weights3, tree, target), 1e-14) << "order " << tree.order;
    }
  }
  EXPECT_GT(largest9, 1e-8);
  for (std::size_t i = 0; i < tableau::all_stages; ++i) {
    double sum = 0;
    for (const double x : tableau::a[i]) sum += x;
    EXPECT_NEAR(sum, tableau::c[i], 2e-14) << "row " << i;
  }
}

// Rates that mean nothing at the end of a step, where only the interpolation asks for them.
TEST(DormandPrince8, InterpolatesUpToASingularEnd) {
  constexpr double end = 0.5;
  int calls = 0;
  Rates rates([&](double t, const VectorXd& y, VectorXd& dy) {
    dy[0] = t == end && ++calls > 1 ? -40.0 : -y[0];
    return true;
  });
  DormandPrince8 stepper(1);
  VectorXd y = VectorXd::Ones(1);
  ASSERT_EQ(stepper.step(rates, 0, y, end, any_error(1)).status, OdeStepStatus::good);
  ASSERT_GT(calls, 1);
  for (const double theta : {0.1, 0.5, 0.9, 0.99}) {
    ASSERT_TRUE(stepper.interpolate(rates, theta, y));
    EXPECT_NEAR(y[0], std::exp(-theta * end), 1e-7);
  }
}

// Or within it, where the stages of the step have missed them: there is no interpolation.
TEST(DormandPrince8, RefusesToInterpolateWhatItMissed) {
  Rates rates([&](double t, const VectorXd& y, VectorXd& dy) {
    dy[0] = std::abs(t - 0.05) < 1e-3 ? 1e6 : -y[0];  // at one of the stages of the interpolation alone
    return true;
  });
  DormandPrince8 stepper(1);
  VectorXd y = VectorXd::Ones(1);
  ASSERT_EQ(stepper.step(rates, 0, y, 0.5, any_error(1)).status, OdeStepStatus::good);
  EXPECT_NEAR(stepper.result()[0], std::exp(-0.5), 1e-8);
  EXPECT_FALSE(stepper.interpolate(rates, 0.5, y));
}

TEST(DormandPrince8, CountsItsEvaluations) {
  Rates rates = kepler();
  DormandPrince8 stepper(4);
  const OdeTolerance any = any_error(4), strict = tolerance(1e-14, VectorXd::Ones(4));
  VectorXd y = kepler_at(0, 0.3), dy(4);
  EXPECT_FALSE(stepper.interpolate(rates, 0.5, dy));
  for (int k = 0; k < 5; ++k) stepper.step(rates, k / 4.0, k == 0 ? y : stepper.result(), 0.25, any);
  EXPECT_EQ(stepper.evaluations(), 1 + 5 * 12);
  for (const double theta : {0.1, 0.2, 0.7}) EXPECT_TRUE(stepper.interpolate(rates, theta, y));
  EXPECT_EQ(stepper.evaluations(), 1 + 5 * 12 + 3);
  // A step too large costs the stages after the first; repeating it does not evaluate the first again.
  y = stepper.result();
  EXPECT_EQ(stepper.step(rates, 1.25, y, 0.5, strict).status, OdeStepStatus::too_large);
  EXPECT_EQ(stepper.evaluations(), 1 + 5 * 12 + 3 + 11);
  EXPECT_EQ(y, stepper.result());
  stepper.reset();
  EXPECT_EQ(stepper.step(rates, 1.25, y, 0.25, any).status, OdeStepStatus::good);
  EXPECT_EQ(stepper.evaluations(), 1 + 5 * 12 + 3 + 11 + 13);
}

TEST(DormandPrince8, ExactForPolynomials) {
  Rates rates([](double t, const VectorXd&, VectorXd& dy) {
    dy << 0, 2, 6 * t, 5 * t * t * t * t;
    return true;
  });
  DormandPrince8 stepper(4);
  const OdeStepResult step = stepper.step(rates, 0, VectorXd::Zero(4), 2, tolerance(1e-10, vector({1, 1, 1, 1})));
  EXPECT_EQ(step.status, OdeStepStatus::good);
  EXPECT_DOUBLE_EQ(step.next, 16);  // the largest factor
  EXPECT_LT((stepper.result() - vector({0, 4, 12, 32})).norm(), 1e-13);
}

}  // namespace
