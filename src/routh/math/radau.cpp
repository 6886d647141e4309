#include "routh/math/radau.h"

#include "routh/math/elementary.h"
#include "routh/math/tolerances.h"

namespace routh::internal {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_iterations = tolerances::radau_iterations_max;

// Where the estimate, which goes with h⁴, has this size, the error of the result, with h⁶, is about `relative`.
double widened(double relative) { return 0.1 * elementary::pow(relative, 2.0 / 3); }

}  // namespace

Radau5::Radau5(Eigen::Index size, RadauControl control)
    : OdeStepper(size), control_(control), systems_(size), jacobian_(Eigen::MatrixXd::Zero(size, size)) {
  for (Eigen::VectorXd* v : {&y_, &end_, &first_dy_, &argument_, &scale_, &error_, &right_, &good_y_}) v->setZero(size);
  for (Stages* stages : {&z_, &change_, &good_z_})
    for (Eigen::VectorXd& v : *stages) v.setZero(size);
}

void Radau5::reset() {
  jacobian_state_ = Jacobian::none;
  factored_h_ = 0;
  first_known_ = has_last_ = after_rejection_ = false;
  remains_ = 1;
  stiffness_ = 0;
}

double Radau5::tolerated(const OdeTolerance& tolerance) const {
  switch (control_) {
    case RadauControl::estimate:
      return tolerance.relative;
    case RadauControl::result:
      return widened(tolerance.relative);
  }
  return tolerance.relative;
}

// f(t, y), and whether the Jacobian belongs to this place.
bool Radau5::begin(OdeRates& rates, double t, const Eigen::VectorXd& y) {
  const bool repeated = first_known_ && rates_ == &rates && t == t_ && y == y_;
  if (repeated) return true;
  if (jacobian_state_ == Jacobian::fresh) jacobian_state_ = Jacobian::old;
  t_ = t;
  y_ = y;
  rates_ = &rates;
  first_known_ = evaluate(rates, t, y_, first_dy_);
  return first_known_;
}

bool Radau5::find_column(OdeRates& rates, Eigen::Index j, double increment) {
  argument_ = y_;
  argument_[j] += increment;
  if (!evaluate(rates, t_, argument_, error_)) return false;
  jacobian_.col(j) = (error_ - first_dy_) / (argument_[j] - y_[j]);
  return true;
}

// Forward differences, each entry moved the way it is going anyhow, or the other way where that is not defined.
bool Radau5::find_jacobian(OdeRates& rates, double h, const OdeTolerance& tolerance) {
  ++jacobians_;
  jacobian_state_ = Jacobian::none;
  factored_h_ = 0;
  for (Eigen::Index j = 0; j < y_.size(); ++j) {
    double size = std::max(std::abs(y_[j]), tolerance.floor[j]);
    if (size == 0) size = std::abs(h * first_dy_[j]);
    if (size == 0) size = 1;
    const double increment = std::copysign(std::sqrt(epsilon) * size, h * first_dy_[j]);
    if (!find_column(rates, j, increment) && !find_column(rates, j, -increment)) return false;
  }
  if (!jacobian_.allFinite()) return false;
  jacobian_state_ = Jacobian::fresh;
  radius_ = spectral_radius();
  return true;
}

// Mean growth over an even number of multiplications: of a machine, one J turns positions into velocities and the next
// velocities into accelerations.
double Radau5::spectral_radius() {
  constexpr int warm_up = tolerances::spectral_radius_warm_up, counted = tolerances::spectral_radius_counted;
  for (Eigen::Index i = 0; i < right_.size(); ++i) right_[i] = 1 + std::fmod(0.618 * static_cast<double>(i + 1), 1.0);
  double logarithm = 0;
  for (int k = 0; k < warm_up + counted; ++k) {
    const double before = right_.norm();
    error_.noalias() = jacobian_ * right_;
    const double after = error_.norm();
    if (!(after > 0) || !std::isfinite(after)) return 0;
    if (k >= warm_up) logarithm += elementary::log(after / before) / counted;
    right_ = error_ / after;
  }
  return std::min(elementary::exp(logarithm), ode_no_estimate);
}

bool Radau5::prepare(OdeRates& rates, double h, const OdeTolerance& tolerance) {
  if (jacobian_state_ == Jacobian::none && !find_jacobian(rates, h, tolerance)) return false;
  if (factored_h_ == h) return true;
  ++factorisations_;
  systems_.factor(jacobian_, h);
  factored_h_ = h;
  return true;
}

