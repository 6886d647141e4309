#include "routh/solvability/semidefinite.h"

// This one forgets to say that its functions are C.
extern "C" {
#include <dsdp/dsdpbasictypes.h>
}
#include <dsdp/dsdp5.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

namespace routh::internal {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double accepted_gap = 1e-6;

// The lower triangle of a symmetric matrix, row by row, zeros left out. DSDP keeps pointers into it.
struct PackedMatrix {
  std::vector<int> index;
  std::vector<double> value;

  explicit PackedMatrix(const Eigen::MatrixXd& m) {
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j <= i; ++j)
        if (m(i, j) != 0) {
          index.push_back(static_cast<int>(i * (i + 1) / 2 + j));
          value.push_back(m(i, j));
        }
  }
};

struct Destroy {
  void operator()(DSDP_C* solver) const { DSDPDestroy(solver); }
};
using Solver = std::unique_ptr<DSDP_C, Destroy>;

struct Watch {
  Clock::time_point start = Clock::now();
  double seconds = 0;
  bool ran_out = false;
};

int look_at_watch(DSDP solver, void* context) {
  Watch& watch = *static_cast<Watch*>(context);
  if (std::chrono::duration<double>(Clock::now() - watch.start).count() < watch.seconds) return 0;
  watch.ran_out = true;
  return DSDPSetConvergenceFlag(solver, DSDP_USER_TERMINATION);
}

// The problem as the solver gets it: y_i = lower + (upper − lower) z_i with 0 ≤ z ≤ 1, constants left out, matrices
// and objective scaled to a largest entry of one. Without this DSDP fails on problems of mixed size.
struct Reduced {
  std::vector<Eigen::Index> kept;
  std::vector<double> range;
  std::vector<double> objective;
  double objective_scale = 1;
  double objective_at_lower = 0;
  std::vector<PackedMatrix> matrices;  // C, then A of the kept variables
  int size = 0;
};

