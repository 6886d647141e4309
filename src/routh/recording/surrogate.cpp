#include "routh/recording/surrogate.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "routh/recording/tolerances.h"

namespace routh::internal {

namespace {

// 1, u_i, u_i u_j (i ≤ j)
Eigen::VectorXd basis(const ParameterBox& box, const std::vector<double>& at) {
  const std::size_t n = box.size();
  Eigen::VectorXd out(static_cast<Eigen::Index>(QuadraticSurrogate::coefficients(n)));
  std::vector<double> u(n);
  for (std::size_t j = 0; j < n; ++j) u[j] = (at[j] - box.centre[j]) / box.half[j];
  Eigen::Index k = 0;
  out[k++] = 1;
  for (std::size_t j = 0; j < n; ++j) out[k++] = u[j];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) out[k++] = u[i] * u[j];
  return out;
}

// c + g·u + ½ u·H u
struct Quadratic {
  double c = 0;
  Eigen::VectorXd g;
  Eigen::MatrixXd H;

  double operator()(const Eigen::VectorXd& u) const { return c + g.dot(u) + u.dot(H * u) / 2; }
};

// From `u`, coordinate by coordinate, to a minimum in the box |u_j| ≤ 1.
void descend(const Quadratic& f, Eigen::VectorXd& u) {
  for (int sweep = 0; sweep < tolerances::surrogate_sweeps_max; ++sweep) {
    double moved = 0;
    for (Eigen::Index j = 0; j < u.size(); ++j) {
      const double slope = f.g[j] + f.H.row(j).dot(u) - f.H(j, j) * u[j], bend = f.H(j, j);
      const double next = bend > 0 ? std::clamp(-slope / bend, -1.0, 1.0) : slope > 0 ? -1.0 : slope < 0 ? 1.0 : u[j];
      moved = std::max(moved, std::abs(next - u[j]));
      u[j] = next;
    }
    if (moved < tolerances::surrogate_step_min) return;
  }
}

}  // namespace

bool ParameterBox::holds(const std::vector<double>& at) const {
  for (std::size_t j = 0; j < size(); ++j)
    if (std::abs(at[j] - centre[j]) > half[j] * (1 + tolerances::box_border)) return false;
  return true;
}

QuadraticSurrogate::QuadraticSurrogate(const ParameterBox& box, const std::vector<std::vector<double>>& points,
                                       const std::vector<std::vector<double>>& losses)
    : box_(box), throws_(losses.front().size()) {
  const auto n = static_cast<Eigen::Index>(points.size());
  const auto count = static_cast<Eigen::Index>(coefficients(box.size()));
  Eigen::MatrixXd X(n, count);
  for (Eigen::Index k = 0; k < n; ++k) X.row(k) = basis(box, points[static_cast<std::size_t>(k)]).transpose();
  const Eigen::LDLT<Eigen::MatrixXd> normal(X.transpose() * X);
  if (n < count || normal.info() != Eigen::Success ||
      !(normal.vectorD().minCoeff() > tolerances::surrogate_pivot_min * static_cast<double>(n)))
    return;
  valid_ = true;
  coefficients_.resize(throws_ * static_cast<std::size_t>(count));
  Eigen::VectorXd y(n), mean = Eigen::VectorXd::Zero(n), fitted = Eigen::VectorXd::Zero(n);
  for (std::size_t t = 0; t < throws_; ++t) {
    for (Eigen::Index k = 0; k < n; ++k) y[k] = losses[static_cast<std::size_t>(k)][t];
    const Eigen::VectorXd c = normal.solve(X.transpose() * y);
    std::copy(c.data(), c.data() + count, coefficients_.begin() + static_cast<std::ptrdiff_t>(t) * count);
    mean += y;
    fitted += X * c;
  }
  // How far each parameter can change the mean over the box, against the mean itself.
  flat_.assign(box.size(), false);
  for (std::size_t j = 0; j < box.size(); ++j) {
    std::vector<double> c(static_cast<std::size_t>(count), 0.0);
    for (std::size_t k = 0; k < coefficients_.size(); ++k) c[k % c.size()] += coefficients_[k];
    double effect = std::abs(c[1 + j]);
    std::size_t k = 1 + box.size();
    for (std::size_t a = 0; a < box.size(); ++a)
      for (std::size_t b = a; b < box.size(); ++b, ++k)
        if (a == j || b == j) effect += std::abs(c[k]);
    flat_[j] = effect <= tolerances::flat_share * std::abs(mean.mean());
  }
  const double variance = (mean.array() - mean.mean()).square().sum();
  explained_ = variance > 0 ? 1 - (mean - fitted).squaredNorm() / variance : 0;
}

std::vector<double> QuadraticSurrogate::minimum(const std::vector<double>& weights) const {
  const std::size_t n = box_.size(), count = coefficients(n);
  std::vector<double> c(count, 0.0);
  for (std::size_t t = 0; t < throws_; ++t)
    if (weights[t] != 0)
      for (std::size_t k = 0; k < count; ++k) c[k] += weights[t] * coefficients_[t * count + k];
  const auto size = static_cast<Eigen::Index>(n);
  Quadratic f{c[0], Eigen::VectorXd(size), Eigen::MatrixXd(size, size)};
  std::size_t k = 1;
  for (std::size_t j = 0; j < n; ++j) f.g[static_cast<Eigen::Index>(j)] = c[k++];
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = i; j < size; ++j) {
      f.H(i, j) = f.H(j, i) = i == j ? 2 * c[k] : c[k];
      ++k;
    }
  // From the middle and from the middle of each side: a quadratic that is not convex has its minimum on the border.
  Eigen::VectorXd best = Eigen::VectorXd::Zero(size);
  descend(f, best);
  for (Eigen::Index side = 0; side < 2 * size; ++side) {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(size);
    u[side / 2] = side % 2 == 0 ? -1 : 1;
    descend(f, u);
    if (f(u) < f(best)) best = u;
  }
  std::vector<double> out(n);
  for (std::size_t j = 0; j < n; ++j) out[j] = box_.centre[j] + box_.half[j] * best[static_cast<Eigen::Index>(j)];
  return out;
}

double QuadraticSurrogate::telling(std::size_t j) const {
  const std::size_t n = box_.size(), count = coefficients(n);
  std::size_t place = 1 + n;  // of u_j²
  for (std::size_t i = 0; i < j; ++i) place += n - i;
  double sum = 0, squares = 0;
  for (std::size_t t = 0; t < throws_; ++t) {
    const double bend = std::max(0.0, coefficients_[t * count + place]);
    sum += bend;
    squares += bend * bend;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

}  // namespace routh::internal
