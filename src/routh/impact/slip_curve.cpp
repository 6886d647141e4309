#include "routh/impact/slip_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "routh/math/exponential.h"

namespace routh {

namespace {

// tan(φ/2) of a unit direction, without cancellation.
double half_tangent(double x, double y) { return x > 0 ? y / (1 + x) : (1 - x) / y; }

double dot(Direction p, Direction q) { return p.x * q.x + p.y * q.y; }

// The series about the attracting direction is tried where |y / y_singular| is below this.
constexpr double tail_ratio = 0.4;
constexpr int tail_terms = 48;

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
  const double discriminant = q1_ * q1_ - 4 * q0_ * q2_;
  double largest = 0;
  if (discriminant < 0) {
    largest = std::sqrt(q0_ / q2_);
    log_root_ = 0.5 * std::log(q0_ / q2_);
    root_angle_ = std::acos(std::clamp(-q1_ / (2 * largest * q2_), -1.0, 1.0));
  } else {
    largest = 0.5 * (std::abs(q1_) + std::sqrt(discriminant)) / std::abs(q2_);
    log_root_ = std::log(largest);
    root_angle_ = std::numbers::pi;
  }
  const bool halts = final_growth() < -1e-12 * (std::abs(c1_) + field.m1);
  tail_zeta_ = halts ? largest / tail_ratio : std::numeric_limits<double>::infinity();
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
  const double beyond = zeta * (1 + 1e-12);
  double next = never;
  if (first > beyond) next = first;
  if (second > beyond && second < next) next = second;
  return next;
}

double SlipCurve::suggested_width(double zeta) const {
  // On a panel of width w whose ends lie d0 and d1 from the singularity, Chebyshev coefficients fall like r⁻ⁿ with
  // r + 1/r = 2 (d0 + d1)/w. r = 6 gives 6⁻¹⁵ ≈ 2e-12. Far beyond the singularity the curve differs from a pure
  // exponential only by y = e^−behind, and r need only bring y r⁻¹⁵ down to it.
  const double behind = std::log(zeta) - log_root_;
  double reach = 0;
  if (behind > 1.5)
    reach = 2 * behind / std::max(0.1, std::cosh((33 - behind) / 15) - 1);
  else
    reach = 0.65 * (behind > 0 ? std::sqrt(behind * behind + root_angle_ * root_angle_)
                               : std::max(root_angle_, -0.5 * behind));
  const double u = u_ + zeta;
  const double k = q0_ + zeta * (q1_ + zeta * q2_);
  const double growth = 2 * (r0_ + u * (r1_ + u * r2_)) / k + 2 * u * zeta / (1 + u * u);  // d ln s/dz
  const double end_growth = 2 * final_growth() / q2_;
  const double steepest = std::max(std::abs(growth), std::abs(end_growth));
  const double to_straight = std::max(1.0, 34 - std::log(zeta));  // beyond ζ = e³⁴ slip is straight anyway
  return std::min({reach, 3 / (steepest + 1e-3), to_straight});
}

bool SlipCurve::decays_from(double zeta) const {
  if (!(final_growth() < 0)) return false;
  for (int i = 0; i <= 64; ++i) {  // samples even in y = 1/ζ, from here to the end
    const double z = i < 64 ? zeta * 64 / (64 - i) : zeta * 1e6;
    const double u = u_ + z;
    const double w = 1 + u * u;
    const double k = q0_ + z * (q1_ + z * q2_);
    if ((r0_ + u * (r1_ + u * r2_)) / w + u * z * k / (w * w) > 0) return false;  // d ln s/dτ
  }
  return true;
}

bool SlipCurve::rest_to_halt(const SlipState& s, double normal_velocity, SlipIncrement& rest) const {
  // In y = 1/ζ: qa = y² + (1 + U y)², s = X qa with X = ρ/y², dy/dτ = −y kq/2qa, dX/dτ = X n/qa, and every integral of
  // X p(y) dτ to the halt is X G(y) with −½ y kq G' + n G = −p qa.
  const double y = 1 / s.zeta;
  const double kq[3] = {q2_, q1_, q0_};
  const double rr[3] = {r2_, r1_ + 2 * r2_ * u_, r0_ + u_ * (r1_ + u_ * r2_)};
  const double n[3] = {rr[0] + kq[0], rr[1] + kq[1], rr[2] + kq[2]};
  const double qa[3] = {1, 2 * u_, 1 + u_ * u_};
  const double sx[3] = {-1, -2 * u_, 1 - u_ * u_};  // s cos φ = X sx
  const double sy[3] = {0, 2, 2 * u_};              // s sin φ = X sy

  double source[4][7] = {};  // p qa for ∫dI, ∫σ dI, ∫s dI
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      source[0][i + j] += qa[i] * qa[j];
      source[1][i + j] += sx[i] * qa[j];
      source[2][i + j] += sy[i] * qa[j];
    }
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) source[3][i + j] += source[0][i] * qa[j];

  // Terms t_i = G_i yⁱ of the four series, the present and the two before.
  double value[4] = {}, t1[4] = {}, t2[4] = {};
  double power = 1;
  int settled = 0;  // terms in a row too small to count
  for (int i = 0; settled < 2; ++i) {
    if (i == tail_terms) return false;
    const double over[2] = {1 / (n[0] - 0.5 * i * kq[0]), 1 / (2 * n[0] - 0.5 * i * kq[0])};
    bool small = i >= 7;
    for (int k = 0; k < 4; ++k) {
      const int twice = k == 3 ? 1 : 0;  // ∫s dI goes with X², and n counts twice
      const double back1 = (0.5 * (i - 1) * kq[1] - (1 + twice) * n[1]) * y;
      const double back2 = (0.5 * (i - 2) * kq[2] - (1 + twice) * n[2]) * y * y;
      const double known = (i < 7 ? -source[k][i] * power : 0.0) + back1 * t1[k] + back2 * t2[k];
      t2[k] = t1[k];
      t1[k] = known * over[twice];
      value[k] += t1[k];
      small = small && std::abs(t1[k]) <= 1e-16 * std::abs(value[0]);
    }
    settled = small ? settled + 1 : 0;
    power *= y;
  }
  const double x = s.rho * s.zeta * s.zeta;
  rest.impulse = x * value[0];
  rest.direction_x = x * value[1];
  rest.direction_y = x * value[2];
  rest.tangential_work = -mu_ * x * x * value[3];
  rest.normal_velocity = a_ * rest.impulse - mu_c1_ * rest.direction_x - mu_c2_ * rest.direction_y;
  // ΔW = ½ (v + v')·Δi, of which friction's share is known.
  const double u = u_ + s.zeta;
  const double vx = s.rho * (1 - u * u), vy = s.rho * 2 * u;
  rest.normal_work = (normal_velocity + 0.5 * rest.normal_velocity) * rest.impulse -
                     0.5 * mu_ * (vx * rest.direction_x + vy * rest.direction_y) - rest.tangential_work;
  return true;
}

