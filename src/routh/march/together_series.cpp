// Taylor series of the motion between events. In the plane it is linear, x″ = −A x; in space the slip direction
// σ = v_t/s turns, and the coefficients of s² = v_tᵀv_t and s σ = v_t follow by recurrence.
#include <algorithm>
#include <cmath>

#include "routh/march/together_state.h"
#include "routh/march/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal::together {

namespace {

// Gauss–Legendre nodes and weights on (−1, 1), the positive half.
constexpr double nodes[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
constexpr double weights[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

}  // namespace

Series::Series(const System& system) {
  const Eigen::Index n = system.v.size(), m = system.count();
  v_.setZero(n, order + 1);
  r_.setZero(n, order + 1);
  x_.setZero(m, order + 1);
  sigma_.setZero(2 * m, order + 1);
  speed_.setZero(m, order + 1);
  known_.setZero(n);
  acceleration_.setZero(n);
}

// Coefficient k of the speed and direction of slip of contact i.
void Series::turn(const System& system, int i, int k) {
  const Eigen::Index t = system.row(i) + 1;
  double square = 0;
  for (int j = 0; j <= k; ++j) square += v_(t, j) * v_(t, k - j) + v_(t + 1, j) * v_(t + 1, k - j);
  if (k == 0) {
    speed_(i, 0) = std::sqrt(square);
  } else {
    for (int j = 1; j < k; ++j) square -= speed_(i, j) * speed_(i, k - j);
    speed_(i, k) = square / (2 * speed_(i, 0));
  }
  double s1 = v_(t, k), s2 = v_(t + 1, k);
  for (int j = 1; j <= k; ++j) {
    s1 -= speed_(i, j) * sigma_(2 * i, k - j);
    s2 -= speed_(i, j) * sigma_(2 * i + 1, k - j);
  }
  sigma_(2 * i, k) = s1 / speed_(i, 0);
  sigma_(2 * i + 1, k) = s2 / speed_(i, 0);
}

void Series::build(const System& system) {
  const LinearRates& linear = system.linear;
  const auto unknowns = static_cast<Eigen::Index>(linear.rows.size());
  Eigen::VectorXd demand(unknowns);
  v_.col(0) = system.v;
  for (int i = 0; i < system.count(); ++i) x_(i, 0) = system.contacts[static_cast<std::size_t>(i)].x;
  for (int k = 0; k < order; ++k) {
    for (int i = 0; i < system.count(); ++i) {
      const Contact& c = system.contacts[static_cast<std::size_t>(i)];
      const Eigen::Index n = system.row(i);
      const bool held = c.normal == Normal::held;
      const double rho = c.sprung() ? c.k * x_(i, k) : 0;
      Eigen::Vector2d t = c.ratio * rho;
      if (c.tangent == Tangent::slip && system.tangents == 2) {
        turn(system, i, k);
        for (int j = 1; j <= k; ++j)
          t -= c.mu_kinetic * r_(n, k - j) * Eigen::Vector2d(sigma_(2 * i, j), sigma_(2 * i + 1, j));
      }
      known_[n] = rho;
      r_(n, k) = rho;
      if (c.tangent == Tangent::none || (!held && !c.sprung())) t.setZero();
      system.set_tangent(known_, i, t);
      x_(i, k + 1) = c.sprung() ? -v_(n, k) / (k + 1) : 0;
    }
    if (unknowns > 0) {
      acceleration_.noalias() = system.d * known_;
      for (Eigen::Index u = 0; u < unknowns; ++u) demand[u] = acceleration_[linear.rows[static_cast<std::size_t>(u)]];
      z_.noalias() = linear.solve * demand;
      known_.noalias() += linear.columns * z_;
    }
    r_.col(k) = known_;
    acceleration_.noalias() = system.d * known_;
    v_.col(k + 1) = acceleration_ / (k + 1);
  }
  choose_step(system);
}

void Series::choose_step(const System& system) {
  pace_ = tolerances::march_pace_max;
  for (int i = 0; i < system.count(); ++i) {
    if (!system.contacts[static_cast<std::size_t>(i)].sprung()) continue;
    // The time in which x would change by as much as itself.
    const double x = x_(i, 0), rate = std::abs(x_(i, 1)), bend = 2 * std::abs(x_(i, 2));
    if (!(x > 0 && x < tolerances::march_seedling_deflection && rate < tolerances::march_seedling_speed)) pace_ = 1;
    if (rate > 0) pace_ = std::min(pace_, x / rate);
    if (bend > 0) pace_ = std::min(pace_, std::sqrt(x / bend));
  }
  pace_ = std::max(1.0, pace_);
  step_ = tolerances::march_step_max * pace_;
  for (const int k : {order - 1, order}) {
    const double last = v_.col(k).cwiseAbs().maxCoeff();
    if (last > 0)
      step_ = std::min(step_, elementary::pow(tolerances::march_series_error / (pace_ * last), 1.0 / k));  // of x, too
  }
}

double Series::value(const Eigen::MatrixXd& m, Eigen::Index row, double t) const {
  double sum = m(row, order);
  for (int k = order - 1; k >= 0; --k) sum = sum * t + m(row, k);
  return sum;
}

double Series::impulse(Eigen::Index row, double t) const {
  double sum = 0;
  for (int k = order - 1; k >= 0; --k) sum = sum * t + r_(row, k) / (k + 1);
  return sum * t;
}

double Series::greatest_approach(Eigen::Index row, double t) const {
  constexpr int samples = tolerances::march_approach_samples;
  int best = 0;
  double least = v(row, 0);
  for (int j = 1; j <= samples; ++j)
    if (const double here = v(row, t * j / samples); here < least) least = here, best = j;
  // Golden section between the neighbours: flat there, so that the square root of rounding is near enough.
  constexpr double golden = 0.6180339887498949;
  double low = t * std::max(best - 1, 0) / samples, high = t * std::min(best + 1, samples) / samples;
  for (int k = 0; k < 40; ++k) {
    const double span = golden * (high - low), left = high - span, right = low + span;
    const double at_left = v(row, left), at_right = v(row, right);
    least = std::min({least, at_left, at_right});
    if (at_left < at_right)
      high = right;
    else
      low = left;
  }
  return std::max(0.0, -least);
}

void Series::advance(System& system, double t) const {
  for (int i = 0; i < system.count(); ++i) {
    Contact& c = system.contacts[static_cast<std::size_t>(i)];
    const Eigen::Index n = system.row(i);
    if (c.sprung()) {
      const double before = c.energy();
      c.x = std::max(0.0, x(i, t));
      c.normal_work -= c.energy() - before;
      if (c.normal == Normal::compression && c.surface->restitution.kind != RestitutionKind::constant)
        c.greatest_approach = std::max(c.greatest_approach, greatest_approach(n, t));
    }
    // What sticks or is held moves too, by what counts as zero.
    if (c.tangent == Tangent::none && c.normal != Normal::held) continue;
    for (int g = 0; g < 8; ++g) {
      const double node = g % 2 == 0 ? nodes[g / 2] : -nodes[g / 2];
      const double at = 0.5 * t * (1 + node), share = 0.5 * t * weights[g / 2];
      if (c.normal == Normal::held) c.normal_work += share * r(n, at) * v(n, at);
      for (int k = 1; k <= system.tangents; ++k) c.tangential_work += share * r(n + k, at) * v(n + k, at);
    }
  }
  for (Eigen::Index row = 0; row < system.v.size(); ++row) {
    system.impulse[row] += impulse(row, t);
    system.v[row] = v(row, t);
  }
}

}  // namespace routh::internal::together
