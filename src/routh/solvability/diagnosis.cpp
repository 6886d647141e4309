#include "routh/solvability/diagnosis.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/inertia.h"
#include "routh/impact/solve.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

// v − v_s, with parts that are rounding set to zero. An external impulse can make a contact approach; one that
// approaches strikes, whatever acts beside.
ContactVector relative_velocity(const ImpactProblem& contact) {
  const ContactVector before = minus(contact.velocity, contact.surface_velocity);
  ContactVector v = plus(before, contact.push);
  if (before.n < 0) v.n = before.n;
  const double scale = tolerances::zero_speed_relative *
                       std::max({largest(contact.velocity), largest(contact.surface_velocity), largest(contact.push)});
  if (std::abs(v.n) <= scale) v.n = 0;
  if (norm(tangent(v)) <= scale) v.t1 = v.t2 = 0;
  return v;
}

ContactVerdict verdict_of(SlipMode mode) {
  switch (mode) {
    case SlipMode::detaches:
      return ContactVerdict::detaches;
    case SlipMode::slides:
      return ContactVerdict::slides;
    case SlipMode::indeterminate:
      return ContactVerdict::false_cohesion;
    case SlipMode::inconsistent:
      return ContactVerdict::jams;
  }
  return ContactVerdict::unknown;
}

ContactVerdict verdict_of(const RestVerdict& rest) {
  if (rest.answer == RestAnswer::none) return ContactVerdict::unsolvable;
  switch (rest.chosen().mode) {
    case RestMode::detaches:
      return ContactVerdict::detaches;
    case RestMode::sticks:
      return ContactVerdict::sticks;
    case RestMode::slips:
      return ContactVerdict::starts_slipping;
  }
  return ContactVerdict::unknown;
}

void add_impact(ContactDiagnosis& out, const ContactVector& v, Law law) {
  ImpactProblem problem = out.problem.contact;
  if (v.n == 0) {
    problem.velocity = plus(problem.velocity, problem.push);
    problem.velocity.n = problem.surface_velocity.n;
    problem.push = {};
    problem.load = Load::pressed;
  }
  out.has_impact = true;
  out.impact = solve_impact(problem, law);
}

ContactVerdict judge(ContactDiagnosis& out, const ContactVector& v) {
  if (v.n > 0) return ContactVerdict::separates;
  if (v.n < 0) return ContactVerdict::strikes;
  if (out.known == FreeAcceleration::unknown) return ContactVerdict::unknown;
  if (out.slip.speed > 0) return verdict_of(out.sliding.mode);
  out.rest = judge_rest(out.problem.contact.inertia, out.problem.contact.friction, out.problem.free_acceleration);
  return verdict_of(out.rest);
}

}  // namespace

ContactDiagnosis diagnose(const AccelerationProblem& problem, FreeAcceleration known, Law law) {
  ContactDiagnosis out;
  out.problem = problem;
  out.known = known;
  const ImpactProblem& contact = out.problem.contact;
  const ContactVector v = relative_velocity(contact);
  const double kinetic = std::min(contact.friction.kinetic_coefficient, widest_friction);
  out.bounds = compute_bounds(contact);
  out.slip = slip_of(v);
  out.cone = friction_cone(contact.inertia, kinetic);
  if (out.slip.speed > 0)
    out.sliding = judge_slip(contact.inertia, kinetic, out.slip.direction, problem.free_acceleration);
  out.verdict = judge(out, v);
  const bool touching = v.n == 0 && known == FreeAcceleration::given;
  if (touching && out.slip.speed > 0) out.cone_verdict = cone_verdict(out.sliding);
  if (out.verdict == ContactVerdict::strikes || out.verdict == ContactVerdict::jams) add_impact(out, v, law);
  if (v.n < 0) out.region = admissible_region(contact);
  out.every_velocity = admissible_for_all(contact);
  return out;
}

const char* name(ContactVerdict verdict) {
  switch (verdict) {
    case ContactVerdict::strikes:
      return "strikes";
    case ContactVerdict::separates:
      return "separates";
    case ContactVerdict::detaches:
      return "detaches";
    case ContactVerdict::slides:
      return "slides";
    case ContactVerdict::false_cohesion:
      return "false cohesion";
    case ContactVerdict::jams:
      return "jams";
    case ContactVerdict::sticks:
      return "sticks";
    case ContactVerdict::starts_slipping:
      return "starts slipping";
    case ContactVerdict::unsolvable:
      return "unsolvable";
    case ContactVerdict::unknown:
      return "unknown";
  }
  return "";
}

}  // namespace routh