double SlipPanel::compute(const SlipCurve& curve, const SlipState& from, double normal_velocity, double width,
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
  integrate_to_nodes(growth, half_width_, log_rho_);

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
  integrate_to_nodes(normal_velocity_rate_, 1, normal_velocity_);
  for (std::size_t j = 0; j < panel_nodes; ++j)
    normal_work_rate_[j] = (normal_velocity + normal_velocity_[j]) * impulse_rate_[j];

  constexpr std::size_t last = panel_nodes - 1;
  end_ = {zeta0_ * stretch[last], rho0_ * change[last]};
  total_ = {integrate_panel(impulse_rate_), integrate_panel(direction_x_rate_), integrate_panel(direction_y_rate_),
            normal_velocity_[last],         integrate_panel(normal_work_rate_), integrate_panel(tangential_work_rate_)};

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
  const double log_speed = half_width_ * highest_coefficients(growth) / panel_nodes;
  const double inside =
      (highest_coefficients(normal_work_rate_) + highest_coefficients(tangential_work_rate_)) / work_scale;
  return std::max({(std::abs(ex) + std::abs(ey)) / speed_scale, std::abs(ew) / work_scale, inside, log_speed});
}

SlipState SlipPanel::state_at_node(std::size_t j) const {
  return {zeta0_ * std::exp(half_width_ * (1 + panel_node[j])), rho0_ * std::exp(log_rho_[j])};
}

SlipState SlipPanel::state_at(double x, const PanelArray& weights) const {
  return {zeta0_ * std::exp(half_width_ * (1 + x)), rho0_ * std::exp(routh::dot(log_rho_, weights))};
}

SlipIncrement SlipPanel::increment_to(const PanelArray& weights) const {
  const PanelArray w = integration_weights(weights);
  return {routh::dot(impulse_rate_, w),     routh::dot(direction_x_rate_, w),
          routh::dot(direction_y_rate_, w), routh::dot(normal_velocity_, weights),
          routh::dot(normal_work_rate_, w), routh::dot(tangential_work_rate_, w)};
}

}  // namespace routh
