#include <cmath>
#include <cstdio>
#include <vector>

#include "bench.h"
#include "routh/impact/solve.h"
#include "support/random_problems.h"
#include "timing.h"

namespace {

// The yardstick: energetic restitution in the plane and nothing else: no phases, no ledger, no checks, no status.
struct Bare {
  double a, b, c, vn, vt, mu_s, mu, e;
};
struct BareAnswer {
  double i_n, i_t;
};

BareAnswer solve_bare(const Bare& p) {
  double vn = p.vn, vt = p.vt, in = 0, it = 0, work = 0, target = 0;
  bool compressing = true;
  for (int stretch = 0; stretch < 6; ++stretch) {
    double f = 0;
    bool sticks = false;
    if (vt != 0) {
      f = vt > 0 ? -p.mu : p.mu;
    } else {
      f = -p.c / p.b;
      sticks = std::fabs(f) <= p.mu_s;
      if (!sticks) f = f > 0 ? p.mu : -p.mu;
    }
    const double dn = p.a + p.c * f, dt = sticks ? 0 : p.c + p.b * f;
    double step = 1e300;
    if (compressing) {
      if (dn > 0) step = -vn / dn;
    } else {
      const double rest = target - work;
      step = 2 * rest / (vn + std::sqrt(vn * vn + 2 * dn * rest));
    }
    const bool halts = vt * dt < 0 && -vt / dt < step;
    if (halts) step = -vt / dt;
    work += step * (vn + 0.5 * dn * step);
    vn += dn * step;
    in += step;
    it += f * step;
    if (halts) {
      vt = 0;
      continue;
    }
    vt += dt * step;
    if (!compressing) break;
    compressing = false;
    vn = 0;
    target = work - p.e * p.e * work;
  }
  return {in, it};
}

}  // namespace

void bench::run_planar() {
  testing_support::Random random(11);
  std::vector<routh::ImpactProblem> problems;
  std::vector<Bare> bare;
  for (int i = 0; i < 4000; ++i) {
    const routh::ImpactProblem p = testing_support::random_planar(random);
    problems.push_back(p);
    bare.push_back({p.inertia.a, p.inertia.b11, p.inertia.c1, p.velocity.n, p.velocity.t1,
                    p.friction.static_coefficient, p.friction.kinetic_coefficient, p.restitution.normal});
  }
  double worst = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const double ours = routh::solve_impact(problems[i]).impulse.n;
    worst = std::fmax(worst, std::fabs(solve_bare(bare[i]).i_n - ours) / (ours + 1e-300));
  }
  const auto solve = [](const routh::ImpactProblem& p) { keep(routh::solve_impact(p)); };
  const Distribution each = time_each(problems, 100, 7, solve);
  const double through = time_through(problems, 21, solve);
  const Distribution floor_each = time_each(bare, 100, 7, [](const Bare& p) { keep(solve_bare(p)); });
  const double floor_through = time_through(bare, 21, [](const Bare& p) { keep(solve_bare(p)); });
  std::printf("planar impact, energetic, %zu random problems\n", problems.size());
  std::printf("  routh         median %6.1f ns   p99 %6.1f ns   in random order %6.1f ns\n", each.median, each.p99,
              through);
  std::printf("  bare solver   median %6.1f ns   p99 %6.1f ns   in random order %6.1f ns\n", floor_each.median,
              floor_each.p99, floor_through);
  std::printf("  ratio         median %6.2f      in random order %.2f   (agreement %.0e)\n\n",
              each.median / floor_each.median, through / floor_through, worst);
}
