// Forecasts of discs whose friction and restitution scatter from throw to throw by a known law: what is forecast with a
// probability p comes true so often; scores of forecasts that were written down by hand.
#include "routh/recording/predict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "disc_throws.h"
#include "routh/recording/writer.h"

namespace {

using namespace routh;
using namespace routh::internal;
using namespace throws_support;
using testing_support::Random;

constexpr double friction_low = 0.05, friction_high = 0.25, restitution_low = 0.5, restitution_high = 0.7;

Scene scattered_scene() { return read_scene_text(disc_scene, "disc.yaml"); }

Recordings scattered_throws(int count, std::uint64_t seed) {
  Random random(seed);
  Recordings out;
  for (int k = 0; k < count; ++k) {
    const double mu = random.uniform(friction_low, friction_high),
                 e = random.uniform(restitution_low, restitution_high);
    out.throws.push_back(record(random_start(random), mu, e, 2e-4, random));
    out.throws.back().name = fmt::format("{:03}.csv", k);
  }
  return out;
}

// Anywhere in these ranges.
Estimate ranges() {
  Estimate out;
  out.parameters = {{parse_parameter("surfaces.floor.friction", {"test"}), friction_low, friction_high},
                    {parse_parameter("surfaces.floor.restitution", {"test"}), restitution_low, restitution_high}};
  out.value = {0, 0};
  out.deviation = {-1, -1};
  return out;
}

TEST(Predict, WhatIsForecastComesTrueAsOften) {
  const std::uint64_t seed = 20;
  const Recordings data = scattered_throws(testing_support::scaled(150, 60), seed);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  PredictOptions options;
  options.draws = 60;
  options.threads = 2;
  const PredictReport report = predict(scattered_scene(), data, ranges(), options);
  ASSERT_TRUE(report.complete);
  // How often each outcome came true, against the sum of its probabilities: throws are independent.
  for (const Forecast& face : report.forecasts) {
    if (face.scored == 0) continue;
    EXPECT_EQ(face.scored, data.throws.size());
    for (std::size_t k = 0; k < face.outcomes.size(); ++k) {
      double expected = 0, variance = 0, came = 0;
      for (std::size_t t = 0; t < face.probability.size(); ++t) {
        const double p = face.probability[t][k];
        // A probability of n draws is itself uncertain by p(1 − p)/n.
        expected += p;
        variance += p * (1 - p) * (1 + 1.0 / options.draws);
        came += face.happened[t] == static_cast<int>(k) ? 1 : 0;
      }
      EXPECT_LT(std::abs(came - expected), 4 * std::sqrt(variance) + 1) << face.name << " " << face.outcomes[k];
    }
  }
  const Forecast& face = report.forecasts.front();
  EXPECT_GT(face.better(), 0.15);
  EXPECT_LT(face.low, face.better());
  EXPECT_GT(face.high, face.better());
  // The log score of right forecasts is their mean entropy, within what chance makes of it.
  double entropy = 0, variance = 0;
  for (const std::vector<double>& p : face.probability) {
    double mean = 0, square = 0;
    for (const double each : p) {
      mean -= each * std::log(each);
      square += each * std::log(each) * std::log(each);
    }
    entropy += mean / static_cast<double>(face.probability.size());
    variance += (square - mean * mean) / std::pow(static_cast<double>(face.probability.size()), 2);
  }
  EXPECT_NEAR(face.score, entropy, 4 * std::sqrt(variance) + 0.02);
  // One path in place of a distribution is surprised.
  Estimate middle = ranges();
  middle.value = {0.15, 0.6};
  middle.deviation = {0, 0};
  middle.correlation = {1, 0, 0, 1};
  options.widen = 0;
  EXPECT_GT(predict(scattered_scene(), data, middle, options).forecasts.front().score, face.score);
}

TEST(Predict, SameBitsForAnyNumberOfThreadsOtherDrawsForAnotherSeed) {
  const Recordings data = scattered_throws(6, 4);
  PredictOptions one;
  one.draws = 10;
  PredictOptions two = one;
  two.threads = 3;
  const std::string alone = predict_json(predict(scattered_scene(), data, ranges(), one));
  EXPECT_EQ(predict_json(predict(scattered_scene(), data, ranges(), two)), alone);
  two.seed = 1;
  EXPECT_NE(predict_json(predict(scattered_scene(), data, ranges(), two)), alone);
}

TEST(Predict, AFlightAloneIsPredicted) {
  Recordings data = scattered_throws(5, 9);
  for (Recording& each : data.throws) {  // 0.12 s from at least 0.25 m: still in the air
    each.times.resize(30);
    each.q.resize(30);
    each.where.resize(30);
  }
  PredictOptions options;
  options.draws = 40;
  EXPECT_THROW(predict(scattered_scene(), data, ranges(), options), InputError);
  options.duration = 0.5;
  options.regions = {{"left", {-10, -10}, {0.5, 10}}, {"right", {0.5, -10}, {10, 10}}};
  const PredictReport report = predict(scattered_scene(), data, ranges(), options);
  for (const Forecast& each : report.forecasts) {
    EXPECT_EQ(each.scored, 0u);
    for (const std::vector<double>& p : each.probability) {
      double sum = 0;
      for (const double one : p) sum += one;
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
  // The whole of these throws is known: the mean end is near theirs, in units of its own deviation.
  const Recordings whole = scattered_throws(5, 9);
  for (std::size_t t = 0; t < 5; ++t) {
    const PredictedThrow& one = report.throws[t];
    const std::size_t end = 29 + 125;  // 0.5 s after the last sample that was kept
    if (end >= whole.throws[t].size()) continue;
    EXPECT_NEAR(one.mean[0], whole.throws[t].q[end][0], 4 * one.deviation[0] + 1e-3);
  }
}

TEST(Predict, ScoresByHand) {
  Forecast one;
  one.outcomes = {"a", "b"};
  one.probability = {{0.75, 0.25}, {0.25, 0.75}, {0.5, 0.5}, {0.9, 0.1}};
  one.happened = {0, 1, 0, -1};
  score(one, 0.95);
  EXPECT_EQ(one.scored, 3u);
  EXPECT_NEAR(one.score, (-2 * std::log(0.75) - std::log(0.5)) / 3, 1e-12);
  // Of two other throws one more of `a`, with half a throw for each outcome: 1.5/3; of `b` 0.5/3.
  EXPECT_NEAR(one.base, (-2 * std::log(0.5) - std::log(0.5 / 3)) / 3, 1e-12);
  EXPECT_EQ(one.bins[7].count, 2u);
  EXPECT_NEAR(one.bins[7].forecast, 0.75, 1e-12);
  EXPECT_NEAR(one.bins[7].came_true, 1, 1e-12);
  EXPECT_NEAR(one.bins[5].came_true, 0.5, 1e-12);
}

TEST(Predict, AnIdentificationIsDrawnFrom) {
  Random random(31);
  Recordings data;
  for (int k = 0; k < 10; ++k) {
    data.throws.push_back(record(random_start(random), 0.15, 0.6, 2e-4, random));
    data.throws.back().name = fmt::format("{}.csv", k);
  }
  const IdentifyOptions how;
  const std::vector<SoughtParameter> sought = {{parse_parameter("surfaces.floor.friction", {"test"}), 0, 0.6},
                                               {parse_parameter("surfaces.floor.restitution", {"test"}), 0.2, 1}};
  const IdentifyReport identified = identify(scattered_scene(), data, sought, how);
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "routh_predict_test.json";
  std::ofstream(path) << identify_json(identified, how);
  const ReadEstimate read = read_estimate(path.string());
  std::filesystem::remove(path);
  EXPECT_FALSE(read.law);
  ASSERT_EQ(read.estimate.value.size(), 2u);
  EXPECT_EQ(read.estimate.value[1], identified.laws[0].parameters[1].value);
  EXPECT_EQ(read.estimate.deviation[0], identified.laws[0].deviation[0]);
  EXPECT_EQ(read.estimate.parameters[0].high, 0.6);
  const PredictReport report = predict(scattered_scene(), data, read.estimate, {});
  // So well known, nearly all ends are sure, and right.
  EXPECT_GT(report.forecasts.front().better(), 0.7);
}

}  // namespace
