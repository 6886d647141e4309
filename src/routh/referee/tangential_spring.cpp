// The tangents through a spring s: ṡ = v_t, T = −k_t s; where ‖T‖ would exceed μ_k F it is brought back to the cone
// along its own direction (radial return), and the contact slips. Static friction has no meaning of its own here.
// Positions and velocities leapfrog, at steps that are small beside the stiffest direction.
#include <algorithm>
#include <cmath>

#include "routh/impact/inertia.h"
#include "routh/referee/compliant_contact.h"
#include "routh/referee/tolerances.h"

namespace routh::internal {

CompliantCourse integrate_tangential_spring(const AccelerationProblem& problem, const CompliantContact& contact) {
  const ContactInertia& d = problem.contact.inertia;
  const double kt = contact.tangential_ratio * contact.stiffness, mu = problem.contact.friction.kinetic_coefficient;
  const double unit = 1 / std::sqrt(d.a * contact.stiffness);
  const double stiffest = std::max(1.0, (d.b11 + d.b22) * contact.tangential_ratio / d.a);
  const double h = tolerances::referee_spring_step * unit / std::sqrt(stiffest);
  CompliantCourse out;
  if (!(tolerances::referee_restitution_max * unit / h <= tolerances::referee_spring_steps_max)) return out;
  const long steps = static_cast<long>(tolerances::referee_restitution_max * unit / h);
  const long kept = std::max(1L, static_cast<long>(8 * unit / h) / (tolerances::referee_points_max / 4));
  out.end = CourseEnd::stays;
  ContactVector v = minus(problem.contact.velocity, problem.contact.surface_velocity), force;
  const double first = -v.n;
  Tangent s;
  double depth = 0, time = 0;
  for (long k = 0; k < steps; ++k) {
    depth -= 0.5 * h * v.n;
    s = {s.t1 + 0.5 * h * v.t1, s.t2 + 0.5 * h * v.t2};
    const double normal = contact.stiffness * depth - contact.damping * v.n;
    if (normal <= 0 && v.n > 0) {
      out.end = CourseEnd::separates;
      break;
    }
    force = {std::max(normal, 0.0), -kt * s.t1, -kt * s.t2};
    const double limit = mu * force.n, size = norm(tangent(force));
    if (size > limit) {
      const double share = limit / size;
      s = {s.t1 * share, s.t2 * share};
      force.t1 *= share, force.t2 *= share;
    }
    const ContactVector next = plus(v, times(plus(apply(d, force), problem.free_acceleration), h));
    const double work = 0.5 * h * force.n * (v.n + next.n);
    (v.n < 0 ? out.compression_work : out.restitution_work) += work;
    (v.n < 0 ? out.compression_impulse : out.restitution_impulse) += h * force.n;
    out.impulse = plus(out.impulse, times(force, h));
    v = next;
    out.fastest_approach = std::max(out.fastest_approach, -v.n);
    out.peak_force = std::max(out.peak_force, force.n);
    depth -= 0.5 * h * v.n;
    s = {s.t1 + 0.5 * h * v.t1, s.t2 + 0.5 * h * v.t2};
    time += h;
    if (k % kept == 0 && out.points.size() < static_cast<std::size_t>(tolerances::referee_points_max))
      out.points.push_back({time, depth, v, force});
  }
  out.velocity = v;
  out.duration = time;
  out.jams = out.fastest_approach > 1.01 * first;
  return out;
}

}  // namespace routh::internal
