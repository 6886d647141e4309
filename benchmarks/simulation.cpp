#include "simulation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench.h"
#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"
#include "timing.h"

namespace {

using bench::PlanarState;
using bench::StrikeScene;

constexpr double duration = 2;            // [s], until the scenes are at rest under our law
constexpr double smallest_step = 2.5e-6;  // of an engine with a fixed step: its own limit
constexpr double early = 0.6;             // [s], after two strikes of the rod, one of the pendulum

// One run: what it cost and where it ended.
struct Run {
  double setting = 0;  // tolerance or step
  double seconds = 0;  // CPU
  PlanarState end;
};

double distance(const PlanarState& a, const PlanarState& b) {
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i) most = std::max({most, std::fabs(a.q[i] - b.q[i]), std::fabs(a.v[i] - b.v[i])});
  return most;
}

PlanarState planar(const routh::State& state) {
  PlanarState out{static_cast<int>(state.q.size()), {}, {}};
  for (int i = 0; i < out.n; ++i) {
    out.q[static_cast<std::size_t>(i)] = state.q[i];
    out.v[static_cast<std::size_t>(i)] = state.v[i];
  }
  return out;
}

// Least of several rounds; what the run needs to be set up counts, reading the scene does not.
Run run_routh(const routh::Scene& scene, double tolerance, double until) {
  routh::SimulationOptions options;
  options.tolerance = tolerance;
  Run run{tolerance, 1e30, {}};
  const double begin = bench::cpu_seconds();
  for (int round = 0; round < 50 && (round < 3 || bench::cpu_seconds() - begin < 0.3); ++round) {
    const double start = bench::cpu_seconds();
    routh::Simulator simulator(scene.model, scene.state, options);
    const routh::SimulationStatus status = simulator.advance(until);
    run.seconds = std::min(run.seconds, bench::cpu_seconds() - start);
    if (failed(status)) {
      std::fprintf(stderr, "error: the simulation ended early: %s\n", simulator.message().c_str());
      std::exit(1);
    }
    run.end = planar(simulator.state());
  }
  return run;
}

using MakeSteps = std::unique_ptr<bench::SteppedEngine> (*)(StrikeScene, double);

Run run_steps(MakeSteps make, StrikeScene scene, double step, double until) {
  const long count = std::lround(until / step);
  const int rounds = count > 50000 ? 1 : 3;
  Run run{step, 1e30, {}};
  for (int round = 0; round < rounds; ++round) {
    const auto engine = make(scene, step);
    const double start = bench::cpu_seconds();
    for (long i = 0; i < count; ++i) engine->step();
    run.seconds = std::min(run.seconds, bench::cpu_seconds() - start);
    run.end = engine->state();
  }
  return run;
}

void print_ratio(double theirs, double ours) {
  if (ours < 1e30)
    std::printf("  %9.3g", theirs / ours);
  else
    std::printf("  %9s", "-");
}

struct Engine {
  const char* name;
  MakeSteps make;
};

// What all engines are asked for, and what we know of it.
struct Question {
  StrikeScene scene;
  double until = 0;
  PlanarState exact;
  std::vector<Run> ours;
};

// CPU time of the cheapest of our runs that is at least as exact.
double seconds_for(const Question& question, double error) {
  double best = 1e30;
  for (const Run& run : question.ours)
    if (distance(run.end, question.exact) <= error) best = std::min(best, run.seconds);
  return best;
}

void compare_with(const Engine& engine, const Question& question) {
  if (!engine.make(question.scene, 1e-2)) {
    std::printf("  %s: not installed\n", engine.name);
    return;
  }
  const PlanarState limit = run_steps(engine.make, question.scene, smallest_step, question.until).end;
  std::printf("  %-24s step       CPU ms   from our law   from its own limit   CPU / ours, equally far from either\n",
              engine.name);
  for (const double step : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const Run run = run_steps(engine.make, question.scene, step, question.until);
    const double from_ours = distance(run.end, question.exact), from_limit = distance(run.end, limit);
    std::printf("  %-24s %.0e %10.2f   %12.1e   %18.1e", "", step, run.seconds * 1e3, from_ours, from_limit);
    print_ratio(run.seconds, seconds_for(question, from_ours));
    print_ratio(run.seconds, seconds_for(question, from_limit));
    std::printf("\n");
  }
}