bool symmetric(const Eigen::MatrixXd& m) {
  return m.rows() == m.cols() && m.allFinite() &&
         (m - m.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * (1e-300 + m.cwiseAbs().maxCoeff());
}

// What is wrong with the problem, in words; empty: nothing.
std::string complaint(const SemidefiniteProblem& p, const SemidefiniteLimits& limits) {
  const Eigen::Index count = p.objective.size();
  if (static_cast<Eigen::Index>(p.coefficients.size()) != count || p.lower.size() != count || p.upper.size() != count)
    return "objective, coefficients and bounds must all have one entry for each variable";
  if (p.constant.rows() < 1 || !symmetric(p.constant)) return "the constant matrix is not a finite symmetric matrix";
  for (const Eigen::MatrixXd& a : p.coefficients)
    if (a.rows() != p.constant.rows() || !symmetric(a))
      return "a coefficient is not a finite symmetric matrix of the size of the constant one";
  if (!p.objective.allFinite() || !p.lower.allFinite() || !p.upper.allFinite())
    return "the objective and the bounds must be finite";
  if (count > 0 && (p.upper - p.lower).minCoeff() < 0) return "a lower bound lies above its upper bound";
  double size = p.constant.squaredNorm() + p.objective.squaredNorm();
  for (Eigen::Index i = 0; i < count; ++i) {
    const double reach = std::max(std::abs(p.lower(i)), std::abs(p.upper(i)));
    size += reach * reach * (1 + std::abs(p.objective(i)) + p.coefficients[static_cast<std::size_t>(i)].squaredNorm());
  }
  if (!std::isfinite(size)) return "the numbers are too large to be multiplied";
  if (std::isnan(limits.seconds) || std::isnan(limits.relative_gap) || std::isnan(limits.feasibility))
    return "a limit is not a number";
  return {};
}

Reduced reduce(const SemidefiniteProblem& p) {
  Reduced out;
  out.size = static_cast<int>(p.constant.rows());
  out.objective_at_lower = p.objective.dot(p.lower);
  std::vector<Eigen::MatrixXd> matrices = {p.constant};
  double largest_objective = 0;
  for (Eigen::Index i = 0; i < p.objective.size(); ++i) {
    const Eigen::MatrixXd& a = p.coefficients[static_cast<std::size_t>(i)];
    const double range = p.upper(i) - p.lower(i);
    matrices.front() -= p.lower(i) * a;
    if (!(range > 0)) continue;
    out.kept.push_back(i);
    out.range.push_back(range);
    out.objective.push_back(p.objective(i) * range);
    largest_objective = std::max(largest_objective, std::abs(out.objective.back()));
    matrices.push_back(range * a);
  }
  if (largest_objective > 0) out.objective_scale = largest_objective;
  for (double& b : out.objective) b /= out.objective_scale;
  double largest = 0;
  for (const Eigen::MatrixXd& m : matrices) largest = std::max(largest, m.cwiseAbs().maxCoeff());
  for (const Eigen::MatrixXd& m : matrices) out.matrices.emplace_back(largest > 0 ? Eigen::MatrixXd(m / largest) : m);
  return out;
}

// Each returns false when DSDP reports an error.
bool give_matrices(DSDP solver, const Reduced& reduced) {
  SDPCone cone = nullptr;
  if (DSDPCreateSDPCone(solver, 1, &cone) || SDPConeSetBlockSize(cone, 0, reduced.size) ||
      SDPConeSetStorageFormat(cone, 0, 'P'))
    return false;
  int variable = 0;
  for (const PackedMatrix& m : reduced.matrices) {
    const int entries = static_cast<int>(m.index.size());
    // A matrix that is not given counts as zero.
    if (entries > 0 &&
        SDPConeSetASparseVecMat(cone, 0, variable, reduced.size, 1, 0, m.index.data(), m.value.data(), entries))
      return false;
    ++variable;
  }
  return true;
}

bool give_variables(DSDP solver, const Reduced& reduced) {
  BCone bounds = nullptr;
  if (DSDPCreateBCone(solver, &bounds) || BConeAllocateBounds(bounds, 2 * static_cast<int>(reduced.kept.size())))
    return false;
  int variable = 0;
  for (const double b : reduced.objective) {
    ++variable;
    if (DSDPSetDualObjective(solver, variable, b) || BConeSetLowerBound(bounds, variable, 0) ||
        BConeSetUpperBound(bounds, variable, 1) || DSDPSetY0(solver, variable, 0.5))
      return false;
  }
  return true;
}

bool give_limits(DSDP solver, const SemidefiniteLimits& limits, Watch& watch) {
  return !DSDPSetMaxIts(solver, limits.iterations) && !DSDPSetGapTolerance(solver, limits.relative_gap) &&
         !DSDPSetStandardMonitor(solver, 0) && !DSDPSetMonitor(solver, look_at_watch, &watch);
}

void set_end(SemidefiniteResult& out, SemidefiniteEnd end, const char* words) {
  out.end = end;
  out.message = words;
}

// Progress may stop just short of the gap asked for; and DSDP can count as its own the value of a y that it does not
// return, so the value is ours.
bool gap_is_small(DSDP solver, const Reduced& reduced, const std::vector<double>& z) {
  double value = 0, bound = 0;
  for (std::size_t k = 0; k < z.size(); ++k) value += reduced.objective[k] * z[k];
  return !DSDPGetPPObjective(solver, &bound) && std::abs(bound - value) <= accepted_gap * (1 + std::abs(value));
}

enum class GapFound { small, large };

void judge_end(DSDP solver, const Watch& watch, GapFound gap, SemidefiniteResult& out) {
  DSDPTerminationReason reason = CONTINUE_ITERATING;
  DSDPSolutionType type = DSDP_PDUNKNOWN;
  if (DSDPStopReason(solver, &reason) || DSDPGetSolutionType(solver, &type))
    return set_end(out, SemidefiniteEnd::numerical, "the solver does not say how it ended");
  if (watch.ran_out) return set_end(out, SemidefiniteEnd::time_limit, "the time limit was reached");
  if (reason == DSDP_MAX_IT) return set_end(out, SemidefiniteEnd::iteration_limit, "the iteration limit was reached");
  if (type == DSDP_INFEASIBLE)
    return set_end(out, SemidefiniteEnd::infeasible, "no values within the bounds obey the matrix inequality");
  if (type == DSDP_PDFEASIBLE && gap == GapFound::small) return set_end(out, SemidefiniteEnd::solved, "");
  if (reason == DSDP_SMALL_STEPS)
    return set_end(out, SemidefiniteEnd::numerical, "the solver's steps became too short before it converged");
  set_end(out, SemidefiniteEnd::numerical, "the solver met a numerical difficulty before it converged");
}

// y, its value and eigenvalue, whatever the end was.
void check(const SemidefiniteProblem& p, const SemidefiniteLimits& limits, SemidefiniteResult& out) {
  if (!out.y.allFinite()) {
    set_end(out, SemidefiniteEnd::numerical, "the solver returned values that are not finite");
    out.y = p.lower + 0.5 * (p.upper - p.lower);
  }
  out.y = out.y.cwiseMax(p.lower).cwiseMin(p.upper);
  Eigen::MatrixXd slack = p.constant;
  double size = p.constant.norm();
  for (Eigen::Index i = 0; i < out.y.size(); ++i) {
    const Eigen::MatrixXd& a = p.coefficients[static_cast<std::size_t>(i)];
    slack -= out.y(i) * a;
    size += std::max(std::abs(p.lower(i)), std::abs(p.upper(i))) * a.norm();
  }
  out.objective = p.objective.dot(out.y);
  out.smallest_eigenvalue =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(slack, Eigen::EigenvaluesOnly).eigenvalues()(0);
  out.feasible = out.smallest_eigenvalue >= -limits.feasibility * size;
  if (out.end == SemidefiniteEnd::solved && !out.feasible)
    set_end(out, SemidefiniteEnd::numerical, "the solver's answer does not obey the matrix inequality");
  if (out.end == SemidefiniteEnd::infeasible && out.feasible)
    set_end(out, SemidefiniteEnd::numerical, "the matrix inequality hardly has a solution, or none: rounding decides");
}

struct Attempt {
  SemidefiniteLimits limits;
  Watch watch;
  int reuse = 1;  // how often DSDP may use one matrix of a step for a correction
};

void run(const SemidefiniteProblem& p, const Reduced& reduced, Attempt& attempt, SemidefiniteResult& out) {
  DSDP raw = nullptr;
  const int count = static_cast<int>(reduced.kept.size());
  if (DSDPCreate(count, &raw)) return set_end(out, SemidefiniteEnd::numerical, "the solver could not be started");
  const Solver solver(raw);
  if (!give_matrices(raw, reduced) || !give_variables(raw, reduced) ||
      !give_limits(raw, attempt.limits, attempt.watch) || DSDPReuseMatrix(raw, attempt.reuse) || DSDPSetup(raw))
    return set_end(out, SemidefiniteEnd::numerical, "the solver refused the problem");
  if (DSDPSolve(raw)) return set_end(out, SemidefiniteEnd::numerical, "the solver failed");
  std::vector<double> z(static_cast<std::size_t>(count));
  if (DSDPComputeX(raw) || DSDPGetY(raw, z.data(), count))
    return set_end(out, SemidefiniteEnd::numerical, "the solver failed after its last step");
  judge_end(raw, attempt.watch, gap_is_small(raw, reduced, z) ? GapFound::small : GapFound::large, out);
  int iterations = 0;
  DSDPGetIts(raw, &iterations);
  out.iterations += iterations;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const Eigen::Index i = reduced.kept[k];
    out.y(i) = p.lower(i) + reduced.range[k] * z[k];
  }
  double bound = infinite;
  if (out.end == SemidefiniteEnd::solved && !DSDPGetPPObjective(raw, &bound) && std::isfinite(bound))
    out.bound = reduced.objective_at_lower + reduced.objective_scale * bound;
}

