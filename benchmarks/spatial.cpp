#include <cmath>
#include <cstdio>
#include <vector>

#include "bench.h"
#include "routh/impact/solve.h"
#include "support/oracle.h"
#include "support/random_problems.h"
#include "timing.h"

#ifdef ROUTH_HAVE_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_Solvers.h>
#endif

namespace {

using routh::ContactVector;

double length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

// Greatest relative error of impulse, velocity and works against the march in extended precision.
double error_of(const routh::ImpactProblem& p, const oracle::Answer& truth, const routh::ImpactResult& ours) {
  const auto value = [](oracle::Real x) { return static_cast<double>(x); };
  const double impulse = length(value(truth.in), value(truth.it1), value(truth.it2));
  const double speed = length(p.velocity.n, p.velocity.t1, p.velocity.t2);
  const double di =
      length(ours.impulse.n - value(truth.in), ours.impulse.t1 - value(truth.it1), ours.impulse.t2 - value(truth.it2));
  const double dv = length(ours.velocity.n - value(truth.vn), ours.velocity.t1 - value(truth.vt1),
                           ours.velocity.t2 - value(truth.vt2));
  const double dw = std::fabs(ours.energy.normal_work - value(truth.normal_work)) +
                    std::fabs(ours.energy.tangential_work - value(truth.tangential_work));
  // Work against the energy that passes through the contact; the sum of works alone may vanish (e = 1, μ = 0).
  const double energy = 0.5 * std::fabs(p.velocity.n) * impulse;
  return std::fmax(std::fmax(di / impulse, dv / speed), dw / energy);
}

void measure_accuracy(const std::vector<routh::ImpactProblem>& problems) {
  int counted = 0, outside = 0, ill = 0;
  double worst = 0;
  for (const routh::ImpactProblem& p : problems)
    for (const routh::Law law : testing_support::incremental_laws) {
      const oracle::Answer truth = oracle::solve(testing_support::to_oracle(p), testing_support::to_oracle(law));
      if (truth.outcome != oracle::Outcome::solved) continue;
      if (truth.dip < 1e-12L) {
        ++ill;
        continue;
      }
      ++counted;
      const double error = error_of(p, truth, routh::solve_impact(p, law));
      if (!(error <= 1e-10)) ++outside;
      worst = std::fmax(worst, error);
    }
  std::printf(
      "  accuracy      %.3f %% of %d within 1e-10 of the march in extended precision, worst %.0e; %d left out as"
      " ill-conditioned\n",
      100.0 * (counted - outside) / counted, counted, worst, ill);
}

#ifdef ROUTH_HAVE_SICONOS
struct SiconosItem {
  double w[9];
  double q[3];
  double mu;
};

bench::Distribution time_siconos(const std::vector<routh::ImpactProblem>& problems) {
  std::vector<SiconosItem> items;
  for (const routh::ImpactProblem& p : problems) {
    const routh::ContactInertia& d = p.inertia;
    items.push_back({{d.a, d.c1, d.c2, d.c1, d.b11, d.b12, d.c2, d.b12, d.b22},
                     {(1 + p.restitution.normal) * p.velocity.n, p.velocity.t1, p.velocity.t2},
                     p.friction.kinetic_coefficient});
  }
  SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  solver_options_update_internal(options, 0, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100;
  options->internalSolvers[0]->dparam[SICONOS_DPARAM_TOL] = 1e-14;
  FrictionContactProblem* problem = frictionContactProblem_new();
  problem->dimension = 3;
  problem->numberOfContacts = 1;
  SiconosItem current{};
  problem->M = NM_create_from_data(NM_DENSE, 3, 3, current.w);
  problem->q = current.q;
  problem->mu = &current.mu;
  const bench::Distribution answer = bench::time_each(items, 20, 5, [&](const SiconosItem& item) {
    current = item;
    double reaction[3] = {}, velocity[3] = {};
    options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    fc3d_driver(problem, reaction, velocity, options);
    bench::keep(reaction);
  });
  solver_options_delete(options);
  return answer;
}
#endif

void compare_with_siconos([[maybe_unused]] const std::vector<routh::ImpactProblem>& problems,
                          [[maybe_unused]] const bench::Distribution& ours) {
#ifdef ROUTH_HAVE_SICONOS
  const bench::Distribution peer = time_siconos(problems);
  std::printf("  siconos       median %6.0f ns   (fc3d_nsgs, NSN_GP, 1e-12; the one-shot question, which is easier)\n",
              peer.median);
  std::printf("  ratio         median %6.2f\n", ours.median / peer.median);
#else
  std::printf("  siconos       not installed\n");
#endif
}

}  // namespace

void bench::run_spatial() {
  using testing_support::Family;
  struct Group {
    const char* name;
    std::vector<Family> families;
    bool with_peer;  // the peer fails on, and complains at length about, the hard ones
  };
  const Group groups[] = {
      {"bodies and machines: rods, boxes, random D", {Family::rod, Family::body, Family::gram}, true},
      {"made to be hard: nearly planar, nearly jamming", {Family::near_planar, Family::coupled}, false}};
  const auto solve = [](const routh::ImpactProblem& p) { keep(routh::solve_impact(p)); };
  for (const Group& group : groups) {
    testing_support::Random random(12);
    std::vector<routh::ImpactProblem> problems;
    for (std::size_t i = 0; i < 3000; ++i)
      problems.push_back(testing_support::random_spatial(random, group.families[i % group.families.size()]));
    const Distribution each = time_each(problems, 20, 7, solve);
    const double through = time_through(problems, 11, solve);
    std::printf("spatial impact, energetic, %zu problems; %s\n", problems.size(), group.name);
    std::printf("  routh         median %6.0f ns   p99 %6.0f ns   mean in random order %6.0f ns\n", each.median,
                each.p99, through);
    if (group.with_peer) compare_with_siconos(problems, each);
    measure_accuracy(problems);
    std::printf("\n");
  }
}
