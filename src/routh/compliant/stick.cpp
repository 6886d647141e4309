// Ends of a sticking motion are found by steps that cannot pass a root: from f, f' and a bound of −f'' the first
// possible root lies at f + f'h − ½ B h² = 0. Near a root that is crossed the steps converge like Newton's method.
#include "routh/compliant/stick.h"

#include <Eigen/Eigenvalues>
#include <limits>

#include "routh/compliant/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

double square(double x) { return x * x; }

// Where f + f'h − ½ B h² = 0.
double safe_step(double f, double rate, double bent) {
  const double root = std::sqrt(rate * rate + 2 * bent * f);
  if (rate <= 0) return root - rate > 0 ? 2 * f / (root - rate) : std::numeric_limits<double>::infinity();
  return bent > 0 ? (rate + root) / bent : std::numeric_limits<double>::infinity();
}

struct Modes {
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::Vector3d values = Eigen::Vector3d::Zero();
};

// In the plane: one rotation [Jacobi].
Modes planar_modes(double n, double mixed, double t) {
  Modes modes;
  modes.values = {n, t, 0};
  if (mixed == 0) return modes;
  const double half = (t - n) / (2 * mixed);
  const double tangent = (half < 0 ? -1 : 1) / (std::abs(half) + std::sqrt(1 + half * half));
  const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
  modes.values = {n - tangent * mixed, t + tangent * mixed, 0};
  modes.axes << cosine, sine, 0, -sine, cosine, 0, 0, 0, 1;
  return modes;
}

Modes spatial_modes(const Eigen::Matrix3d& s) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(s);
  return {solver.eigenvectors(), solver.eigenvalues()};
}

}  // namespace

StickModes::StickModes(const ContactInertia& d, double ratio, double normal_rate)
    : g_(normal_rate), ratio_(ratio), root_g_(std::sqrt(normal_rate)), root_ratio_(std::sqrt(ratio)) {
  const double mixed = root_g_ * root_ratio_;
  Eigen::Matrix3d s;
  s << g_ * d.a, mixed * d.c1, mixed * d.c2, mixed * d.c1, ratio * d.b11, ratio * d.b12, mixed * d.c2, ratio * d.b12,
      ratio * d.b22;
  const bool planar = d.dimension == Dimension::planar;
  const Modes modes = planar ? planar_modes(s(0, 0), s(0, 1), s(1, 1)) : spatial_modes(s);
  axes_ = modes.axes;
  const double least = tolerances::still_mode_relative * modes.values.maxCoeff();
  for (std::size_t k = 0; k < 3; ++k) {
    const double value = modes.values[static_cast<Eigen::Index>(k)];
    frequency_[k] = value > least ? std::sqrt(value) : 0;
    fastest_ = std::max(fastest_, frequency_[k]);
  }
}

std::array<Wave, 3> StickModes::follow(const SpringState& start) const {
  const Eigen::Vector3d y(start.deflection / root_g_, -root_ratio_ * start.stretch.t1, -root_ratio_ * start.stretch.t2);
  const Eigen::Vector3d rate(-root_g_ * start.velocity.n, -root_ratio_ * start.velocity.t1,
                             -root_ratio_ * start.velocity.t2);
  const Eigen::Vector3d along = axes_.transpose() * y, along_rate = axes_.transpose() * rate;
  std::array<Wave, 3> waves;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(k);
      waves[i].cosine[k] = axes_(row, column) * along[column];
      waves[i].sine[k] = axes_(row, column) * along_rate[column];
    }
  return waves;
}

Wave StickModes::derivative(const Wave& wave) const {
  Wave rate;
  for (std::size_t k = 0; k < 3; ++k) {
    rate.cosine[k] = wave.sine[k];
    rate.sine[k] = -square(frequency_[k]) * wave.cosine[k];
  }
  return rate;
}

double StickModes::bound_rate(const Wave& wave) const {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += elementary::hypot(wave.sine[k], frequency_[k] * wave.cosine[k]);
  return sum;
}

StickMotion::StickMotion(const StickModes& modes, const SpringState& start, double static_friction)
    : modes_(modes),
      cone_(square(static_friction) * modes.normal_rate()),
      y_(modes.follow(start)),
      longest_(1 / modes.fastest()) {
  for (std::size_t i = 0; i < 3; ++i) {
    rate_[i] = modes.derivative(y_[i]);
    second_[i] = modes.derivative(rate_[i]);
    rate_most_[i] = modes.bound_rate(y_[i]);
    second_most_[i] = modes.bound_rate(rate_[i]);
    third_most_[i] = modes.bound_rate(second_[i]);
  }
}

