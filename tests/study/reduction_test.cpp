#include "routh/study/reduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Values over many orders of magnitude, of both signs.
std::vector<double> wild(Random& random, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(random.normal() * std::pow(10, random.uniform(-8, 8)));
  return values;
}

TEST(Moments, AgreeWithLongSums) {
  Random random(1);
  std::vector<double> values;
  for (int k = 0; k < 5000; ++k) values.push_back(1e6 + random.normal());
  values[17] = nan;
  Moments sum;
  for (std::size_t k = 0; k < values.size(); k += 64)
    join(sum, block_moments(std::span(values).subspan(k, std::min<std::size_t>(64, values.size() - k)), k));
  long double mean = 0, squares = 0;
  for (const double x : values)
    if (!std::isnan(x)) mean += static_cast<long double>(x);
  mean /= 4999;
  for (const double x : values)
    if (!std::isnan(x)) squares += std::pow(static_cast<long double>(x) - mean, 2.0L);
  EXPECT_EQ(sum.count, 4999u);
  EXPECT_EQ(sum.missing, 1u);
  EXPECT_NEAR(sum.mean, static_cast<double>(mean), 1e-9);
  EXPECT_NEAR(*sum.deviation(), static_cast<double>(std::sqrt(squares / 4998)), 1e-9);
  values[17] = 1e6;
  EXPECT_EQ(sum.low, *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(values[sum.high_index], sum.high);
  EXPECT_EQ(values[sum.low_index], sum.low);
}

TEST(Moments, OneValueDoesNotDeviate) {
  const double values[] = {3, 5};
  EXPECT_FALSE(Moments().deviation());
  EXPECT_FALSE(block_moments(std::span(values).first(1), 0).deviation());
  EXPECT_DOUBLE_EQ(*block_moments(values, 0).deviation(), std::sqrt(2.0));
}

TEST(Moments, OfNothing) {
  const double none[] = {nan, nan};
  Moments sum;
  join(sum, block_moments(none, 0));
  EXPECT_EQ(sum.count, 0u);
  EXPECT_EQ(sum.missing, 2u);
  const double some[] = {-4, -4};
  join(sum, block_moments(some, 2));
  EXPECT_EQ(sum.high, -4);
  EXPECT_EQ(sum.high_index, 2u);
  EXPECT_EQ(sum.mean, -4);
  EXPECT_EQ(sum.squares, 0);
}

TEST(Histogram, EveryValueInItsBin) {
  const HistogramPlan plan{-1, 2, 6};
  EXPECT_EQ(plan.bin(-1), 0);
  EXPECT_EQ(plan.bin(-1.0001), -1);
  EXPECT_EQ(plan.bin(2), 5);
  EXPECT_EQ(plan.bin(2.1), 6);
  EXPECT_EQ(plan.bin(0.25), 2);
  EXPECT_EQ(plan.edge(0), -1);
  EXPECT_EQ(plan.edge(6), 2);
}

TEST(QuantileSketch, KeysRiseWithValues) {
  Random random(2);
  std::vector<double> values = wild(random, scaled(20000, 2000));
  values.insert(values.end(), {0.0, -0.0, 1e-320, -1e-320, 1e308, -1e308});
  std::sort(values.begin(), values.end());
  std::uint32_t before = 0;
  for (const double x : values) {
    const std::uint32_t key = QuantileSketch::key_of(x);
    EXPECT_GE(key, before);
    before = key;
    if (std::abs(x) < 1e-300) continue;
    EXPECT_LE(std::abs(QuantileSketch::middle(key) - x), QuantileSketch::relative_error * std::abs(x));
  }
  EXPECT_EQ(QuantileSketch::middle(QuantileSketch::key_of(0)), 0);
}

TEST(QuantileSketch, WithinItsErrorOfTheSortedValues) {
  Random random(3);
  const int count = scaled(100000, 5000);
  const std::vector<double> values = wild(random, count);
  QuantileSketch sketch;
  for (const double x : values) sketch.add(x);
  const Moments moments = block_moments(values, 0);
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const auto buckets = sketch.buckets();
  for (const double p : {0.0, 0.001, 0.05, 0.25, 0.5, 0.731, 0.99, 1.0}) {
    // Between two neighbours either may be off by its share.
    const double rank = p * (count - 1);
    const double low = sorted[static_cast<std::size_t>(std::floor(rank))];
    const double high = sorted[static_cast<std::size_t>(std::ceil(rank))];
    const double bound = QuantileSketch::relative_error * std::max(std::abs(low), std::abs(high));
    EXPECT_NEAR(*sketch_quantile(buckets, moments, p), *exact_quantile(sorted, p), bound) << p;
  }
}

TEST(QuantileSketch, OrderDoesNotMatter) {
  Random random(4);
  const std::vector<double> values = wild(random, 3000);
  QuantileSketch one, other;
  for (const double x : values) one.add(x);
  for (auto x = values.rbegin(); x != values.rend(); ++x) other.add(*x);
  EXPECT_EQ(one.buckets(), other.buckets());
  other.clear();
  EXPECT_TRUE(other.buckets().empty());
}

// As NumPy's default.
TEST(Quantile, InterpolatesBetweenNeighbours) {
  const double sorted[] = {1, 2, 4, 8};
  EXPECT_EQ(exact_quantile(sorted, 0), 1);
  EXPECT_EQ(exact_quantile(sorted, 1), 8);
  EXPECT_EQ(exact_quantile(sorted, 0.5), 3);
  EXPECT_DOUBLE_EQ(*exact_quantile(sorted, 0.9), 4 + 0.7 * 4);
  EXPECT_FALSE(exact_quantile({}, 0.5));
}

}  // namespace
}  // namespace routh
