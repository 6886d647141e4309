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

#include "routh/impact/surface.h"

namespace routh {

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
