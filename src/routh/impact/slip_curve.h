// Swerving slip between two invariant directions, as integrals over one variable.
//
// With dI = s dτ the slip angle and speed obey dφ/dτ = h(φ), d ln s/dτ = f(φ). Turn the frame so that the attracting
// direction is φ = π and let u = tan(φ/2), so that it lies at u = ∞; let the repelling one lie at u = U and put
//   ζ = u − U > 0,   z = ln ζ,   w = 1 + u²,   s = ρ w.
// Because both ends are invariant, everything becomes a ratio of quadratics:
//   dz/dτ   = K(ζ) / 2w            K = q0 + q1 ζ + q2 ζ²
//   d ln ρ/dz = 2 R(u) / K         R = r0 + r1 u + r2 u²
//   dI/dz   = 2 ρ w² / K
// and impulse, normal velocity and work follow by integration in z. The only singularities are the two other invariant
// directions, at the roots of K. A panel of Chebyshev nodes in z and one integration matrix give all of it at once, and
// two exact identities, Δv_t = c ΔI − m ∫σ dI and ΔW = ½ (v + v')·Δi, tell how good the panel is.
#pragma once

#include "routh/impact/invariant_directions.h"
#include "routh/math/chebyshev.h"

namespace routh::internal {

// State of the slip in its own frame.
struct SlipState {
  double zeta = 0;  // position between the invariant directions
  double rho = 0;   // s / (1 + u²)
};

// What a stretch of slip adds.
struct SlipIncrement {
  double impulse = 0;      // ΔI
  double direction_x = 0;  // ∫σ dI, in the frame of the curve
  double direction_y = 0;
  double normal_velocity = 0;  // Δv_n
  double normal_work = 0;      // ΔW_n
  double tangential_work = 0;  // ΔW_t
};

// Magnitudes of the impact so far, against which errors are measured.
struct SlipScale {
  double speed = 0;  // greatest slip speed
  double work = 0;   // |W_n| + |W_t|
};

class SlipCurve {
 public:
  // `a` = D_nn, `mu` = μ_k, in canonical axes; `slip` lies strictly between the directions of `ends`.
  SlipCurve(const SlipField& field, double a, double mu, const Enclosure& ends, Direction slip);

  SlipState start(double speed) const { return {zeta0_, speed / (1 + (u_ + zeta0_) * (u_ + zeta0_))}; }
  Direction direction(double zeta) const;                    // canonical axes
  Direction attracting() const { return {-ex_.x, -ex_.y}; }  // where it ends
  double speed(const SlipState& s) const { return s.rho * (1 + (u_ + s.zeta) * (u_ + s.zeta)); }
  double normal_slope(double zeta) const;                // dv_n/dI
  double impulse_rate(const SlipState& s) const;         // dI/dz
  double final_growth() const { return -(c1_ + m11_); }  // k at the attracting direction; < 0 halts
  // Where dv_n/dI changes sign: the next one beyond `zeta`, or infinity.
  double next_jam_boundary(double zeta) const;
  // ∫σ dI turned into canonical axes.
  Direction turn_back(double x, double y) const { return {ex_.x * x + ey_.x * y, ex_.y * x + ey_.y * y}; }

  // How far a panel may reach in z from ζ, judged by the nearest singularity and the growth of s.
  double suggested_width(double zeta) const;

  // True when the speed falls all the way from ζ to the attracting direction.
  bool decays_from(double zeta) const;

  // True where the power series of slip_tail.h about the attracting direction may be tried.
  bool in_tail(double zeta) const { return zeta > tail_zeta_; }

  // |Δv_t − (c ΔI − m ∫σ dI)| of a stretch: zero but for the error of the integrals.
  double mismatch(const SlipIncrement& d, const SlipState& from, const SlipState& to) const;

 private:
  friend class SlipPanel;
  friend class SlipTail;
  friend class SwerveVariation;
  Direction ex_, ey_;  // axes of the curve's frame in canonical axes
  double a_ = 0, mu_ = 0;
  double c1_ = 0;
  double m11_ = 0, m12_ = 0, m22_ = 0;  // μ b; c2 = −m12 by the choice of frame
  double mu_c1_ = 0, mu_c2_ = 0;        // μ c
  double u_ = 0;                        // U
  double zeta0_ = 0;
  double q0_ = 0, q1_ = 0, q2_ = 0;
  double r0_ = 0, r1_ = 0, r2_ = 0;
  double log_root_ = 0;  // ln|ζ| and angle of the root of K nearest the positive axis
  double root_angle_ = 0;
  double tail_zeta_ = 0;
};

// One panel: from a state over a width in z.
class SlipPanel {
 public:
  // Returns an estimate of the error, relative to the magnitudes of the whole impact.
  double compute(const SlipCurve& curve, const SlipState& from, double normal_velocity, double width,
                 const SlipScale& scale);

  const SlipState& end() const { return end_; }
  const SlipIncrement& increment() const { return total_; }

  // Node values of the change of normal velocity since the start of the panel; of impulse and normal work on demand.
  const PanelArray& normal_velocity() const { return normal_velocity_; }
  const PanelArray& normal_velocity_rate() const { return normal_velocity_rate_; }  // d/dx, x in [−1, 1]
  const PanelArray& impulse_rate() const { return impulse_rate_; }
  const PanelArray& normal_work_rate() const { return normal_work_rate_; }
  PanelArray compute_impulse() const { return integrated(impulse_rate_); }
  PanelArray compute_normal_work() const { return integrated(normal_work_rate_); }

  SlipState state_at_node(std::size_t j) const;
  // Inside the panel, from the interpolation weights at x.
  SlipState state_at(double x, const PanelArray& weights) const;
  SlipIncrement increment_to(const PanelArray& weights) const;

 private:
  friend class SwerveVariation;
  template <std::size_t lanes>
  [[gnu::always_inline]] double compute_with(const SlipCurve& curve, const SlipState& from, double normal_velocity,
                                             double width, const SlipScale& scale);
  static PanelArray integrated(const PanelArray& rate);

  double zeta0_ = 0, rho0_ = 0, half_width_ = 0;
  double mu_ = 0;
  SlipState end_;
  SlipIncrement total_;
  // Filled by `compute`; a kilobyte of zeros before would only cost time.
  PanelArray log_rho_, normal_velocity_;
  PanelArray impulse_rate_, normal_velocity_rate_, normal_work_rate_;
  PanelArray direction_x_rate_, direction_y_rate_, tangential_work_rate_;
};

}  // namespace routh::internal
