// Linear programming under one linear matrix inequality, by the dual-scaling solver DSDP 5.8 [Benson and Ye 2008]:
//
//   maximise bᵀy   with   C − Σ y_i A_i ⪰ 0   and   lower ≤ y ≤ upper
//
// The solver keeps tables of its own for the whole process, so calls wait for one another: safe from several threads,
// but never faster by them. It prints nothing. What it returns is checked here by eigenvalues, whatever it claims.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace routh::internal {

struct SemidefiniteProblem {
  Eigen::VectorXd objective;                  // b
  Eigen::MatrixXd constant;                   // C, symmetric
  std::vector<Eigen::MatrixXd> coefficients;  // A_i, symmetric, of the size of C
  Eigen::VectorXd lower;                      // finite; a variable with lower = upper is a constant
  Eigen::VectorXd upper;
};

struct SemidefiniteLimits {
  int iterations = 200;
  double seconds = 10;  // looked at after each iteration
  // Gap asked for between bᵀy and its bound, against the largest |b_i| (upper − lower); 1e-6 is accepted where no step
  // helps any more.
  double relative_gap = 1e-9;
  double feasibility = 1e-7;  // how negative an eigenvalue of C − Σ y_i A_i may be, against the size of the terms
};

enum class SemidefiniteEnd {
  solved,
  infeasible,  // no y obeys the inequality, as far as the solver can tell
  iteration_limit,
  time_limit,
  numerical,  // steps too short, a factorisation failed, out of memory
  invalid,    // sizes do not fit, numbers not finite, matrices not symmetric, lower > upper
};
const char* name(SemidefiniteEnd end);

struct SemidefiniteResult {
  SemidefiniteEnd end = SemidefiniteEnd::invalid;
  std::string message;             // in words, when not solved
  Eigen::VectorXd y;               // within its bounds; the last one reached where not solved; empty when invalid
  bool feasible = false;           // y obeys the inequality (by our own eigenvalues)
  double objective = 0;            // bᵀy
  double bound = 0;                // no y does better, by the solver's other half; infinite when unknown
  double smallest_eigenvalue = 0;  // of C − Σ y_i A_i
  int iterations = 0;
};

// Never throws for what is in the problem. The bounds keep the answer finite, so there is no "unbounded".
SemidefiniteResult maximise_semidefinite(const SemidefiniteProblem& problem, const SemidefiniteLimits& limits = {});

}  // namespace routh::internal
