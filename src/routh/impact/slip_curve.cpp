#include "routh/impact/slip_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "routh/impact/rough_log.h"
#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"
#include "routh/math/exponential.h"

namespace routh::internal {

namespace {

// tan(φ/2) of a unit direction, without cancellation.
double half_tangent(double x, double y) { return x > 0 ? y / (1 + x) : (1 - x) / y; }

double dot(Direction p, Direction q) { return p.x * q.x + p.y * q.y; }

}  // namespace

SlipCurve::SlipCurve(const SlipField& field, double a, double mu, const Enclosure& ends, Direction slip)
    : ex_{-ends.to.x, -ends.to.y}, ey_{ends.to.y, -ends.to.x}, a_(a), mu_(mu) {
  double u0 = half_tangent(dot(ex_, slip), dot(ey_, slip));
  u_ = half_tangent(dot(ex_, ends.from), dot(ey_, ends.from));
  if (u0 < u_) {  // mirror, so that slip turns towards +∞
    ey_ = {-ey_.x, -ey_.y};
    u0 = -u0;
    u_ = -u_;
  }
  zeta0_ = u0 - u_;
  m11_ = field.m1 * ex_.x * ex_.x + field.m2 * ex_.y * ex_.y;
  m12_ = field.m1 * ex_.x * ey_.x + field.m2 * ex_.y * ey_.y;
  m22_ = field.m1 * ey_.x * ey_.x + field.m2 * ey_.y * ey_.y;
  c1_ = field.c1 * ex_.x + field.c2 * ex_.y;
  mu_c1_ = mu * c1_;
  mu_c2_ = mu * (field.c1 * ey_.x + field.c2 * ey_.y);

  // du/dτ = (k0 + k1 u + k2 u² + k3 u³)/2w with a root at U.
  const double k1 = 2 * (m11_ - m22_ - c1_);
  const double k2 = 6 * m12_;
  const double k3 = 2 * (m22_ - m11_ - c1_);
  q2_ = k3;
  q1_ = k2 + 3 * k3 * u_;
  q0_ = k1 + u_ * (2 * k2 + 3 * k3 * u_);
  r0_ = c1_ - m11_;
  r1_ = -4 * m12_;
  r2_ = c1_ + m11_ - 2 * m22_;

  // Roots of K: a conjugate pair, or two negative numbers (an invariant direction never lies between the ends).
  const double half = 0.5 * q1_ / q2_, product = q0_ / q2_;
  const double square = half * half - product;
  double largest = 0;
  if (square < 0) {
    largest = std::sqrt(product);
    root_angle_ = elementary::acos(std::clamp(-half / largest, -1.0, 1.0));
  } else {
    largest = std::abs(half) + std::sqrt(square);
    root_angle_ = std::numbers::pi;
  }
  log_root_ = rough_log(largest);
  tail_zeta_ = largest / tolerances::tail_convergence_ratio;
}

Direction SlipCurve::direction(double zeta) const {
  const double u = u_ + zeta;
  const double w = 1 + u * u;
  return turn_back((1 - u * u) / w, 2 * u / w);
}

double SlipCurve::normal_slope(double zeta) const {
  const double u = u_ + zeta;
  return a_ - (mu_c1_ * (1 - u * u) + mu_c2_ * 2 * u) / (1 + u * u);
}

double SlipCurve::impulse_rate(const SlipState& s) const {
  const double u = u_ + s.zeta;
  const double w = 1 + u * u;
  return 2 * s.rho * w * w / (q0_ + s.zeta * (q1_ + s.zeta * q2_));
}

double SlipCurve::next_jam_boundary(double zeta) const {
  // (a + μc1) u² − 2 μc2 u + (a − μc1) = 0
  constexpr double never = std::numeric_limits<double>::infinity();
  const double square = mu_c1_ * mu_c1_ + mu_c2_ * mu_c2_ - a_ * a_;
  if (square <= 0) return never;
  const double q = mu_c2_ + std::copysign(std::sqrt(square), mu_c2_);
  const double first = q / (a_ + mu_c1_) - u_;
  const double second = q != 0 ? (a_ - mu_c1_) / q - u_ : first;
  const double beyond = zeta * (1 + tolerances::boundary_beyond_relative);
  double next = never;
  if (first > beyond) next = first;
  if (second > beyond && second < next) next = second;
  return next;
}

double SlipCurve::suggested_width(double zeta) const {
  // On a panel of width w whose ends lie d0 and d1 from the singularity, Chebyshev coefficients fall like r⁻ⁿ with
  // r + 1/r = 2 (d0 + d1)/w [Trefethen 2013, ch. 8]; r = 6, for which 6⁻¹⁵ ≈ 2e-12, gives the first width, linear in d0
  // and the distance behind. An exponential of rate g has a width of its own, 2/|g|. Both effects together: the inverse
  // widths add.
  const double behind = rough_log(zeta) - log_root_;
  const double reach = 0.235 * behind + 0.725 * std::sqrt(behind * behind + root_angle_ * root_angle_);
  const double u = u_ + zeta;
  const double k = q0_ + zeta * (q1_ + zeta * q2_);
  const double growth = 2 * (r0_ + u * (r1_ + u * r2_)) / k + 2 * u * zeta / (1 + u * u);  // d ln s/dz
  return 1 / (1 / reach + 0.5 * std::abs(growth));
}

bool SlipCurve::decays_from(double zeta) const {
  if (!(final_growth() < 0)) return false;
  constexpr int samples = tolerances::decay_samples;
  for (int i = 0; i <= samples; ++i) {  // even in y = 1/ζ, from here to the end
    const double z = i < samples ? zeta * samples / (samples - i) : zeta * tolerances::decay_far;
    const double u = u_ + z;
    const double w = 1 + u * u;
    const double k = q0_ + z * (q1_ + z * q2_);
    if ((r0_ + u * (r1_ + u * r2_)) / w + u * z * k / (w * w) > 0) return false;  // d ln s/dτ
  }
  return true;
}

double SlipCurve::mismatch(const SlipIncrement& d, const SlipState& from, const SlipState& to) const {
  const double u0 = u_ + from.zeta, u1 = u_ + to.zeta;
  const double x = to.rho * (1 - u1 * u1) - from.rho * (1 - u0 * u0);
  const double y = 2 * (to.rho * u1 - from.rho * u0);
  return std::abs(x - (c1_ * d.impulse - m11_ * d.direction_x - m12_ * d.direction_y)) +
         std::abs(y - (-m12_ * d.impulse - m12_ * d.direction_x - m22_ * d.direction_y));
}

template <std::size_t lanes>
[[gnu::always_inline]] inline double SlipPanel::compute_with(const SlipCurve& curve, const SlipState& from,
                                                             double normal_velocity, double width,
                                                             const SlipScale& scale) {
  zeta0_ = from.zeta;
  rho0_ = from.rho;
  half_width_ = 0.5 * width;
  mu_ = curve.mu_;

  PanelArray u, w, inverse, growth, z;
  for (std::size_t j = 0; j < panel_nodes; ++j) z[j] = half_width_ * (1 + panel_node[j]);
  const PanelArray stretch = exponential(z);
  for (std::size_t j = 0; j < panel_nodes; ++j) {
    const double zeta = zeta0_ * stretch[j];
    u[j] = curve.u_ + zeta;
    w[j] = 1 + u[j] * u[j];
    inverse[j] = 2 / (curve.q0_ + zeta * (curve.q1_ + zeta * curve.q2_));
    growth[j] = (curve.r0_ + u[j] * (curve.r1_ + u[j] * curve.r2_)) * inverse[j];
  }
  integrate_to_nodes<lanes>(growth, half_width_, log_rho_);

  const PanelArray change = exponential(log_rho_);
  for (std::size_t j = 0; j < panel_nodes; ++j) {
    const double rho = rho0_ * change[j];
    const double rate = half_width_ * rho * w[j] * inverse[j];  // (dI/dx) / w
    impulse_rate_[j] = rate * w[j];
    direction_x_rate_[j] = rate * (1 - u[j] * u[j]);
    direction_y_rate_[j] = rate * 2 * u[j];
    tangential_work_rate_[j] = -mu_ * rho * w[j] * impulse_rate_[j];
    normal_velocity_rate_[j] =
        curve.a_ * impulse_rate_[j] - curve.mu_c1_ * direction_x_rate_[j] - curve.mu_c2_ * direction_y_rate_[j];
  }
  integrate_to_nodes<lanes>(normal_velocity_rate_, 1, normal_velocity_);
  for (std::size_t j = 0; j < panel_nodes; ++j)
    normal_work_rate_[j] = (normal_velocity + normal_velocity_[j]) * impulse_rate_[j];

  constexpr std::size_t last = panel_nodes - 1;
  end_ = {zeta0_ * stretch[last], rho0_ * change[last]};
  total_ = {integrate_panel<lanes>(impulse_rate_),     integrate_panel<lanes>(direction_x_rate_),
            integrate_panel<lanes>(direction_y_rate_), normal_velocity_[last],
            integrate_panel<lanes>(normal_work_rate_), integrate_panel<lanes>(tangential_work_rate_)};

  // The identities.
  const double x0 = rho0_ * (1 - u[0] * u[0]), y0 = rho0_ * 2 * u[0];
  const double x1 = end_.rho * (1 - u[last] * u[last]), y1 = end_.rho * 2 * u[last];
  const double ex =
      x1 - x0 - (curve.c1_ * total_.impulse - curve.m11_ * total_.direction_x - curve.m12_ * total_.direction_y);
  const double ey =
      y1 - y0 - (-curve.m12_ * total_.impulse - curve.m12_ * total_.direction_x - curve.m22_ * total_.direction_y);
  const double work = (normal_velocity + 0.5 * total_.normal_velocity) * total_.impulse -
                      0.5 * mu_ * ((x0 + x1) * total_.direction_x + (y0 + y1) * total_.direction_y);
  const double ew = work - total_.normal_work - total_.tangential_work;
  const double speed_scale = std::max({scale.speed, rho0_ * w[0], end_.rho * w[last]});
  const double work_scale = scale.work + std::abs(total_.normal_work) + std::abs(total_.tangential_work);
  // Quadrature over a whole panel is better than interpolation inside it, where events are looked for: ask that too.
  // The speed must keep its relative accuracy however small it gets, because it may grow again.
  const double log_speed = half_width_ * highest_coefficients<lanes>(growth) / panel_nodes;
  const double inside =
      (highest_coefficients<lanes>(normal_work_rate_) + highest_coefficients<lanes>(tangential_work_rate_)) /
      work_scale;
  return std::max({(std::abs(ex) + std::abs(ey)) / speed_scale, std::abs(ew) / work_scale, inside, log_speed});
}

double SlipPanel::compute(const SlipCurve& curve, const SlipState& from, double normal_velocity, double width,
                          const SlipScale& scale) {
  return on_widest_lanes([&](auto lanes) __attribute__((always_inline)) {
    return compute_with<lanes>(curve, from, normal_velocity, width, scale);
  });
}

SlipState SlipPanel::state_at_node(std::size_t j) const {
  return {zeta0_ * elementary::exp(half_width_ * (1 + panel_node[j])), rho0_ * elementary::exp(log_rho_[j])};
}

SlipState SlipPanel::state_at(double x, const PanelArray& weights) const {
  return {zeta0_ * elementary::exp(half_width_ * (1 + x)), rho0_ * elementary::exp(routh::dot(log_rho_, weights))};
}

SlipIncrement SlipPanel::increment_to(const PanelArray& weights) const {
  return on_widest_lanes([&](auto lanes) __attribute__((always_inline)) {
    const PanelArray w = integration_weights<lanes>(weights);
    const auto to = [&](const PanelArray& rate) __attribute__((always_inline)) { return routh::dot<lanes>(rate, w); };
    return SlipIncrement{to(impulse_rate_),     to(direction_x_rate_),
                         to(direction_y_rate_), routh::dot<lanes>(normal_velocity_, weights),
                         to(normal_work_rate_), to(tangential_work_rate_)};
  });
}

PanelArray SlipPanel::integrated(const PanelArray& rate) {
  PanelArray values;
  on_widest_lanes([&](auto lanes) __attribute__((always_inline)) { integrate_to_nodes<lanes>(rate, 1, values); });
  return values;
}

}  // namespace routh::internal
