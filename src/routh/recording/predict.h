// The distribution of a throw's paths, given what its flight and the parameters leave uncertain.
//
// Each throw is run again many times: from starts drawn as uncertain as the fit of its flight, with parameters drawn
// from their ranges, or from an identification. The shares of the draws that end on a face, bounce so often, come to
// rest in a region or jam are probabilities, with half a draw added to each outcome (Jeffreys), so that none is zero.
// Where the recording goes on they are held against what happened: the log score beside that of the base rate, and
// how often what was forecast with probability p came true.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "routh/recording/identify.h"

namespace routh::internal {

// The parameters as an identification left them: normal, with its correlations, cut off at the ranges it searched.
struct Estimate {
  std::vector<SoughtParameter> parameters;
  std::vector<double> value, deviation;
  std::vector<double> correlation;  // P × P
};
// From what `identify -o` wrote: its best law. Throws InputError, RuntimeFailure.
struct ReadEstimate {
  Estimate estimate;
  std::optional<Law> law;
};
ReadEstimate read_estimate(const std::string& path);

// A box of the world that the centre of mass may end in.
struct Region {
  std::string name;
  std::vector<double> low, high;  // of x, y (and z), ±∞ where it has no end
};

struct PredictOptions {
  std::optional<Law> law;
  int draws = 64;
  std::uint64_t seed = 0;
  double widen = 1;                // of the starts' deviations
  std::optional<double> duration;  // [s]; none: as long as the recording
  std::vector<Region> regions;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
};

// One question with several answers: its probabilities for each throw, and what happened.
struct Forecast {
  std::string name;
  std::vector<std::string> outcomes;
  std::vector<std::vector<double>> probability;  // [throw][outcome]
  std::vector<int> happened;                     // −1: not known
  std::size_t scored = 0;
  double score = 0, base = 0;  // mean of −ln p of what happened; of the frequencies among the other throws
  double low = 0, high = 0;    // bootstrap interval of 1 − score/base
  double better() const { return base > 0 ? 1 - score / base : 0; }
  // All (throw, outcome) with a probability in the bin: their mean, and the share that came true.
  struct Bin {
    double forecast = 0, came_true = 0;
    std::size_t count = 0;
  };
  std::vector<Bin> bins;
};

// A throw and its draws.
struct PredictedThrow {
  std::string name;
  std::size_t failed = 0;               // draws whose run ended before its time
  std::vector<double> mean, deviation;  // of the centre at the end [m]
  std::vector<double> times;
  std::vector<double> height[3];  // of the centre: the 5th, 50th and 95th of a hundred, over time
  std::vector<double> measured;   // where it was recorded
};

struct PredictReport {
  std::size_t draws = 0;
  std::vector<PredictedThrow> throws;
  std::vector<Forecast> forecasts;  // face, bounces, region, jam
  std::vector<double> noise;        // σ of one sample of a flight, for each velocity of the model
  std::vector<std::string> remarks;
  bool complete = false;
};

// Throws InputError at a parameter or a recording that cannot be used.
PredictReport predict(const Scene& scene, const Recordings& recordings, const Estimate& estimate,
                      const PredictOptions& options);

// Fills score, base and bins from probabilities and what happened.
void score(Forecast& forecast, double confidence);

// {"schema": 1, "draws": …, "forecasts": [{"name": …, "outcomes": […], …}], "throws": […], "remarks": […]}
std::string predict_json(const PredictReport& report);
// throw,face=+x,…: the probabilities, a row for each throw.
std::string predict_csv(const PredictReport& report);
// One HTML file that needs nothing else: reliability, and paths with their bands.
std::string predict_page(const PredictReport& report, const std::string& title);

}  // namespace routh::internal
