// A stick turns v into −E v by the impulse i = −G (I + E) v. With w = D i, so that v_n = −w_n/(1 + e) and
// v_t = −w_t/(1 + e_t), and β = b⁺c, the sticking slope p,
//
//   ΔT = ½ ((1 − e) i_n v_n + (1 − e_t) i_tᵀv_t)       2T = vᵀG v = v_tᵀb⁺v_t + (v_n − βᵀv_t)²/p
//
// Sought is the greatest g = ΔT/T over the velocities with v_n < 0 whose impulse lies in the cone ‖i_t‖ ≤ μ_s i_n.
//
// 1. Without the cone. In ζ = (v_tᵀb⁺v_t)^½ along c and ν = (v_n − βᵀv_t)/√p, where 2T = ζ² + ν², the stick is
//        ζ⁺ = −e_t ζ    ν⁺ = −(δ h ζ + e ν)    δ = e − e_t    h² = cᵀβ/p
//    and the greatest T⁺/T⁻ belongs to an eigenvector v° of a matrix of two rows. What is across c only adds e_t² ≤ 1
//    to the quotient. If v° sticks it is the worst.
// 2. On v_n = 0 the quotient T⁺/T⁻ is e_t² ≤ 1: nothing gains there. The form T⁺ − λT⁻ has one positive direction when
//    λ ≥ 1, so the velocities of approach with T⁺/T⁻ ≥ λ are a convex cone about v°, and so are those that stick. Hence
//    (a) some velocity gains only if the loss has a negative least value over the disk ‖ρ‖ ≤ μ_s, i = (1, ρ), of which
//        it is a convex function, and this at w_n > 0;
//    (b) otherwise the worst lies on the edge of the disk, on the arc from which v° is seen, the tangents that part the
//        cone from v°: σᵀi°_t > μ_s i°_n. Along this arc g has a single rise and fall while it is positive: of two
//        points with quotients ≥ λ the arc between them lies in the triangle that they form with v°, which is convex.
//    (c) The way from a gaining impulse straight to i° leaves the disk at a point of this arc, with a larger g.
// In the plane, and where b has rank one, the edge is two points.
#include "routh/solvability/worst_stick.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "routh/impact/inertia.h"
#include "routh/impact/laws.h"

namespace routh::internal {

namespace {

// A loss smaller than this share of its terms is not told from zero.
constexpr double loss_rounding = 1e-14;

// Halvings that bring an interval to rounding.
constexpr int halvings = 60;

Tangent scaled(Tangent x, double f) { return {x.t1 * f, x.t2 * f}; }
Tangent sum(Tangent x, Tangent y) { return {x.t1 + y.t1, x.t2 + y.t2}; }

// i_n = 1 and the velocity before, which the stick with this impulse reflects.
struct Struck {
  Tangent rho;
  double vn;
  Tangent vt;
};

class StickSearch {
 public:
  StickSearch(const ContactInertia& d, const StickSurface& surface)
      : d_(d),
        mu_(surface.friction),
        e_(surface.restitution),
        et_(surface.tangential_restitution),
        speed_(surface.approach_speed),
        c_(coupling(d)),
        beta_(solve_tangential(d, c_)) {}

  WorstStick find() {
    if (!(d_.stick_slope > locked_slope * d_.a)) return {};  // nothing sticks
    if (!(dot(c_, beta_) > 0)) return {};                    // uncoupled: nothing gains
    const ContactVector peak = peak_velocity();
    const ContactVector impulse = impulse_of(peak);
    if (in_cone(impulse)) {
      keep(peak, impulse);
      return best_;
    }
    // With e_t = −1 the sticking impulse has one direction for all velocities: none sticks.
    if (et_ <= -1) return {};
    const Tangent least = least_loss();
    const Struck start = struck_by(least);
    if (!(start.vn < 0 && loss(start.rho) < -loss_rounding * loss_terms(start.rho))) return {};
    keep(least);
    if (has_edge_circle())
      keep(edge(worst_angle(start, impulse)));
    else
      for (const double sign : {1.0, -1.0}) keep(scaled(c_, sign * mu_ / norm(c_)));
    return best_;
  }

 private:
  double kn() const { return (1 - e_) / (1 + e_); }
  double kt() const { return (1 - et_) / (1 + et_); }

