#include "routh/capi/routh_c.h"

#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <new>

#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"
#include "routh/impact/tolerances.h"
#include "routh/version.h"

namespace {

constexpr int most_coordinates = 4096;

// Both sides number alike, so that a conversion is a cast.
static_assert(int{ROUTH_NEWTON} == static_cast<int>(routh::Law::newton));
static_assert(int{ROUTH_POISSON} == static_cast<int>(routh::Law::poisson));
static_assert(int{ROUTH_ENERGETIC} == static_cast<int>(routh::Law::energetic));
static_assert(int{ROUTH_UNIFIED} == static_cast<int>(routh::Law::unified));
static_assert(int{ROUTH_CLASSICAL} == static_cast<int>(routh::Law::classical));
static_assert(int{ROUTH_NO_IMPACT} == static_cast<int>(routh::ImpactStatus::no_impact));
static_assert(int{ROUTH_NO_SOLUTION} == static_cast<int>(routh::ImpactStatus::no_solution));
static_assert(int{ROUTH_UNDEFINED} == static_cast<int>(routh::ImpactStatus::undefined));
static_assert(int{ROUTH_LOCKED} == static_cast<int>(routh::ImpactStatus::locked));
static_assert(int{ROUTH_ILL_CONDITIONED} == static_cast<int>(routh::ImpactStatus::ill_conditioned));
static_assert(int{ROUTH_INVALID} == static_cast<int>(routh::ImpactStatus::invalid));
static_assert(int{ROUTH_OVERFLOW} == static_cast<int>(routh::ImpactStatus::overflow));
static_assert(int{ROUTH_NOT_CONVERGED} == static_cast<int>(routh::ImpactStatus::not_converged));
static_assert(int{ROUTH_MODE_MEAN_SLIP_ZERO} == static_cast<int>(routh::ImpactMode::mean_slip_zero));
static_assert(ROUTH_CLASSICAL + 1 == routh::law_count);
static_assert(ROUTH_NOT_CONVERGED + 1 == routh::count_of<routh::ImpactStatus>);
static_assert(ROUTH_MODE_MEAN_SLIP_ZERO + 1 == routh::count_of<routh::ImpactMode>);
static_assert(unsigned{ROUTH_WARN_BILATERAL_VELOCITY} == static_cast<unsigned>(routh::Warning::bilateral_velocity));

routh::ContactVector vector(const double (&entries)[3], int dimension) {
  return {entries[0], entries[1], dimension == 3 ? entries[2] : 0};
}

void copy(const routh::ContactVector& from, double (&to)[3]) {
  to[0] = from.n;
  to[1] = from.t1;
  to[2] = from.t2;
}

bool known(routh_law law) { return law >= ROUTH_NEWTON && law <= ROUTH_CLASSICAL; }

// False for entries that cannot be those of a symmetric matrix. What is not finite is left to `check`.
bool agree(double one, double other) {
  return !(std::abs(one - other) > routh::internal::tolerances::symmetry_relative * (std::abs(one) + std::abs(other)));
}

bool symmetric(const routh_problem& problem) {
  const auto& d = problem.delassus;
  if (!agree(d[0][1], d[1][0])) return false;
  return problem.dimension == 2 || (agree(d[0][2], d[2][0]) && agree(d[1][2], d[2][1]));
}

// What a caller of C can get wrong and one of C++ cannot; null when nothing.
const char* misuse(const routh_problem* problem) {
  if (problem == nullptr) return "problem is a null pointer";
  if (problem->dimension != 2 && problem->dimension != 3) return "dimension must be 2 or 3";
  if (!known(problem->law)) return "law must be one of routh_law";
  return nullptr;
}

routh::ContactInertia inertia(const routh_problem& problem) {
  const auto& d = problem.delassus;
  if (problem.dimension == 2) return routh::planar_inertia(d[0][0], d[0][1], d[1][1]);
  return routh::spatial_inertia(d[0][0], d[0][1], d[0][2], d[1][1], d[1][2], d[2][2]);
}

// Everything but D and the velocity.
routh::ImpactProblem surface_of(const routh_problem& problem) {
  routh::ImpactProblem made;
  made.surface_velocity = vector(problem.surface_velocity, problem.dimension);
  made.friction = {problem.static_friction, problem.kinetic_friction};
  made.restitution.normal = problem.restitution;
  made.restitution.tangential = problem.tangential_restitution;
  made.load = problem.pressed != 0 ? routh::Load::pressed : routh::Load::unknown;
  return made;
}

routh::ImpactProblem convert(const routh_problem& problem) {
  routh::ImpactProblem made = surface_of(problem);
  made.inertia = inertia(problem);
  made.velocity = vector(problem.velocity, problem.dimension);
  return made;
}

void fill(const routh::ImpactResult& from, routh_result& to) {
  to.status = static_cast<routh_status>(from.status);
  to.mode = static_cast<routh_mode>(from.mode);
  to.warnings = from.warnings;
  copy(from.velocity, to.velocity);
  copy(from.impulse, to.impulse);
  to.energy = {from.energy.normal_work, from.energy.tangential_work, from.energy.supplied, from.energy.change,
               from.energy.consistent ? 1 : 0};
}

routh_status refuse(routh_status status, routh_result& result) {
  result = {};
  result.status = status;
  return status;
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool sensible(const routh_machine& machine) {
  return machine.coordinates >= 1 && machine.coordinates <= most_coordinates && machine.bilateral_rows >= 0 &&
         machine.bilateral_rows <= most_coordinates && machine.mass_matrix != nullptr && machine.jacobian != nullptr &&
         machine.velocity != nullptr && (machine.bilateral_rows == 0 || machine.bilateral != nullptr);
}

routh_status solve_machine(const routh_machine& machine, const routh_problem& problem, routh_result& result,
                           double* velocity_after) {
  const int n = machine.coordinates;
  const int m = machine.bilateral_rows;
  const Eigen::MatrixXd mass = Eigen::Map<const RowMajor>(machine.mass_matrix, n, n);
  const Eigen::MatrixXd jacobian = Eigen::Map<const RowMajor>(machine.jacobian, problem.dimension, n);
  const Eigen::VectorXd velocity = Eigen::Map<const Eigen::VectorXd>(machine.velocity, n);
  Eigen::MatrixXd rows(m, n);
  if (m > 0) rows = Eigen::Map<const RowMajor>(machine.bilateral, m, n);
  Eigen::VectorXd push;
  if (machine.external_impulse != nullptr) push = Eigen::Map<const Eigen::VectorXd>(machine.external_impulse, n);

  const routh::MachineState state{mass, jacobian, velocity, rows, push};
  routh::Reduction reduction(n, m);
  if (reduction.compute(state) != routh::ReductionStatus::ok) return refuse(ROUTH_BAD_ARGUMENT, result);
  routh::ImpactProblem reduced = surface_of(problem);
  reduced.inertia = reduction.inertia();
  reduced.velocity = reduction.contact_velocity();
  reduced.push = reduction.contact_push();
  routh::ImpactResult solved = routh::solve_impact(reduced, static_cast<routh::Law>(problem.law));
  const bool usable = routh::usable(solved.status);
  if (usable) reduction.expand(state, reduced, solved);
  fill(solved, result);
  if (velocity_after != nullptr) {
    const Eigen::VectorXd& after = usable ? reduction.velocity_after() : velocity;
    Eigen::Map<Eigen::VectorXd>(velocity_after, n) = after;
  }
  return result.status;
}

}  // namespace

const char* routh_version(void) { return ROUTH_VERSION; }

void routh_problem_init(routh_problem* problem) {
  if (problem == nullptr) return;
  *problem = {};
  problem->dimension = 3;
  problem->law = ROUTH_ENERGETIC;
}

routh_status routh_impact(const routh_problem* problem, routh_result* result) {
  if (result == nullptr) return ROUTH_BAD_ARGUMENT;
  if (misuse(problem) != nullptr || !symmetric(*problem)) return refuse(ROUTH_BAD_ARGUMENT, *result);
  fill(routh::solve_impact(convert(*problem), static_cast<routh::Law>(problem->law)), *result);
  return result->status;
}

size_t routh_impact_many(const routh_problem* problems, routh_result* results, size_t count) {
  if (problems == nullptr || results == nullptr) return count;
  size_t unusable = 0;
  for (size_t k = 0; k < count; ++k)
    if (routh_usable(routh_impact(&problems[k], &results[k])) == 0) ++unusable;
  return unusable;
}

routh_status routh_impact_machine(const routh_machine* machine, const routh_problem* problem, routh_result* result,
                                  double* velocity_after) {
  if (result == nullptr) return ROUTH_BAD_ARGUMENT;
  if (machine == nullptr || misuse(problem) != nullptr || !sensible(*machine))
    return refuse(ROUTH_BAD_ARGUMENT, *result);
  try {
    return solve_machine(*machine, *problem, *result, velocity_after);
  } catch (const std::bad_alloc&) {  // nothing else throws, and no exception may reach C
    return refuse(ROUTH_OUT_OF_MEMORY, *result);
  }
}

int routh_problem_check(const routh_problem* problem, char* text, size_t size) {
  const bool room = text != nullptr && size > 0;
  if (room) text[0] = '\0';
  const char* wrong = misuse(problem);
  if (wrong == nullptr && !symmetric(*problem)) wrong = "delassus must be symmetric";
  if (wrong != nullptr) {
    if (room) std::snprintf(text, size, "%s", wrong);
    return 0;
  }
  const routh::Violation broken = routh::check(convert(*problem));
  if (broken.rule == nullptr) return 1;
  if (room) std::snprintf(text, size, "%s = %.17g: %s", broken.quantity, broken.value, broken.rule);
  return 0;
}

int routh_usable(routh_status status) {
  return status == ROUTH_OK || status == ROUTH_NO_IMPACT || status == ROUTH_LOCKED ? 1 : 0;
}

const char* routh_law_name(routh_law law) { return known(law) ? routh::name(static_cast<routh::Law>(law)) : "?"; }

const char* routh_mode_name(routh_mode mode) { return routh::name(static_cast<routh::ImpactMode>(mode)); }

const char* routh_status_name(routh_status status) {
  if (status == ROUTH_BAD_ARGUMENT) return "bad_argument";
  if (status == ROUTH_OUT_OF_MEMORY) return "out_of_memory";
  return routh::name(static_cast<routh::ImpactStatus>(status));
}

const char* routh_status_text(routh_status status) {
  if (status == ROUTH_BAD_ARGUMENT)
    return "a null pointer, a dimension, law or count out of range, a matrix that is not symmetric, entries that are "
           "not finite, or a mass matrix that is "
           "not positive definite";
  if (status == ROUTH_OUT_OF_MEMORY) return "not enough memory";
  return routh::explain(static_cast<routh::ImpactStatus>(status));
}
