#include "routh/contacts/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contacts/tolerances.h"

namespace routh::internal {

namespace {

double determinant(const Vector3& x) { return x[0] * x[0] - x[1] * x[1] - x[2] * x[2]; }

// Jordan's product of Lorentz's cone, and its inverse: x of λ ∘ x = d.
Vector3 product(const Vector3& a, const Vector3& b) {
  return {a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}
Vector3 quotient(const Vector3& d, const Vector3& lambda) {
  const double x0 = (lambda[0] * d[0] - lambda[1] * d[1] - lambda[2] * d[2]) / determinant(lambda);
  return {x0, (d[1] - x0 * lambda[1]) / lambda[0], (d[2] - x0 * lambda[2]) / lambda[0]};
}

// 2 u uᵀ − J.
Matrix3 reflection(const Vector3& u) {
  Matrix3 result = 2 * u * u.transpose();
  result(0, 0) -= 1;
  result(1, 1) += 1;
  result(2, 2) += 1;
  return result;
}

// Largest t with x + t d in the cone.
double way_out(const Vector3& x, const Vector3& d) {
  const double a = determinant(d), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], c = determinant(x);
  double t = d[0] < 0 ? -x[0] / d[0] : std::numeric_limits<double>::infinity();
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return t;
  const double q = -(b + (b >= 0 ? 1 : -1) * std::sqrt(discriminant));
  for (const double root : {a != 0 ? q / a : -1, q != 0 ? c / q : -1})
    if (root > 0) t = std::min(t, root);
  return t;
}

}  // namespace

void InteriorPoint::to_impulse(const ContactSystem& system) {
  for (int i = 0; i < system.size(); ++i) {
    impulse_[i] = x_[i];
    if (system.kind[i] == ConeKind::cone) impulse_[i][0] /= system.friction[i];
    if (system.kind[i] == ConeKind::ray) impulse_[i] = x_[i][0] * system.ray[i];
  }
}

double InteriorPoint::residuals(const ContactSystem& system) {
  system.respond(impulse_, velocity_);
  double gap = 0;
  int cones = 0;
  for (int i = 0; i < system.size(); ++i) {
    const Vector3& v = velocity_[i];
    if (system.kind[i] == ConeKind::cone) {
      lack_[i] = Vector3(v[0] / system.friction[i] + std::sqrt(v[1] * v[1] + v[2] * v[2]), v[1], v[2]) - y_[i];
      gap += x_[i].dot(y_[i]);
      ++cones;
    } else if (system.kind[i] == ConeKind::bilateral) {
      lack_[i] = v;
    } else {
      lack_[i] = Vector3(v[0] - y_[i][0], v[1], v[2]);
      gap += x_[i][0] * y_[i][0];
      ++cones;
    }
  }
  return cones > 0 ? gap / cones : 0;
}

// Rows of the step: W⁻² dx + G D dp for cones, (y/x) dp_n + dv_n and dp_t = d_t dp_n for rays, dv for bilateral rows.
void InteriorPoint::linearise(const ContactSystem& system) {
  for (int i = 0; i < system.size(); ++i) {
    Matrix3 &a = blocks_.impulse[i], &b = blocks_.velocity[i];
    a.setZero();
    b.setZero();
    const Vector3 &x = x_[i], &y = y_[i], &v = velocity_[i];
    if (system.kind[i] == ConeKind::cone) {
      const double mu = system.friction[i];
      const double dx = determinant(x), dy = determinant(y);
      const Vector3 xu = x / std::sqrt(dx), yu = y / std::sqrt(dy);
      const double gamma = std::sqrt(0.5 * (1 + xu.dot(yu)));
      const Vector3 w = Vector3(xu[0] + yu[0], xu[1] - yu[1], xu[2] - yu[2]) / (2 * gamma);
      const double size = std::sqrt(std::sqrt(dx / dy));
      const Vector3 u = Vector3(w[0] + 1, w[1], w[2]) / std::sqrt(2 * (w[0] + 1));
      pairs_[i].scaling = size * reflection(u);
      pairs_[i].inverse = reflection({u[0], -u[1], -u[2]}) / size;
      pairs_[i].scaled = pairs_[i].scaling * y;
      a = reflection({w[0], -w[1], -w[2]}) / (size * size);
      a.col(0) *= mu;
      b.setIdentity();
      b(0, 0) = 1 / mu;
      const double slip = std::sqrt(v[1] * v[1] + v[2] * v[2]);
      if (slip > 0) {
        b(0, 1) = v[1] / slip;
        b(0, 2) = v[2] / slip;
      }
    } else if (system.kind[i] == ConeKind::bilateral) {
      b.setIdentity();
    } else {
      a(0, 0) = y[0] / x[0];
      b(0, 0) = 1;
      a(1, 0) = -system.ray[i][1];
      a(2, 0) = -system.ray[i][2];
      a(1, 1) = a(2, 2) = 1;
    }
  }
}

void InteriorPoint::right_side(const ContactSystem& system, double centre, double share, bool corrected) {
  for (int i = 0; i < system.size(); ++i) {
    if (system.kind[i] == ConeKind::cone) {
      const Pair& pair = pairs_[i];
      Vector3 aim = -product(pair.scaled, pair.scaled);
      if (corrected) aim -= product(pair.inverse * dx_[i], pair.scaling * dy_[i]);
      aim[0] += centre;
      aim_[i] = quotient(aim, pair.scaled);
      right_[i] = pair.inverse * aim_[i] - share * lack_[i];
    } else if (system.kind[i] == ConeKind::bilateral) {
      right_[i] = -share * lack_[i];
    } else {
      const double correction = corrected ? dx_[i][0] * dy_[i][0] : 0;
      aim_[i][0] = (centre - correction) / x_[i][0] - y_[i][0];
      right_[i] = Vector3(aim_[i][0] - share * lack_[i][0], 0, 0);
    }
  }
}

double InteriorPoint::longest_step(const ContactSystem& system) const {
  constexpr double fraction = tolerances::interior_fraction;
  double t = 1;
  for (int i = 0; i < system.size(); ++i) {
    if (system.kind[i] == ConeKind::cone) {
      t = std::min({t, fraction * way_out(x_[i], dx_[i]), fraction * way_out(y_[i], dy_[i])});
    } else if (system.kind[i] != ConeKind::bilateral) {
      if (dx_[i][0] < 0) t = std::min(t, -fraction * x_[i][0] / dx_[i][0]);
      if (dy_[i][0] < 0) t = std::min(t, -fraction * y_[i][0] / dy_[i][0]);
    }
  }
  return t;
}

void InteriorPoint::run(const ContactSystem& system, BlockFactor& factor, double tolerance, int limit,
                        ContactsState& state, int& iterations) {
  const auto n = static_cast<std::size_t>(system.size());
  for (auto* vector : {&x_, &y_, &dx_, &dy_, &lack_, &aim_, &right_, &impulse_, &velocity_}) vector->resize(n);
  blocks_.impulse.resize(n);
  blocks_.velocity.resize(n);
  pairs_.resize(n);
  const double velocity = system.speed / std::sqrt(static_cast<double>(n));
  for (int i = 0; i < system.size(); ++i) {
    x_[i] = Vector3(system.kind[i] == ConeKind::bilateral ? 0 : velocity / system.mobility[i], 0, 0);
    y_[i] = Vector3(velocity, 0, 0);
  }
  const double unit = velocity * velocity / system.mean_mobility;
  bool first = true;
  double halved = std::numeric_limits<double>::infinity();  // residual when it last fell to a half, and the step
  int halved_at = 0;
  for (int step = 0; step < limit; ++step) {
    to_impulse(system);
    const double gap = residuals(system);
    const ContactResidual residual = residual_of(system, impulse_, velocity_);
    if (!std::isfinite(residual.scaled)) return;
    if (first || residual.scaled < state.residual.scaled) {
      state.impulse = impulse_;
      state.velocity = velocity_;
      state.residual = residual;
      first = false;
    }
    if (residual.within(tolerance) || gap < tolerances::interior_gap_least * unit) return;
    if (residual.scaled < 0.5 * halved) {
      halved = residual.scaled;
      halved_at = step;
    } else if (step - halved_at > tolerances::interior_halving_steps) {
      return;
    }
    ++iterations;
    linearise(system);
    double centre = 0, length = 1;
    for (const bool corrected : {false, true}) {
      // The prediction; then towards the path, with the second-order term where the prediction got anywhere.
      right_side(system, centre * gap, 1 - centre, corrected && length > tolerances::interior_step_corrected);
      if (corrected)
        factor.solve_again(right_, step_);
      else if (!factor.solve(system, blocks_, tolerances::interior_lift, right_, step_))
        return;
      for (int i = 0; i < system.size(); ++i) {
        dx_[i] = step_[i];
        if (system.kind[i] == ConeKind::cone) {
          dx_[i][0] *= system.friction[i];
          dy_[i] = pairs_[i].inverse * (aim_[i] - pairs_[i].inverse * dx_[i]);
        } else {
          dy_[i] = Vector3(aim_[i][0] - y_[i][0] / x_[i][0] * dx_[i][0], 0, 0);
        }
      }
      length = longest_step(system);
      if (corrected) break;
      double reached = 0;
      int cones = 0;
      for (int i = 0; i < system.size(); ++i) {
        if (system.kind[i] == ConeKind::bilateral) continue;
        ++cones;
        if (system.kind[i] == ConeKind::cone)
          reached += (x_[i] + length * dx_[i]).dot(y_[i] + length * dy_[i]);
        else
          reached += (x_[i][0] + length * dx_[i][0]) * (y_[i][0] + length * dy_[i][0]);
      }
      const double ratio = cones > 0 && gap > 0 ? std::clamp(reached / (cones * gap), 0.0, 1.0) : 0;
      centre = std::clamp(ratio * ratio * ratio, tolerances::interior_centre_least, tolerances::interior_centre_most);
    }
    if (!(length > tolerances::interior_step_least)) return;
    for (int i = 0; i < system.size(); ++i) {
      x_[i] += length * dx_[i];
      y_[i] += length * dy_[i];
    }
  }
}

}  // namespace routh::internal