// The energy that the first strike leaves, under three laws.
void print_first_strike(const routh::Scene& scene) {
  for (const routh::Law law : {routh::Law::energetic, routh::Law::poisson, routh::Law::newton}) {
    routh::SimulationOptions options;
    options.law = law;
    routh::Simulator simulator(scene.model, scene.state, options);
    simulator.advance(1);
    const double before = simulator.energy().initial;
    if (law == routh::Law::energetic) std::printf("  first strike  %.2f J before; after:", before);
    if (!simulator.events().empty())
      std::printf("  %s %.2f J", name(law), before + simulator.events().front().energy.change);
  }
  std::printf("\n");
}

void compare_engines(StrikeScene which, double until) {
  const routh::Scene scene = routh::read_scene_text(bench::scene_text_of(which), "scene");
  Question question{which, until, run_routh(scene, 1e-13, until).end, {}};
  std::printf("%s, mu = %g, e = %g, state after %g s\n", bench::name_of(which), bench::friction, bench::restitution,
              until);
  if (until == early) print_first_strike(scene);
  std::printf("  reference     tolerance 1e-13; 1e-12 differs by %.0e\n",
              distance(run_routh(scene, 1e-12, until).end, question.exact));
  std::printf("  %-24s tolerance  CPU ms   error\n", "routh");
  for (const double tolerance : {0.2, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    const Run run = run_routh(scene, tolerance, until);
    std::printf("  %-24s %.0e   %9.3f   %.1e\n", "", tolerance, run.seconds * 1e3, distance(run.end, question.exact));
    question.ours.push_back(run);
  }
  const Engine engines[] = {{"MuJoCo", bench::make_mujoco_steps},
                            {"siconos", bench::make_siconos_engine},
                            {"siconos, bare loop", bench::make_siconos_steps},
                            {"Bullet", bench::make_bullet_steps}};
  for (const Engine& engine : engines) compare_with(engine, question);
  std::printf("\n");
}

// Microseconds per simulated second.
double time_by_hand(double step) {
  double best = 1e30;
  for (int round = 0; round < 300; ++round) {
    const double start = bench::cpu_seconds();
    bench::keep(bench::bare_rod(early, step));
    best = std::min(best, bench::cpu_seconds() - start);
  }
  return best * 1e6 / early;
}

void measure_rod() {
  const routh::Scene scene = routh::read_scene_text(bench::scene_text_of(StrikeScene::rod), "rod");
  const PlanarState exact = run_routh(scene, 1e-13, early).end;
  const double bare = time_by_hand(1e-3);
  std::printf("rod, CPU per simulated second, %g s with two strikes\n", early);
  std::printf("  by hand       %8.1f us   with a step of 1e-3; %.1f with 1e-2; differs from us by %.0e\n", bare,
              time_by_hand(1e-2), distance(bench::bare_rod(early, 1e-3), exact));
  for (const double tolerance : {1e-6, 1e-10}) {
    const double ours = run_routh(scene, tolerance, early).seconds * 1e6 / early;
    const double whole = run_routh(scene, tolerance, duration).seconds * 1e6 / duration;
    std::printf("  routh %.0e   %8.1f us   ratio %.2f (aim 3); over %g s, with all bounces until it rests, %.1f us\n",
                tolerance, ours, ours / bare, duration, whole);
  }
  std::printf("\n");
}

}  // namespace

void bench::run_simulation() {
  for (const StrikeScene scene : {StrikeScene::rod, StrikeScene::pendulum})
    for (const double until : {early, duration}) compare_engines(scene, until);
  measure_rod();
  run_quadruped();
}
