// Studies: samples per second inside a sweep, on one core and on two, with threads and with ranks of MPI.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

std::string study_text(const char* text, long samples) {
  return std::string(text) + "sampling: {method: random, seed: 1, samples: " + std::to_string(samples) + "}\n";
}
routh::Study study_of(const char* text, long samples) {
  return routh::read_study_text(study_text(text, samples), "bench.yaml");
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

struct Cost {
  double wall = 1e30, cpu = 1e30;  // [s]

  void improve(const Cost& other) {
    wall = std::min(wall, other.wall);
    cpu = std::min(cpu, other.cpu);
  }
};

// Of this process, or of the children it waits for.
template <class F>
Cost cost_of(int who, F&& f) {
  const auto cpu = [who] {
    rusage usage{};
    getrusage(who, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  };
  const auto begin = std::chrono::steady_clock::now();
  const double before = cpu();
  f();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), cpu() - before};
}

Cost cost_of_threads(const routh::Study& study, int threads) {
  return cost_of(RUSAGE_SELF, [&] {
    routh::StudyKeeper keeper(study, {});
    routh::SweepOptions options;
    options.threads = threads;
    routh::sweep(study, keeper, options);
  });
}

// In turns, the least of each: what else the machine does slows both alike.
void report_threads() {
  const routh::Study study = study_of(spatial, 1000000);
  Cost one, two;
  for (int round = 0; round < 7; ++round) {
    one.improve(cost_of_threads(study, 1));
    two.improve(cost_of_threads(study, 2));
  }
  std::printf("study: 1e6 spatial samples, 1 thread %.2f s, 2 threads %.2f s: %.2f x  (at least 1.9 wanted)\n",
              one.wall, two.wall, one.wall / two.wall);
  std::printf("study: CPU time of 2 threads over that of 1: %.3f\n", two.cpu / one.cpu);
}

bool run_quietly(const std::string& command) { return std::system((command + " > /dev/null 2>&1").c_str()) == 0; }

// The program on two threads and `routh-mpi` on two ranks, as processes; starting them is measured apart.
void report_ranks() {
  const char* program = std::getenv("ROUTH");
  const std::filesystem::path ranks_program =
      program ? std::filesystem::path(program).replace_filename("routh-mpi") : std::filesystem::path();
  if (!program || !std::filesystem::exists(ranks_program) || !run_quietly("mpirun --version")) {
    std::printf("study: two ranks are not measured: no routh-mpi beside $ROUTH, or no mpirun\n");
    return;
  }
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("routh_bench_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  Cost threads[2], ranks[2];  // of hardly any samples, of many
  bool good = true;
  for (int round = 0; round < 3; ++round)
    for (int many = 0; many < 2; ++many) {
      const std::string file = (folder / "study.yaml").string();
      std::ofstream(file) << study_text(spatial, many ? 6000000 : 100);
      const std::string by_threads = "'" + std::string(program) + "' sweep -q --threads 2 '" + file + "'";
      const std::string by_ranks = "mpirun -n 2 '" + ranks_program.string() + "' -q '" + file + "'";
      threads[many].improve(cost_of(RUSAGE_CHILDREN, [&] { good = run_quietly(by_threads) && good; }));
      ranks[many].improve(cost_of(RUSAGE_CHILDREN, [&] { good = run_quietly(by_ranks) && good; }));
    }
  std::filesystem::remove_all(folder);
  if (!good) {
    std::printf("study: two ranks are not measured: a run failed\n");
    return;
  }
  std::printf("study: to start: program %.2f s, mpirun with 2 ranks %.2f s\n", threads[0].wall, ranks[0].wall);
  std::printf(
      "study: 6e6 spatial samples, 2 threads %.2f s, 2 ranks %.2f s, without starting: %.3f  (at most 1.1 wanted)\n",
      threads[1].wall, ranks[1].wall, (ranks[1].wall - ranks[0].wall) / (threads[1].wall - threads[0].wall));
  std::printf("study: CPU time of 2 ranks over that of 2 threads, without starting: %.3f\n",
              (ranks[1].cpu - ranks[0].cpu) / (threads[1].cpu - threads[0].cpu));
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
  report_threads();
  report_ranks();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("study: memory of this process so far %.0f MB\n", static_cast<double>(usage.ru_maxrss) / 1024);
}

}  // namespace bench
