#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bench.h"
#include "contact_scenes.h"
#include "routh/problem/contacts_file.h"
#include "support/stepped_machine.h"
#include "timing.h"

#ifdef ROUTH_HAVE_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>
#endif

namespace {

using routh::BlockMatrix;
using routh::FrictionContactProblem;

constexpr double accuracy = 1e-8;  // of the natural map, for everybody

struct Outcome {
  double seconds = 0;
  double residual = 0;
  bool reached() const { return residual <= accuracy; }
};

// Least of several rounds, each with a solver of its own: set-up counts.
Outcome solve_ours(const FrictionContactProblem& p) {
  Outcome best{1e30, 0};
  routh::ContactsOptions options;
  options.uniqueness = false;
  options.tolerance = accuracy;
  const double begin = bench::cpu_seconds();
  for (int round = 0; round < 20 && (round < 2 || bench::cpu_seconds() - begin < 0.3); ++round) {
    const double start = bench::cpu_seconds();
    routh::FrictionContactSolver solver;
    const routh::ContactsSolution& s = solver.solve(p, options);
    best.seconds = std::min(best.seconds, bench::cpu_seconds() - start);
    best.residual = natural_residual(p, s.impulse);
  }
  return best;
}

#ifdef ROUTH_HAVE_SICONOS
BlockMatrix blocks_of(const FrictionContactProblem& p) {
  if (const auto* blocks = std::get_if<BlockMatrix>(&p.inertia)) return *blocks;
  const Eigen::MatrixXd& d = std::get<Eigen::MatrixXd>(p.inertia);
  BlockMatrix result;
  const int n = p.contacts();
  result.row_start.push_back(0);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      result.column.push_back(j);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) result.values.push_back(d(3 * i + r, 3 * j + c));
    }
    result.row_start.push_back(n * (i + 1));
  }
  return result;
}

// D as siconos stores blocks; owns the memory.
class SiconosProblem {
 public:
  explicit SiconosProblem(const FrictionContactProblem& p) : blocks_(blocks_of(p)), q_(p.velocity), mu_(p.friction) {
    const auto n = static_cast<unsigned>(p.contacts());
    for (unsigned i = 1; i <= n; ++i) ends_.push_back(3 * i);
    for (const int start : blocks_.row_start) rows_.push_back(static_cast<std::size_t>(start));
    for (const int column : blocks_.column) columns_.push_back(static_cast<std::size_t>(column));
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      double* block = &blocks_.values[9 * k];
      std::swap(block[1], block[3]);
      std::swap(block[2], block[6]);
      std::swap(block[5], block[7]);
      pointers_.push_back(block);
    }
    matrix_ = SBM_new();
    matrix_->nbblocks = static_cast<unsigned>(columns_.size());
    matrix_->block = pointers_.data();
    matrix_->blocknumber0 = matrix_->blocknumber1 = n;
    matrix_->blocksize0 = matrix_->blocksize1 = ends_.data();
    matrix_->filled1 = n + 1;
    matrix_->filled2 = columns_.size();
    matrix_->index1_data = rows_.data();
    matrix_->index2_data = columns_.data();
    problem_ = frictionContactProblem_new();
    problem_->dimension = 3;
    problem_->numberOfContacts = static_cast<int>(n);
    problem_->M = NM_create(NM_SPARSE_BLOCK, static_cast<int>(3 * n), static_cast<int>(3 * n));
    problem_->M->matrix1 = matrix_;
    problem_->q = q_.data();
    problem_->mu = mu_.data();
  }

  // Problem, matrix and options are siconos' own until the end of the program: its destructors free what is ours.
  Outcome solve(const FrictionContactProblem& p, int method, int iterations) {
    SolverOptions* options = solver_options_create(method);
    options->dparam[SICONOS_DPARAM_TOL] = accuracy;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(q_.size()), velocity = impulse;
    const double start = bench::cpu_seconds();
    fc3d_driver(problem_, impulse.data(), velocity.data(), options);
    const double seconds = bench::cpu_seconds() - start;
    return {seconds, impulse.allFinite() ? natural_residual(p, impulse) : 1e300};
  }

 private:
  BlockMatrix blocks_;
  Eigen::VectorXd q_;
  std::vector<double> mu_;
  std::vector<unsigned> ends_;
  std::vector<std::size_t> rows_, columns_;
  std::vector<double*> pointers_;
  SparseBlockStructuredMatrix* matrix_ = nullptr;
  ::FrictionContactProblem* problem_ = nullptr;
};
#endif

void print(const Outcome& outcome) {
  if (outcome.reached())
    std::printf(" %9.3f ms", 1e3 * outcome.seconds);
  else
    std::printf("  – (%.0e)", outcome.residual);
}

void compare(const std::string& name, const FrictionContactProblem& p) {
  std::printf("  %-24.24s %5d", name.c_str(), p.contacts());
  const Outcome ours = solve_ours(p);
  print(ours);
#ifdef ROUTH_HAVE_SICONOS
  double best = 1e300;
  struct Method {
    int id, iterations;
  };
  for (const Method& method : {Method{SICONOS_FRICTION_3D_NSGS, 5000}, Method{SICONOS_FRICTION_3D_NSN_AC, 500},
                               Method{SICONOS_FRICTION_3D_ADMM, 1000}}) {
    const Outcome theirs = SiconosProblem(p).solve(p, method.id, method.iterations);
    print(theirs);
    if (theirs.reached()) best = std::min(best, theirs.seconds);
  }
  if (ours.reached() && best < 1e300)
    std::printf("  %6.1f x", best / ours.seconds);
  else if (ours.reached())
    std::printf("   alone");
#endif
  std::printf("\n");
}

