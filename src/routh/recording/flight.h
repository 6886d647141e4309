// A throw as a run sees it: a state at the end of the flight, fitted to it, and the poses that were measured after.
//
// The window begins `approach_samples` before the centre of mass is nearer to a plane of the world than the body
// reaches, or, where it is round, turns up. In flight the centre follows v₀ t + g t²/2, the body turns at a constant
// rate in its own axes, which is exact for equal moments of inertia and near enough over the tenths of a second of a
// flight.
#pragma once

#include "routh/dynamics/state.h"
#include "routh/recording/recording.h"

namespace routh::internal {

// What a fitted start does not know. The lines of a flight are uncertain in their middle by σ `middle` and in their
// slope by σ `slope`, independently, so that the start is by both: σ (`middle` z₁ + `lever` `slope` z₂).
struct FlightNoise {
  Eigen::VectorXd squares;  // of what the fit leaves, summed, for each velocity of the model
  double freedom = 0;       // in each of these sums: σ² is squares/freedom
  double middle = 0;        // 1/√n
  double slope = 0;         // [1/s]
  double lever = 0;         // from the middle to the start [s]
};

struct Throw {
  std::string name;
  State start;  // time 0
  FlightNoise noise;
  std::vector<double> times;  // since the start [s]; the first is 0
  std::vector<Eigen::VectorXd> measured;
  std::size_t first = 0;   // the row of the recording at the start
  std::size_t flight = 0;  // samples that the start was fitted to
};

// How far the body reaches from its centre of mass, at most [m]. Throws InputError when it has no extent.
double reach_of(const Model& model, const Joint& joint);
// Half a side of a cube that reaches so far: by which lengths of errors are measured.
double characteristic_length(const Model& model, const Joint& joint);
// The height of the centre of mass over the nearest plane of the world; infinite where there is none.
double height_of(const Model& model, const Joint& joint, const Eigen::VectorXd& q);
// Where the centre of mass is.
Vector3 centre_of(const Model& model, const Joint& joint, const Eigen::VectorXd& q);
// The direction against gravity.
Vector3 upwards(const Model& model);

// How many rows from the first on are of the flight; all of them where the body comes near no plane.
std::size_t flight_rows(const Recording& recording, const Model& model);
// Throws InputError at a recording that never comes near a plane, unless its flight is all that is wanted.
enum class FlightEnd { must_touch, may_fly };
Throw throw_of(const Recording& recording, const Model& model, FlightEnd end = FlightEnd::must_touch);

}  // namespace routh::internal
