// The minimum of a sum of squares that has several valleys, kinks and flats. Internal to the module.
#pragma once

#include <algorithm>
#include <vector>

#include "routh/study/least_squares.h"

namespace routh::internal {

using FitPoint = std::vector<double>;

// Of two columns of the same length.
double inner_product(const std::vector<double>& a, const std::vector<double>& b);
// Solves the symmetric positive definite system by elimination in place; false when it is not definite.
bool solve_definite(std::vector<double>& matrix, std::vector<double>& right, std::size_t n);

// S and its minimisation with some parameters held.
class ValleySearch {
 public:
  explicit ValleySearch(const LeastSquaresProblem& problem) : problem_(problem), residuals_(problem.residuals) {}

  double sum(const FitPoint& at) {
    ++evaluations;
    problem_.evaluate(at, residuals_);
    double total = 0;
    for (const double r : residuals_) total += r * r;
    return total;
  }

  // From `at` to a minimum nearby over the parameters that are not `held` (−1: none); returns S there.
  double descend(FitPoint& at, int held);
  // The least over all valleys of a grid.
  double minimise(FitPoint& at);
  // As `descend` with parameter j held, and from the other valleys too while S is more than `enough`: the valley that
  // was followed so far may not be the lowest any more.
  double descend_held(FitPoint& at, std::size_t j, double enough);
  // The point of the grid within the threshold that lies furthest towards `end`, or `from`: what is within may be in
  // pieces, and an interval spans them all.
  FitPoint outermost(const FitPoint& from, std::size_t j, double end, double threshold) const;
  // The columns ∂r/∂θ_j at a point, by central differences, one-sided at a bound.
  std::vector<std::vector<double>> slopes(const FitPoint& at);

  long evaluations = 0;

 private:
  double low(std::size_t j) const { return problem_.parameters[j].low; }
  double high(std::size_t j) const { return problem_.parameters[j].high; }
  double clamp(double value, std::size_t j) const { return std::clamp(value, low(j), high(j)); }
  bool gauss_newton(FitPoint& at, double& best, int held, double& damping);
  bool feel_around(FitPoint& at, double& best, int held, double reach);
  int levels(std::size_t j) const;
  FitPoint grid_point(const std::vector<int>& index) const;
  bool is_lowest_around(const std::vector<int>& index, const std::vector<double>& sums) const;
  bool are_near(const FitPoint& a, const FitPoint& b) const;
  void scan();
  void follow(std::size_t j);

  const LeastSquaresProblem& problem_;
  std::vector<double> residuals_;
  std::vector<FitPoint> grid_, starts_;  // the starts are minima of the grid, later of S
  std::vector<double> grid_sums_;
};

}  // namespace routh::internal
