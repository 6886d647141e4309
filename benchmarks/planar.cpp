#include <cmath>
#include <cstdio>
#include <vector>

#include "bare_impact.h"
#include "bench.h"
#include "routh/impact/solve.h"
#include "support/random_problems.h"
#include "timing.h"

void bench::run_planar() {
  testing_support::Random random(11);
  std::vector<routh::ImpactProblem> problems;
  std::vector<bench::Bare> bare;
  for (int i = 0; i < 4000; ++i) {
    const routh::ImpactProblem p = testing_support::random_planar(random);
    problems.push_back(p);
    bare.push_back({p.inertia.a, p.inertia.b11, p.inertia.c1, p.velocity.n, p.velocity.t1,
                    p.friction.static_coefficient, p.friction.kinetic_coefficient, p.restitution.normal});
  }
  double worst = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const double ours = routh::solve_impact(problems[i]).impulse.n;
    worst = std::fmax(worst, std::fabs(bench::solve_bare(bare[i]).i_n - ours) / (ours + 1e-300));
  }
  const auto solve = [](const routh::ImpactProblem& p) { keep(routh::solve_impact(p)); };
  const Distribution each = time_each(problems, 100, 7, solve);
  const double through = time_through(problems, 21, solve);
  const Distribution floor_each = time_each(bare, 100, 7, [](const Bare& p) { keep(bench::solve_bare(p)); });
  const double floor_through = time_through(bare, 21, [](const Bare& p) { keep(bench::solve_bare(p)); });
  std::printf("planar impact, energetic, %zu random problems\n", problems.size());
  std::printf("  routh         median %6.1f ns   p99 %6.1f ns   in random order %6.1f ns\n", each.median, each.p99,
              through);
  std::printf("  bare solver   median %6.1f ns   p99 %6.1f ns   in random order %6.1f ns\n", floor_each.median,
              floor_each.p99, floor_through);
  std::printf("  ratio         median %6.2f      in random order %.2f   (agreement %.0e)\n\n",
              each.median / floor_each.median, through / floor_through, worst);
}
