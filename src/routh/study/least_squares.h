// Least squares with a handful of parameters in a box, for a model that may have kinks and flat stretches: an impact
// stops depending on friction where it sticks, and bends where its mode changes.
//
//   S(θ) = Σ r_k(θ)²      low ≤ θ ≤ high
//
// Confidence intervals come from the profile of S, not from its curvature at the minimum, which says nothing where S is
// flat or bent: all values of θ_j for which min S over the other parameters does not exceed
//   S_min (1 + t²/(N − P))      t of Student's distribution with N − P degrees of freedom.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "routh/base/names.h"

namespace routh::internal {

struct FitParameter {
  std::string name;
  double low = 0, high = 1;  // of the search
  bool open_above = false;   // the model goes on beyond `high`: an interval that reaches it has no upper end
};

// Fills the residuals at the given parameters. Their number does not change; all must be finite.
using ResidualFunction = std::function<void(std::span<const double> parameters, std::span<double> residuals)>;

struct LeastSquaresProblem {
  std::vector<FitParameter> parameters;  // 1 to 4
  std::size_t residuals = 0;             // N, more than parameters
  ResidualFunction evaluate;
  double noise_floor = 0;    // residuals of this size are rounding; an interval is never narrower than they make it
  double confidence = 0.95;  // of the intervals
};

// What the data say of one parameter.
enum class Determination {
  interval,  // both ends were found inside the range, or are the range's own
  at_least,  // any value from `low` up fits as well: no upper end
  at_most,   // any value from the bottom of the range up to `high`
  nothing,   // every value of the range fits
};
constexpr auto names_of(Determination) {
  return name_table<Determination>({{Determination::interval, "interval"},
                                    {Determination::at_least, "at_least"},
                                    {Determination::at_most, "at_most"},
                                    {Determination::nothing, "nothing"}});
}

struct FittedParameter {
  double value = 0;
  double low = 0, high = 0;  // the interval
  Determination determination = Determination::interval;
};

struct LeastSquaresFit {
  std::vector<FittedParameter> parameters;
  double sum = 0;                   // S at the minimum
  double deviation = 0;             // √(S/(N − P)), of one residual
  std::vector<double> correlation;  // P × P, of the estimates; from the curvature, 0 where that vanishes
  long evaluations = 0;
};

// Without parameters where S is no finite number anywhere.
LeastSquaresFit fit_least_squares(const LeastSquaresProblem& problem);

// A minimum near `start`: quick where data are much like those it is the minimum of.
std::vector<double> descend_from(const LeastSquaresProblem& problem, std::vector<double> start);

// t such that a Student variable with `freedom` ≥ 1 degrees of freedom lies within ± t with the given probability.
double student_quantile(double probability, long freedom);

}  // namespace routh::internal
