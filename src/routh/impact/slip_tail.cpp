#include "routh/impact/slip_tail.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/rough_log.h"
#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr double negligible = tolerances::tail_term_relative;

}  // namespace

// −a p of the four integrals: X p is s, s cos φ, s sin φ, and X² p is s².
struct SlipTail::Sources {
  static constexpr int count = 7;
  alignas(32) double minus_ap[count + 1][series] = {};  // the last row stays zero

  Sources(double y, double u) {
    const double a[3] = {1, 2 * u, y * y + u * u};
    const double x[3] = {-1, -2 * u, y * y - u * u};
    const double z[3] = {0, 2 * y, 2 * u * y};
    double square[5] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        square[i + j] += a[i] * a[j];
        minus_ap[i + j][1] -= x[i] * a[j];
        minus_ap[i + j][2] -= z[i] * a[j];
      }
    for (int i = 0; i < 5; ++i) {
      minus_ap[i][0] = -square[i];
      for (int j = 0; j < 3; ++j) minus_ap[i + j][3] -= square[i] * a[j];
    }
  }
};

template <std::size_t lanes>
[[gnu::always_inline]] inline bool SlipTail::expand(const Quadratic& k, const Quadratic& n, const Sources& sources) {
  using Row = Lanes<lanes>[series / lanes];
  alignas(32) static constexpr double power[series] = {1, 1, 1, 2};  // of X in the integrand
  const Row& times = reinterpret_cast<const Row&>(power);
  Row& sum = reinterpret_cast<Row&>(at_start_.g);
  Row g1 = {}, g2 = {};
  double ih1 = 0, ih2 = 0;  // i h_i
  const double over_k0 = 1 / k.c0;
  int settled = 0;
  for (int i = 0; settled < 2; ++i) {
    if (i == most_terms) return false;
    const double half = 0.5 * i;
    const Row& known = reinterpret_cast<const Row&>(sources.minus_ap[std::min(i, Sources::count)]);
    Row& g = reinterpret_cast<Row&>(g_[i]);
    for (std::size_t part = 0; part < series / lanes; ++part) {
      const Lanes<lanes> back1 = (half - 0.5) * k.c1 - times[part] * n.c1;
      const Lanes<lanes> back2 = (half - 1) * k.c2 - times[part] * n.c2;
      g[part] = ((known[part] + back2 * g2[part]) + back1 * g1[part]) * (1 / (times[part] * n.c0 - half * k.c0));
      g2[part] = g1[part];
      g1[part] = g[part];
      sum[part] += g[part];
    }
    const double drive = i == 1 ? 2 * n.c1 - kappa_ * k.c1 : i == 2 ? 2 * n.c2 - kappa_ * k.c2 : 0;
    const double ih = (drive - k.c1 * ih1 - k.c2 * ih2) * over_k0;
    ih2 = ih1;
    ih1 = ih;
    h_[i] = i > 0 ? ih / i : 0;
    at_start_.h += h_[i];
    const bool small = i >= Sources::count && std::abs(h_[i]) <= negligible &&
                       std::abs(g_[i][0]) <= negligible * std::abs(at_start_.g[0]) &&
                       std::abs(g_[i][3]) <= negligible * std::abs(at_start_.g[3]);
    settled = small ? settled + 1 : 0;
    terms_ = i + 1;
  }
  return true;
}

SlipTail::SlipTail(const SlipCurve& curve, const SlipState& from)
    : curve_(curve),
      from_(from),
      behind_(rough_log(from.zeta) - curve.log_root_),
      x_(from.rho * from.zeta * from.zeta),
      kappa_(2 * curve.final_growth() / curve.q2_) {
  const double resonance = std::max(0.0, std::round(2 * kappa_));
  if (std::abs(2 * kappa_ - resonance) < tolerances::tail_resonance_distance) return;
  const double y = 1 / from.zeta, u = curve.u_;
  const Quadratic k{curve.q2_, curve.q1_ * y, curve.q0_ * y * y};
  const Quadratic n{curve.r2_ + k.c0, (curve.r1_ + 2 * curve.r2_ * u) * y + k.c1,
                    (curve.r0_ + u * (curve.r1_ + u * curve.r2_)) * y * y + k.c2};
  const Sources sources(y, u * y);
  usable_ = on_widest_lanes([&](auto lanes) __attribute__((always_inline)) { return expand<lanes>(k, n, sources); });
}

SlipTail::Sums SlipTail::sums(double distance) const {
  // Every term falls by e^−behind, and here by a further e^−distance: fewer will do.
  const double enough = 1 + terms_ * behind_ / (behind_ + distance);
  const int terms = std::clamp(static_cast<int>(enough), Sources::count, terms_);
  Sums there;
  there.eta = elementary::exp(-distance);
  double power = 1;
  for (int i = 0; i < terms; ++i) {
    for (int j = 0; j < series; ++j) there.g[j] += g_[i][j] * power;
    there.h += h_[i] * power;
    power *= there.eta;
  }
  return there;
}

// From A to the point with the given sums, X and state.
SlipIncrement SlipTail::increment(const Sums& there, double x, const SlipState& state, double normal_velocity) const {
  const double* g0 = at_start_.g;
  const double* g1 = there.g;
  SlipIncrement d;
  d.impulse = x_ * g0[0] - x * g1[0];
  d.direction_x = x_ * g0[1] - x * g1[1];
  d.direction_y = x_ * g0[2] - x * g1[2];
  d.tangential_work = -curve_.mu_ * (x_ * x_ * g0[3] - x * x * g1[3]);
  d.normal_velocity = curve_.a_ * d.impulse - curve_.mu_c1_ * d.direction_x - curve_.mu_c2_ * d.direction_y;
  const double u0 = curve_.u_ + from_.zeta, u1 = curve_.u_ + state.zeta;
  const double vx = from_.rho * (1 - u0 * u0) + state.rho * (1 - u1 * u1);  // the sum of both ends
  const double vy = 2 * (from_.rho * u0 + state.rho * u1);
  d.normal_work = (normal_velocity + 0.5 * d.normal_velocity) * d.impulse -
                  0.5 * curve_.mu_ * (vx * d.direction_x + vy * d.direction_y) - d.tangential_work;
  return d;
}

SlipIncrement SlipTail::to_halt(double normal_velocity) const {
  return increment(Sums{}, 0, {from_.zeta, 0}, normal_velocity);
}

SlipTail::Point SlipTail::at(double distance, double normal_velocity) const {
  const Sums there = sums(distance);
  const double x = x_ * elementary::exp(kappa_ * distance - (there.h - at_start_.h));
  const double zeta = from_.zeta / there.eta;
  const SlipState state{zeta, x / (zeta * zeta)};
  const SlipIncrement d = increment(there, x, state, normal_velocity);
  return {state, d, curve_.mismatch(d, from_, state)};
}

}  // namespace routh::internal
