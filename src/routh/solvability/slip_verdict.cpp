#include "routh/solvability/single_contact.h"

#include <cmath>
#include <limits>

#include "routh/impact/inertia.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

SlipMode mode_of(double A, double B) {
  if (A > 0) return B < 0 ? SlipMode::slides : SlipMode::detaches;
  if (B < 0) return SlipMode::inconsistent;
  return (A < 0) == (B > 0) ? SlipMode::indeterminate : SlipMode::detaches;
}

}  // namespace

SlipVerdict judge_slip(const ContactInertia& inertia, double kinetic, SlipDirection direction,
                       const ContactVector& free_acceleration) {
  const Tangent sigma{direction.t1, direction.t2};
  const Tangent b_sigma = apply_tangential(inertia, sigma);
  const double c_sigma = dot(coupling(inertia), sigma);
  SlipVerdict out;
  out.A = slip_slope(inertia, kinetic, sigma);
  out.B = free_acceleration.n;
  out.C1 = inertia.c1 - kinetic * b_sigma.t1;
  out.C2 = inertia.c2 - kinetic * b_sigma.t2;
  out.D1 = free_acceleration.t1;
  out.D2 = free_acceleration.t2;
  out.mode = mode_of(out.A, out.B);
  if (out.mode == SlipMode::slides) out.normal_force = -out.B / out.A;
  out.direction_friction = c_sigma > 0 ? inertia.a / c_sigma : std::numeric_limits<double>::infinity();
  out.marginal = std::abs(out.A) <= tolerances::marginal_relative * (inertia.a + std::abs(kinetic * c_sigma)) ||
                 std::abs(out.B) <= tolerances::marginal_relative * largest(free_acceleration);
  return out;
}

SlipState slip_of(const ContactVector& relative_velocity) {
  const double speed = norm(tangent(relative_velocity));
  if (speed == 0) return {};
  return {speed, {relative_velocity.t1 / speed, relative_velocity.t2 / speed}};
}

}  // namespace routh
