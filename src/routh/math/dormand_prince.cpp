#include "routh/math/dormand_prince.h"

#include "routh/math/dormand_prince_tableau.h"
#include "routh/math/elementary.h"
#include "routh/math/tolerances.h"

namespace routh::internal {

namespace {

using namespace dormand_prince;

// Step control [Hairer, Nørsett and Wanner 1993, II.4; Hairer and Wanner 1996, IV.2]: the error goes with h⁸; the PI
// controller takes h · safety · error^−(1/8 − β/5) · last^β.
constexpr double beta = 0.04, alpha = 1.0 / 8 - 0.2 * beta;

template <int count>
void combine(const double (&weights)[count], const std::array<Eigen::VectorXd, 16>& k, Eigen::VectorXd& sum) {
  sum.setZero();
  for (std::size_t j = 0; j < count; ++j)
    if (weights[j] != 0) sum += weights[j] * k[j];
}

}  // namespace

DormandPrince8::DormandPrince8(Eigen::Index size) : OdeStepper(size) {
  for (Eigen::VectorXd* v : {&argument_, &error5_, &error3_, &scale_, &first_y_, &first_dy_}) v->setZero(size);
  for (Step& s : steps_) {
    s.start.setZero(size);
    s.end.setZero(size);
    for (Eigen::VectorXd& v : s.k) v.setZero(size);
    for (Eigen::VectorXd& v : s.r) v.setZero(size);
  }
}

void DormandPrince8::reset() {
  first_known_ = false;
  last_error_ = 0;
  after_rejection_ = false;
  stiffness_ = 0;
}

// Takes f(t, y) from the step before where it ended here, or from a failed one that started here.
bool DormandPrince8::first_rates(OdeRates& rates, Step& s) {
  const bool known = first_known_ && first_of_ == &rates && first_t_ == s.t && first_y_ == s.start;
  if (!known && !evaluate(rates, s.t, s.start, first_dy_)) {
    first_known_ = false;
    return false;
  }
  first_known_ = true;
  first_of_ = &rates;
  first_t_ = s.t;
  first_y_ = s.start;
  s.k[0] = first_dy_;
  return true;
}

void DormandPrince8::set_argument(const Step& s, int stage, Eigen::VectorXd& argument) const {
  combine(a[stage], s.k, argument);
  argument = s.start + s.h * argument;
}

// An estimate that goes with h⁸, from e₅ ∼ h⁶ and e₃ ∼ h⁴: e₅² / √(e₅² + 0.01 e₃²) [II.10, eq. 17].
double DormandPrince8::error_of(const Step& s, const OdeTolerance& tolerance) {
  ode_error_scale(tolerance, tolerance.relative, s.start, s.end, scale_);
  combine(estimate5, s.k, error5_);
  combine(weights3, s.k, error3_);
  error3_ = s.end - s.start - s.h * error3_;
  const double e5 = std::abs(s.h) * ode_error_norm(error5_, scale_), e3 = ode_error_norm(error3_, scale_);
  const double length = elementary::hypot(e5, 0.1 * e3);
  return length > 0 ? std::min(e5 * (e5 / length), ode_no_estimate) : 0;
}

// Factor of the step size after a good step.
double DormandPrince8::growth(double error) {
  const double now = std::max(error, tolerances::step_error_min);
  const double factor =
      tolerances::step_safety * (last_error_ > 0 ? elementary::pow(now, -alpha) * elementary::pow(last_error_, beta)
                                                 : elementary::pow(now, -1.0 / 8));
  last_error_ = std::max(error, tolerances::remembered_error_explicit);
  const double most = after_rejection_ ? 1.0 : tolerances::step_growth_max;
  after_rejection_ = false;
  return std::clamp(factor, tolerances::step_shrink_max, most);
}

OdeStepResult DormandPrince8::reject(OdeStepStatus status, double error, double next) {
  after_rejection_ = true;
  return {status, error, next};
}

OdeStepResult DormandPrince8::step(OdeRates& rates, double t, const Eigen::VectorXd& y, double h,
                                   const OdeTolerance& tolerance) {
  eigen_assert(h != 0 && y.size() == argument_.size());
  Step& s = trial();
  s.t = t;
  s.h = h;
  s.start = y;
  const auto undefined = [&] { return reject(OdeStepStatus::undefined, ode_no_estimate, h / 4); };
  if (!first_rates(rates, s)) return undefined();
  for (int i = 1; i < stages; ++i) {
    set_argument(s, i, argument_);
    if (!evaluate(rates, t + c[i] * h, argument_, s.k[static_cast<std::size_t>(i)])) return undefined();
  }
  set_argument(s, stages, s.end);
  if (!s.end.allFinite()) return undefined();
  const double error = error_of(s, tolerance);
  if (!(error <= 1)) {
    const double factor =
        std::max(tolerances::step_shrink_max, tolerances::step_safety * elementary::pow(error, -1.0 / 8));
    return reject(OdeStepStatus::too_large, error, h * factor);
  }
  if (!evaluate(rates, t + h, s.end, s.k[stages])) return undefined();

  // The result and the argument of stage 12 both stand at t + h: ‖Δf‖ / ‖Δy‖ is about |λ| where one eigenvalue
  // dominates [Hairer and Wanner 1996, IV.2].
  const double apart = (s.end - argument_).norm();
  stiffness_ = apart > 0 ? std::abs(h) * ((s.k[stages] - s.k[stages - 1]).norm() / apart) / ode_explicit_limit : 0;
  stiffness_ = std::min(stiffness_, ode_no_estimate);
  s.state = Step::State::stepped;
  good_ = 1 - good_;
  result_ = s.end;
  first_t_ = t + h;
  first_y_ = s.end;
  first_dy_ = s.k[stages];
  return {OdeStepStatus::good, error, h * growth(error)};
}

// By how much such rates would change y over the step, beside max(1, |y|).
double DormandPrince8::change(const Step& s, const Eigen::Ref<const Eigen::VectorXd>& rates) {
  return std::abs(s.h) * (rates.array().abs() / s.start.array().abs().max(1.0)).maxCoeff();
}

// y(θ) = y₀ + θ (r₁ + (1 − θ) (r₂ + θ (r₃ + (1 − θ) (r₄ + …)))): the first three r are those of the cubic through both
// ends and their rates.
bool DormandPrince8::prepare_dense(OdeRates& rates, Step& s) {
  if (s.state == Step::State::dense) return true;
  double most = 0;
  for (int i = 0; i < stages; ++i) most = std::max(most, change(s, s.k[static_cast<std::size_t>(i)]));
  // Two sets of rates stand at the end, of which the error of the step knows the first. Where the step ends next to a
  // singularity, as at the halt of a slip, the other may be anything.
  argument_ = s.k[stages] - s.k[stages - 1];
  if (change(s, argument_) > std::max(tolerances::stage_change_ignored, tolerances::end_rates_agreement * most))
    s.k[stages] = s.k[stages - 1];
  for (int i = stages + 1; i < all_stages; ++i) {
    set_argument(s, i, argument_);
    if (!evaluate(rates, s.t + c[i] * s.h, argument_, s.k[static_cast<std::size_t>(i)])) return false;
  }
  // Nor does it know of these. Where they are of another kind, as in a singularity that the stages before have missed,
  // there is no telling what lies between.
  for (int i = stages + 1; i < all_stages; ++i)
    if (!(change(s, s.k[static_cast<std::size_t>(i)]) <=
          std::max(tolerances::stage_change_ignored, tolerances::stage_change_ratio_max * most)))
      return false;
  s.r[0] = s.end - s.start;
  s.r[1] = s.h * s.k[0] - s.r[0];
  s.r[2] = s.r[0] - s.h * s.k[stages] - s.r[1];
  for (std::size_t j = 0; j < 4; ++j) {
    combine(dense[j], s.k, s.r[3 + j]);
    s.r[3 + j] *= s.h;
  }
  s.state = Step::State::dense;
  return true;
}

bool DormandPrince8::interpolate(OdeRates& rates, double theta, Eigen::VectorXd& y) {
  Step& s = good();
  if (s.state == Step::State::none || !prepare_dense(rates, s)) return false;
  y = s.r[6];
  for (int j = 6; j >= 0; --j) {
    y *= j % 2 == 0 ? theta : 1 - theta;
    y += j > 0 ? s.r[static_cast<std::size_t>(j) - 1] : s.start;
  }
  return true;
}

// The stages stand at most 0.27 of the step apart; between them the rates of a step that is good are as smooth as a
// polynomial of low degree.
void DormandPrince8::bound_rates(Eigen::VectorXd& bound) const {
  // Of the greatest rate at a stage. A polynomial of degree 5 through values at the stages' nodes stays below 1.78
  // times the greatest of them (the least Lebesgue function of six of the nodes, at its worst place); one of degree 6
  // could reach 4.4, but what the rates have beyond degree 5 is of the order of the error that the step was accepted
  // with.
  constexpr double between_stages = 2;
  const Step& s = good();
  bound = s.k[0].cwiseAbs();
  for (std::size_t i = 1; i < static_cast<std::size_t>(stages); ++i) bound = bound.cwiseMax(s.k[i].cwiseAbs());
  bound *= between_stages;
}

double DormandPrince8::interpolation_error() const {
  const Step& s = good();
  if (s.state != Step::State::dense) return ode_no_estimate;
  // The greatest values of θ³(1 − θ)³ and θ⁴(1 − θ)³.
  constexpr double share6 = 1.0 / 64, share7 = 6912.0 / 823543;
  double most = 0;
  for (Eigen::Index i = 0; i < s.start.size(); ++i)
    most = std::max(most, std::max(share6 * std::abs(s.r[5][i]), share7 * std::abs(s.r[6][i])) /
                              std::max(1.0, std::abs(s.start[i])));
  return most;
}

}  // namespace routh::internal
