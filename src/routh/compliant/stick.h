// A contact that sticks through springs: the linear oscillation of its deflections, in closed form. Internal.
//
// x is the normal deflection, u the tangential one; the normal spring has stiffness one, the tangential one κ = 1/η²:
//
//   F = (x, −κ u)     v̇ = D F     ẋ = −g v_n     u̇ = v_t      g = 1 in compression, 1/e² in restitution
//
// With y = (x/√g, −√κ u) this is ÿ = −S y, S = √K D √K with K = diag(g, κ, κ): symmetric, positive semidefinite, so
// that each eigenvector is an oscillation of its own, or a drift where D is singular.
#pragma once

#include <Eigen/Core>
#include <array>

#include "routh/impact/inertia.h"
#include "routh/impact/result.h"

namespace routh::internal {

struct SpringState {
  double deflection = 0;  // x
  Tangent stretch;        // u
  ContactVector velocity;
};

// Σ_k cosine_k cos ω_k t + sine_k sin(ω_k t)/ω_k
struct Wave {
  std::array<double, 3> cosine{}, sine{};
};

class StickModes {
 public:
  StickModes(const ContactInertia& inertia, double ratio, double normal_rate);

  double normal_rate() const { return g_; }
  double ratio() const { return ratio_; }
  double fastest() const { return fastest_; }
  const std::array<double, 3>& frequencies() const { return frequency_; }
  // y(t) from a state at t = 0.
  std::array<Wave, 3> follow(const SpringState& start) const;
  Wave derivative(const Wave& wave) const;
  // Bound of |wave'| for all times.
  double bound_rate(const Wave& wave) const;

 private:
  double g_, ratio_, root_g_, root_ratio_;
  double fastest_ = 0;
  Eigen::Matrix3d axes_;  // columns: eigenvectors of S
  std::array<double, 3> frequency_;
};

enum class StickEvent { none, slips, compression_ends, recompression, impact_ends };
// Where it begins in its friction cone. on_cone: slip has just halted, or the contact begins without deflection: the
// condition of slip and its rate are zero.
enum class ConePlace { inside, on_cone };

// The motion from a start to its first event.
class StickMotion {
 public:
  StickMotion(const StickModes& modes, const SpringState& start, double static_friction);

  StickEvent find_end(Stage stage, ConePlace place);
  // When it came, after `find_end`.
  double end() const { return time_; }
  SpringState at(double time) const;
  ContactVector impulse(double time) const;

 private:
  // A condition that ends the motion where it falls to zero: f'' ≥ −bent.
  struct Condition {
    double value, rate, bent;
  };
  struct Angles {
    std::array<double, 3> cosine, sine, versine;  // cos ωt, sin(ωt)/ω, (1 − cos ωt)/ω²
  };
  Angles angles(double time) const;
  static double value(const Wave& wave, const Angles& at);
  Condition slip_condition(const Angles& at) const;
  double first_step() const;

  const StickModes& modes_;
  double cone_;  // (μ_s √g)²
  std::array<Wave, 3> y_, rate_, second_;
  std::array<double, 3> rate_most_, second_most_, third_most_;
  double longest_;  // step
  double time_ = 0;
};

}  // namespace routh::internal
