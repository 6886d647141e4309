#include "routh/impact/contact_projection.h"

#include <algorithm>

namespace routh::internal {

namespace {

// A column that keeps less than this of its length is zero: the loops, or its fellow, take all of it.
constexpr double zero_tolerance = 1e-13;

}  // namespace

ContactProjection::ContactProjection(int coordinates)
    : raw_(coordinates, 3), projected_(coordinates, 3), normal_(coordinates), other_(coordinates) {}

void ContactProjection::compute(Dimension dimension, const ColumnSpace& loops) {
  projected_ = raw_;
  for (Eigen::Index r = 0; r < 3 && loops.rank() > 0; ++r) {
    loops.project_off(projected_.col(r));
    if (projected_.col(r).norm() <= zero_tolerance * raw_.col(r).norm()) projected_.col(r).setZero();
  }
  form_inertia(dimension);
}

// D = YᵀY, and the sticking slope as the squared distance of the normal column from the tangential ones.
void ContactProjection::form_inertia(Dimension dimension) {
  const Eigen::MatrixXd& Y = projected_;
  ContactInertia& d = inertia_;
  d.dimension = dimension;
  d.a = Y.col(0).squaredNorm();
  d.c1 = Y.col(0).dot(Y.col(1));
  d.c2 = Y.col(0).dot(Y.col(2));
  d.b11 = Y.col(1).squaredNorm();
  d.b12 = Y.col(1).dot(Y.col(2));
  d.b22 = Y.col(2).squaredNorm();
  const int first = d.b11 >= d.b22 ? 1 : 2;
  const auto& along = Y.col(first);
  const double square = std::max(d.b11, d.b22);
  normal_ = Y.col(0);
  if (square > 0) {
    other_ = Y.col(3 - first);
    const double before = std::min(d.b11, d.b22);
    for (int pass = 0; pass < 2; ++pass) other_ -= along * (along.dot(other_) / square);
    const double left = other_.squaredNorm();
    const bool independent = left > zero_tolerance * zero_tolerance * before && left > 0;
    for (int pass = 0; pass < 2; ++pass) {
      normal_ -= along * (along.dot(normal_) / square);
      if (independent) normal_ -= other_ * (other_.dot(normal_) / left);
    }
  }
  const double slope = normal_.squaredNorm();
  d.stick_slope = slope > zero_tolerance * zero_tolerance * d.a ? slope : 0;
}

}  // namespace routh::internal