// Which way of taking steps converges differs from problem to problem: of 1500 random ones none failed with one
// correction, some did with none or with DSDP's own choice.
void try_in_turn(const SemidefiniteProblem& p, const SemidefiniteLimits& limits, const Reduced& reduced,
                 SemidefiniteResult& out) {
  static std::mutex one_at_a_time;  // DSDP counts events and memory in tables of the process
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  Attempt attempt;
  attempt.limits = limits;
  attempt.watch.seconds = limits.seconds;
  for (const int reuse : {1, 2, 0}) {
    attempt.reuse = reuse;
    attempt.limits.iterations = limits.iterations - out.iterations;
    if (attempt.limits.iterations < 1) return;
    run(p, reduced, attempt, out);
    if (out.end != SemidefiniteEnd::numerical) return;
  }
}

}  // namespace

SemidefiniteResult maximise_semidefinite(const SemidefiniteProblem& problem, const SemidefiniteLimits& limits) {
  SemidefiniteResult out;
  out.bound = infinite;
  if (const std::string words = complaint(problem, limits); !words.empty()) {
    out.message = words;
    return out;
  }
  out.y = problem.lower + 0.5 * (problem.upper - problem.lower);
  const Reduced reduced = reduce(problem);
  if (limits.iterations < 1)
    set_end(out, SemidefiniteEnd::iteration_limit, "no iteration is allowed");
  else if (!(limits.seconds > 0))
    set_end(out, SemidefiniteEnd::time_limit, "no time is allowed");
  else if (!reduced.kept.empty())
    try_in_turn(problem, limits, reduced, out);
  else
    set_end(out, SemidefiniteEnd::solved, "");
  check(problem, limits, out);
  if (reduced.kept.empty() && out.end == SemidefiniteEnd::numerical)
    set_end(out, SemidefiniteEnd::infeasible, "the constants do not obey the matrix inequality");
  if (reduced.kept.empty() && out.end == SemidefiniteEnd::solved) out.bound = out.objective;
  return out;
}

const char* name(SemidefiniteEnd end) {
  switch (end) {
    case SemidefiniteEnd::solved:
      return "solved";
    case SemidefiniteEnd::infeasible:
      return "infeasible";
    case SemidefiniteEnd::iteration_limit:
      return "iteration limit";
    case SemidefiniteEnd::time_limit:
      return "time limit";
    case SemidefiniteEnd::numerical:
      return "numerical difficulty";
    case SemidefiniteEnd::invalid:
      return "invalid";
  }
  return "";
}

}  // namespace routh::internal