// A kernel of known work, so that times of different machines can be compared: 10⁶ dependent multiply-adds.
double calibration() {
  double best = 1e30;
  for (int round = 0; round < 10; ++round) {
    const double start = bench::cpu_seconds();
    volatile double seed = 1;
    double x = seed;
    for (int i = 0; i < 1000000; ++i) x = x * 0.999999 + 1e-6;
    bench::keep(x);
    best = std::min(best, bench::cpu_seconds() - start);
  }
  return best;
}

// The same contacts, the velocity a little different each time, from the last answer.
void warm_start(int feet) {
  FrictionContactProblem p = bench::feet(feet).problem();
  const Eigen::VectorXd mean = p.velocity;
  routh::FrictionContactSolver solver;
  routh::ContactsOptions options;
  options.uniqueness = false;
  Eigen::VectorXd last = solver.solve(p, options).impulse;
  std::vector<double> times;
  int unsolved = 0;
  for (int k = 0; k < 2000; ++k) {
    p.velocity = mean * (1 + 0.02 * std::sin(0.1 * k));
    const double start = bench::cpu_seconds();
    const routh::ContactsSolution& s = solver.solve(p, options, {last.data(), static_cast<std::size_t>(last.size())});
    times.push_back(bench::cpu_seconds() - start);
    unsolved += s.status != routh::ContactsStatus::solved;
    last = s.impulse;
  }
  const bench::Distribution d = bench::distribution(times);
  std::printf("  %2d contacts, warm        median %.1f us, p99 %.1f us, %d of 2000 not solved\n", 4 * feet,
              1e6 * d.median, 1e6 * d.p99, unsolved);
}

// A limp robot, step by step: many contacts, few degrees of freedom, each step from the last one's impulses.
void stepping(int contacts, int freedoms) {
  testing_support::Random random(static_cast<std::uint64_t>(contacts));
  routh::FrictionContactSolver solver;
  routh::ContactsOptions options;
  options.uniqueness = false;
  options.tolerance = accuracy;
  std::vector<double> times;
  int unsolved = 0;
  double iterations = 0;
  for (int robot = 0; robot < 4; ++robot) {
    testing_support::SteppedMachine machine(random, contacts, freedoms);
    Eigen::VectorXd last = solver.solve(machine.next(), options).impulse;
    machine.take(last);
    for (int k = 0; k < 500; ++k) {
      const FrictionContactProblem& p = machine.next();
      const double start = bench::cpu_seconds();
      const routh::ContactsSolution& s = solver.solve(p, options, {last.data(), static_cast<std::size_t>(last.size())});
      times.push_back(bench::cpu_seconds() - start);
      unsolved += s.status != routh::ContactsStatus::solved;
      iterations += s.iterations;
      last = s.impulse;
      machine.take(last);
    }
  }
  const bench::Distribution d = bench::distribution(times);
  std::printf(
      "  %2d contacts, %d freedoms, stepped: median %.1f us, p99 %.1f us, %.1f iterations, %d of 2000 not solved\n",
      contacts, freedoms, 1e6 * d.median, 1e6 * d.p99, iterations / 2000, unsolved);
}

void towers() {
  std::printf("  towers of boxes, four contacts a box:\n");
  double first = 0, last = 0;
  const int sizes[] = {10, 30, 100, 300, 1000, 3000, 10000};
  for (const int boxes : sizes) {
    const Outcome ours = solve_ours(bench::box_tower(boxes).problem());
    std::printf("    %5d boxes %10.3f ms   residual %.0e\n", boxes, 1e3 * ours.seconds, ours.residual);
    if (boxes == 10) first = ours.seconds;
    last = ours.seconds;
  }
  std::printf("    grows as n^%.2f\n", std::log(last / first) / std::log(1000.0));
}

}  // namespace

namespace bench {

void run_contacts() {
  std::printf("contacts: the frictional contact problem to %.0e, cold, set-up included\n", accuracy);
  std::printf("  calibration: 10^6 dependent multiply-adds in %.2f ms\n", 1e3 * calibration());
#ifdef ROUTH_HAVE_SICONOS
  std::printf("  %-24s %5s %12s %12s %12s %12s  best of siconos over ours\n", "problem", "n", "routh", "NSGS", "NSN_AC",
              "ADMM");
#else
  std::printf("  (siconos-numerics is not installed)\n");
#endif
  for (const ContactScene& scene :
       {feet(1), feet(3), gripper(), box_tower(13), brick_wall(6, 6), sphere_pile(4), sphere_pile(6), box_tower(100)})
    compare(scene.name, scene.problem());
  // A folder of problems in siconos' format or ours.
  if (const char* folder = std::getenv("ROUTH_CONTACT_PROBLEMS")) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename();
      if (name.find(".dat") != std::string::npos || name.ends_with(".json")) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) compare(file.stem().stem(), routh::read_contacts_file(file).problem);
  }
  warm_start(1);
  warm_start(3);
  for (const int freedoms : {18, 36})
    for (const int contacts : {4, 12, 24, 40}) stepping(contacts, freedoms);
  towers();
}

}  // namespace bench
