#include "routh/math/chebyshev.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routh/math/exponential.h"

namespace {

using routh::PanelArray;

PanelArray sampled(double (*f)(double)) {
  PanelArray values;
  for (std::size_t j = 0; j < routh::panel_nodes; ++j) values[j] = f(routh::panel_node[j]);
  return values;
}

TEST(Chebyshev, NodesAreTheExtremaOfTheLastPolynomial) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  for (std::size_t j = 0; j < routh::panel_nodes; ++j) {
    const auto exact = static_cast<double>(-std::cos(pi * static_cast<long double>(j) / 15));
    EXPECT_NEAR(routh::panel_node[j], exact, 1.2e-16);
  }
}

TEST(Chebyshev, IntegratesPolynomialsExactly) {
  for (int power = 0; power < 16; ++power) {
    PanelArray f, integral;
    for (std::size_t j = 0; j < routh::panel_nodes; ++j) f[j] = std::pow(routh::panel_node[j], power);
    routh::integrate_to_nodes(f, 3, integral);
    const double start = std::pow(-1, power + 1);
    for (std::size_t j = 0; j < routh::panel_nodes; ++j)
      EXPECT_NEAR(integral[j], 3 * (std::pow(routh::panel_node[j], power + 1) - start) / (power + 1), 1e-14);
    EXPECT_NEAR(routh::integrate_panel(f), (1 - start) / (power + 1), 1e-15);
  }
}

TEST(Chebyshev, InterpolatesAndIntegratesBetweenNodes) {
  const PanelArray f = sampled([](double x) { return std::exp(x); });
  for (double x = -1; x <= 1; x += 0.037) {
    const PanelArray l = routh::interpolation_weights(x);
    EXPECT_NEAR(routh::dot(f, l), std::exp(x), 1e-14);
    EXPECT_NEAR(routh::dot(f, routh::integration_weights(l)), std::exp(x) - std::exp(-1), 1e-14);
  }
  for (const double node : routh::panel_node)
    EXPECT_EQ(routh::dot(f, routh::interpolation_weights(node)), std::exp(node));
}

TEST(Chebyshev, HighestCoefficientsTellTheError) {
  const PanelArray smooth = sampled([](double x) { return std::exp(x); });
  EXPECT_LT(routh::highest_coefficients(smooth), 1e-13);
  const PanelArray hard = sampled([](double x) { return 1 / (x - 1.1); });
  const double estimate = routh::highest_coefficients(hard);
  double worst = 0;
  for (double x = -0.99; x < 1; x += 0.01)
    worst = std::max(worst, std::abs(routh::dot(hard, routh::interpolation_weights(x)) - 1 / (x - 1.1)));
  EXPECT_GT(estimate, 0.1 * worst);
  EXPECT_LT(estimate, 10 * worst);
}

TEST(Exponential, AgreesWithTheLibrary) {
  for (double base = -690; base < 690; base += 0.731) {
    PanelArray x;
    for (std::size_t j = 0; j < routh::panel_nodes; ++j) x[j] = base + 0.37 * routh::panel_node[j];
    const PanelArray y = routh::exponential(x);
    for (std::size_t j = 0; j < routh::panel_nodes; ++j) EXPECT_NEAR(y[j] / std::exp(x[j]), 1, 4.5e-16) << x[j];
  }
}

// Which of the two a machine runs must not show in a result.
TEST(Chebyshev, TwoLanesAndFourGiveTheSameBits) {
  using namespace routh;
  PanelArray f, g;
  for (std::size_t j = 0; j < panel_nodes; ++j) {
    f[j] = std::exp(1.7 * panel_node[j]) / 3;
    g[j] = std::sin(5 * panel_node[j]) + 0.1;
  }
  EXPECT_EQ(dot<2>(f, g), dot<4>(f, g));
  EXPECT_EQ(integrate_panel<2>(f), integrate_panel<4>(f));
  EXPECT_EQ(highest_coefficients<2>(g), highest_coefficients<4>(g));
  PanelArray two, four;
  integrate_to_nodes<2>(f, 0.7, two);
  integrate_to_nodes<4>(f, 0.7, four);
  EXPECT_EQ(two, four);
  for (const double x : {-0.999, -0.3, 0.0, 0.77}) {
    EXPECT_EQ(interpolation_weights<2>(x), interpolation_weights<4>(x));
    EXPECT_EQ(integration_weights<2>(interpolation_weights<2>(x)), integration_weights<4>(interpolation_weights<4>(x)));
  }
}

}  // namespace
