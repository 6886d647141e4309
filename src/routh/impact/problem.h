// One frictional impact as a value: the inertia of the contact, its velocity, its surface.
//
// Everything local to one contact is a function of (D, v, μ_s, μ_k, e); nothing here knows of robots. This is the
// narrow waist of the library: every law, bound and diagnosis works on an ImpactProblem alone.
//
//   D = J M⁻¹ Jᵀ = [ a  cᵀ ]     v = J q̇ − v_s     normal first, always; v_n < 0 approaches
//                  [ c  b  ]
//
// In the plane the second tangent is absent: c2, b12, b22 and every t2 are zero.
#pragma once

#include <algorithm>
#include <span>

#include "routh/base/names.h"

namespace routh {

// Coulomb friction; 0 ≤ kinetic ≤ static. Infinity is allowed and means the limit of large friction: slip halts at
// once.
struct Friction {
  double static_coefficient = 0;
  double kinetic_coefficient = 0;
};

struct RestitutionPoint {
  double speed = 0;        // w [m/s], increasing along a table
  double coefficient = 0;  // in [0, 1]
};

enum class RestitutionKind { constant, linear, table };
// The keys under which files and Python give them.
constexpr auto names_of(RestitutionKind) {
  return name_table<RestitutionKind>(
      {{RestitutionKind::constant, "normal"}, {RestitutionKind::linear, "alpha"}, {RestitutionKind::table, "table"}});
}

// Coefficient of restitution, constant or a function of the speed w that compression reaches: the greatest |v_n| while
// the bodies approach. w = |v_n⁻| unless slip jams, which raises it; a tangential impact begins with v_n = 0.
//   constant  e = normal
//   linear    e = 1 − α w, valid while α w ≤ 1 (e = 0 and a warning beyond); α = 2c/(3k) for a contact of stiffness k
//             and damping c (Hunt and Crossley)
//   table     linear interpolation; the end values, and a warning, outside
struct Restitution {
  RestitutionKind kind = RestitutionKind::constant;
  double normal = 0;                        // constant coefficient, in [0, 1]
  double tangential = 0;                    // e_t, in [−1, 1]; only the unified law has it
  double alpha = 0;                         // [s/m], ≥ 0
  std::span<const RestitutionPoint> table;  // not owned; at least one point
};

enum class Law {
  newton,     // Routh's increment, ends at v_n = −e v_n⁻
  poisson,    // Routh's increment, ends at I_n = (1 + e) I_nc
  energetic,  // Routh's increment, ends when W_r = −e² W_c (Stronge)
  unified,    // Aghili's stick/slip map, friction along the mean slip velocity
  classical,  // the textbook: friction along the final slip velocity
};
constexpr auto names_of(Law) {
  return name_table<Law>({
      {Law::newton, "newton"},
      {Law::poisson, "poisson"},
      {Law::energetic, "energetic"},
      {Law::unified, "unified"},
      {Law::classical, "classical"},
  });
}
inline constexpr int law_count = static_cast<int>(count_of<Law>);
// In the order in which they are shown.
inline constexpr Law all_laws[law_count] = {Law::energetic, Law::poisson, Law::newton, Law::unified, Law::classical};
static_assert(std::all_of(all_values<Law>.begin(), all_values<Law>.end(),
                          [](Law law) { return std::count(all_laws, all_laws + law_count, law) == 1; }));

// Routh's increment; the others map the velocity before to the velocity after.
constexpr bool is_incremental(Law law) {
  switch (law) {
    case Law::newton:
    case Law::poisson:
    case Law::energetic:
      return true;
    case Law::unified:
    case Law::classical:
      return false;
  }
  return false;
}
// Whether it has an answer for an impact that begins with v_n = 0, as a jam does. Newton's law has none, and maps have
// no phases.
constexpr bool has_tangential_impact(Law law) {
  switch (law) {
    case Law::poisson:
    case Law::energetic:
      return true;
    case Law::newton:
    case Law::unified:
    case Law::classical:
      return false;
  }
  return false;
}
// Whether the march of several contacts through one impulse (march/together.h) follows it; of others it takes the
// energetic law.
constexpr bool marches(Law law) {
  switch (law) {
    case Law::poisson:
    case Law::energetic:
      return true;
    case Law::newton:
    case Law::unified:
    case Law::classical:
      return false;
  }
  return false;
}

enum class Dimension { planar, spatial };
constexpr auto names_of(Dimension) {
  return name_table<Dimension>({{Dimension::planar, "planar"}, {Dimension::spatial, "spatial"}});
}

// A velocity [m/s] or impulse [N s] at the contact.
struct ContactVector {
  double n = 0;
  double t1 = 0;
  double t2 = 0;
};

// D, with the one derived number that cannot be formed safely from D when it is nearly singular.
// Make one with `planar_inertia`, `spatial_inertia` or `Reduction` (from M and J).
struct ContactInertia {
  Dimension dimension = Dimension::spatial;
  double a = 0;                      // normal [1/kg], > 0
  double c1 = 0, c2 = 0;             // coupling [1/kg]
  double b11 = 0, b12 = 0, b22 = 0;  // tangential [1/kg], positive semidefinite
  double stick_slope = 0;            // a − cᵀ b⁺ c = dv_n/dI_n while sticking [1/kg], ≥ 0
};

// Inertia from the entries of D. Entries are taken as they are; `check` says whether they make sense.
ContactInertia planar_inertia(double a, double c, double b);
ContactInertia spatial_inertia(double a, double c1, double c2, double b11, double b12, double b22);

// Whether the other forces press the bodies together. It matters for v_n = 0 only: pressed and jammed, a contact
// suffers a tangential impact (an impact without collision).
enum class Load { unknown, pressed };

struct ImpactProblem {
  ContactInertia inertia;
  ContactVector velocity;          // J q̇⁻, of the contact point of one body relative to the other [m/s]
  ContactVector surface_velocity;  // v_s, of a moving surface such as a belt [m/s]
  Friction friction;
  Restitution restitution;
  Load load = Load::unknown;
  // What an external impulse at the same instant adds to `velocity`, J M_o⁺ i_u [m/s]. Restitution refers to
  // `velocity`, before it acts; external_push.h has the rule.
  ContactVector push = {};
};

// A contact that touches, and how it would accelerate if it carried no force: the question at the level of forces.
//   v̇ = D λ + f      f = J q̈_free + J̇ q̇ − v̇_s
struct AccelerationProblem {
  ImpactProblem contact;
  ContactVector free_acceleration;  // f [m/s²]; f_n < 0: the other forces press the bodies together
};

}  // namespace routh
