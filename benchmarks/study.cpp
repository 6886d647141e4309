// Studies: samples per second inside a sweep, on one core and on two.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench.h"
#include "routh/study/sweep.h"
#include "timing.h"

namespace bench {

namespace {

constexpr const char* planar = R"(study: 1
problem: {delassus: [[1.6, 1.2], [1.2, 3.4]], contact_velocity: [-0.5, 2], friction: 0.3, restitution: 0.5}
vary: {friction: {from: 0, to: 1}, restitution: {from: 0, to: 1}, 'contact_velocity[1]': {from: -3, to: 3}}
measure:
  lost: {value: -energy.change, reduce: [mean, std, min, max, {quantiles: [0.05, 0.5, 0.95]}]}
  sticks: mode == stick
)";
constexpr const char* machine = R"(study: 1
problem: {mass_matrix: [[16, 5.9088], [5.9088, 4]], jacobian: [[0.684, 1], [1.8794, 1.7321]], velocity: [-0.1, -0.2],
  friction: 0.5, restitution: 0.7}
vary: {friction: {from: 0, to: 1}, restitution: {from: 0, to: 1}, 'velocity[1]': {from: -1, to: 0}}
measure:
  lost: {value: -energy.change, reduce: [mean, std, min, max, {quantiles: [0.05, 0.5, 0.95]}]}
  sticks: mode == stick
)";
constexpr const char* spatial = R"(study: 1
problem: {delassus: [[1.6, 1.2, 0.1], [1.2, 3.4, 0.3], [0.1, 0.3, 2]], contact_velocity: [-0.5, 2, 1], friction: 0.3,
  restitution: 0.5}
vary: {friction: {from: 0, to: 1}, restitution: {from: 0, to: 1}, 'contact_velocity[1]': {from: -3, to: 3}}
measure:
  lost: {value: -energy.change, reduce: [mean, std, min, max, {quantiles: [0.05, 0.5, 0.95]}]}
  sticks: mode == stick
)";

routh::Study study_of(const char* text, long samples) {
  const std::string sampling = "sampling: {method: random, seed: 1, samples: " + std::to_string(samples) + "}\n";
  return routh::read_study_text(text + sampling, "bench.yaml");
}

// Samples per second of CPU time, the best of some portions.
double rate_per_core(const routh::Study& study) {
  routh::StudyWorker worker(study);
  double best = 0;
  for (std::uint64_t block = 0; block < study.blocks(); ++block) {
    const double begin = cpu_seconds();
    keep(worker.compute(block, 1));
    best = std::max(best, static_cast<double>(study.block_size()) / (cpu_seconds() - begin));
  }
  return best;
}

double wall_seconds(const routh::Study& study, int threads) {
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    routh::StudyKeeper keeper(study, {});
    routh::SweepOptions options;
    options.threads = threads;
    const auto begin = std::chrono::steady_clock::now();
    routh::sweep(study, keeper, options);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

void report_rate(const char* what, const char* text, double wanted) {
  const double rate = rate_per_core(study_of(text, 4096 * 60));
  std::printf("study: %-34s %10.3g /s per core", what, rate);
  if (wanted > 0) std::printf("  (at least %.2g wanted)", wanted);
  std::printf("\n");
}

}  // namespace

void run_study() {
  report_rate("planar impacts", planar, 2e6);
  report_rate("planar impacts of a machine", machine, 0);
  report_rate("spatial impacts", spatial, 3e5);
  const routh::Study study = study_of(spatial, 1000000);
  const double one = wall_seconds(study, 1), two = wall_seconds(study, 2);
  std::printf("study: 1e6 spatial samples, 1 thread %.2f s, 2 threads %.2f s: %.2f x  (at least 1.9 wanted)\n", one,
              two, one / two);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("study: memory of this process so far %.0f MB\n", static_cast<double>(usage.ru_maxrss) / 1024);
}

}  // namespace bench
