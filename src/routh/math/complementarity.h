// The linear complementarity problem: w = M z + q, w ≥ 0, z ≥ 0, wᵀz = 0.
#pragma once

#include <Eigen/Core>

#include "routh/base/hidden.h"

namespace routh::internal {

enum class ComplementarityEnd {
  solved,
  ray,    // Lemke's path ran off to infinity: no solution for copositive M, no proof for others
  limit,  // too many pivots
};

struct ComplementarityResult {
  ComplementarityEnd end = ComplementarityEnd::limit;
  Eigen::VectorXd z;  // of the right size even where not solved
  Eigen::VectorXd w;
  int pivots = 0;
};

// How the tableau is kept: by pivots, or made anew from the basis after each of them, which costs some ten times as
// much and keeps the digits where entries differ by many powers of ten.
enum class LemkeDigits { pivoted, renewed };

// Keeps its memory: no allocation from the second problem of one size on.
class LemkeSolver {
 public:
  LemkeSolver();
  const ComplementarityResult& solve(const Eigen::MatrixXd& m, const Eigen::VectorXd& q, const Eigen::VectorXd& cover,
                                     LemkeDigits digits = LemkeDigits::pivoted);

 private:
  struct Memory;
  Hidden<Memory> memory_;
};

// Lemke's method with the covering vector d > 0: follows w = M z + q + z₀ d from large z₀ down to z₀ = 0. Ties are
// broken lexicographically, so that it cannot cycle [Cottle, Pang and Stone 1992, ch. 4]. Another d takes another path
// and may reach another solution.
ComplementarityResult solve_complementarity(const Eigen::MatrixXd& m, const Eigen::VectorXd& q,
                                            const Eigen::VectorXd& cover, LemkeDigits digits = LemkeDigits::pivoted);
ComplementarityResult solve_complementarity(const Eigen::MatrixXd& m, const Eigen::VectorXd& q);

}  // namespace routh::internal
