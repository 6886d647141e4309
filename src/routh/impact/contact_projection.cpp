#include "routh/impact/contact_projection.h"

#include <algorithm>

#include "routh/impact/tolerances.h"
#include "routh/math/inner_product.h"

namespace routh::internal {

ContactProjection::ContactProjection(int coordinates)
    : raw_(coordinates, 3), projected_(coordinates, 3), normal_(coordinates), other_(coordinates) {}

void ContactProjection::compute(Dimension dimension, const ColumnSpace& loops) {
  projected_ = raw_;
  for (Eigen::Index r = 0; r < 3 && loops.rank() > 0; ++r) {
    loops.project_off(projected_.col(r));
    if (length(projected_.col(r)) <= tolerances::projected_column_relative * length(raw_.col(r)))
      projected_.col(r).setZero();
  }
  form_inertia(dimension);
}

// D = YᵀY, and the sticking slope as the squared distance of the normal column from the tangential ones.
void ContactProjection::form_inertia(Dimension dimension) {
  const Eigen::MatrixXd& Y = projected_;
  ContactInertia& d = inertia_;
  d.dimension = dimension;
  d.a = inner_product(Y.col(0), Y.col(0));
  d.c1 = inner_product(Y.col(0), Y.col(1));
  d.c2 = inner_product(Y.col(0), Y.col(2));
  d.b11 = inner_product(Y.col(1), Y.col(1));
  d.b12 = inner_product(Y.col(1), Y.col(2));
  d.b22 = inner_product(Y.col(2), Y.col(2));
  const int first = d.b11 >= d.b22 ? 1 : 2;
  const auto along = Y.col(first);
  const double square = std::max(d.b11, d.b22);
  normal_ = Y.col(0);
  if (square > 0) {
    other_ = Y.col(3 - first);
    const double before = std::min(d.b11, d.b22);
    for (int pass = 0; pass < 2; ++pass) other_ -= along * (inner_product(along, other_) / square);
    const double left = inner_product(other_, other_);
    const bool independent =
        left > tolerances::projected_column_relative * tolerances::projected_column_relative * before && left > 0;
    for (int pass = 0; pass < 2; ++pass) {
      normal_ -= along * (inner_product(along, normal_) / square);
      if (independent) normal_ -= other_ * (inner_product(other_, normal_) / left);
    }
  }
  const double slope = inner_product(normal_, normal_);
  d.stick_slope =
      slope > tolerances::projected_column_relative * tolerances::projected_column_relative * d.a ? slope : 0;
}

}  // namespace routh::internal
