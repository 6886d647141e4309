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

#include <span>

namespace routh {

enum class Dimension { planar, spatial };

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

// Coulomb friction; 0 ≤ kinetic ≤ static. Infinity is allowed and means the limit of large friction: slip halts at
// once.
struct Friction {
  double static_coefficient = 0;
  double kinetic_coefficient = 0;
};

struct RestitutionPoint {
  double speed = 0;        // approach speed [m/s], increasing along a table
  double coefficient = 0;  // in [0, 1]
};

enum class RestitutionKind { constant, linear, table };

// Coefficient of restitution, constant or a function of the approach speed −v_n⁻.
//   constant  e = normal
//   linear    e = 1 − α |v_n⁻|, valid while α |v_n⁻| ≤ 1 (e = 0 and a warning beyond); α = 2c/(3k) for a contact of
//             stiffness k and damping c (Hunt and Crossley)
//   table     linear interpolation; the end values, and a warning, outside
struct Restitution {
  RestitutionKind kind = RestitutionKind::constant;
  double normal = 0;                        // constant coefficient, in [0, 1]
  double tangential = 0;                    // e_t, in [−1, 1]; only the unified law has it
  double alpha = 0;                         // [s/m], ≥ 0
  std::span<const RestitutionPoint> table;  // not owned; at least one point
};

// Whether the other forces press the bodies together. It matters for v_n = 0 only: pressed and jammed, a contact
// suffers a tangential impact (an impact without collision).
enum class Load { unknown, pressed };

struct ImpactProblem {
  ContactInertia inertia;
  ContactVector velocity;          // J q̇, of the contact point of one body relative to the other [m/s]
  ContactVector surface_velocity;  // v_s, of a moving surface such as a belt [m/s]
  Friction friction;
  Restitution restitution;
  Load load = Load::unknown;
};

enum class Law {
  newton,     // Routh's increment, ends at v_n = −e v_n⁻
  poisson,    // Routh's increment, ends at I_n = (1 + e) I_nc
  energetic,  // Routh's increment, ends when W_r = −e² W_c (Stronge)
  unified,    // Aghili's stick/slip map, friction along the mean slip velocity
  classical,  // the textbook: friction along the final slip velocity
};
inline constexpr int law_count = 5;
inline constexpr Law all_laws[law_count] = {Law::energetic, Law::poisson, Law::newton, Law::unified, Law::classical};

}  // namespace routh
