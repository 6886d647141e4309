#include "routh/math/radau_systems.h"

#include <Eigen/LU>
#include <cmath>

namespace routh::internal {

namespace {

using Complex = std::complex<double>;
using Vector = std::array<Complex, 3>;

Vector cross(const Vector& u, const Vector& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

// The eigenvector stands across the first two rows of A⁻¹ − λ. Its last entry is made 1.
Vector eigenvector(const double (&inverse)[3][3], Complex lambda) {
  Vector rows[2];
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) rows[i][j] = inverse[i][j] - (i == j ? lambda : Complex(0));
  Vector v = cross(rows[0], rows[1]);
  const Complex last = v[2];
  for (Complex& x : v) x /= last;
  return v;
}

void invert(const double (&m)[3][3], double (&inverse)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      inverse[j][i] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
    }
  const double determinant = m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
  for (auto& row : inverse)
    for (double& x : row) x /= determinant;
}

}  // namespace

RadauConstants::RadauConstants() : nodes{0, (4 - std::sqrt(6.0)) / 10, (4 + std::sqrt(6.0)) / 10, 1} {
  // (A⁻¹)_ij is the slope at c_i of Lagrange's polynomial that is 1 at c_j, and 0 at 0 and at the other c.
  for (std::size_t i = 1; i < 4; ++i)
    for (std::size_t j = 1; j < 4; ++j) {
      double& slope = inverse[i - 1][j - 1];
      slope = i == j ? 0 : 1 / (nodes[j] - nodes[i]);
      for (std::size_t k = 0; k < 4; ++k) {
        if (i == j && k != i) slope += 1 / (nodes[i] - nodes[k]);
        if (i != j && k != i && k != j) slope *= (nodes[i] - nodes[k]) / (nodes[j] - nodes[k]);
      }
    }
  // The eigenvalues of A are the roots of μ³ − 3/5 μ·μ + 3/20 μ − 1/60, by Cardano's formula.
  const double nine = std::cbrt(9.0), eighty_one = nine * nine;
  gamma = 30 / (6 + eighty_one - nine);
  lambda = 1.0 / Complex((12 - eighty_one + nine) / 60, -(eighty_one + nine) * std::sqrt(3.0) / 60);
  const Vector v = eigenvector(inverse, gamma), w = eigenvector(inverse, lambda);
  for (std::size_t i = 0; i < 3; ++i) {
    t[i][0] = v[i].real();
    t[i][1] = w[i].real();
    t[i][2] = w[i].imag();
  }
  t[2][2] = 0;
  invert(t, t_inverse);
}

std::array<double, 3> RadauConstants::lagrange(double x) const {
  std::array<double, 3> values{1, 1, 1};
  for (std::size_t j = 1; j < 4; ++j)
    for (std::size_t k = 0; k < 4; ++k)
      if (k != j) values[j - 1] *= (x - nodes[k]) / (nodes[j] - nodes[k]);
  return values;
}

struct RadauSystems::Factors {
  explicit Factors(Eigen::Index n) : real_matrix(n, n), complex_matrix(n, n), real(n), complex(n) {
    b.setZero(n);
    x.setZero(n);
    complex_b.setZero(n);
    complex_x.setZero(n);
  }
  Eigen::MatrixXd real_matrix;
  Eigen::MatrixXcd complex_matrix;
  Eigen::PartialPivLU<Eigen::MatrixXd> real;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex;
  Eigen::VectorXd b, x;
  Eigen::VectorXcd complex_b, complex_x;
};

RadauSystems::RadauSystems(Eigen::Index size) : factors_(std::make_unique<Factors>(size)) {}
RadauSystems::~RadauSystems() = default;

void RadauSystems::factor(const Eigen::MatrixXd& jacobian, double h) {
  Eigen::MatrixXd& real = factors_->real_matrix;
  Eigen::MatrixXcd& complex = factors_->complex_matrix;
  real = -jacobian;
  for (Eigen::Index i = 0; i < real.size(); ++i) complex.data()[i] = real.data()[i];
  for (Eigen::Index i = 0; i < real.rows(); ++i) {
    real(i, i) += constants.gamma / h;
    complex(i, i) += constants.lambda / h;
  }
  factors_->real.compute(real);
  factors_->complex.compute(complex);
}

void RadauSystems::solve_real(const Eigen::VectorXd& b, Eigen::VectorXd& x) const { x = factors_->real.solve(b); }

// With z = T w and the columns of T: w₁ belongs to γ, and w₂ − i w₃ to λ.
void RadauSystems::solve(std::array<Eigen::VectorXd, 3>& r) {
  const auto& p = constants.t_inverse;
  const auto& t = constants.t;
  Factors& f = *factors_;
  for (Eigen::Index i = 0; i < f.b.size(); ++i) {
    const double r1 = r[0][i], r2 = r[1][i], r3 = r[2][i];
    f.b[i] = p[0][0] * r1 + p[0][1] * r2 + p[0][2] * r3;
    f.complex_b[i] = Complex(p[1][0] * r1 + p[1][1] * r2 + p[1][2] * r3, -(p[2][0] * r1 + p[2][1] * r2 + p[2][2] * r3));
  }
  f.x = f.real.solve(f.b);
  f.complex_x = f.complex.solve(f.complex_b);
  for (Eigen::Index i = 0; i < f.b.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      r[k][i] = t[k][0] * f.x[i] + t[k][1] * f.complex_x[i].real() - t[k][2] * f.complex_x[i].imag();
}

}  // namespace routh::internal
