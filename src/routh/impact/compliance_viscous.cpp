// Viscous laws of contact force.
//
// Spring and dashpot: x″ + 2ζx′ + x = 0, ζ = d/2 = cos ψ. The force is exp(−ζτ) sin(2ψ − ωτ)/sin ψ with ω = sin ψ: it
// returns to zero at ωτ = 2ψ, where x′ = −exp(−ζτ), and is greatest at ωτ = 3ψ − π, or at once for ζ ≥ ½. Beyond
// critical damping ψ = iχ.
//
// Hunt and Crossley: x′ dx′/dx = −xⁿ(1 + d x′) separates, xⁿ⁺¹/(n + 1) = [h(d) − h(d x′)]/d² with h(x) = x − ln(1 + x),
// and x returns to zero at h(−d e) = h(d).
//
// The others: with x = s² and dt = s dσ the rates are smooth where x begins, ds/dσ = y/2, dy/dσ = −s (s²ᵖ + d s²q y),
// dt/dσ = s.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "routh/impact/compliance_parts.h"
#include "routh/impact/tolerances.h"
#include "routh/math/dormand_prince.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

// x − ln(1 + x), without cancellation near zero.
double excess(double x) {
  if (std::abs(x) > tolerances::excess_series_max) return x - elementary::log(1 + x);
  double sum = 0, power = x * x;
  for (int k = 2; k < tolerances::excess_series_terms; ++k, power *= -x) sum += power / k;
  return sum;
}

class Rates : public OdeRates {
 public:
  explicit Rates(const ViscousLaw& law) : law_(law) {}

  bool operator()(double, const Eigen::VectorXd& y, Eigen::VectorXd& dy) override {
    const double s = std::max(y[0], 0.0);
    dy[0] = 0.5 * y[1];
    dy[1] = -s * force(y);
    dy[2] = s;
    return true;
  }

  double force(const Eigen::VectorXd& y) const {
    const double x = square(y);
    return power(x, law_.p) + law_.d * power(x, law_.q) * y[1];
  }
  // Positive while there is contact: the force over x^q where that changes sign, else s.
  double contact(const Eigen::VectorXd& y) const {
    return law_.p > law_.q && law_.d > 0 ? power(square(y), law_.p - law_.q) + law_.d * y[1] : y[0];
  }
  // Of the sign of dF/dt: F′ x^{1−q}.
  double rise(const Eigen::VectorXd& y) const {
    const double x = square(y);
    return y[1] * (law_.p * power(x, law_.p - law_.q) + law_.d * law_.q * y[1]) - law_.d * x * force(y);
  }

 private:
  static double square(const Eigen::VectorXd& y) { return y[0] > 0 ? y[0] * y[0] : 0; }
  static double power(double x, double n) {
    if (n == 0) return 1;
    if (n == 1) return x;
    if (n == 0.5) return std::sqrt(x);
    if (n == 1.5) return x * std::sqrt(x);
    return x > 0 ? elementary::pow(x, n) : 0;
  }

  ViscousLaw law_;
};

// The state within the last step where `value` passes from positive to not.
template <class Value>
Eigen::VectorXd crossing(DormandPrince8& stepper, Rates& rates, const Value& value) {
  double low = 0, high = 1;
  Eigen::VectorXd y = stepper.result();
  for (int k = 0; k < tolerances::compliance_bisections; ++k) {
    const double middle = 0.5 * (low + high);
    stepper.interpolate(rates, middle, y);
    (value(y) > 0 ? low : high) = middle;
  }
  stepper.interpolate(rates, high, y);
  return y;
}

}  // namespace

ViscousImpact integrate(const ViscousLaw& law) {
  Rates rates(law);
  DormandPrince8 stepper(3);
  OdeTolerance tolerance;
  tolerance.relative = tolerances::compliance_integration;
  tolerance.floor = Eigen::VectorXd::Ones(3);
  Eigen::VectorXd y(3);
  y << 0, 1, 0;
  double t = 0, h = tolerances::compliance_first_step;
  bool rising = true, compressing = true;
  ViscousImpact out;
  for (int k = 0; k < tolerances::compliance_steps_max; ++k) {
    const OdeStepResult step = stepper.step(rates, t, y, h, tolerance);
    if (step.status == OdeStepStatus::good) {
      const Eigen::VectorXd& end = stepper.result();
      // Of the very first step only the end counts: all three may vanish at its start.
      if (rising && k > 0 && rates.rise(end) <= 0) {
        out.peak_force = rates.force(crossing(stepper, rates, [&](const auto& z) { return rates.rise(z); }));
        rising = false;
      }
      if (compressing && end[1] <= 0) {
        const double s = crossing(stepper, rates, [](const auto& z) { return z[1]; })[0];
        out.indentation = s * s;
        compressing = false;
      }
      if (!compressing && rates.contact(end) <= 0) {
        const Eigen::VectorXd last = crossing(stepper, rates, [&](const auto& z) { return rates.contact(z); });
        out.restitution = std::clamp(-last[1], 0.0, 1.0);
        out.duration = last[2];
        return out;
      }
      t += h;
      y = end;
    }
    h = step.next;
  }
  out.restitution = 0;
  out.duration = y[2];
  return out;
}

ViscousImpact spring_dashpot(double d) {
  const double zeta = d / 2;
  ViscousImpact out;
  if (zeta < 1) {
    const double omega = std::sqrt((1 - zeta) * (1 + zeta)), psi = elementary::atan2(omega, zeta), cot = zeta / omega;
    out.restitution = elementary::exp(-2 * psi * cot);
    out.duration = 2 * psi / omega;
    // Peak at ωτ = 3ψ − π, deepest where x′ = 0, at ωτ = ψ.
    out.peak_force = d >= 1 ? d : elementary::exp(-cot * (3 * psi - elementary::acos(-1)));
    out.indentation = elementary::exp(-cot * psi);
    return out;
  }
  const double omega = std::sqrt((zeta - 1) * (zeta + 1));
  // χ = acosh ζ = ln(1 + x), x = ζ − 1 + ω; χ/sinh χ is 1 at critical damping.
  const double x = zeta - 1 + omega, ratio = omega > 0 ? (x - excess(x)) / omega : 1;
  out.restitution = elementary::exp(-2 * zeta * ratio);
  out.duration = 2 * ratio;
  out.peak_force = d;
  out.indentation = elementary::exp(-zeta * ratio);
  return out;
}

double hunt_crossley_restitution(double d) {
  if (d == 0) return 1;
  const double level = excess(d);
  // w = e d: h(−w) is convex in w, so Newton's steps come down to the root from above it.
  double w = std::min(d, 1 - elementary::exp(-level - 1));
  for (int k = 0; k < tolerances::compliance_bisections; ++k) {
    const double next = w - (excess(-w) - level) * (1 - w) / w;
    if (!(next < w) || next <= 0) break;
    w = next;
  }
  return std::min(w / d, 1.0);
}

}  // namespace routh::internal
