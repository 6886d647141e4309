// Parameters of a scene from recordings of throws: whole motions are run again and held against what was measured.
//
// The estimate minimises Σ ρ(e_t) over the throws, e_t the error of the whole motion (ThrowError::mean), with
// ρ(e) = s ln(1 + e/s), s the median error, so that throws which chaos sends another way count little; or ρ(e) = e.
// A Sobol design over the ranges, then boxes around the minimum of a quadratic surrogate, until the box is as wide as
// the estimate is uncertain. Intervals are bootstrapped over throws: whatever makes one throw differ from the next,
// noise, start or chaos, is in them. Laws are compared by the loss of throws that the estimate has not seen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "routh/recording/replay.h"
#include "routh/study/least_squares.h"

namespace routh::internal {

enum class ThrowLoss { robust, mean };
constexpr auto names_of(ThrowLoss) {
  return name_table<ThrowLoss>({{ThrowLoss::robust, "robust"}, {ThrowLoss::mean, "mean"}});
}

struct SoughtParameter {
  ThrowParameter parameter;
  double low = 0, high = 1;
};

// Both ends must be machines: throws InputError where one is none.
void refuse_ends(const Scene& scene, const std::vector<SoughtParameter>& sought);

// The errors of all throws at one point, or of one fold: what a checkpoint keeps.
struct ThrowRow {
  std::size_t law = 0;
  int fold = -1;  // −1: all throws
  std::vector<double> at;
  std::vector<double> errors;

  bool is_of(const ThrowRow& other) const { return law == other.law && fold == other.fold && at == other.at; }
};

struct IdentifyOptions {
  std::vector<std::optional<Law>> laws = {std::nullopt};  // nothing: as the scene says
  ThrowLoss loss = ThrowLoss::robust;
  double confidence = 0.95;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::vector<ThrowRow> known;                       // of an earlier run
  std::function<void(const ThrowRow&)> on_row = {};  // called for each new one, by one thread
};

struct ThrowSummary {
  double mean = 0, median = 0;  // of the errors [m and rad²]
  double position = 0;          // mean [m]
  double rotation = 0;          // mean [rad]
  std::size_t failed = 0;
};
ThrowSummary summary_of(const std::vector<ThrowError>& errors);

struct IdentifiedLaw {
  std::optional<Law> law;
  std::vector<FittedParameter> parameters;
  std::vector<double> deviation;    // standard errors
  std::vector<double> correlation;  // P × P
  std::vector<ThrowError> errors;   // of each throw at the estimate
  ThrowSummary error;
  std::vector<double> held_out;  // error of each throw at the estimate of the others
  double held_out_mean = 0, held_out_loss = 0;
  double behind = 0, behind_deviation = 0;  // of the held-out loss, against the best law, paired
  std::size_t runs = 0;
};

struct IdentifyReport {
  std::vector<std::string> names;
  std::vector<double> low, high;
  double length = 0;  // of the errors [m]
  std::size_t throws = 0;
  std::vector<IdentifiedLaw> laws;  // the best first
  std::vector<std::string> remarks;
  bool complete = false;  // false: it was stopped
};

// Throws InputError when there are too few throws, or at a parameter.
IdentifyReport identify(const Scene& scene, const Recordings& recordings, const std::vector<SoughtParameter>& sought,
                        const IdentifyOptions& options);

// The throws of the recordings; those that never fly are told with their file.
std::vector<Throw> throws_of(const std::vector<Recording>& recordings, const Model& model);

}  // namespace routh::internal
