// One contact and its forces: will it slide, stick or let go, and has rigid-body mechanics an answer? The verdict on a
// contact that slides, on one without slip, the friction cone behind both, and the directions in which slip stays.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh {

// A contact that slides: will it hold, let go, or has rigid-body mechanics no answer?
//
//   v̇_n = A λ_n + B      A = a − μ cᵀσ     B = f_n         λ = λ_n (1, −μ σ), σ the direction of slip
//   v̇_t = C λ_n + D      C = c − μ b σ     D = f_t         [Liu 2007, eqs 6, 7], for every direction in space

// The four modes of [Liu 2007, Table 1]. The table counts the edges A = 0 < B and A < 0 = B to M_s³; no force is the
// only solution there, so they are M_s¹.
enum class SlipMode {
  detaches,       // M_s¹: B ≥ 0, and no force is the only solution (B = 0: the contact stays, without force)
  slides,         // M_s²: A > 0, B < 0; λ_n = −B/A. The admissible set Φ [Liu 2007, Definition 1]
  indeterminate,  // M_s³: A < 0 < B: no force, or λ_n = −B/A (false cohesion); A = B = 0: any force. Rule: no force
  inconsistent,   // M_s⁴: A ≤ 0, B < 0; no finite force. Rule: tangential impact (dynamic wedging)
};
constexpr auto names_of(SlipMode) {
  return name_table<SlipMode>({{SlipMode::detaches, "detaches"},
                               {SlipMode::slides, "slides"},
                               {SlipMode::indeterminate, "indeterminate"},
                               {SlipMode::inconsistent, "inconsistent"}});
}
inline constexpr int slip_mode_count = 4;

struct SlipDirection {
  double t1 = 0;
  double t2 = 0;  // unit length; in the plane (±1, 0)
};

struct SlipVerdict {
  SlipMode mode = SlipMode::detaches;
  double A = 0;                   // [1/kg]; exactly zero where it is within rounding of it
  double B = 0;                   // [m/s²]
  double C1 = 0, C2 = 0;          // [1/kg]
  double D1 = 0, D2 = 0;          // [m/s²]
  double normal_force = 0;        // by the rules above [N]; zero where an impact must decide
  double direction_friction = 0;  // the μ at which A = 0 in this direction; infinite when no friction does it
  bool marginal = false;          // A or B is zero to rounding: the mode is on a boundary

  bool admissible() const { return mode == SlipMode::slides; }
};

// Stands for infinite friction where a finite number is needed: its cone is flat to one part in a thousand million.
inline constexpr double widest_friction = 1e9;

// `kinetic` is finite. `direction` has unit length.
SlipVerdict judge_slip(const ContactInertia& inertia, double kinetic, SlipDirection direction,
                       const ContactVector& free_acceleration);

// The direction of v_t; nothing when the slip is exactly zero.
struct SlipState {
  double speed = 0;
  SlipDirection direction;
};
SlipState slip_of(const ContactVector& relative_velocity);

// `detaches`, `slides`, `indeterminate`, `inconsistent`.

// A contact without slip: does it stick, begin to slip, or let go? All solutions of
//
//   v̇ = D λ + f,   λ_n ≥ 0,  v̇_n ≥ 0,  λ_n v̇_n = 0,
//   sticks   v̇ = 0, ‖λ_t‖ ≤ μ_s λ_n
//   slips    λ_t = −μ_k λ_n σ and v̇_t = κ σ with κ > 0
//
// In space the direction σ of a beginning slip is a root of σ⊥ᵀ(A f_t − f_n C) = 0, a quartic in tan(φ/2).

enum class RestMode { detaches, sticks, slips };
constexpr auto names_of(RestMode) {
  return name_table<RestMode>(
      {{RestMode::detaches, "detaches"}, {RestMode::sticks, "sticks"}, {RestMode::slips, "slips"}});
}

struct RestSolution {
  RestMode mode = RestMode::detaches;
  SlipDirection direction;  // of a beginning slip
  ContactVector force;
  ContactVector acceleration;
};

enum class RestAnswer { none, unique, several };

struct RestVerdict {
  // Several: more than one acceleration is possible. A stick that friction between μ_k and μ_s could also let slip
  // counts once: what sticks goes on sticking.
  RestAnswer answer = RestAnswer::none;
  int count = 0;
  std::array<RestSolution, 6> solutions;  // in the order of the rule: detaches, sticks, slips; the first is taken

