// Ticks, ranges and the mapping of a panel.
#include "routh/figure/axes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace routh {
namespace {

TEST(Ticks, AreMultiplesOfOneTwoOrFive) {
  for (const AxisRange range : {AxisRange{-0.27, 0.19}, AxisRange{0, 5.5}, AxisRange{-3e-7, 8e-7}, AxisRange{17, 23}}) {
    const std::vector<double> values = ticks(range, 6);
    ASSERT_GE(values.size(), 3u);
    ASSERT_LE(values.size(), 8u);
    const double step = values[1] - values[0];
    const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6)
        << mantissa;
    for (const double value : values) {
      EXPECT_GE(value, range.low - 1e-6 * step);
      EXPECT_LE(value, range.high + 1e-6 * step);
      EXPECT_NEAR(std::remainder(value, step), 0, 1e-6 * step);
    }
  }
}

TEST(Ticks, AreNeverAlone) {
  for (double half = 0.1; half < 10; half *= 1.07)
    for (int target = 2; target < 12; ++target) {
      EXPECT_GE(ticks({-half, half}, target).size(), 2u) << half << ' ' << target;
      EXPECT_LE(ticks({-half, half}, target).size(), static_cast<std::size_t>(std::max(5, target + 1)));
    }
}

TEST(Ticks, IncludeTheEndsWhenTheyAreRound) {
  EXPECT_EQ(ticks({0, 1}, 5), (std::vector<double>{0, 0.2, 0.4, 0.2 * 3, 0.8, 1}));
}

TEST(Ticks, NothingForAnEmptyRange) { EXPECT_TRUE(ticks({1, 1}, 5).empty()); }

TEST(TickLabels, ShareTheirDecimalsAndShowNoNegativeZero) {
  EXPECT_EQ(tick_labels({-0.2, -0.0, 0.2}), (std::vector<std::string>{"−0.2", "0", "0.2"}));
  EXPECT_EQ(tick_labels({0, 0.05, 0.1}), (std::vector<std::string>{"0", "0.05", "0.10"}));
  EXPECT_EQ(tick_labels({0, 500, 1000}), (std::vector<std::string>{"0", "500", "1000"}));
}

TEST(AxisLabel, TakesOutPowersOfTenForUnreadableNumbers) {
  EXPECT_EQ(engineering_exponent(0.5), 0);
  EXPECT_EQ(engineering_exponent(9999), 0);
  EXPECT_EQ(engineering_exponent(2e-5), -6);
  EXPECT_EQ(engineering_exponent(3e150), 150);
  EXPECT_EQ(engineering_exponent(0), 0);
  EXPECT_EQ(axis_label("v_{n}", "m/s", 0), "v_{n} [m/s]");
  EXPECT_EQ(axis_label("v_{n}", "m/s", -6), "v_{n} [10^{−6} m/s]");
}

TEST(RangeBuilder, HoldsItsValuesWithAMargin) {
  RangeBuilder builder;
  builder.add(-1);
  builder.add(3);
  const AxisRange range = builder.with_margin(0.25);
  EXPECT_DOUBLE_EQ(range.low, -2);
  EXPECT_DOUBLE_EQ(range.high, 4);
}

TEST(RangeBuilder, NeverMakesAnEmptyRange) {
  RangeBuilder builder;
  EXPECT_GT(builder.with_margin(0.1).width(), 0);
  builder.add(0);
  EXPECT_GT(builder.with_margin(0.1).width(), 0);
  RangeBuilder constant;
  constant.add(7);
  EXPECT_GT(constant.with_margin(0.1).width(), 0);
}

TEST(PlotPanel, MapsCornersToTheFrame) {
  SvgDocument document(200, 100);
  const PlotPanel panel(document, {10, 20, 100, 50}, {0, 1}, {-1, 1});
  EXPECT_DOUBLE_EQ(panel.map({0, 1}).x, 10);
  EXPECT_DOUBLE_EQ(panel.map({0, 1}).y, 20);
  EXPECT_DOUBLE_EQ(panel.map({1, -1}).x, 110);
  EXPECT_DOUBLE_EQ(panel.map({1, -1}).y, 70);
}

TEST(PlotPanel, EqualAxesKeepCirclesRound) {
  SvgDocument document(200, 100);
  const PlotPanel panel = PlotPanel::with_equal_axes(document, {0, 0, 160, 90}, {-1, 1}, {5, 6});
  const double x_scale = panel.map({1, 5}).x - panel.map({0, 5}).x;
  const double y_scale = panel.map({0, 5}).y - panel.map({0, 6}).y;
  EXPECT_NEAR(x_scale, y_scale, 1e-9);
  EXPECT_TRUE(panel.contains({-1, 5}));
  EXPECT_TRUE(panel.contains({1, 6}));
}

}  // namespace
}  // namespace routh
