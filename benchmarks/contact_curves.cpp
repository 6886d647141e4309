// What docs/contacts.md draws: the residual of each method against its time, and the time against the contacts.
// Lines of figure, panel, method, x, y, between tabs; tools/draw_contact_curves makes pictures of them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "bench.h"
#include "contact_scenes.h"
#include "routh/contacts/interior_point.h"
#include "routh/contacts/one_contact.h"
#include "routh/contacts/pyramid.h"
#include "routh/contacts/tolerances.h"
#include "timing.h"

namespace {

using routh::FrictionContactProblem;
using namespace routh::internal;

constexpr double accuracy = 1e-8;    // of the natural map
constexpr double patience = 2;       // [s] for one curve
constexpr double swept_well = 1e-4;  // where sweeps alone count as done: they stop between 1e-2 and 1e-5

void point(const char* figure, const std::string& panel, const char* method, double x, double y) {
  std::printf("%s\t%s\t%s\t%.6g\t%.6g\n", figure, panel.c_str(), method, x, y);
}

double residual(const ContactSystem& system, const std::vector<Vector3>& impulse) {
  std::vector<Vector3> velocity;
  system.respond(impulse, velocity);
  return residual_of(system, impulse, velocity).natural;
}

// Seconds of a solve, the least of some; what it leaves.
struct Solve {
  double seconds = 1e30, residual = 0;
  int iterations = 0;
};

template <class Work>
Solve least(Work work) {
  Solve best;
  const double begin = bench::cpu_seconds();
  for (int round = 0; round < 5 && (round < 1 || bench::cpu_seconds() - begin < 0.2); ++round) {
    const double start = bench::cpu_seconds();
    Solve now;
    work(now);
    now.seconds = std::min(best.seconds, bench::cpu_seconds() - start);
    best = now;
  }
  return best;
}

// All methods in their order, stopped after so many steps.
Solve in_order(const FrictionContactProblem& problem, int iterations, double tolerance) {
  routh::FrictionContactSolver solver;
  Eigen::VectorXd impulse;
  Solve result = least([&](Solve& now) {
    routh::ContactsOptions options;
    options.uniqueness = options.certificate = false;
    options.tolerance = tolerance;
    options.iterations = iterations;
    solver = routh::FrictionContactSolver();
    const routh::ContactsSolution& s = solver.solve(problem, options);
    impulse = s.impulse;
    now.iterations = s.iterations;
  });
  result.residual = natural_residual(problem, impulse);
  return result;
}

Solve interior_alone(const FrictionContactProblem& problem, int steps, double tolerance) {
  ContactSystem system;
  ContactsState state;
  Solve result = least([&](Solve& now) {
    system.take_up(problem);
    BlockFactor factor;
    InteriorPoint interior;
    state = {};
    state.impulse.assign(system.kind.size(), Vector3::Zero());
    system.respond(state.impulse, state.velocity);
    state.residual = residual_of(system, state.impulse, state.velocity);
    interior.run(system, factor, tolerance, steps, state, now.iterations);
  });
  result.residual = residual(system, state.impulse);
  return result;
}

void residuals_over_time(const std::string& panel, const FrictionContactProblem& problem) {
  const char* const figure = "residual";
  const double begin = bench::cpu_seconds();
  for (int steps = 1; bench::cpu_seconds() - begin < patience; steps += 1 + steps / 12) {
    const Solve s = in_order(problem, steps, 1e-12);
    point(figure, panel, "methods in order", 1e3 * s.seconds, s.residual);
    if (s.iterations < steps || s.residual < accuracy) break;
  }
  const double interior_begin = bench::cpu_seconds();
  for (int steps = 1; steps <= 60 && bench::cpu_seconds() - interior_begin < patience; steps += 1 + steps / 12) {
    const Solve s = interior_alone(problem, steps, 1e-12);
    point(figure, panel, "interior points alone", 1e3 * s.seconds, s.residual);
    if (s.iterations < steps) break;
  }
  ContactSystem system;
  double spent = -bench::cpu_seconds();
  system.take_up(problem);
  std::vector<Vector3> impulse(system.kind.size(), Vector3::Zero());
  spent += bench::cpu_seconds();
  for (int done = 0, next = 1; spent < patience / 4;) {
    const double start = bench::cpu_seconds();
    for (; done < next; ++done) sweep(system, impulse);
    spent += bench::cpu_seconds() - start;
    const double left = residual(system, impulse);
    point(figure, panel, "sweeps alone", 1e3 * spent, left);
    if (left < accuracy) break;
    next = done + std::max(1, done / 3);
  }
}

// Of towers of boxes: until the accuracy is reached; what does not reach it has no point.
void times_over_contacts() {
  const char *const figure = "time", *const panel = "towers of boxes";
  for (const int boxes : {1, 2, 3, 6, 10, 30, 100, 300, 1000, 3000}) {
    const FrictionContactProblem problem = bench::box_tower(boxes).problem();
    const double contacts = problem.contacts();
    const Solve s = in_order(problem, 10000, accuracy);
    if (s.residual <= accuracy) point(figure, panel, "methods in order", contacts, 1e3 * s.seconds);
    if (boxes <= 1000) {
      const Solve interior = interior_alone(problem, 200, swept_well);
      if (interior.residual <= swept_well)
        point(figure, panel, "interior points to 1e-4", contacts, 1e3 * interior.seconds);
    }
    ContactSystem system;
    system.take_up(problem);
    if (system.size() <= tolerances::pyramid_contacts) {
      bool found = false;
      const Solve lemke = least([&](Solve&) {
        PyramidFans fans;
        fans.widen(system.size());
        std::vector<Vector3> impulse;
        found = PyramidSolver().solve(system, fans, impulse);
      });
      if (found) point(figure, panel, "Lemke on pyramids", contacts, 1e3 * lemke.seconds);
    }
    std::vector<Vector3> impulse(system.kind.size(), Vector3::Zero());
    double spent = 0, left = 1;
    while (spent < patience && left > swept_well) {
      const double start = bench::cpu_seconds();
      for (int k = 0; k < 10; ++k) sweep(system, impulse);
      spent += bench::cpu_seconds() - start;
      left = residual(system, impulse);
    }
    if (left <= swept_well) point(figure, panel, "sweeps to 1e-4", contacts, 1e3 * spent);
  }
}

}  // namespace

namespace bench {

void run_curves() {
  residuals_over_time("13 boxes, 52 contacts", box_tower(13).problem());
  residuals_over_time("64 spheres in a pile, 160 contacts", sphere_pile(4).problem());
  ContactScene uneven = box_tower(8);
  for (std::size_t i = 0; i < uneven.bodies.size(); ++i) {
    const double mass = std::pow(10.0, static_cast<double>(5 * i % 7));  // light under heavy and the reverse
    uneven.bodies[i].inverse_mass /= mass;
    uneven.bodies[i].inverse_inertia /= mass;
  }
  residuals_over_time("8 boxes, masses 1 to 10⁶, 32 contacts", uneven.problem());
  times_over_contacts();
}

}  // namespace bench