  // The force that would keep the contact at rest, whether friction allows it or not.
  bool stick_exists = false;  // false when D is singular in the direction that must be held
  ContactVector stick_force;
  double friction_demand = 0;   // ‖λ_t‖/λ_n of it; infinite when λ_n ≤ 0
  bool stick_feasible = false;  // λ_n ≥ 0 and within μ_s

  const RestSolution& chosen() const { return solutions[0]; }
};

RestVerdict judge_rest(const ContactInertia& inertia, const Friction& friction, const ContactVector& free_acceleration);

// The friction cone in contact-velocity space: all changes of contact velocity that a contact force inside Coulomb's
// cone can cause, δu = D λ [Peiret, eqs 2, 3].
//
//   boundary: δuᵀ Q δu = 0,  Q = G Q_μ G,  Q_μ = diag(−μ², 1, 1),  G = D⁻¹        (normal first)
//   δu_n = A(φ) λ_n along the generator φ: some generators point into the surface as soon as μ > μ* = a/‖c‖.

struct FrictionCone {
  Dimension dimension = Dimension::spatial;
  double friction = 0;
  double jamming_friction = 0;          // μ*; infinite when c = 0
  std::optional<Eigen::Matrix3d> form;  // Q; in the plane the last row and column are zero. None: D is singular and
                                        // the cone is flat
  bool dips = false;                    // μ > μ*, by more than rounding: it reaches below δu_n = 0
  // When it dips: slip within `half_angle` of the direction `jam` jams (A < 0). In the plane the half angle is π/2.
  SlipDirection jam;
  double half_angle = 0;  // arccos(μ*/μ) [rad]
  // The two rays of the boundary with δu_n = 0, per unit of normal force; in the plane only when μ = μ*.
  std::vector<ContactVector> level_rays;
};

FrictionCone friction_cone(const ContactInertia& inertia, double friction);

// δu of the boundary force λ = (1, μ cos φ, μ sin φ) for φ = 2πk/count; in the plane the two edges.
std::vector<ContactVector> cone_generators(const ContactInertia& inertia, double friction, int count);

// The same in configuration space [Erdmann 1994]: the columns are M⁻¹Jᵀλ for the same forces, given M⁻¹Jᵀ.
Eigen::MatrixXd configuration_generators(const Eigen::MatrixXd& response, double friction, int count);

// What the position of the cone means for a contact that slides along some direction and is kept by a constraint.
enum class ConeVerdict {
  sound,           // the force pushes the bodies apart, whatever the others do
  wedging,         // contact force and the others both press: u_n ≥ 0 cannot be kept (Fig. 1, left)
  false_cohesion,  // the others pull apart, a constraint could still hold: it would act as glue (Fig. 1, right)
};
constexpr auto names_of(ConeVerdict) {
  return name_table<ConeVerdict>({{ConeVerdict::sound, "sound"},
                                  {ConeVerdict::wedging, "dynamic wedging"},
                                  {ConeVerdict::false_cohesion, "false cohesion"}});
}
ConeVerdict cone_verdict(const SlipVerdict& slip);

// The slip directions that keep their direction during an impact: roots of dφ/dτ = σ⊥ᵀ(c − μ b σ).
//
//   dφ/dτ = σ⊥ᵀ(c − μ b σ)      d ln s/dτ = σᵀ(c − μ b σ)      dv_n/dI_n = A = a − μ cᵀσ
//
// Other slips turn from a repelling to an attracting one [Elkaranshawy 2025]. In the plane both directions are
// invariant and nothing turns.

enum class SlipAttraction { attracting, repelling, neutral };
constexpr auto names_of(SlipAttraction) {
  return name_table<SlipAttraction>({{SlipAttraction::attracting, "attracting"},
                                     {SlipAttraction::repelling, "repelling"},
                                     {SlipAttraction::neutral, "neutral"}});
}

struct InvariantSlip {
  SlipDirection direction;
  SlipAttraction attraction = SlipAttraction::neutral;  // neutral: in the plane, and at a double root
  double growth = 0;  // σᵀ(c − μ b σ) [1/kg]: positive: such a slip grows, negative: it comes to a halt
  double A = 0;       // [1/kg]; negative: it jams
};

struct InvariantSlips {
  int count = 0;                       // 2 to 4 in space, 2 in the plane
  bool every = false;                  // μ b − c leaves every direction as it is: `count` is 0
  std::array<InvariantSlip, 4> slips;  // by angle in (−π, π]
};

// `kinetic` is finite.
InvariantSlips invariant_slips(const ContactInertia& inertia, double kinetic);

}  // namespace routh
