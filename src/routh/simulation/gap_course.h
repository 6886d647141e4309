// A gap along a flight with constant accelerations (uniform_motion.h), in closed form: a point that turns evenly about
// an origin which moves on a parabola, over a plane that stands still.
//
//   g(t) = g + (ġ − ω s) t − ½ p t² + c (cos ωt − 1) + s sin ωt
//
// c, s: the height of the point over the origin, less its part along the axis, and a quarter turn later. Joint limits
// are the same without a turn. Private to the module.
#pragma once

#include "routh/contact/contact.h"

namespace routh::internal {

struct GapCourse {
  ContactId id;
  Vector3 normal;
  double gap = 0, rate = 0;  // g, ġ at t = 0
  double pull = 0;           // p: of the origin towards the plane [m/s²]
  double turning = 0;        // ω [rad/s]
  double cosine = 0, sine = 0;

  double gap_at(double t) const;
  double rate_at(double t) const;
  double pull_at_start() const { return pull + turning * turning * cosine; }
  // |g̈| is nowhere greater.
  double largest_acceleration() const;
};

// Whether every gap of a machine that accelerates uniformly has such a course: points, spheres, capsules and boxes over
// half-spaces that do not move, and limits.
bool gaps_have_courses(const Model& model);

// Of a contact at a state, with the rate of its gap and the flight's acceleration along its normal, Jn q̈. After
// compute_twists.
GapCourse gap_course(const Model& model, const Workspace& workspace, const Contact& contact, double rate,
                     double acceleration);

}  // namespace routh::internal
