// The system (A + B (D + εI)) x = y with A and B by blocks on the diagonal: the matrix of every Newton step of this
// module. Its structure is that of D; LU by blocks of 3 × 3 without pivoting between blocks, in an order of least
// degree found once for each structure [Tinney and Walker 1967]. What is lost to small pivots the next Newton step
// mends.
//
// Where D is an operator the system is solved by the stabilised method of biconjugate gradients [van der Vorst 1992]
// with the blocks on the diagonal as preconditioner.
#pragma once

#include <vector>

#include "routh/contacts/low_rank.h"

namespace routh::internal {

// A block of 3 × 3 by columns of four, the fourth zero: whole vector registers.
struct alignas(32) PaddedBlock {
  double column[3][4] = {};
};

class BlockFactor {
 public:
  void forget_structure() { analysed_ = false; }  // D has another one than before
  // Whether D may be taken by way of its rank, where that is the quicker way; new with every problem.
  void by_rank(bool allowed) { rank_ = allowed ? Rank::unknown : Rank::full; }
  // x of (A + B(D + ε diag(mobility))) x = y. False where it met a singular block or did not converge.
  bool solve(const ContactSystem& system, const DiagonalBlocks& blocks, double lift, const std::vector<Vector3>& y,
             std::vector<Vector3>& x);
  // The same matrix again.
  void solve_again(const std::vector<Vector3>& y, std::vector<Vector3>& x);

 private:
  void analyse(const ContactSystem& system);  // the order of elimination, room for the factors
  bool factorise(const ContactSystem& system, const DiagonalBlocks& blocks, double lift);
  bool iterate(const ContactSystem& system, const DiagonalBlocks& blocks, double lift, const std::vector<Vector3>& y,
               std::vector<Vector3>& x);

  std::vector<int> order_, place_;            // contact eliminated at a step; step of a contact
  std::vector<int> upper_start_, upper_row_;  // of step i, the later steps it is coupled with, ascending
  std::vector<int> lower_start_, lower_row_;  // the earlier ones
  std::vector<int> count_;
  std::vector<PaddedBlock> upper_, lower_, work_;
  std::vector<char> open_;  // by step: B of its contact is zero, and so is its row but for the pivot
  std::vector<Matrix3> pivot_inverse_;
  std::vector<Vector3> half_;
  bool analysed_ = false;
  enum class Rank { unknown, low, full } rank_ = Rank::full;
  LowRankInertia low_rank_;
  struct Krylov {
    std::vector<Vector3> r, r0, p, v, s, t, ph, sh, image;
  } krylov_;
};

}  // namespace routh::internal
