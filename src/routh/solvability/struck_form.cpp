#include "routh/solvability/struck_form.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <cmath>

namespace routh::internal {

namespace {
// Of unit columns: what is shorter depends on others but for rounding.
constexpr double rank_tolerance = 1e-10;
}  // namespace

// With E = c I + (E − c I) the part that all contacts share is exact, whatever the condition of X.
Eigen::MatrixXd StruckForm::reflection(const Eigen::VectorXd& e) const {
  const double common = 0.5 * (e.minCoeff() + e.maxCoeff());
  const Eigen::VectorXd rest = e.array() - common;
  Eigen::MatrixXd t = singular.cwiseInverse().asDiagonal() * (unscaled * rest.asDiagonal() * unscaled.transpose()) *
                      singular.asDiagonal();
  t.diagonal().array() += common;
  return t;
}

Eigen::MatrixXd StruckForm::reflection_of(Eigen::Index row) const {
  const Eigen::VectorXd v = unscaled.col(row);
  return v.cwiseQuotient(singular) * v.cwiseProduct(singular).transpose();
}

bool StruckForm::consistent(const Eigen::VectorXd& e) const {
  const Eigen::MatrixXd t = reflection(e);
  Eigen::MatrixXd loss = -t.transpose() * t;
  loss.diagonal().array() += 1 + tolerance();
  return loss.llt().info() == Eigen::Success;
}

LargestGrowth largest_growth(const Eigen::MatrixXd& reflection) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(reflection.transpose() * reflection);
  const Eigen::Index last = reflection.rows() - 1;
  return {std::sqrt(std::max(0.0, eigen.eigenvalues()(last))), eigen.eigenvectors().col(last)};
}

StruckForm struck_form(const Eigen::MatrixXd& columns, const Eigen::MatrixXd& to_velocity) {
  StruckForm form;
  form.columns = columns;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(columns, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::Index rank = 0;
  while (rank < svd.singularValues().size() && svd.singularValues()(rank) > rank_tolerance) ++rank;
  form.singular = svd.singularValues().head(rank);
  form.unscaled = svd.matrixV().leftCols(rank).transpose();
  form.velocity = to_velocity * svd.matrixU().leftCols(rank);
  return form;
}

}  // namespace routh::internal