  // 2 × the loss for i_n = 1.
  double loss(Tangent rho) const {
    return kn() * (d_.a + dot(c_, rho)) + kt() * (dot(rho, c_) + dot(rho, apply_tangential(d_, rho)));
  }
  double loss_terms(Tangent rho) const {
    const double mixed = norm(c_) * norm(rho);
    return kn() * (d_.a + mixed) + kt() * (mixed + dot(rho, apply_tangential(d_, rho)));
  }

  // Where the loss is stationary on a circle: (k_t b + τ) ρ = −½ (k_n + k_t) c.
  Tangent stationary(double tau) const {
    const double h = -0.5 * (kn() + kt());
    const double b11 = kt() * d_.b11 + tau, b22 = kt() * d_.b22 + tau, b12 = kt() * d_.b12;
    if (d_.dimension == Dimension::planar) return {h * c_.t1 / b11, 0};
    const double determinant = b11 * b22 - b12 * b12;
    return {h * (b22 * c_.t1 - b12 * c_.t2) / determinant, h * (b11 * c_.t2 - b12 * c_.t1) / determinant};
  }

  // Where it is least in the disk: inside, or on the edge with the multiplier τ ≥ 0.
  Tangent least_loss() const {
    if (mu_ == 0) return {};
    double low = 1e-15 * kt() * (d_.b11 + d_.b22), high = 0.5 * (kn() + kt()) * norm(c_) / mu_;
    if (low > 0 && norm(stationary(low)) <= mu_) return stationary(low);
    for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
      const double middle = 0.5 * (low + high);
      (norm(stationary(middle)) > mu_ ? low : high) = middle;
    }
    return stationary(high);
  }

  // v°, approaching.
  ContactVector peak_velocity() const {
    const double coupled = std::sqrt(dot(c_, beta_));  // h √p
    const double delta_h = (e_ - et_) * coupled / std::sqrt(d_.stick_slope);
    const double angle = 0.5 * std::atan2(2 * delta_h * e_, et_ * et_ + delta_h * delta_h - e_ * e_);
    const double zeta = std::cos(angle), nu = std::sin(angle);
    const double vn = coupled * zeta + std::sqrt(d_.stick_slope) * nu;
    return at_speed(vn, scaled(c_, zeta / coupled));
  }

  ContactVector at_speed(double vn, Tangent vt) const {
    return {-speed_, 0.0 - speed_ * (vt.t1 / vn), 0.0 - speed_ * (vt.t2 / vn)};
  }

  // As the law forms and judges it (solve_average_slip), to the last bit.
  ContactVector impulse_of(const ContactVector& v) const {
    const ImpulseForChange stick = impulse_for_change(d_, {-(1 + e_) * v.n, -et_ * v.t1 - v.t1, -et_ * v.t2 - v.t2});
    return stick.reachable ? stick.impulse : ContactVector{};
  }
  bool in_cone(const ContactVector& i) const { return i.n > 0 && norm(tangent(i)) <= mu_ * i.n; }

  Struck struck_by(Tangent rho) const {
    const ContactVector w = apply(d_, {1, rho.t1, rho.t2});
    return {rho, -w.n / (1 + e_), scaled(tangent(w), -1 / (1 + et_))};
  }

  // v_n − βᵀv_t, which is −(p i_n + δ βᵀv_t)/(1 + e): free of the difference of v_n and what couples into it.
  double free_part(double in, Tangent vt) const {
    return -(d_.stick_slope * in + (e_ - et_) * dot(beta_, vt)) / (1 + e_);
  }

  // Whether g rises with the angle (turn = 1) or against it (turn = −1), where it is positive.
  bool rises(double angle, double turn) const {
    const Struck at = struck_by(edge(angle));
    const double gain = -loss(at.rho);
    if (!(at.vn < 0 && gain > 0)) return false;
    const Tangent rho_turn{-turn * at.rho.t2, turn * at.rho.t1};  // dρ/dθ
    const Tangent b_turn = apply_tangential(d_, rho_turn), b_rho = apply_tangential(d_, at.rho);
    const double gain_turn = -((kn() + kt()) * dot(c_, rho_turn) + 2 * kt() * dot(rho_turn, b_rho));
    const Tangent vt_turn = scaled(b_turn, -1 / (1 + et_));
    const double nu = free_part(1, at.vt), nu_turn = free_part(0, vt_turn);
    const Tangent held = solve_tangential(d_, at.vt);
    const double energy = dot(at.vt, held) + nu * nu / d_.stick_slope;
    const double energy_turn = 2 * (dot(vt_turn, held) + nu * nu_turn / d_.stick_slope);
    return gain_turn * energy > gain * energy_turn;
  }

