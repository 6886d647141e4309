// The contact's inertia from a square root of the inverse mass matrix: Y with D = YᵀY.
//
// With M = L Lᵀ (or Lᵀ L) and Y = L⁻¹Jᵀ (L⁻ᵀJᵀ), projected off the loops' X = L⁻¹A_bᵀ, D is positive semidefinite by
// construction, and the sticking slope comes from a QR of Y, not from differences of D.
#pragma once

#include <Eigen/Core>

#include "routh/impact/problem.h"
#include "routh/math/column_space.h"

namespace routh::internal {

class ContactProjection {
 public:
  explicit ContactProjection(int coordinates);

  // To be filled before `compute`: the half-solved columns L⁻¹Jᵀ, n×3; the third zero in the plane.
  Eigen::MatrixXd& raw() { return raw_; }
  const Eigen::MatrixXd& raw() const { return raw_; }

  void compute(Dimension dimension, const ColumnSpace& loops);

  const ContactInertia& inertia() const { return inertia_; }
  const Eigen::MatrixXd& projected() const { return projected_; }  // Y, n×3

 private:
  void form_inertia(Dimension dimension);

  ContactInertia inertia_;
  Eigen::MatrixXd raw_, projected_;
  Eigen::VectorXd normal_, other_;
};

}  // namespace routh::internal
