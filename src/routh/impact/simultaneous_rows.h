// The rows of a simultaneous impact in the kinetic metric, where impulses and velocities are the same vectors.
//
//   M = L Lᵀ     y = Lᵀ q̇ / s     x = L⁻¹aᵀ     φ̇ = xᵀy s        s: speed that makes everything of order one
//
// Contact rows are projected off the bilateral ones, so that the loops drop out of everything that follows, and then
// scaled to unit length; their length √(a M_b⁺ aᵀ) is the same in every choice of coordinates.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "routh/impact/simultaneous.h"

namespace routh::internal {

struct SimultaneousRows {
  Eigen::LLT<Eigen::MatrixXd> factor;
  double speed = 0;           // s = max(‖Lᵀq̇⁻‖, ‖L⁻¹i_u‖)
  Eigen::VectorXd before;     // y⁻
  Eigen::VectorXd push;       // L⁻¹ i_u / s
  Eigen::MatrixXd bilateral;  // unit columns; zero for a zero row
  Eigen::VectorXd bilateral_length;
  Eigen::MatrixXd loops;          // orthonormal basis of `bilateral`
  double bilateral_residual = 0;  // largest |xᵀy⁻| of the unit columns
  Eigen::MatrixXd normal;         // unit columns off the loops; zero where the loops let the contact not move
  Eigen::VectorXd normal_length;  // zero for those
  Eigen::MatrixXd tangential;
  Eigen::VectorXd tangential_length;
  int tangents = 0;  // for each contact
  Eigen::VectorXd restitution;
  // The least φ̇ each asks for, in units of its column and of s: −e φ̇⁻ where it strikes, 0 where it rests, −φ̇⁻ where it
  // separates.
  Eigen::VectorXd wanted;
  std::vector<ContactRole> role;     // strikes, rests or separates
  bool restitution_in_range = true;  // of every contact that strikes

  Eigen::Index contacts() const { return normal.cols(); }
  Eigen::Index size() const { return before.size(); }
};

// What every rule begins with: checks, factorises M, fills the rows and what of the result does not depend on the rule.
// False: the result is final.
bool begin_simultaneous(SimultaneousProblem& problem, SimultaneousRows& rows, SimultaneousResult& result);
// λ_b of least norm with A_bᵀλ_b = i_f − contacts. After the impulses.
void fill_loops(const SimultaneousProblem& problem, const SimultaneousRows& rows, SimultaneousResult& result);

// The mass matrix of `rows.factor` must have been factorised.
void fill_rows(const SimultaneousProblem& problem, SimultaneousRows& rows);

// The same contacts after the strike left them with y: each asks for φ̇ ≥ 0.
SimultaneousRows closing_rows(const SimultaneousRows& rows, const Eigen::VectorXd& velocity);

// The columns of one contact after the other, normal first; of unit length, or as long as they are: then D is their
// Gram matrix.
enum class ColumnLengths { unit, own };
Eigen::MatrixXd contact_columns(const SimultaneousRows& rows, ColumnLengths lengths);

// Orthonormal basis of the space of columns of length one or zero.
Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& columns);
// Columns minus their part in the span of an orthonormal basis; zero where next to nothing of a unit column is left.
Eigen::MatrixXd project_off(const Eigen::MatrixXd& basis, Eigen::MatrixXd columns);

// v ≥ 0 with the least ‖A v − b‖, ‖b‖ of order one, for columns that may depend on one another.
Eigen::VectorXd nonnegative_fit(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

}  // namespace routh::internal
