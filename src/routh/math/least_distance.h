// Least distance programming: the point of a polyhedron nearest to the origin, or the finding that it is empty.
#pragma once

#include <Eigen/Core>

namespace routh::internal {

struct NonnegativeFit {
  Eigen::VectorXd coefficients;  // u ≥ 0
  Eigen::VectorXd residual;      // b − A u
};

// min ‖A u − b‖ over u ≥ 0 [Lawson and Hanson 1974, ch. 23]. `start`: coefficients of a similar problem to begin with
// (may be empty or shorter); they do not change the answer.
NonnegativeFit nonnegative_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                         const Eigen::VectorXd& start = {});

struct LeastDistance {
  bool exists = false;
  Eigen::VectorXd point;   // empty where there is none
  Eigen::VectorXd active;  // of each row: positive where it holds the point; a start for the next problem
};

// min ‖z‖ with A z ≥ b [Lawson and Hanson 1974, ch. 23, problem LDP]. Rows are judged by their own length. A polyhedron
// farther away than 10⁶ times the farthest of its single half-spaces counts as empty. `start`: `active` of a problem
// with the same first rows.
LeastDistance least_distance(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& start = {});

}  // namespace routh::internal
