#include "routh/contacts/one_contact.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "routh/contacts/tolerances.h"

namespace routh::internal {

namespace {

// A contact that slides: p_t = −(b + αI)⁻¹(c p_n + v_t) with v⁺_t = −α p_t and v⁺_n = 0, for α ≥ 0. The root of
// ‖p_t‖ − μ p_n lies between α = 0, where the contact would stick outside its cone, and α = ∞, where p_t = 0.
class SlidingContact {
 public:
  SlidingContact(const Matrix3& d, const Vector3& v) : d_(d), v_(v) {}

  Vector3 at(double alpha) const {
    const double b11 = d_(1, 1) + alpha, b22 = d_(2, 2) + alpha, b12 = d_(1, 2), b21 = d_(2, 1);
    const double det = b11 * b22 - b12 * b21;
    const double c1 = (b22 * d_(1, 0) - b12 * d_(2, 0)) / det, c2 = (b11 * d_(2, 0) - b21 * d_(1, 0)) / det;
    const double s1 = (b22 * v_[1] - b12 * v_[2]) / det, s2 = (b11 * v_[2] - b21 * v_[1]) / det;
    const double slope = d_(0, 0) - d_(0, 1) * c1 - d_(0, 2) * c2;
    const double normal = (-v_[0] + d_(0, 1) * s1 + d_(0, 2) * s2) / slope;
    return {normal, -c1 * normal - s1, -c2 * normal - s2};
  }

 private:
  const Matrix3& d_;
  const Vector3& v_;
};

double outside(const Vector3& p, double mu) { return std::sqrt(p[1] * p[1] + p[2] * p[2]) - mu * p[0]; }

// Regula falsi with Pegasus' halving on t = α/(α + β), β of the size of b; every fourth step bisects.
Vector3 slide(const Matrix3& d, const Vector3& v, double mu, double at_rest) {
  const SlidingContact contact(d, v);
  const double beta = 0.5 * (d(1, 1) + d(2, 2));
  const double limit = -v[0] / d(0, 0);  // p_n at α = ∞
  double low = 0, high = 1, f_low = at_rest, f_high = -mu * limit;
  Vector3 p(limit, 0, 0);
  int side = 0;
  for (int step = 0; step < tolerances::one_contact_steps; ++step) {
    double t = (low * f_high - high * f_low) / (f_high - f_low);
    if (!(t > low && t < high) || step % 4 == 3) t = 0.5 * (low + high);
    if (!(t > low && t < high)) break;
    p = contact.at(beta * t / (1 - t));
    const double f = outside(p, mu);
    if (std::abs(f) <= tolerances::one_contact_relative * mu * std::abs(p[0])) break;
    if (f > 0) {
      low = t;
      f_low = f;
      if (side == 1) f_high *= 0.5;
      side = 1;
    } else {
      high = t;
      f_high = f;
      if (side == -1) f_low *= 0.5;
      side = -1;
    }
  }
  const double tangential = std::sqrt(p[1] * p[1] + p[2] * p[2]);
  if (!(p[0] > 0) || !(tangential > 0)) return {std::max(p[0], 0.0), 0, 0};
  // Onto the cone by what has more digits: under large friction the normal impulse is a small difference.
  if (mu > 1) return {tangential / mu, p[1], p[2]};
  const double share = mu * p[0] / tangential;
  return {p[0], share * p[1], share * p[2]};
}

}  // namespace

Vector3 solve_one_contact(const ContactSystem& system, int index, const Vector3& v) {
  const Matrix3& d = system.inertia.block[system.inertia.diagonal[index]];
  const double size = system.mobility[index];
  if (system.kind[index] == ConeKind::bilateral || v[0] < 0) {
    if (system.kind[index] == ConeKind::ray) {
      const Vector3& ray = system.ray[index];
      const double slope = d.row(0).dot(ray);
      // Where slip jams (slope ≤ 0) pressing does not help: no impulse of this contact alone, others may.
      return slope > tolerances::immovable_contact * size ? Vector3(ray * (-v[0] / slope)) : Vector3::Zero();
    }
    Matrix3 lifted = d;
    lifted.diagonal().array() += tolerances::lift_relative * size;
    const Vector3 stuck = -lifted.inverse() * v;
    if (system.kind[index] == ConeKind::bilateral) return stuck;
    if (!(d(0, 0) > tolerances::immovable_contact * size)) return Vector3::Zero();
    const double mu = system.friction[index];
    const double at_rest = outside(stuck, mu);
    if (at_rest <= 0) return stuck;
    return slide(lifted, v, mu, at_rest);
  }
  return Vector3::Zero();
}

void sweep(const ContactSystem& system, std::vector<Vector3>& impulse) {
  const BlockRows& d = system.inertia;
  for (int i = 0; i < system.size(); ++i) {
    Vector3 v = system.free_velocity[i];
    for (int k = d.row_start[i]; k < d.row_start[i + 1]; ++k)
      if (k != d.diagonal[i]) v.noalias() += d.block[k] * impulse[d.column[k]];
    const Vector3 p = solve_one_contact(system, i, v);
    if (p.allFinite()) impulse[i] = p;
  }
}

}  // namespace routh::internal