// The polynomial of the last step, run on into this one, or z = 0.
void Radau5::set_start(Start start, double h) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (start == Start::zero) {
      z_[i].setZero();
      continue;
    }
    const std::array<double, 3> l = systems_.constants.lagrange(1 + systems_.constants.nodes[i + 1] * h / good_h_);
    z_[i] = good_y_ - y_ + l[0] * good_z_[0];
    z_[i] += l[1] * good_z_[1] + l[2] * good_z_[2];
  }
}

// One iteration of simplified Newton: (A⁻¹/h ⊗ 1 − 1 ⊗ J) Δ = f(y + z) − A⁻¹ z / h. Formed with z itself, so that
// rounding in T bears upon the convergence only, not upon the result. false: rates undefined.
bool Radau5::improve(OdeRates& rates, double h) {
  const RadauConstants& m = systems_.constants;
  for (std::size_t i = 0; i < 3; ++i) {
    argument_ = y_ + z_[i];
    if (!evaluate(rates, t_ + m.nodes[i + 1] * h, argument_, change_[i])) return false;
    for (std::size_t j = 0; j < 3; ++j) change_[i] -= m.inverse[i][j] / h * z_[j];
  }
  systems_.solve(change_);
  for (std::size_t i = 0; i < 3; ++i) z_[i] += change_[i];
  return true;
}

// Stops when what is left, Δ θ/(1 − θ) by the rate θ of the last two iterations, is below `enough` [IV.8, eq. 10].
Radau5::Newton Radau5::iterate(OdeRates& rates, double h, double enough) {
  double last = 0, remains = elementary::pow(std::max(remains_, epsilon), 0.8);
  remains_ = 1;
  rate_ = 0;
  for (iterations_ = 1; iterations_ <= most_iterations; ++iterations_) {
    if (!improve(rates, h)) return Newton::undefined;
    double change = 0;
    bool finite = true;
    for (const Eigen::VectorXd& v : change_) {
      finite = finite && v.allFinite();
      change = std::max(change, ode_error_norm(v, scale_));
    }
    if (!finite) return Newton::slow;
    if (iterations_ > 1) {
      const double now = change / last;
      rate_ = iterations_ == 2 ? now : std::sqrt(now * rate_);
      remains = rate_ < tolerances::radau_rate_diverges ? rate_ / (1 - rate_) : 100;
    }
    if (remains * change <= enough) {
      remains_ = remains;
      return Newton::converged;
    }
    if (iterations_ > 1 && (rate_ >= tolerances::radau_rate_diverges ||
                            change * elementary::pow(rate_, most_iterations - iterations_) / (1 - rate_) > enough))
      return Newton::slow;
    last = change;
  }
  return Newton::slow;
}

// A second attempt with everything fresh before giving up.
Radau5::Newton Radau5::solve(OdeRates& rates, double h, const OdeTolerance& tolerance) {
  const double relative = tolerated(tolerance);
  const double share = std::min(tolerances::radau_error_share_max, std::sqrt(widened(tolerance.relative)));
  const double wanted = tolerance.newton > 0 ? tolerance.newton / relative : share;
  const double enough = std::max(tolerances::radau_rounding / relative, wanted);
  ode_error_scale(tolerance, relative, y_, y_, scale_);
  const bool follows = has_last_ && t_ == end_t_ && y_ == result_;
  Newton end = Newton::undefined;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt == 1 && !follows && jacobian_state_ == Jacobian::fresh) break;
    if (attempt == 1 && jacobian_state_ == Jacobian::old) jacobian_state_ = Jacobian::none;
    if (!prepare(rates, h, tolerance)) return Newton::undefined;
    set_start(follows && attempt == 0 ? Start::extrapolated : Start::zero, h);
    end = iterate(rates, h, enough);
    if (end == Newton::converged) break;
  }
  return end;
}

// (γ/h − J)⁻¹ (f(t, y) + Σ e_i z_i / h), bounded for stiff entries [IV.8, eq. 19]. After a rejection, where that is too
// large again, once more with f(t, y + error) [eq. 20]: the first form holds the error of y itself in entries so stiff
// that the step wipes it out, however small h is. Done always, it would pass steps that are too large.
double Radau5::estimate(OdeRates& rates, double h, const OdeTolerance& tolerance) {
  const double root = std::sqrt(6.0);
  ode_error_scale(tolerance, tolerated(tolerance), y_, end_, scale_);
  Eigen::VectorXd& sum = change_[0];
  sum = (-13 - 7 * root) / (3 * h) * z_[0] + (-13 + 7 * root) / (3 * h) * z_[1];
  sum -= 1 / (3 * h) * z_[2];
  right_ = first_dy_ + sum;
  systems_.solve_real(right_, error_);
  if (!error_.allFinite()) return ode_no_estimate;
  const double error = ode_error_norm(error_, scale_);
  if (error <= 1 || !after_rejection_) return error;
  argument_ = y_ + error_;
  if (!evaluate(rates, t_, argument_, right_)) return error;
  right_ += sum;
  systems_.solve_real(right_, error_);
  return error_.allFinite() ? ode_error_norm(error_, scale_) : error;
}

