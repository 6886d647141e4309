#include "restitution_oracle.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace testing_support {

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (double& x : m.reshaped()) x = random.normal();
  return m;
}

Eigen::MatrixXd random_mass(Random& random, Eigen::Index n) {
  const Eigen::MatrixXd a = random_matrix(random, n, n + 2);
  return a * a.transpose();
}

routh::RestitutionQuestion random_question(Random& random, const QuestionShape& shape) {
  routh::RestitutionQuestion q;
  q.mass_matrix = random_mass(random, shape.coordinates);
  q.fixed = random_matrix(random, shape.fixed, shape.coordinates);
  q.striking = random_matrix(random, shape.striking, shape.coordinates);
  const Eigen::Index free = shape.striking - shape.depend;
  if (shape.depend > 0)
    q.striking.bottomRows(shape.depend) = random_matrix(random, shape.depend, free) * q.striking.topRows(free);
  q.restitution.resize(shape.striking);
  // Half of the questions nearly alike, so that both verdicts occur.
  const double middle = random.uniform(0.1, 0.9), half = random.chance(0.5) ? 0.1 : 1;
  for (double& e : q.restitution) e = std::clamp(middle + half * random.uniform(-1, 1), 0.01, 1.0);
  return q;
}

double energy(const routh::RestitutionQuestion& q, const Eigen::VectorXd& v) { return 0.5 * v.dot(q.mass_matrix * v); }

Eigen::VectorXd strike_independent(const routh::RestitutionQuestion& q, const Eigen::VectorXd& v) {
  const Eigen::Index n = v.size(), f = q.fixed.rows(), rows = f + q.striking.rows();
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + rows, n + rows);
  kkt.topLeftCorner(n, n) = q.mass_matrix;
  kkt.block(n, 0, f, n) = q.fixed;
  kkt.bottomLeftCorner(q.striking.rows(), n) = q.striking;
  kkt.topRightCorner(n, rows) = -kkt.bottomLeftCorner(rows, n).transpose();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + rows);
  right.head(n) = q.mass_matrix * v;
  right.tail(q.striking.rows()) = -q.restitution.cwiseProduct(q.striking * v);
  return kkt.fullPivLu().solve(right).head(n);
}

Eigen::MatrixXd allowed(const routh::RestitutionQuestion& q) {
  if (q.fixed.rows() == 0) return Eigen::MatrixXd::Identity(q.mass_matrix.rows(), q.mass_matrix.rows());
  return q.fixed.fullPivLu().kernel();
}

Eigen::VectorXd strike_any(const routh::RestitutionQuestion& q, const Eigen::VectorXd& v) {
  const Eigen::MatrixXd z = allowed(q);
  const Eigen::MatrixXd response =
      z * (z.transpose() * q.mass_matrix * z).fullPivLu().solve(z.transpose() * q.striking.transpose());
  const Eigen::VectorXd weight =
      (q.striking * q.mass_matrix.fullPivLu().solve(q.striking.transpose())).diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::VectorXd wish = (1 + q.restitution.array()) * (q.striking * v).array();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> system;
  system.setThreshold(1e-10);
  system.compute(weight.asDiagonal() * (q.striking * response));
  return v - response * system.solve(weight.cwiseProduct(wish));
}

double growth(const routh::RestitutionQuestion& q, const Eigen::VectorXd& v) {
  routh::RestitutionQuestion plastic = q;
  plastic.restitution.setZero();
  const double before = energy(q, v);
  return (energy(q, strike_any(q, v)) - before) / (before - energy(q, strike_any(plastic, v)));
}

double largest_gain(const routh::RestitutionQuestion& q) {
  const Eigen::MatrixXd z = allowed(q);
  Eigen::MatrixXd after(z.rows(), z.cols());
  for (Eigen::Index k = 0; k < z.cols(); ++k) after.col(k) = strike_independent(q, z.col(k));
  const Eigen::MatrixXd before_form = z.transpose() * q.mass_matrix * z;
  const Eigen::MatrixXd change = after.transpose() * q.mass_matrix * after - before_form;
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(change, before_form, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

}  // namespace testing_support
