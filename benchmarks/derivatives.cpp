// All derivatives of forward dynamics against forward dynamics themselves, and those of one impact against the impact,
// in turns in one process.
#include "routh/dynamics/derivatives.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench.h"
#include "routh/dynamics/dynamics.h"
#include "routh/impact/impact_derivatives.h"
#include "routh/impact/solve.h"
#include "support/machines.h"
#include "support/random_problems.h"
#include "timing.h"

namespace {

constexpr int derivative_states = 64;
constexpr int derivative_rounds = 60;

struct Times {
  double forward = 1e30, inverse_derivatives = 1e30, forward_derivatives = 1e30;  // [ns] of one
};

template <class F>
void keep_least(double& best, int passes, const F& f) {
  const double begin = bench::cpu_seconds();
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t k = 0; k < derivative_states; ++k) f(k);
  best = std::min(best, (bench::cpu_seconds() - begin) * 1e9 / (passes * derivative_states));
}

Times measure(const routh::Model& model) {
  routh::Workspace workspace(model);
  routh::DynamicsDerivatives derivatives(model);
  testing_support::Random random(25);
  std::vector<routh::State> states;
  for (int k = 0; k < derivative_states; ++k) states.push_back(random_state(random, model));
  Times times;
  double kept = 0;
  for (int round = 0; round < derivative_rounds; ++round) {
    keep_least(times.forward, 10, [&](std::size_t k) {
      compute_forward_dynamics(model, states[k].q, states[k].v, states[k].v, workspace);
      kept += workspace.acceleration[0];
    });
    keep_least(times.inverse_derivatives, 2, [&](std::size_t k) {
      derivatives.compute_inverse(model, states[k].q, states[k].v, states[k].v, workspace);
      kept += derivatives.force_by_position()(0, 0);
    });
    keep_least(times.forward_derivatives, 1, [&](std::size_t k) {
      derivatives.compute_forward(model, states[k].q, states[k].v, states[k].v, workspace);
      kept += derivatives.acceleration_by_position()(0, 0);
    });
  }
  bench::keep(kept);
  return times;
}

struct SolvedImpact {
  routh::ImpactProblem problem;
  routh::ImpactResult result;
};

// Derivatives alone, of an impact that is solved already.
template <class Make>
void time_impacts(const char* name, double aim, const Make& make) {
  testing_support::Random random(30);
  std::vector<SolvedImpact> impacts;
  for (int k = 0; k < 2000; ++k) {
    const routh::ImpactProblem problem = make(random);
    impacts.push_back({problem, routh::solve_impact(problem)});
  }
  const auto solve = [](const SolvedImpact& i) { bench::keep(routh::solve_impact(i.problem)); };
  const auto differentiate = [](const SolvedImpact& i) {
    bench::keep(routh::differentiate_impact(i.problem, i.result));
  };
  const bench::Distribution solved = bench::time_each(impacts, 20, 7, solve);
  const bench::Distribution differentiated = bench::time_each(impacts, 20, 7, differentiate);
  const double solved_in_turn = bench::time_through(impacts, 21, solve);
  const double differentiated_in_turn = bench::time_through(impacts, 21, differentiate);
  std::printf(
      "  %-10s impact %6.0f ns, its derivatives %6.0f ns: %4.1f impacts in the median (aim %.0f), %4.1f in random"
      " order\n",
      name, solved.median, differentiated.median, differentiated.median / solved.median, aim,
      differentiated_in_turn / solved_in_turn);
}

}  // namespace

void bench::run_derivatives() {
  std::printf("derivatives: dq''/d(q, q', tau) in forward dynamics, %d random states in turn, least of %d rounds\n",
              derivative_states, derivative_rounds);
  for (const testing_support::BenchmarkMachine& machine : testing_support::benchmark_machines()) {
    const Times times = measure(build_model(machine.description));
    std::printf("  %-10s forward dynamics %6.0f ns, inverse's derivatives %7.0f ns, all of forward's %7.0f ns: %5.1f",
                machine.description.name.c_str(), times.forward, times.inverse_derivatives, times.forward_derivatives,
                times.forward_derivatives / times.forward);
    std::printf(" forward dynamics (aim 15)\n");
  }
  std::printf("derivatives: one impact, energetic, by all its inputs, random problems\n");
  time_impacts("planar", 4, [](testing_support::Random& random) { return testing_support::random_planar(random); });
  time_impacts("spatial", 6, [](testing_support::Random& random) { return testing_support::random_spatial(random); });
  std::printf("\n");
}
