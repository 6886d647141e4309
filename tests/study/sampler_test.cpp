#include "routh/study/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "routh/base/error.h"
#include "routh/study/sample_list.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::scaled;

// The known answers of the generator's authors (Random123, kat_vectors).
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, UniformInEveryDimension) {
  const int count = scaled(200000, 20000);
  constexpr int bins = 50;
  for (std::uint32_t dimension = 0; dimension < 3; ++dimension) {
    std::vector<int> seen(bins);
    double product = 0;
    for (int k = 0; k < count; ++k) {
      const double u = uniform(7, static_cast<std::uint64_t>(k), dimension);
      ASSERT_TRUE(u >= 0 && u < 1);
      ++seen[static_cast<std::size_t>(u * bins)];
      product += (u - 0.5) * (uniform(7, static_cast<std::uint64_t>(k), dimension + 1) - 0.5);
    }
    double chi = 0;
    for (const int n : seen) chi += std::pow(n - double(count) / bins, 2) / (double(count) / bins);
    EXPECT_LT(chi, 49 + 5 * std::sqrt(2 * 49.0));
    EXPECT_LT(std::abs(product / count), 5 / (12 * std::sqrt(double(count))));
  }
}

TEST(Permutation, IsOneForEverySize) {
  for (const std::uint64_t count : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 1000u, 4097u}) {
    const Permutation permutation(count, 11, 2);
    std::set<std::uint64_t> seen;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t to = permutation(k);
      EXPECT_LT(to, count);
      seen.insert(to);
    }
    EXPECT_EQ(seen.size(), count);
  }
  // Different dimensions are shuffled differently.
  const Permutation one(1000, 11, 0), other(1000, 11, 1);
  int equal = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) equal += one(k) == other(k) ? 1 : 0;
  EXPECT_LT(equal, 20);
}

SamplerPlan unit_plan(SampleMethod method, std::size_t parameters, std::uint64_t samples) {
  SamplerPlan plan;
  plan.method = method;
  plan.samples = samples;
  plan.seed = 5;
  Spread unit;
  unit.to = 1;
  plan.spreads.assign(parameters, unit);
  return plan;
}

TEST(LatinHypercube, EachShareOnce) {
  constexpr std::uint64_t count = 777;
  const Sampler sampler(unit_plan(SampleMethod::latin_hypercube, 3, count));
  std::vector<std::set<int>> shares(3);
  double point[3];
  for (std::uint64_t k = 0; k < count; ++k) {
    sampler.sample(k, point);
    for (std::size_t d = 0; d < 3; ++d) shares[d].insert(static_cast<int>(point[d] * count));
  }
  for (const std::set<int>& each : shares) EXPECT_EQ(each.size(), count);
}

// The first points as listed by Joe and Kuo, and of SciPy 1.10 in the fifth dimension and the last.
TEST(Sobol, FirstPoints) {
  const double expected[10][2] = {{0, 0},         {0.5, 0.5},     {0.75, 0.25},   {0.25, 0.75},     {0.375, 0.375},
                                  {0.875, 0.875}, {0.625, 0.125}, {0.125, 0.625}, {0.1875, 0.3125}, {0.6875, 0.8125}};
  const Sampler sampler(unit_plan(SampleMethod::sobol, 2, 10));
  double point[2];
  for (std::uint64_t k = 0; k < 10; ++k) {
    sampler.sample(k, point);
    EXPECT_EQ(point[0], expected[k][0]) << k;
    EXPECT_EQ(point[1], expected[k][1]) << k;
  }
  const SobolDimension fifth(4), last(31);
  EXPECT_EQ(static_cast<double>(fifth.bits(5)) * 0x1p-52, 0.875);
  EXPECT_EQ(static_cast<double>(last.bits(5)) * 0x1p-52, 0.625);
  EXPECT_EQ(static_cast<double>(fifth.bits(100)) * 0x1p-52, 0.8828125);
  EXPECT_EQ(static_cast<double>(last.bits(100)) * 0x1p-52, 0.4140625);
  EXPECT_EQ(static_cast<double>(fifth.bits(19999)) * 0x1p-52, 0.736663818359375);
  EXPECT_EQ(static_cast<double>(last.bits(19999)) * 0x1p-52, 0.908538818359375);
}

// The corner of the cube is no point of a normal distribution: of n points the lowest stands for half of an nth.
TEST(Sobol, FirstPointOfANormalDistribution) {
  SamplerPlan plan = unit_plan(SampleMethod::sobol, 1, 1024);
  plan.spreads[0].kind = SpreadKind::normal;
  plan.spreads[0].deviation = 1;
  double point[1];
  Sampler(plan).sample(0, point);
  EXPECT_NEAR(0.5 * std::erfc(-point[0] / std::sqrt(2.0)), 0.5 / 1024, 1e-12);
}

TEST(Spread, LogarithmOfAWideRange) {
  Spread wide;
  wide.kind = SpreadKind::logarithmic;
  wide.from = 1e-200;
  wide.to = 1e200;
  for (const double u : {0.0, 0.25, 0.5, 0.75, 1.0}) EXPECT_NEAR(std::log10(wide.at(u)), -200 + 400 * u, 1e-10);
}

// Every 2^k points in a row fill the 2^k intervals of each dimension, one each, and the boxes of the first two.
TEST(Sobol, FillsEveryInterval) {
  constexpr std::uint64_t count = 256;
  for (int d = 0; d < max_sobol_dimensions; ++d) {
    const SobolDimension dimension(d);
    std::set<std::uint64_t> seen;
    for (std::uint64_t k = count; k < 2 * count; ++k) seen.insert(dimension.bits(k) >> (sobol_bits - 8));
    EXPECT_EQ(seen.size(), count) << d;
  }
  const SobolDimension first(0), second(1);
  std::set<std::pair<std::uint64_t, std::uint64_t>> boxes;
  for (std::uint64_t k = 0; k < count; ++k)
    boxes.insert({first.bits(k) >> (sobol_bits - 4), second.bits(k) >> (sobol_bits - 4)});
  EXPECT_EQ(boxes.size(), count);
}

