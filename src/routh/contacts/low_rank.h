// D = G Gᵀ with few columns: many contacts of a machine of few degrees of freedom. The system of a Newton step,
//   (C + B G Gᵀ) x = y,  C = A + ε diag(mobility) B by blocks,
// is then solved by way of one equation for each column of G [Woodbury 1950]:
//   (I + Gᵀ C⁻¹ B G) z = Gᵀ C⁻¹ y,  x = C⁻¹(y − B G z).
// x has relative errors of rounding over ε, so ε is not let below the root of rounding; the next Newton step mends
// them.
#pragma once

#include <vector>

#include "routh/contacts/contact_system.h"

namespace routh::internal {

struct DiagonalBlocks {
  std::vector<Matrix3> impulse, velocity;  // A, B
};

// Numbers in whole vector registers.
struct alignas(32) Quad {
  double lane[4] = {};
};

class LowRankInertia {
 public:
  // G by Cholesky's method with pivots, contacts in units of their own mobility. False where D is not full, not
  // symmetric, or its rank not small enough for this way to be the quicker one.
  bool factorise(const ContactSystem& system);
  bool solve(const ContactSystem& system, const DiagonalBlocks& blocks, double lift, const std::vector<Vector3>& y,
             std::vector<Vector3>& x);
  // The same matrix, another right side.
  void solve_again(const std::vector<Vector3>& y, std::vector<Vector3>& x);

 private:
  bool symmetric(const ContactSystem& system) const;
  void gram(const ContactSystem& system, const DiagonalBlocks& blocks);
  bool eliminate();
  double* row(std::vector<Quad>& matrix, int index) {
    return reinterpret_cast<double*>(matrix.data() + static_cast<std::size_t>(index) * quads_);
  }
  const double* row(const std::vector<Quad>& matrix, int index) const {
    return reinterpret_cast<const double*>(matrix.data() + static_cast<std::size_t>(index) * quads_);
  }

  int rank_ = 0;
  std::size_t quads_ = 0;                           // registers in a row of G
  std::vector<Quad> column_;                        // G by columns, while it grows
  std::vector<double> left_;                        // of D's diagonal
  std::vector<double> root_, scale_;                // of each contact's mobility, and its inverse
  std::vector<Quad> g_;                             // G by rows, three a contact
  std::vector<Quad> gram_, masked_;                 // I + Gᵀ C⁻¹ B G by rows, then its factors; one row of them
  std::vector<int> pivot_;                          // rows exchanged
  std::vector<Matrix3> inverse_, gain_;             // C⁻¹, C⁻¹B
  const std::vector<Matrix3>* velocity_ = nullptr;  // B
  std::vector<double> z_;
};

}  // namespace routh::internal
