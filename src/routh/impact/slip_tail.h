// The rest of a swerving slip close to the direction that attracts it, in closed form.
//
// Let η = ζ_A/ζ, which falls from 1 at the state A where the tail begins to 0 in the attracting direction. The
// equations of slip_curve.h become, with s = X a(η) and quadratics a, k = q2 + (q1/ζ_A) η + (q0/ζ_A²) η² and n = k + η²
// R/ζ_A²,
//   dη/dz = −η      d ln X/dz = 2 n/k      dτ/dz = 2 a/k
// Power series solve them where η is well inside the circle through the nearest root of k:
//   ln X = κ z − Σ h_i ηⁱ       i k0 h_i = 2 n_i − κ k_i − (i−1) k1 h_{i−1} − (i−2) k2 h_{i−2},   κ = 2 n0/k0
//   ∫ X p dτ = −X G(η)          n G − ½ η k G' = −a p, that is
//   (n0 − ½ i k0) G_i = −(a p)_i + (½ (i−1) k1 − n1) G_{i−1} + (½ (i−2) k2 − n2) G_{i−2}
// and the same with 2n for n where the integrand is X² p. Four such G give impulse, ∫σ dI, from which v_n follows, and
// friction's work; the normal share is the rest of ΔW = ½ (v + v')·Δi.
//
// For κ < 0 slip halts, and X G is all that is left until then; for κ > 0 it grows for ever. At a resonance, κ or 2κ a
// whole number i, there is no such G, and close to one it cancels: panels must do.
#pragma once

#include "routh/impact/slip_curve.h"

namespace routh::internal {

class SlipTail {
 public:
  // `from` must be in the curve's tail.
  SlipTail(const SlipCurve& curve, const SlipState& from);

  // False when the series converge too slowly or nearly resonate.
  bool usable() const { return usable_; }
  double kappa() const { return kappa_; }  // d ln s/dz in the end

  struct Point {
    SlipState state;
    SlipIncrement increment;  // since A
    double mismatch = 0;      // of Δv_t: tells the error of G
  };
  // What the way to the halt adds; needs κ < 0. `normal_velocity` is v_n at A, here and below.
  SlipIncrement to_halt(double normal_velocity) const;
  // The point Δz further on; ζ must stay far from overflow.
  Point at(double distance, double normal_velocity) const;

 private:
  static constexpr int most_terms = 48;
  static constexpr int series = 4;  // the four G: of ∫dI, ∫σ dI (two components) and ∫s dI
  struct Quadratic {
    double c0, c1, c2;
  };
  struct Sources;
  struct Sums {
    alignas(32) double g[series] = {};
    double h = 0;
    double eta = 1;
  };
  template <std::size_t lanes>
  [[gnu::always_inline]] bool expand(const Quadratic& k, const Quadratic& n, const Sources& sources);
  Sums sums(double distance) const;
  SlipIncrement increment(const Sums& there, double x, const SlipState& state, double normal_velocity) const;

  const SlipCurve& curve_;
  SlipState from_;
  double behind_;     // ln of the ratio by which the terms of the series fall
  double x_, kappa_;  // X at A, κ
  bool usable_ = false;
  int terms_ = 0;
  Sums at_start_;
  alignas(32) double g_[most_terms][series];
  double h_[most_terms];
};

}  // namespace routh::internal
