#include "routh/math/small_roots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random_problems.h"

namespace {

using routh::real_roots;
using routh::RealRoots;

// Coefficients of Π (x − r) times Π (x² − 2 p x + p² + q²).
std::vector<double> expand(const std::vector<double>& roots, const std::vector<std::pair<double, double>>& pairs) {
  std::vector<double> c{1};
  const auto multiply = [&](const std::vector<double>& f) {
    std::vector<double> product(c.size() + f.size() - 1, 0.0);
    for (std::size_t i = 0; i < c.size(); ++i)
      for (std::size_t j = 0; j < f.size(); ++j) product[i + j] += c[i] * f[j];
    c = product;
  };
  for (const double r : roots) multiply({-r, 1});
  for (const auto& [p, q] : pairs) multiply({p * p + q * q, -2 * p, 1});
  return c;
}

TEST(SmallRoots, FindsWhatThePolynomialWasMadeOf) {
  constexpr std::uint64_t seed = 71;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  testing_support::Random random(seed);
  for (int k = 0; k < testing_support::scaled(2000); ++k) {
    const int degree = 1 + random.below(4);
    const int pairs = random.below(degree / 2 + 1);
    std::vector<double> roots;
    for (int i = 0; i < degree - 2 * pairs; ++i) roots.push_back(random.uniform(-3, 3));
    std::sort(roots.begin(), roots.end());
    bool close = false;
    for (std::size_t i = 1; i < roots.size(); ++i) close = close || roots[i] - roots[i - 1] < 1e-3;
    if (close) continue;
    std::vector<std::pair<double, double>> complex;
    for (int i = 0; i < pairs; ++i) complex.emplace_back(random.uniform(-3, 3), random.uniform(0.1, 3));
    std::vector<double> c = expand(roots, complex);
    const double scale = std::pow(10, random.uniform(-20, 20));
    for (double& x : c) x *= scale;
    const RealRoots found = real_roots(c);
    ASSERT_EQ(found.count, static_cast<int>(roots.size()));
    for (std::size_t i = 0; i < roots.size(); ++i) EXPECT_NEAR(found.root[i], roots[i], 1e-9);
  }
}

TEST(SmallRoots, DoubleRootsComeOnce) {
  const RealRoots found = real_roots(expand({0.5, 0.5, -2}, {}));
  ASSERT_EQ(found.count, 2);
  EXPECT_NEAR(found.root[0], -2, 1e-14);
  EXPECT_NEAR(found.root[1], 0.5, 1e-7);
}

TEST(SmallRoots, LowerDegreesAndNothing) {
  EXPECT_EQ(real_roots(std::vector<double>{}).count, 0);
  EXPECT_EQ(real_roots(std::vector<double>{3}).count, 0);
  EXPECT_EQ(real_roots(std::vector<double>{0, 0, 0}).count, 0);
  EXPECT_EQ(real_roots(std::vector<double>{1, 0, 1}).count, 0);
  const RealRoots line = real_roots(std::vector<double>{-6, 3, 0, 0});
  ASSERT_EQ(line.count, 1);
  EXPECT_EQ(line.root[0], 2);
}

}  // namespace
