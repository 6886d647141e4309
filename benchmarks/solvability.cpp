// Verdicts on contacts, and the map of Liu's two-link arm, against plain evaluations of the same.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include "bench.h"
#include "routh/model/builder.h"
#include "routh/scene/map_source.h"
#include "routh/solvability/diagnosis.h"
#include "support/random_problems.h"
#include "timing.h"

namespace {

using namespace routh;

void run_verdicts() {
  testing_support::Random random(31);
  std::vector<AccelerationProblem> problems;
  for (int i = 0; i < 4000; ++i) {
    AccelerationProblem p;
    p.contact = i % 2 ? testing_support::random_planar(random) : testing_support::random_spatial(random);
    p.contact.velocity.n = 0;
    p.free_acceleration = {random.normal(), random.normal(), i % 2 ? 0 : random.normal()};
    problems.push_back(p);
  }
  const double slip = bench::time_through(problems, 51, [](const AccelerationProblem& p) {
    const SlipState s = slip_of(p.contact.velocity);
    bench::keep(
        judge_slip(p.contact.inertia, p.contact.friction.kinetic_coefficient, s.direction, p.free_acceleration));
  });
  // The yardstick: the sign of A and of B, and the force.
  const double bare = bench::time_through(problems, 51, [](const AccelerationProblem& p) {
    const ContactInertia& d = p.contact.inertia;
    const double s =
        std::sqrt(p.contact.velocity.t1 * p.contact.velocity.t1 + p.contact.velocity.t2 * p.contact.velocity.t2);
    const double A = d.a - p.contact.friction.kinetic_coefficient *
                               (d.c1 * p.contact.velocity.t1 + d.c2 * p.contact.velocity.t2) / s;
    const double B = p.free_acceleration.n;
    bench::keep(A > 0 ? (B < 0 ? -B / A : 0) : (B < 0 ? -1 : 0));
  });
  const auto rest_of = [&](Dimension dimension) {
    std::vector<AccelerationProblem> some;
    for (const AccelerationProblem& p : problems)
      if (p.contact.inertia.dimension == dimension) some.push_back(p);
    return bench::time_through(some, 21, [](const AccelerationProblem& p) {
      bench::keep(judge_rest(p.contact.inertia, p.contact.friction, p.free_acceleration));
    });
  };
  const double all = bench::time_through(
      problems, 21, [](const AccelerationProblem& p) { bench::keep(diagnose(p, FreeAcceleration::given)); });
  std::printf("verdict on a slip   %7.0f ns (aim 200), bare formulas %.0f ns: ratio %.1f\n", slip, bare, slip / bare);
  std::printf("verdict at rest     %7.0f ns in the plane, %.0f ns in space; whole diagnosis %.0f ns\n",
              rest_of(Dimension::planar), rest_of(Dimension::spatial), all);
}

Model arm() {
  ModelBuilder machine(Dimension::planar);
  machine.gravity(0, -9.8);
  machine.surface("belt").friction(0.5).restitution(0);
  machine.body("upper").mass(1).com(0, -0.5).inertia(1.0 / 12).revolute();
  machine.body("lower").mass(1).com(0, -0.5).inertia(1.0 / 12).revolute("upper").at(0, -1);
  machine.shape("tip").on("lower").point().at(0, -1).surface("belt");
  machine.shape("floor").half_space().at(0, -5.0 / 3).surface("belt");
  return machine.build();
}

struct MapTime {
  double seconds = 0;
  long evaluations = 0;
};

MapTime time_map(const SceneMapBase& base, int points, int threads, MapRefinement refinement) {
  const std::vector<MapVariable> variables = map_variables(*base.model);
  const auto find = [&](const char* name) {
    return *std::find_if(variables.begin(), variables.end(), [&](const MapVariable& v) { return v.name == name; });
  };
  MapOptions options;
  options.threads = threads;
  options.refinement = refinement;
  const MapSource source = scene_map(base, find("position.upper"), find("velocity.upper"), MapQuantity::slip_mode);
  MapTime best;
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const VerdictMap map = compute_map({-0.84, 0.84, points}, {-4, 4, points}, source, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (round == 0 || seconds < best.seconds) best = {seconds, map.evaluations};
  }
  return best;
}

void run_map() {
  const Model model = arm();
  SceneMapBase base;
  base.model = &model;
  base.state = rest_state(model);
  base.state.q << 0.7, std::acos(5.0 / 3 - std::cos(0.7)) - 0.7;
  base.adjust = {false, true};
  Workspace workspace(model);
  base.contact = find_touches(model, base.state, {}, workspace).touches.at(0).contact.id;
  const MapTime full = time_map(base, 200, 1, MapRefinement::full);
  const double each = full.seconds / static_cast<double>(full.evaluations);
  const MapTime one = time_map(base, 1000, 1, MapRefinement::adaptive);
  const int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const MapTime all = time_map(base, 1000, threads, MapRefinement::adaptive);
  std::printf("map of Liu's arm, 1000 x 1000: %.2f s on 1 thread, %.2f s on %d (aim 2); %.1f us a point\n", one.seconds,
              all.seconds, threads, 1e6 * each);
  std::printf("  %ld evaluations, %.1f times fewer than the grid (aim 10); the whole grid would take %.1f s\n",
              all.evaluations, 1e6 / static_cast<double>(all.evaluations), 1e6 * each);
}

}  // namespace

void bench::run_solvability() {
  run_verdicts();
  run_map();
}
