// The loss of each throw as a quadratic function of the parameters over a box, fitted to runs at points of it.
//
// Mean losses over throws are rough where motions are chaotic, and flat or bent elsewhere: derivatives of single runs
// say nothing. A quadratic through many points of a box as wide as the estimate is uncertain averages the roughness
// away. It is linear in the losses, so that the mean over any choice of throws, a fold or a bootstrap draw, is had
// without another run.
#pragma once

#include <cstddef>
#include <vector>

namespace routh::internal {

struct ParameterBox {
  std::vector<double> centre, half;

  std::size_t size() const { return centre.size(); }
  bool holds(const std::vector<double>& at) const;
};

class QuadraticSurrogate {
 public:
  // losses[point][throw]; the points lie in the box, and there are at least `coefficients(size)` of them.
  QuadraticSurrogate(const ParameterBox& box, const std::vector<std::vector<double>>& points,
                     const std::vector<std::vector<double>>& losses);

  static std::size_t coefficients(std::size_t parameters) { return (parameters + 1) * (parameters + 2) / 2; }
  bool valid() const { return valid_; }

  // Where the mean with these weights (one for each throw) is least in the box.
  std::vector<double> minimum(const std::vector<double>& weights) const;
  // Whether the mean loss depends on parameter j at all, beyond rounding.
  bool flat(std::size_t j) const { return flat_[j]; }
  // The share of the variance of the mean loss over the points that the quadratic explains.
  double explained() const { return explained_; }
  // How many throws tell parameter j: (Σ h)²/Σ h² of the curvatures h of their losses, where they are positive.
  double telling(std::size_t j) const;

 private:
  ParameterBox box_;
  std::size_t throws_ = 0;
  std::vector<double> coefficients_;  // of throw t at [t * count]
  std::vector<bool> flat_;
  double explained_ = 0;
  bool valid_ = false;
};

}  // namespace routh::internal