StickMotion::Angles StickMotion::angles(double time) const {
  Angles at;
  for (std::size_t k = 0; k < 3; ++k) {
    const double w = modes_.frequencies()[k];
    if (w == 0) {
      at.cosine[k] = 1, at.sine[k] = time, at.versine[k] = 0.5 * time * time;
      continue;
    }
    const double half = elementary::sin(0.5 * w * time) / w;
    at.cosine[k] = elementary::cos(w * time);
    at.sine[k] = elementary::sin(w * time) / w;
    at.versine[k] = 2 * half * half;
  }
  return at;
}

double StickMotion::value(const Wave& wave, const Angles& at) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += wave.cosine[k] * at.cosine[k] + wave.sine[k] * at.sine[k];
  return sum;
}

SpringState StickMotion::at(double time) const {
  const Angles now = angles(time);
  const double root_g = std::sqrt(modes_.normal_rate()), root_ratio = std::sqrt(modes_.ratio());
  SpringState state;
  state.deflection = root_g * value(y_[0], now);
  state.stretch = {-value(y_[1], now) / root_ratio, -value(y_[2], now) / root_ratio};
  state.velocity = {-value(rate_[0], now) / root_g, -value(rate_[1], now) / root_ratio,
                    -value(rate_[2], now) / root_ratio};
  return state;
}

ContactVector StickMotion::impulse(double time) const {
  const Angles now = angles(time);
  double sum[3] = {};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) sum[i] += y_[i].cosine[k] * now.sine[k] + y_[i].sine[k] * now.versine[k];
  const double root_ratio = std::sqrt(modes_.ratio());
  return {std::sqrt(modes_.normal_rate()) * sum[0], root_ratio * sum[1], root_ratio * sum[2]};
}

// (μ_s x)² − |κ u|² over κ: above zero inside the cone.
StickMotion::Condition StickMotion::slip_condition(const Angles& at) const {
  Condition slip{0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    const double weight = i == 0 ? cone_ : -modes_.ratio();
    const double y = value(y_[i], at), rate = value(rate_[i], at);
    slip.value += weight * y * y;
    slip.rate += 2 * weight * y * rate;
    const double y_most = std::abs(y) + rate_most_[i] * longest_;
    slip.bent += 2 * std::abs(weight) * (y_most * second_most_[i] + (i == 0 ? 0 : square(rate_most_[i])));
  }
  return slip;
}

// From a start where the condition of slip and its rate are zero: f ≥ ½ f''h² − ⅙ B h³.
double StickMotion::first_step() const {
  const Angles at = angles(0);
  double second = 0, third_most = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double weight = i == 0 ? cone_ : -modes_.ratio();
    const double y = value(y_[i], at), rate = value(rate_[i], at);
    second += 2 * weight * (rate * rate + y * value(second_[i], at));
    const double y_most = std::abs(y) + rate_most_[i] * longest_;
    third_most += 2 * std::abs(weight) * (3 * rate_most_[i] * second_most_[i] + y_most * third_most_[i]);
  }
  const double step = second > 0 && third_most > 0 ? 3 * second / third_most : 0;
  return std::max(step, tolerances::cone_start_step * longest_);
}

StickEvent StickMotion::find_end(Stage stage, ConePlace place) {
  const bool may_slip = std::isfinite(cone_);
  const bool compresses = stage == Stage::compression;
  time_ = 0;
  for (int step = 0; step < tolerances::stick_steps_max; ++step) {
    const Angles now = angles(time_);
    StickEvent next = StickEvent::none;
    double least = longest_;
    const auto watch = [&](StickEvent event, const Condition& it) {
      // At the start of restitution v_n = 0 is rising: no end.
      const double to =
          it.value > 0 || (step == 0 && it.rate > 0) ? safe_step(std::max(it.value, 0.0), it.rate, it.bent) : 0;
      if (to < least) least = to, next = event;
    };
    if (compresses) {
      watch(StickEvent::compression_ends, {value(rate_[0], now), value(second_[0], now), third_most_[0]});
    } else {
      watch(StickEvent::impact_ends, {value(y_[0], now), value(rate_[0], now), second_most_[0]});
      watch(StickEvent::recompression, {-value(rate_[0], now), -value(second_[0], now), third_most_[0]});
    }
    if (may_slip) {
      if (step == 0 && place == ConePlace::on_cone) {
        least = std::min(least, first_step());
        time_ += least;
        continue;
      }
      watch(StickEvent::slips, slip_condition(now));
    }
    if (next != StickEvent::none && least <= tolerances::stick_event_relative * std::max(time_, longest_)) return next;
    time_ += least;
  }
  return StickEvent::none;
}

}  // namespace routh::internal
