// The unified law [Aghili 2020] by its letters, in extended precision, and the energy of the contact before and after:
// no code of the library.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "routh/impact/problem.h"

namespace testing_support {

class UnifiedOracle {
 public:
  using Real = long double;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1, 0, 3, 1>;
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

  explicit UnifiedOracle(const routh::ImpactProblem& p)
      : d_(p.inertia.dimension == routh::Dimension::planar ? 2 : 3,
           p.inertia.dimension == routh::Dimension::planar ? 2 : 3),
        mu_static_(p.friction.static_coefficient),
        mu_kinetic_(p.friction.kinetic_coefficient) {
    const routh::ContactInertia& d = p.inertia;
    if (size() == 2)
      d_ << d.a, d.c1, d.c1, d.b11;
    else
      d_ << d.a, d.c1, d.c2, d.c1, d.b11, d.b12, d.c2, d.b12, d.b22;
    g_ = d_.inverse();
    e_ = Vector::Constant(size(), p.restitution.tangential);
    e_(0) = p.restitution.normal;
  }

  Eigen::Index size() const { return d_.rows(); }
  Vector vector(const routh::ContactVector& v) const {
    Vector out(size());
    out(0) = v.n, out(1) = v.t1;
    if (size() == 3) out(2) = v.t2;
    return out;
  }

  double energy(const Vector& v) const { return static_cast<double>(v.dot(g_ * v) / 2); }
  // (T⁺ − T⁻)/T⁻.
  double gain(const Vector& before, const Vector& after) const {
    return static_cast<double>((after - before).dot(g_ * (after + before)) / before.dot(g_ * before));
  }

  Vector sticking_impulse(const Vector& v) const { return -(g_ * (v + e_.cwiseProduct(v))); }
  // The velocity that the impulse turns into −E v; needs e_t > −1.
  Vector struck_by(const Vector& i) const { return -(d_ * i).cwiseQuotient((e_.array() + 1).matrix()); }
  Vector after_stick(const Vector& v) const { return -e_.cwiseProduct(v); }
  bool sticks(const Vector& v, Real allowance = 0) const { return in_cone(sticking_impulse(v), allowance); }

  // Every velocity that the law allows after v: the stick, else all slips, else the mean slip of zero.
  std::vector<Vector> outcomes(const Vector& v) const {
    if (sticks(v)) return {after_stick(v)};
    std::vector<Vector> out;
    if (size() == 2) {
      for (const Real sign : {1.0L, -1.0L}) add_slip(v, Vector::Constant(1, sign), out);
    } else {
      add_spatial_slips(v, out);
    }
    if (out.empty()) {
      Vector after = -v;
      after(0) = -e_(0) * v(0);
      if (in_cone(g_ * (after - v), 0)) out.push_back(after);
    }
    return out;
  }

 private:
  bool in_cone(const Vector& i, Real allowance) const {
    return i(0) > 0 && i.tail(size() - 1).norm() <= mu_static_ * (1 + allowance) * i(0);
  }
  static Vector direction(Real angle) {
    Vector u(2);
    u << std::cos(angle), std::sin(angle);
    return u;
  }
  Vector slip_impulse(const Vector& v, const Vector& u) const {
    Vector i(size());
    i(0) = 1, i.tail(size() - 1) = -mu_kinetic_ * u;
    return -(1 + e_(0)) * v(0) / d_.row(0).dot(i) * i;
  }
  Vector mean_slip(const Vector& v, const Vector& u) const {
    return (v + d_ * slip_impulse(v, u) / 2).tail(size() - 1);
  }
  void add_slip(const Vector& v, const Vector& u, std::vector<Vector>& out) const {
    const Vector i = slip_impulse(v, u);
    if (std::isfinite(i(0)) && i(0) > 0 && u.dot(mean_slip(v, u)) > 0) out.push_back(v + d_ * i);
  }
  void add_spatial_slips(const Vector& v, std::vector<Vector>& out) const {
    constexpr int looks = 36;
    const auto across = [&](Real angle) {
      const Vector u = direction(angle), slip = mean_slip(v, u);
      return u(0) * slip(1) - u(1) * slip(0);
    };
    Real before = across(0);
    for (int k = 1; k <= looks; ++k) {
      Real low = 2 * M_PIl * (k - 1) / looks, high = 2 * M_PIl * k / looks;
      const Real now = across(high);
      if ((before > 0) != (now > 0)) {
        for (int step = 0; step < 60; ++step) {
          const Real middle = (low + high) / 2;
          ((across(middle) > 0) == (before > 0) ? low : high) = middle;
        }
        add_slip(v, direction(low), out);
      }
      before = now;
    }
  }

  Matrix d_, g_;
  Vector e_;
  Real mu_static_, mu_kinetic_;
};

}  // namespace testing_support
