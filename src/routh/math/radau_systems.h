// The linear algebra of Radau5: the constants of the method, and its system of 3n equations split into one real and one
// complex system of n [Hairer and Wanner 1996, IV.8].
#pragma once

#include <Eigen/Core>
#include <array>
#include <complex>
#include <memory>

namespace routh::internal {

struct RadauConstants {
  RadauConstants();
  std::array<double, 4> nodes;      // 0, c₁, c₂, c₃ = 1
  double inverse[3][3];             // A⁻¹
  double gamma;                     // its real eigenvalue
  std::complex<double> lambda;      // and one of the other two
  double t[3][3], t_inverse[3][3];  // columns: eigenvectors of γ; real and imaginary part of the one of λ
  // Lagrange's polynomials L₁ … L₃ on the four nodes at x: y(t + x h) = y + Σ L_j(x) z_j.
  std::array<double, 3> lagrange(double x) const;
};

class RadauSystems {
 public:
  explicit RadauSystems(Eigen::Index size);
  ~RadauSystems();
  // γ/h − J and λ/h − J.
  void factor(const Eigen::MatrixXd& jacobian, double h);
  // x = (γ/h − J)⁻¹ b
  void solve_real(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;
  // (A⁻¹/h ⊗ 1 − 1 ⊗ J)⁻¹ r, in place.
  void solve(std::array<Eigen::VectorXd, 3>& r);

  const RadauConstants constants;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace routh::internal
