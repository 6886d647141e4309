#include "routh/impact/slip_variation.h"

#include <cmath>

#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"
#include "routh/math/exponential.h"
#include "routh/math/panel_crossing.h"

namespace routh::internal {

namespace {

using Row = SlipVariation::Row;

Direction perpendicular(Direction s) { return {-s.y, s.x}; }
double length(Direction v) { return std::sqrt(v.x * v.x + v.y * v.y); }

// (e^x − 1)/x
double growth_ratio(double x) {
  if (std::abs(x) < tolerances::short_exponent) return 1 + x * (0.5 + x * (1.0 / 6 + x / 24));
  return (elementary::exp(x) - 1) / x;
}

// w·(δc − δm σ) by the columns.
Row drive(Direction w, Direction s) {
  Row r;
  r[slip_c1] = w.x, r[slip_c2] = w.y;
  r[slip_m11] = -w.x * s.x, r[slip_m22] = -w.y * s.y;
  r[slip_m12] = -(w.x * s.y + w.y * s.x);
  return r;
}

Row along(Direction w) {
  Row r;
  r[slip_v1] = w.x, r[slip_v2] = w.y;
  return r;
}

Direction times(const SlipTensors& k, Direction s) { return {k.m11 * s.x + k.m12 * s.y, k.m12 * s.x + k.m22 * s.y}; }
double dot(Direction p, Direction q) { return p.x * q.x + p.y * q.y; }

// δv_t = δv + δc ΔI − δm S − m δS at the end, at fixed I.
void end_velocity(const SlipTensors& k, const SlipVariation& v, Row& x, Row& y) {
  x = -k.m11 * v.by_s1 - k.m12 * v.by_s2;
  y = -k.m12 * v.by_s1 - k.m22 * v.by_s2;
  x[slip_v1] += 1, y[slip_v2] += 1;
  x[slip_c1] += v.impulse, y[slip_c2] += v.impulse;
  x[slip_m11] -= v.s1, x[slip_m12] -= v.s2;
  y[slip_m12] -= v.s1, y[slip_m22] -= v.s2;
}

}  // namespace

// With s = s_a + k I, r = s/s_a: the part y of δv_t across the slip obeys y' = g − (β/s) y, β = σ⊥ᵀmσ⊥, so that
//   y = y_a H + g F,   H = r^(−β/k),   F = s_a (r − H)/(k + β),   ∫y/s dI = (g ΔI − y + y_a)/β
// and the part along it x' = g∥ − (σᵀmσ⊥) y/s. At k + β = 0, where no direction turns, F = s_a r ln r/k.
SlipVariation vary_straight(const SlipTensors& t, Direction s, const SlipStretch& stretch) {
  const Direction w = perpendicular(s);
  const Direction ms = times(t, s), mw = times(t, w);
  const double k = s.x * t.c1 + s.y * t.c2 - dot(s, ms);
  const double beta = dot(w, mw), cross = dot(s, mw);
  const double start = length(stretch.start);
  const bool halts = stretch.halts();
  SlipVariation v;
  v.impulse = halts ? -start / k : stretch.impulse;
  const double impulse = v.impulse, end = halts ? 0 : start + k * impulse;
  v.s1 = s.x * impulse, v.s2 = s.y * impulse;
  v.q = 0.5 * (start + end) * impulse;
  const double rates = std::abs(k) + std::abs(beta);
  const bool neutral = std::abs(k + beta) <= tolerances::neutral_direction_relative * rates;
  const Row g = drive(w, s), x_rate = drive(s, s);
  Row angle, angle_sum;  // ∫y/s dI and its integral
  if (start == 0) {
    // y = g s/(k + β): the direction that attracts, as it moves.
    angle = (impulse / (k + beta)) * g;
    angle_sum = (0.5 * impulse * impulse / (k + beta)) * g;
    v.trusted = k > 0 && !neutral;
  } else {
    const double r = end / start;
    const double reach = halts ? 0
                         : k != 0 && std::abs(k * impulse) > tolerances::short_exponent * start
                             ? elementary::log(r) / k
                             : impulse / start * (1 - 0.5 * k * impulse / start);  // (ln r)/k
    const double h = halts ? 0 : elementary::exp(-beta * reach);
    const double f = halts ? 0 : start * h * reach * growth_ratio((k + beta) * reach);
    const Row y_start = along(w);
    const double held = halts ? 1 / beta : reach * growth_ratio(-beta * reach);  // (1 − H)/β
    angle = held * y_start + ((impulse - f) / beta) * g;
    const double sum_h = halts ? start / (beta - k) : start * reach * growth_ratio((k - beta) * reach);     // ∫H dI
    const double sum_f = neutral ? 0 : start / (k + beta) * (0.5 * impulse * (halts ? 1 : 1 + r) - sum_h);  // ∫F dI
    angle_sum = ((impulse - sum_h) / beta) * y_start + ((0.5 * impulse * impulse - sum_f) / beta) * g;
    const bool straight = std::abs(cross) <= tolerances::straight_slip_relative * rates;
    // A direction that repels is left before the halt; near one all but neutral the last sum has no digits.
    v.trusted = beta > 0 && !(halts && k + beta < 0 && !neutral) && (!neutral || straight);
    if (neutral) angle_sum = {};
  }
  v.by_s1 = w.x * angle, v.by_s2 = w.y * angle;
  Row x = along(s) + impulse * x_rate - cross * angle;
  v.by_q = impulse * along(s) + (0.5 * impulse * impulse) * x_rate - cross * angle_sum;
  if (halts) {
    v.by_impulse = (-1 / k) * x;
    v.by_s1 += s.x * v.by_impulse;
    v.by_s2 += s.y * v.by_impulse;
  }
  return v;
}

// v_t = v + c I: nothing of it depends on m while μ = 0, but S and Q are what the first friction would do.
SlipVariation vary_frictionless(const SlipTensors& t, const SlipStretch& stretch) {
  SlipVariation v;
  v.impulse = stretch.impulse;
  const double c = length({t.c1, t.c2}), start = length(stretch.start), end = length(stretch.end);
  if (!(c * v.impulse > tolerances::short_exponent * start)) {
    if (!(start > 0)) return v;
    v.s1 = stretch.start.x / start * v.impulse, v.s2 = stretch.start.y / start * v.impulse;
    v.q = 0.5 * (start + end) * v.impulse;
    return v;
  }
  const Direction e{t.c1 / c, t.c2 / c}, w = perpendicular(e);
  const double x0 = dot(e, stretch.start), x1 = dot(e, stretch.end), d = dot(w, stretch.start);
  // ∫ds-like integrals over x: ∫x/s = s, ∫1/s = asinh(x/|d|), ∫s = (x s + d² asinh(x/|d|))/2
  const auto grown = [&](double x, double s) { return x > 0 ? x + s : d * d / (s - x); };  // x + s, uncancelled
  const double angle = d != 0 ? elementary::log(grown(x1, end) / grown(x0, start)) : 0;
  const double along_c = (end - start) / c, across_c = d * angle / c;
  v.s1 = e.x * along_c + w.x * across_c, v.s2 = e.y * along_c + w.y * across_c;
  v.q = 0.5 * (x1 * end - x0 * start + d * d * angle) / c;
  return v;
}

namespace {

// The five numbers c1, c2, m11, m12, m22 in the frame of the curve, whose axes turn with the direction that attracts.
constexpr std::size_t shapes = 5;
constexpr double shape_c[shapes][2] = {{1, 0}, {0, 1}, {0, 0}, {0, 0}, {0, 0}};
constexpr double shape_m[shapes][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Derivatives of the coefficients of slip_curve.h.
struct CurveVariation {
  double turn;  // of the frame
  double u;     // of U
  double q0, q1, q2, r0, r1, r2;
};

}  // namespace

// Follows SlipCurve and SlipPanel at fixed z: the frame and both ends of the curve move along, so nothing grows where
// slip approaches the direction that attracts it.
class SwerveVariation {
 public:
  SwerveVariation(const SlipCurve& curve, const SlipStretch& stretch) : c_(curve), stretch_(stretch) {
    for (std::size_t p = 0; p < shapes; ++p) shape_[p] = vary_curve(p);
  }

