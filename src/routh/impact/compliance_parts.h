// The laws of contact force behind compliance.h, one family each.
#pragma once

#include "routh/impact/compliance.h"

namespace routh::internal {

// x″ = −xᵖ − d x^q x′, x(0) = 0, x′(0) = 1, until the force xᵖ + d x^q x′ returns to zero. d = 0: until x does.
struct ViscousLaw {
  double p = 1.5;
  double q = 1.5;
  double d = 0;
};
struct ViscousImpact {
  double restitution = 1;
  double duration = 0, peak_force = 0, indentation = 0;  // in units L/v, m v²/L, L with L = (m v²/k)^{1/(p+1)}
};
// By integration, q > 0 and p − q either 0 or positive.
ViscousImpact integrate(const ViscousLaw& law);
// p = 1, q = 0 in closed form.
ViscousImpact spring_dashpot(double d);
// e of p = q, whatever p.
double hunt_crossley_restitution(double d);

struct HertzContact {
  double modulus = 0;       // E*
  double radius = 0;        // R
  double least = 0;         // the smaller radius of the two
  double pressure = 0;      // p_y, infinite without a yield stress
  double yield_stress = 0;  // Y of the body that yields first
  double stiffness = 0;     // K
};
HertzContact hertz_contact(const Compliance& compliance);
double yield_speed(const HertzContact& contact, double mass);
CompliantImpact thornton_impact(const HertzContact& contact, double mass, double speed);
CompliantImpact johnson_impact(const HertzContact& contact, double mass, double speed);
SpeedRange thornton_speeds(const HertzContact& contact, double mass);
SpeedRange johnson_speeds(const HertzContact& contact, double mass);
SpeedRange hertz_speeds(const HertzContact& contact, double mass);

}  // namespace routh::internal