  // Whether the edge of what sticks is a circle: b has rank two.
  bool has_edge_circle() const {
    if (d_.dimension == Dimension::planar) return false;
    const Tangent across{-c_.t2, c_.t1};
    const Tangent back = apply_tangential(d_, solve_tangential(d_, across));
    return dot(back, across) > 0.5 * dot(across, across);
  }
  Tangent edge(double angle) const { return {mu_ * std::cos(angle), mu_ * std::sin(angle)}; }

  // Step 2 (c): where the way from `start` to v° leaves the cone of impulses.
  double exit_angle(const Struck& start, const ContactVector& impulse) const {
    const double from = speed_ / -start.vn;  // both ends approach at the same speed
    Tangent at = start.rho;
    double low = 0, high = 1;
    for (int k = 0; k < halvings; ++k) {
      const double share = 0.5 * (low + high);
      const double in = (1 - share) * from + share * impulse.n;
      const Tangent it = sum(scaled(start.rho, (1 - share) * from), scaled(tangent(impulse), share));
      const bool inside = norm(it) <= mu_ * in;
      if (inside) at = it;
      (inside ? low : high) = share;
    }
    return std::atan2(at.t2, at.t1);
  }

  // How far it is from an angle to the end of the arc cos(θ − centre) > cosine.
  static double to_end(double angle, Tangent centre, double cosine, double turn) {
    const double width = std::acos(std::clamp(cosine, -1.0, 1.0));
    const double ahead = turn * std::remainder(angle - std::atan2(centre.t2, centre.t1), 2 * std::numbers::pi);
    return std::max(0.0, width - ahead);
  }

  double worst_angle(const Struck& start, const ContactVector& impulse) const {
    const double first = exit_angle(start, impulse);
    const double turn = rises(first, 1) ? 1 : -1;
    const Tangent seen = tangent(impulse);
    double low = 0;
    double high = std::min(to_end(first, seen, mu_ * impulse.n / norm(seen), turn),  // where v° is seen
                           to_end(first, c_, -d_.a / (mu_ * norm(c_)), turn));       // where v_n < 0
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (low + high);
      (rises(first + turn * middle, turn) ? low : high) = middle;
    }
    return first + turn * low;
  }

  // The edge is the law's to judge: a velocity that rounding puts outside is drawn inwards until it sticks.
  void keep(Tangent rho) {
    double inwards = 0;
    while (inwards < 1) {
      const Struck at = struck_by(scaled(rho, 1 - inwards));
      if (!(at.vn < 0)) return;
      const ContactVector v = at_speed(at.vn, at.vt);
      const ContactVector i = impulse_of(v);
      if (in_cone(i)) return keep(v, i);
      inwards = std::max(2 * inwards, std::numeric_limits<double>::epsilon());
    }
  }

  void keep(const ContactVector& v, const ContactVector& i) {
    const Tangent vt = tangent(v);
    const double change = (1 - e_) * i.n * v.n + (1 - et_) * dot(tangent(i), vt);
    const double terms = std::abs((1 - e_) * i.n * v.n) + (1 - et_) * norm(tangent(i)) * norm(vt);
    const double nu = free_part(i.n, vt);
    const double energy = dot(vt, solve_tangential(d_, vt)) + nu * nu / d_.stick_slope;
    if (change > loss_rounding * terms && change > best_.gain * energy) best_ = {change / energy, v};
  }

  ContactInertia d_;
  double mu_, e_, et_, speed_;
  Tangent c_, beta_;
  WorstStick best_;
};

}  // namespace

WorstStick worst_stick(const ContactInertia& inertia, const StickSurface& surface) {
  // The gain does not depend on the unit of D; scaled by a power of two, which is exact, its squares are safe.
  const double f = std::ldexp(1.0, -std::ilogb(inertia.a));
  const ContactInertia& d = inertia;
  return StickSearch({d.dimension, d.a * f, d.c1 * f, d.c2 * f, d.b11 * f, d.b12 * f, d.b22 * f, d.stick_slope * f},
                     surface)
      .find();
}

}  // namespace routh::internal