// Σ over the corners: Warnock's formula for the mean square of the discrepancy.
double star_discrepancy(const Sampler& sampler, std::size_t dimensions) {
  const std::uint64_t n = sampler.size();
  std::vector<std::vector<double>> x(n, std::vector<double>(dimensions));
  for (std::uint64_t k = 0; k < n; ++k) sampler.sample(k, x[k]);
  double one = 0, two = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    double p = 1;
    for (std::size_t d = 0; d < dimensions; ++d) p *= (1 - x[i][d] * x[i][d]) / 2;
    one += p;
    for (std::uint64_t j = 0; j < n; ++j) {
      double q = 1;
      for (std::size_t d = 0; d < dimensions; ++d) q *= 1 - std::max(x[i][d], x[j][d]);
      two += q;
    }
  }
  const double count = static_cast<double>(n), dims = static_cast<double>(dimensions);
  return std::sqrt(std::pow(3, -dims) - 2 / count * one + two / (count * count));
}

TEST(Sobol, FillsMoreEvenlyThanChance) {
  const double even = star_discrepancy(Sampler(unit_plan(SampleMethod::sobol, 4, 512)), 4);
  const double chance = star_discrepancy(Sampler(unit_plan(SampleMethod::random, 4, 512)), 4);
  EXPECT_LT(even, 0.4 * chance);
  SamplerPlan shifted = unit_plan(SampleMethod::sobol, 4, 512);
  shifted.shifted = true;
  EXPECT_LT(star_discrepancy(Sampler(shifted), 4), 0.5 * chance);
}

TEST(Grid, LastParameterFastest) {
  SamplerPlan plan;
  plan.method = SampleMethod::grid;
  plan.spreads.resize(2);
  plan.spreads[0] = {SpreadKind::values, 0, 0, 0, 0, {3, 1}, 2};
  plan.spreads[1] = {SpreadKind::uniform, -1, 2, 0, 0, {}, 4};
  plan.samples = grid_size(plan.spreads);
  ASSERT_EQ(plan.samples, 8u);
  const Sampler sampler(plan);
  const double expected[8][2] = {{3, -1}, {3, 0}, {3, 1}, {3, 2}, {1, -1}, {1, 0}, {1, 1}, {1, 2}};
  double point[2];
  for (std::uint64_t k = 0; k < 8; ++k) {
    sampler.sample(k, point);
    EXPECT_EQ(point[0], expected[k][0]);
    EXPECT_DOUBLE_EQ(point[1], expected[k][1]);
  }
}

TEST(Spread, NormalQuantileInvertsTheDistribution) {
  for (const double p : {1e-16, 1e-8, 0.001, 0.1, 0.3, 0.5, 0.77, 0.999, 1 - 1e-9}) {
    const double x = normal_quantile(p);
    const double back = 0.5 * std::erfc(-x / std::sqrt(2.0));
    EXPECT_NEAR(back / p, 1, 1e-12) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0);
}

TEST(Spread, StaysWithinItsEnds) {
  Spread spread{SpreadKind::logarithmic, 1e-3, 10, 0, 0, {}, 1};
  EXPECT_EQ(spread.at(0), 1e-3);
  EXPECT_NEAR(spread.at(0.5), 0.1, 1e-15);
  EXPECT_LE(spread.at(1 - 0x1p-53), 10);
  Spread list{SpreadKind::values, 0, 0, 0, 0, {4, 5, 6}, 3};
  EXPECT_EQ(list.at(0), 4);
  EXPECT_EQ(list.at(0.999), 6);
}

TEST(SampleList, ReadsAndRefusesWithPlace) {
  const SampleList list = parse_sample_list("# points\nfriction, \"velocity[1]\"\n0.1,2\n\n 0.2 , -3e-1\r\n", "list");
  EXPECT_EQ(list.columns, (std::vector<std::string>{"friction", "velocity[1]"}));
  EXPECT_EQ(list.values, (std::vector<double>{0.1, 2, 0.2, -0.3}));
  EXPECT_EQ(std::pair(list.heading(1).line, list.heading(1).column), std::pair(2, 11));
  EXPECT_EQ(std::pair(list.cell(0, 1).line, list.cell(0, 1).column), std::pair(3, 5));
  EXPECT_EQ(std::pair(list.cell(1, 0).line, list.cell(1, 0).column), std::pair(5, 2));
  EXPECT_EQ(std::pair(list.cell(1, 1).line, list.cell(1, 1).column), std::pair(5, 8));
  EXPECT_EQ(list.cell(1, 1).file, "list");
  const auto place = [](const char* text) {
    try {
      parse_sample_list(text, "list");
    } catch (const InputError& error) {
      return std::pair(error.where().line, error.where().column);
    }
    return std::pair(-1, -1);
  };
  EXPECT_EQ(place("a,b\n1,x\n"), std::pair(2, 3));
  EXPECT_EQ(place("a,b\n1,2,3\n"), std::pair(2, 1));
  EXPECT_EQ(place("a,a\n1,2\n"), std::pair(1, 3));
  EXPECT_EQ(place("# only a heading\na,b\n"), std::pair(2, 1));
  EXPECT_EQ(place(""), std::pair(1, 1));
  EXPECT_EQ(place("a\nnan\n"), std::pair(2, 1));
}

}  // namespace
}  // namespace routh
