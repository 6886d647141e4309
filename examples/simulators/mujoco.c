/* MuJoCo's contacts, Routh's impulse: Kane's double pendulum strikes the ground once as MuJoCo steps through it, and
 * once as Routh solves it on the mass matrix, the contact frame and the Jacobian that MuJoCo has computed. In C, with
 * the C interface of Routh. Gravity is off, so that the kinetic energy is all there is. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "routh/capi/routh_c.h"

/* Two uniform rods, 3 kg and 2 m each, at 20 and 30 degrees from the vertical. The tip is a tiny ball that sinks into
 * the floor by a nanometre, which makes it a contact. MuJoCo's restitution is a spring and damper that never pulls: of
 * damping ratio z, with s = sqrt(1 - z^2), e = exp(-z (pi - atan2(2 z s, 1 - 2 z^2)) / s) without friction, here 0.7
 * [Schwager and Poeschel 2007]. */
static const char* const pendulum =
    "<mujoco><compiler angle='degree' inertiafromgeom='false'/><option gravity='0 0 0' cone='elliptic'/>"
    "<default><geom solref='0.01 0.1222' solimp='0.999 0.999 0.001' friction='0.5 0 0'/></default>"
    "<worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 %.17g'>"
    "<inertial pos='0 0 -1' mass='3' diaginertia='1 1 0.01'/><joint type='hinge' axis='0 -1 0'/>"
    "<body pos='0 0 -2'>"
    "<inertial pos='0 0 -1' mass='3' diaginertia='1 1 0.01'/><joint type='hinge' axis='0 -1 0'/>"
    "<geom type='sphere' size='1e-6' pos='0 0 -2'/></body></body></worldbody></mujoco>";

enum { most_coordinates = 8 };

static void show(const char* who, double before, double after, double normal_velocity) {
  printf("%-28s %12.5f %12.5f %12.5f %11.5f\n", who, before, after, after - before, normal_velocity);
}

/* The state just before the strike. */
static void start(const mjModel* m, mjData* d) {
  mj_resetData(m, d);
  d->qpos[0] = acos(-1.0) / 9;
  d->qpos[1] = acos(-1.0) / 18;
  d->qvel[0] = d->qvel[1] = -0.1;
  mj_forward(m, d);
}

static double kinetic_energy(const mjModel* m, mjData* d) {
  mjtNum product[most_coordinates];
  mj_mulM(m, d, product, d->qvel);
  return mju_dot(product, d->qvel, m->nv) / 2;
}

/* The Jacobian of a contact: how its second geom moves relative to its first, in the frame of the contact, whose first
 * axis is the normal from the first to the second. Routh wants the same: normal first, below zero approaches. */
static void contact_jacobian(const mjModel* m, const mjData* d, const mjContact* contact, mjtNum* jacobian) {
  mjtNum first[3 * most_coordinates], second[3 * most_coordinates];
  mj_jac(m, d, first, NULL, contact->pos, m->geom_bodyid[contact->geom1]);
  mj_jac(m, d, second, NULL, contact->pos, m->geom_bodyid[contact->geom2]);
  mju_subFrom(second, first, 3 * m->nv);
  mju_mulMatMat(jacobian, contact->frame, second, 3, 3, m->nv);
}

/* Solves the strike of a contact with Routh and puts the velocity after it into `d`. */
static routh_status strike(const mjModel* m, mjData* d, const mjContact* contact, routh_result* result) {
  mjtNum mass[most_coordinates * most_coordinates], jacobian[3 * most_coordinates];
  mj_fullM(m, mass, d->qM);
  contact_jacobian(m, d, contact, jacobian);
  const routh_machine machine = {m->nv, mass, jacobian, d->qvel, 0, NULL, NULL};
  routh_problem problem;
  routh_problem_init(&problem); /* three dimensions, the energetic law */
  problem.static_friction = 0.51;
  problem.kinetic_friction = contact->friction[0];
  problem.restitution = 0.7;
  mjtNum after[most_coordinates];
  const routh_status status = routh_impact_machine(&machine, &problem, result, after);
  if (routh_usable(status)) mju_copy(d->qvel, after, m->nv);
  return status;
}

static double normal_velocity(const mjModel* m, mjData* d, const mjContact* contact) {
  mjtNum jacobian[3 * most_coordinates];
  contact_jacobian(m, d, contact, jacobian);
  return mju_dot(jacobian, d->qvel, m->nv);
}

int main(void) {
  char text[2048], error[512] = "";
  const double height = 2 * cos(acos(-1.0) / 9) + 2 * cos(acos(-1.0) / 6) + 1e-6 - 1e-9;
  snprintf(text, sizeof text, pendulum, height);
  FILE* const file = fopen("double_pendulum.xml", "w"); /* which MuJoCo reads from a file */
  if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
    perror("double_pendulum.xml");
    return 1;
  }
  mjModel* const m = mj_loadXML("double_pendulum.xml", NULL, error, sizeof error);
  remove("double_pendulum.xml");
  if (!m || m->nv > most_coordinates) {
    fprintf(stderr, "mujoco: %s\n", error);
    return 1;
  }
  mjData* const d = mj_makeData(m);
  printf("%-28s %12s %12s %12s %11s\n", "", "before [J]", "after [J]", "change [J]", "v_n [m/s]");

  /* MuJoCo alone: small steps until the contact is open again. */
  start(m, d);
  double before = kinetic_energy(m, d);
  m->opt.timestep = 1e-5;
  const mjContact last = d->contact[0];
  for (int step = 0; step < 100000 && d->ncon > 0; ++step) mj_step(m, d);
  show("MuJoCo alone", before, kinetic_energy(m, d), normal_velocity(m, d, &last));

  /* MuJoCo's contacts, Routh's impulse. */
  start(m, d);
  before = kinetic_energy(m, d);
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact contact = d->contact[i];
    if (normal_velocity(m, d, &contact) >= 0) continue;
    routh_result result;
    if (!routh_usable(strike(m, d, &contact, &result))) {
      fprintf(stderr, "routh: %s\n", routh_status_text(result.status));
      return 1;
    }
    show("MuJoCo's contact, Routh's I", before, kinetic_energy(m, d), normal_velocity(m, d, &contact));
    printf("%s under the %s law: %s, impulse %.5f N s, energy %+.5f J\n", routh_status_name(result.status),
           routh_law_name(ROUTH_ENERGETIC), routh_mode_name(result.mode), result.impulse[0], result.energy.change);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
