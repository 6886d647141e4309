// A scene with given parameters against recordings: errors, bounces, faces, the throws it misses most.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "routh/recording/identify.h"

namespace routh::internal {

struct ValidateOptions {
  std::optional<Law> law;
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  double confidence = 0.95;
};

// A throw beside its run.
struct ValidatedThrow {
  std::string name;
  ThrowError error;
  int bounces = 0, measured_bounces = 0;
  int face = 0, measured_face = 0;  // index into face_names
  std::vector<double> times;
  std::vector<Vector3> path, measured_path;  // of the centre of mass
};

struct ValidateReport {
  double length = 0;  // of the errors [m]
  std::vector<ValidatedThrow> throws;
  ThrowSummary summary;
  double low = 0, high = 0;                            // bootstrap interval of the mean error
  std::vector<std::size_t> bounces, measured_bounces;  // how many throws have so many; the last counts all beyond
  double chi_square = 0;                               // of the two histograms
  int freedom = 0;
  std::size_t same_face = 0;
  std::vector<std::size_t> worst;  // places in `throws`, the worst first
  std::vector<std::string> remarks;
  bool complete = false;
};

// Which axis of the body points up, or nearest to it.
const std::vector<std::string>& face_names(Dimension dimension);
int face_of(const Model& model, const Eigen::VectorXd& q);

// Upward reversals: how often the centre goes up faster than `bounce_speed` after it went down.
int bounces_of(const std::vector<double>& times, const std::vector<Vector3>& path, const Vector3& up);

ValidateReport validate(const Scene& scene, const Recordings& recordings, const ValidateOptions& options);

}  // namespace routh::internal
