// The Python package against the library in the same run: a batch of a million impacts, and single calls.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench.h"
#include "routh/impact/solve.h"
#include "support/random_problems.h"
#include "timing.h"

namespace {

// Columns as the package takes them.
struct Columns {
  int rows = 2;
  std::size_t count = 0;
  std::vector<double> inertia, velocity, static_friction, kinetic_friction, restitution;

  void add(const routh::ImpactProblem& p) {
    const routh::ContactInertia& d = p.inertia;
    if (rows == 2)
      inertia.insert(inertia.end(), {d.a, d.c1, d.c1, d.b11});
    else
      inertia.insert(inertia.end(), {d.a, d.c1, d.c2, d.c1, d.b11, d.b12, d.c2, d.b12, d.b22});
    velocity.insert(velocity.end(), {p.velocity.n, p.velocity.t1});
    if (rows == 3) velocity.push_back(p.velocity.t2);
    static_friction.push_back(p.friction.static_coefficient);
    kinetic_friction.push_back(p.friction.kinetic_coefficient);
    restitution.push_back(p.restitution.normal);
    ++count;
  }
  routh::ImpactProblem at(std::size_t k) const {
    routh::ImpactProblem p;
    const double* d = &inertia[k * static_cast<std::size_t>(rows * rows)];
    const double* v = &velocity[k * static_cast<std::size_t>(rows)];
    p.inertia = rows == 2 ? routh::planar_inertia(d[0], d[1], d[3])
                          : routh::spatial_inertia(d[0], d[1], d[2], d[4], d[5], d[8]);
    p.velocity = {v[0], v[1], rows == 3 ? v[2] : 0.0};
    p.friction = {static_friction[k], kinetic_friction[k]};
    p.restitution.normal = restitution[k];
    return p;
  }
};

// The same from C++: problems made from the columns, velocities and impulses kept. Nanoseconds each, least of 3 rounds.
double time_library(const Columns& columns) {
  std::vector<routh::ContactVector> velocities(columns.count), impulses(columns.count);
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    const double begin = bench::cpu_seconds();
    for (std::size_t k = 0; k < columns.count; ++k) {
      const routh::ImpactResult result = routh::solve_impact(columns.at(k));
      velocities[k] = result.velocity;
      impulses[k] = result.impulse;
    }
    best = std::min(best, (bench::cpu_seconds() - begin) * 1e9 / static_cast<double>(columns.count));
  }
  bench::keep(velocities);
  bench::keep(impulses);
  return best;
}

bool write(const Columns& columns, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  bool good = true;
  for (const std::vector<double>* column :
       {&columns.inertia, &columns.velocity, &columns.static_friction, &columns.kinetic_friction, &columns.restitution})
    good = std::fwrite(column->data(), sizeof(double), column->size(), file) == column->size() && good;
  return std::fclose(file) == 0 && good;
}

struct PythonTimes {
  double batch = 0, positional = 0, keywords = 0, looked = 0;  // [ns]
};

bool time_package(const Columns& columns, PythonTimes& times) {
  char path[] = "/tmp/routh-bench-XXXXXX";
  const int handle = mkstemp(path);
  if (handle < 0 || !write(columns, path)) return false;
  const std::string command =
      std::string("PYTHONPATH='" ROUTH_PYTHON_PACKAGE "' '" ROUTH_PYTHON "' -B '" ROUTH_BENCH_SOURCE "/python.py' ") +
      path + " " + std::to_string(columns.rows) + " " + std::to_string(columns.count);
  std::FILE* pipe = popen(command.c_str(), "r");
  const int read = pipe == nullptr ? 0
                                   : std::fscanf(pipe, "%lf %lf %lf %lf", &times.batch, &times.positional,
                                                 &times.keywords, &times.looked);
  const bool good = pipe != nullptr && pclose(pipe) == 0 && read == 4;
  std::remove(path);
  return good;
}

void compare(const char* title, const Columns& columns) {
  const double library = time_library(columns);
  PythonTimes python;
  if (!time_package(columns, python)) {
    std::fprintf(stderr, "error: the Python package could not be timed; build routh_python_package\n");
    std::exit(1);
  }
  std::printf("%s impacts from Python, energetic, %zu random problems\n", title, columns.count);
  std::printf("  in one batch  %7.1f ns each, C++ %7.1f ns: %.0f %% of its rate\n", python.batch, library,
              100 * library / python.batch);
  std::printf("  one call      %7.2f µs by position, %.2f by keywords, %.2f with two of its arrays\n\n",
              1e-3 * python.positional, 1e-3 * python.keywords, 1e-3 * python.looked);
}

}  // namespace

void bench::run_python() {
  testing_support::Random random(17);
  Columns planar, spatial;
  spatial.rows = 3;
  for (int k = 0; k < 1'000'000; ++k) planar.add(testing_support::random_planar(random));
  for (int k = 0; k < 1'000'000; ++k) spatial.add(testing_support::random_spatial(random));
  compare("planar", planar);
  compare("spatial", spatial);
}
