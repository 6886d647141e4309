// The whole matrices of the oblique projection, column by column from the operators.
#include "routh/math/oblique_projection.h"

namespace routh::internal {

namespace {

template <class Operator>
Eigen::MatrixXd columns_of(Eigen::Index n, Operator apply) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index j = 0; j < n; ++j) apply(matrix.col(j), matrix.col(j));
  return matrix;
}

}  // namespace

double ObliqueProjection::nu() const {
  if (!report_.usable() || !fast()) return report_.nu;
  ensure_space();
  const auto V = space_.allowed();
  double trace = 0;
  for (Eigen::Index j = 0; j < V.cols(); ++j) {
    wide_.noalias() = mass_.selfadjointView<Eigen::Lower>() * V.col(j);
    trace += wide_.dot(V.col(j));
  }
  return V.cols() > 0 ? trace / static_cast<double>(V.cols()) : mass_.trace() / static_cast<double>(mass_.rows());
}

Eigen::MatrixXd ObliqueProjection::P() const {
  return columns_of(mass_.rows(), [this](const auto& x, auto out) { apply_P(x, out); });
}

Eigen::MatrixXd ObliqueProjection::M_c() const {
  const Eigen::Index n = mass_.rows();
  if (!report_.usable()) return Eigen::MatrixXd::Zero(n, n);
  const Eigen::MatrixXd projector = P();
  const Eigen::MatrixXd M = mass_.selfadjointView<Eigen::Lower>();
  return projector * M * projector + nu() * (Eigen::MatrixXd::Identity(n, n) - projector);
}

Eigen::MatrixXd ObliqueProjection::M_o_inverse() const {
  return columns_of(mass_.rows(), [this](const auto& x, auto out) { apply_inverse(x, out); });
}

Eigen::MatrixXd ObliqueProjection::S() const {
  return columns_of(mass_.rows(), [this](const auto& x, auto out) { apply_S(x, out); });
}

Eigen::MatrixXd ObliqueProjection::R() const { return Eigen::MatrixXd::Identity(mass_.rows(), mass_.rows()) - 2 * S(); }

}  // namespace routh::internal