// h⁴ of the estimate, less where Newton took many iterations, and Gustafsson's prediction from two steps [IV.8].
double Radau5::factor_of(double h, double error) const {
  const double newton = (1.0 + 2 * most_iterations) / (iterations_ + 2 * most_iterations);
  const double now = std::max(error, tolerances::step_error_min);
  double factor = tolerances::step_safety * std::min(1.0, newton) * elementary::pow(now, -0.25);
  if (has_last_ && error <= 1)
    factor = std::min(
        factor, tolerances::step_safety * std::abs(h / good_h_) * elementary::pow(last_error_ / (now * now), 0.25));
  return std::clamp(factor, tolerances::step_shrink_max, tolerances::step_growth_max);
}

OdeStepResult Radau5::reject(OdeStepStatus status, double error, double next) {
  after_rejection_ = true;
  return {status, error, next};
}

// Keeps the step; gives the size of the next one.
double Radau5::accept(double h, double error) {
  double factor = factor_of(h, error);
  if (after_rejection_) factor = std::min(factor, 1.0);
  jacobian_state_ = rate_ < tolerances::radau_rate_keeps_jacobian ? Jacobian::old : Jacobian::none;
  if (jacobian_state_ == Jacobian::old && factor >= 1 && factor <= tolerances::radau_kept_step_factor)
    factor = 1;  // saves the factorisations
  has_good_ = has_last_ = true;
  after_rejection_ = first_known_ = false;
  last_error_ = std::max(error, tolerances::remembered_error_implicit);
  good_h_ = h;
  end_t_ = t_ + h;
  good_y_ = y_;
  for (std::size_t i = 0; i < 3; ++i) good_z_[i] = z_[i];
  result_ = end_;
  stiffness_ = std::min(std::abs(h) * radius_ / ode_explicit_limit, ode_no_estimate);
  return h * factor;
}

OdeStepResult Radau5::step(OdeRates& rates, double t, const Eigen::VectorXd& y, double h,
                           const OdeTolerance& tolerance) {
  eigen_assert(h != 0 && y.size() == y_.size() && tolerance.floor.size() == y_.size());
  if (!begin(rates, t, y)) return reject(OdeStepStatus::undefined, ode_no_estimate, h / 4);
  switch (solve(rates, h, tolerance)) {
    case Newton::undefined:
      return reject(OdeStepStatus::undefined, ode_no_estimate, h / 4);
    case Newton::slow:
      return reject(OdeStepStatus::not_converged, ode_no_estimate, h / 2);
    case Newton::converged:
      break;
  }
  end_ = y_ + z_[2];
  if (!end_.allFinite()) return reject(OdeStepStatus::undefined, ode_no_estimate, h / 4);
  const double error = estimate(rates, h, tolerance);
  if (!(error <= 1)) return reject(OdeStepStatus::too_large, error, h * factor_of(h, error));
  return {OdeStepStatus::good, error, accept(h, error)};
}

bool Radau5::interpolate(OdeRates&, double theta, Eigen::VectorXd& y) {
  if (!has_good_) return false;
  const std::array<double, 3> l = systems_.constants.lagrange(theta);
  y = good_y_ + l[0] * good_z_[0];
  y += l[1] * good_z_[1] + l[2] * good_z_[2];
  return true;
}

// The collocation polynomial is a cubic, its rate a parabola: through values at both ends and the middle it nowhere
// exceeds 5/4 of the greatest of them.
void Radau5::bound_rates(Eigen::VectorXd& bound) const {
  constexpr double between_nodes = 1.25, apart = 0.25;
  bound.setZero(good_y_.size());
  for (const double at : {0.0, 0.5, 1.0}) {
    // A difference of fourth order, exact for a cubic.
    std::array<double, 3> rate{};
    for (const auto& [weight, place] : {std::pair{1.0, -2.0}, {-8.0, -1.0}, {8.0, 1.0}, {-1.0, 2.0}}) {
      const std::array<double, 3> l = systems_.constants.lagrange(at + place * apart);
      for (std::size_t j = 0; j < 3; ++j) rate[j] += weight * l[j] / (12 * apart);
    }
    bound = bound.cwiseMax((rate[0] * good_z_[0] + rate[1] * good_z_[1] + rate[2] * good_z_[2]).cwiseAbs());
  }
  bound *= between_nodes / std::abs(good_h_);
}

}  // namespace routh::internal