  SlipVariation run(double speed);

 private:
  CurveVariation vary_curve(std::size_t p) const;
  double place(Direction v) const {  // ζ
    const double s = length(v);
    const double x = (c_.ex_.x * v.x + c_.ex_.y * v.y) / s, y = (c_.ey_.x * v.x + c_.ey_.y * v.y) / s;
    return (x > 0 ? y / (1 + x) : (1 - x) / y) - c_.u_;
  }
  double growth(double zeta) const {
    const double u = c_.u_ + zeta;
    return 2 * (c_.r0_ + u * (c_.r1_ + u * c_.r2_)) / (c_.q0_ + zeta * (c_.q1_ + zeta * c_.q2_));
  }
  SlipTensors tensors() const { return {c_.c1_, -c_.m12_, c_.m11_, c_.m12_, c_.m22_}; }
  void begin();
  bool walk(double speed);
  void add_panel(const SlipPanel& panel);
  SlipVariation at_fixed_impulse() const;
  double left_over(const SlipVariation& v) const;
  SlipVariation finish_straight(const SlipVariation& first) const;

  const SlipCurve& c_;
  const SlipStretch& stretch_;
  CurveVariation shape_[shapes];
  SlipState state_;
  double first_speed_ = 0, end_zeta_ = 0;
  bool arrived_ = false;  // slip is straight before the stretch ends
  // Totals of the frame, and their variations at fixed z: columns v1, v2 and the shapes.
  double impulse_ = 0, x_ = 0, y_ = 0, q_ = 0;
  Row log_rho_, by_impulse_, by_x_, by_y_, by_q_;
  Row scale_;  // a start that moves scales all that follows
};

CurveVariation SwerveVariation::vary_curve(std::size_t p) const {
  const double cx = c_.c1_, cy = -c_.m12_, xx = c_.m11_, xy = c_.m12_, yy = c_.m22_, u = c_.u_;
  CurveVariation v;
  v.turn = (shape_c[p][1] + shape_m[p][1]) / (cx + xx - yy);
  const double dcx = shape_c[p][0] + cy * v.turn, dcy = shape_c[p][1] - cx * v.turn;
  const double dxx = shape_m[p][0] + 2 * xy * v.turn, dxy = shape_m[p][1] + (yy - xx) * v.turn;
  const double dyy = shape_m[p][2] - 2 * xy * v.turn;
  // The direction that repels: h(φ_U) = 0.
  const double w = 1 + u * u, co = (1 - u * u) / w, si = 2 * u / w;
  const double dh = -si * (dcx - dxx * co - dxy * si) + co * (dcy - dxy * co - dyy * si);
  const double h_slope = -(cx * co + cy * si) + (xx - yy) * (co * co - si * si) + 4 * xy * co * si;
  v.u = -0.5 * w * dh / h_slope;
  const double k2 = 6 * xy, k3 = c_.q2_;
  const double dk1 = 2 * (dxx - dyy - dcx), dk2 = 6 * dxy, dk3 = 2 * (dyy - dxx - dcx);
  v.q2 = dk3;
  v.q1 = dk2 + 3 * (dk3 * u + k3 * v.u);
  v.q0 = dk1 + v.u * (2 * k2 + 3 * k3 * u) + u * (2 * dk2 + 3 * (dk3 * u + k3 * v.u));
  v.r0 = dcx - dxx;
  v.r1 = -4 * dxy;
  v.r2 = dcx + dxx - 2 * dyy;
  return v;
}

// The start moves in ζ and ρ: all that follows is scaled, and begins later.
void SwerveVariation::begin() {
  const double zeta = place(stretch_.start), u = c_.u_ + zeta, w = 1 + u * u;
  first_speed_ = length(stretch_.start);
  state_ = {zeta, first_speed_ / w};
  const double co = (1 - u * u) / w, si = 2 * u / w;
  const double rate = c_.impulse_rate(state_), grows = growth(zeta);
  const auto fill = [&](std::size_t column, double by_log_speed, double by_angle, double by_u) {
    const double du = 0.5 * w * by_angle;
    const double dz = (du - by_u) / zeta;
    log_rho_[column] = by_log_speed - 2 * u * du / w - grows * dz;
    by_impulse_[column] = -rate * dz;
    by_x_[column] = -rate * co * dz;
    by_y_[column] = -rate * si * dz;
    by_q_[column] = -rate * first_speed_ * dz;
  };
  fill(slip_v1, co / first_speed_, -si / first_speed_, 0);
  fill(slip_v2, si / first_speed_, co / first_speed_, 0);
  for (std::size_t p = 0; p < shapes; ++p) fill(slip_c1 + p, 0, -shape_[p].turn, shape_[p].u);
}

void SwerveVariation::add_panel(const SlipPanel& panel) {
  PanelArray z, u, k, grows, w;
  for (std::size_t j = 0; j < panel_nodes; ++j) z[j] = panel.half_width_ * (1 + panel_node[j]);
  PanelArray zeta = exponential(z);
  for (std::size_t j = 0; j < panel_nodes; ++j) {
    zeta[j] *= panel.zeta0_;
    u[j] = c_.u_ + zeta[j];
    w[j] = 1 / (1 + u[j] * u[j]);
    k[j] = 1 / (c_.q0_ + zeta[j] * (c_.q1_ + zeta[j] * c_.q2_));
    grows[j] = 2 * (c_.r0_ + u[j] * (c_.r1_ + u[j] * c_.r2_)) * k[j];
  }
  const SlipIncrement& d = panel.increment();
  const double q = -d.tangential_work / panel.mu_;
  for (const std::size_t column : {slip_v1, slip_v2}) {
    by_impulse_[column] += log_rho_[column] * d.impulse;
    by_x_[column] += log_rho_[column] * d.direction_x;
    by_y_[column] += log_rho_[column] * d.direction_y;
    by_q_[column] += 2 * log_rho_[column] * q;
  }
  for (std::size_t p = 0; p < shapes; ++p) {
    const CurveVariation& v = shape_[p];
    PanelArray by_growth, log_rho, impulse, x, y, work, by_k;
    for (std::size_t j = 0; j < panel_nodes; ++j) {
      by_k[j] = (v.q0 + zeta[j] * (v.q1 + zeta[j] * v.q2)) * k[j];
      const double by_r = v.r0 + u[j] * (v.r1 + u[j] * v.r2) + (c_.r1_ + 2 * c_.r2_ * u[j]) * v.u;
      by_growth[j] = 2 * by_r * k[j] - grows[j] * by_k[j];
    }
    integrate_to_nodes(by_growth, panel.half_width_, log_rho);
    for (std::size_t j = 0; j < panel_nodes; ++j) {
      const double by_w = 2 * u[j] * v.u * w[j];
      const double speed = log_rho_[slip_c1 + p] + log_rho[j] + by_w;  // δ ln s
      const double rate = speed + by_w - by_k[j];                      // δ ln dI/dz
      const double turn = 2 * v.u * w[j];                              // δφ
      impulse[j] = panel.impulse_rate_[j] * rate;
      x[j] = panel.direction_x_rate_[j] * rate - panel.direction_y_rate_[j] * turn;
      y[j] = panel.direction_y_rate_[j] * rate + panel.direction_x_rate_[j] * turn;
      work[j] = panel.tangential_work_rate_[j] * (rate + speed);
    }
    const std::size_t column = slip_c1 + p;
    by_impulse_[column] += integrate_panel(impulse);
    by_x_[column] += integrate_panel(x);
    by_y_[column] += integrate_panel(y);
    by_q_[column] -= integrate_panel(work) / panel.mu_;
    log_rho_[column] += log_rho[panel_nodes - 1];
  }
  impulse_ += d.impulse;
  x_ += d.direction_x, y_ += d.direction_y;
  q_ += q;
  state_ = panel.end();
}

// To the end of the stretch, or to where slip is as good as straight. False where panels will not do.
bool SwerveVariation::walk(double speed) {
  const bool halts = stretch_.halts();
  end_zeta_ = halts ? 0 : place(stretch_.end);
  // A direction gives ζ to so many digits only; beyond, the end is found by its impulse.
  const bool by_impulse = !halts && !(end_zeta_ > 0 && end_zeta_ < tolerances::slip_place_max);
  SlipPanel panel;
  double shrink = 1;
  for (int step = 0; step < tolerances::panels_max; ++step) {
    const double so_far = c_.speed(state_) / first_speed_;
    arrived_ = state_.zeta > tolerances::straight_slip_place ||
               (halts && so_far < tolerances::straight_rest_share * state_.zeta);
    if (arrived_) return true;
    double width = shrink * c_.suggested_width(state_.zeta);
    const double to_end = halts || by_impulse ? width : elementary::log(end_zeta_ / state_.zeta);
    if (!(to_end > 0)) return !halts;
    const bool last = !halts && !by_impulse && to_end <= width;
    width = std::min(width, to_end);
    const double error = panel.compute(c_, state_, 0, width, {speed, 0});
    if (!(error <= tolerances::variation_panel_error) && width > tolerances::panel_refused_width) {
      shrink *= 0.5;
      continue;
    }
    if (by_impulse && impulse_ + panel.increment().impulse >= stretch_.impulse) {
      const PanelCrossing at = find_crossing(panel.compute_impulse(), panel.impulse_rate(), stretch_.impulse - impulse_,
                                             Passing::upwards, -1);
      if (!(at.x <= 1)) return false;
      panel.compute(c_, state_, 0, 0.5 * width * (1 + at.x), {speed, 0});
      add_panel(panel);
      return true;
    }
    add_panel(panel);
    if (last) return true;
  }
  return false;
}

// From fixed z to fixed I, in the axes of the curve.
SlipVariation SwerveVariation::at_fixed_impulse() const {
  const double u = c_.u_ + state_.zeta, w = 1 + u * u, co = (1 - u * u) / w, si = 2 * u / w;
  SlipVariation v;
  v.impulse = impulse_, v.s1 = x_, v.s2 = y_, v.q = q_;
  v.by_s1 = by_x_ - co * by_impulse_;
  v.by_s2 = by_y_ - si * by_impulse_;
  v.by_q = by_q_ - c_.speed(state_) * by_impulse_;
  for (std::size_t p = 0; p < shapes; ++p) {
    v.by_s1[slip_c1 + p] -= y_ * shape_[p].turn;
    v.by_s2[slip_c1 + p] += x_ * shape_[p].turn;
  }
  return v;
}

// The difference between both ways to δv_t, of the terms.
double SwerveVariation::left_over(const SlipVariation& v) const {
  const SlipTensors t = tensors();
  Row x, y;
  end_velocity(t, v, x, y);
  const double u = c_.u_ + state_.zeta, w = 1 + u * u, co = (1 - u * u) / w, si = 2 * u / w;
  const double s = c_.speed(state_);
  const double rate_x = t.c1 - t.m11 * co - t.m12 * si, rate_y = t.c2 - t.m12 * co - t.m22 * si;
  double worst = 0;
  for (std::size_t k = 0; k < slip_inputs; ++k) {
    double log_speed = log_rho_[k], turn = 0;
    if (k >= slip_c1) {
      const CurveVariation& shape = shape_[k - slip_c1];
      log_speed += 2 * u * shape.u / w;
      turn = 2 * shape.u / w + shape.turn;
    }
    const double dx = s * (co * log_speed - si * turn) - rate_x * by_impulse_[k];
    const double dy = s * (si * log_speed + co * turn) - rate_y * by_impulse_[k];
    const double known = k < slip_c1 ? 1 : k < slip_m11 ? impulse_ : std::abs(x_) + std::abs(y_);
    const double scale = known + std::abs(x[k]) + std::abs(y[k]);
    worst = std::max(worst, (std::abs(dx - x[k]) + std::abs(dy - y[k])) / scale);
  }
  return worst;
}

// The rest of a stretch whose slip has become straight.
SlipVariation SwerveVariation::finish_straight(const SlipVariation& first) const {
  const double s = c_.speed(state_);
  SlipStretch rest{{-s, 0}, {0, 0}, 0};
  if (!stretch_.halts()) {
    rest.impulse = stretch_.impulse - impulse_;
    rest.end = {-s - c_.final_growth() * rest.impulse, 0};
    if (!(rest.impulse > 0)) return first;
  }
  const SlipVariation second = vary_straight(tensors(), {-1, 0}, rest);
  Row x, y;
  end_velocity(tensors(), first, x, y);
  const auto chained = [&](const Row& by) {
    Row r = by[slip_v1] * x + by[slip_v2] * y;
    for (std::size_t k = slip_c1; k < slip_inputs; ++k) r[k] += by[k];
    return r;
  };
  SlipVariation v = first;
  v.impulse += second.impulse, v.s1 += second.s1, v.s2 += second.s2, v.q += second.q;
  v.by_s1 += chained(second.by_s1);
  v.by_s2 += chained(second.by_s2);
  v.by_q += chained(second.by_q);
  v.by_impulse = chained(second.by_impulse);
  v.trusted = first.trusted && second.trusted;
  return v;
}

SlipVariation SwerveVariation::run(double speed) {
  begin();
  SlipVariation v;
  if (!walk(speed)) {
    v.trusted = false;
    return v;
  }
  v = at_fixed_impulse();
  v.trusted = left_over(v) <= tolerances::variation_left_over;
  return arrived_ ? finish_straight(v) : v;
}

SlipVariation vary_swerve(const SlipCurve& curve, const SlipStretch& stretch, double speed) {
  const SlipVariation v = SwerveVariation(curve, stretch).run(speed);
  return turned_back(v, curve.turn_back(1, 0), curve.turn_back(0, 1));
}

// With v = E v', E = [e1 e2]: v' = Eᵀv, c' = Eᵀc, m' = Eᵀm E.
SlipVariation turned_back(const SlipVariation& v, Direction e1, Direction e2) {
  const auto columns = [&](const Row& r) {
    Row o;
    o[slip_v1] = e1.x * r[slip_v1] + e2.x * r[slip_v2];
    o[slip_v2] = e1.y * r[slip_v1] + e2.y * r[slip_v2];
    o[slip_c1] = e1.x * r[slip_c1] + e2.x * r[slip_c2];
    o[slip_c2] = e1.y * r[slip_c1] + e2.y * r[slip_c2];
    const double m11 = r[slip_m11], m12 = r[slip_m12], m22 = r[slip_m22];
    o[slip_m11] = e1.x * e1.x * m11 + e1.x * e2.x * m12 + e2.x * e2.x * m22;
    o[slip_m22] = e1.y * e1.y * m11 + e1.y * e2.y * m12 + e2.y * e2.y * m22;
    o[slip_m12] = 2 * e1.x * e1.y * m11 + (e1.x * e2.y + e1.y * e2.x) * m12 + 2 * e2.x * e2.y * m22;
    return o;
  };
  SlipVariation out = v;
  out.s1 = e1.x * v.s1 + e2.x * v.s2;
  out.s2 = e1.y * v.s1 + e2.y * v.s2;
  const Row s1 = columns(v.by_s1), s2 = columns(v.by_s2);
  out.by_s1 = e1.x * s1 + e2.x * s2;
  out.by_s2 = e1.y * s1 + e2.y * s2;
  out.by_q = columns(v.by_q);
  out.by_impulse = columns(v.by_impulse);
  return out;
}

}  // namespace routh::internal
