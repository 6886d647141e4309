/* One impact from C: a rod that falls obliquely on a rough floor, under three laws.
 * Build against an installed Routh with find_package(routh) and target_link_libraries(... routh::routh) in a project of
 * languages C and CXX: the library itself needs the C++ runtime. */
#include <math.h>
#include <stdio.h>

#include "routh/capi/routh_c.h"

int main(void) {
  /* A uniform rod of 1 kg and 1 m at 60 degrees, struck at its lower end: M = diag(m, m, ml^2/12), and the velocity of
   * the tip is J (x', y', angle') with the normal (upward) row first. */
  const double angle = acos(-1.0) / 3, half = 0.5;
  const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1.0 / 12};
  const double jacobian[6] = {0, 1, -half * cos(angle), 1, 0, half * sin(angle)};
  const double velocity[3] = {0.5, -2, 0};
  const routh_machine rod = {3, mass, jacobian, velocity, 0, NULL, NULL};
  const routh_law laws[3] = {ROUTH_ENERGETIC, ROUTH_POISSON, ROUTH_NEWTON};

  routh_problem problem;
  routh_problem_init(&problem);
  problem.dimension = 2;
  problem.static_friction = 0.4;
  problem.kinetic_friction = 0.3;
  problem.restitution = 0.6;

  printf("law        mode                    impulse [N s]   turns [rad/s]   energy [J]\n");
  for (int k = 0; k < 3; ++k) {
    routh_result result;
    double after[3];
    problem.law = laws[k];
    if (!routh_usable(routh_impact_machine(&rod, &problem, &result, after))) {
      fprintf(stderr, "%s\n", routh_status_text(result.status));
      return 1;
    }
    printf("%-10s %-22s %14.6f %15.6f %12.6f\n", routh_law_name(laws[k]), routh_mode_name(result.mode),
           result.impulse[0], after[2], result.energy.change);
    if (!result.energy.consistent || result.energy.change > 0) return 1;
  }
  return 0;
}
