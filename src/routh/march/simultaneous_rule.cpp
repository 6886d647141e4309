#include "routh/march/simultaneous_rule.h"

#include <cmath>
#include <limits>

#include "routh/impact/simultaneous_rows.h"
#include "routh/march/together.h"

namespace routh::internal {

namespace {

void warn(Warning warning, SimultaneousResult& result) { result.warnings |= static_cast<std::uint32_t>(warning); }

TogetherProblem march_problem(const SimultaneousProblem& machine, const MarchSettings& settings, int tangents,
                              const Eigen::MatrixXd& columns) {
  TogetherProblem problem;
  problem.dimension = tangents == 1 ? Dimension::planar : Dimension::spatial;
  problem.inertia = columns.transpose().lazyProduct(columns);
  problem.velocity.resize(columns.cols());
  const Eigen::VectorXd normal = machine.normal * machine.velocity, tangential = machine.tangential * machine.velocity;
  for (Eigen::Index j = 0; j < normal.size(); ++j) {
    problem.velocity[j * (1 + tangents)] = normal[j];
    problem.velocity.segment(j * (1 + tangents) + 1, tangents) = tangential.segment(j * tangents, tangents);
    const auto k = static_cast<std::size_t>(j);
    problem.contacts.push_back({machine.friction[k], machine.restitution[k], settings.laws[k], settings.load,
                                settings.stiffness.empty() ? 1 : settings.stiffness[k]});
  }
  problem.surface_velocity = settings.surface_velocity;
  if (settings.surface_velocity.size() > 0) problem.velocity -= settings.surface_velocity;
  return problem;
}

SimultaneousStatus status_of(ImpactStatus status) {
  switch (status) {
    case ImpactStatus::ok:
      return SimultaneousStatus::ok;
    case ImpactStatus::no_impact:
      return SimultaneousStatus::no_impact;
    case ImpactStatus::not_converged:
      return SimultaneousStatus::not_converged;
    default:
      return SimultaneousStatus::invalid;
  }
}

void fill_energy(const EnergyLedger& energy, const Eigen::VectorXd& before, const Eigen::VectorXd& jump,
                 SimultaneousResult& result) {
  const double kinetic = 0.5 * before.squaredNorm();
  result.normal_work = energy.normal_work;
  result.tangential_work = energy.tangential_work;
  result.supplied = energy.supplied;
  result.energy_change = jump.dot(before) + 0.5 * jump.squaredNorm();
  result.ratio = kinetic > 0                ? 1 + result.energy_change / kinetic
                 : result.energy_change > 0 ? std::numeric_limits<double>::infinity()
                                            : 1.0;
  result.consistent = energy.consistent;
  result.gain = energy.consistent ? 0 : energy.normal_work + energy.tangential_work;
}

void fill_contacts(const TogetherResult& march, const SimultaneousProblem& machine, SimultaneousResult& result) {
  const Eigen::VectorXd departure = machine.normal * result.velocity;
  for (std::size_t k = 0; k < march.contacts.size(); ++k) {
    const TogetherContactResult& from = march.contacts[k];
    SimultaneousContactResult& to = result.contacts[k];
    to.departure = departure[static_cast<Eigen::Index>(k)];
    to.restitution = from.restitution;
    to.normal_impulse = from.impulse.n;
    to.tangential_impulse = {from.impulse.t1, from.impulse.t2};
    to.acts = from.impulse.n > 0;
    to.tangential_unique = result.rank == result.rows;
  }
}

}  // namespace

std::string known_laws() {
  std::string marching;
  for (const Law law : all_laws)
    if (marches(law)) marching += (marching.empty() ? "" : " and ") + std::string(name(law));
  return "the rules run and together take the laws " + marching + "; simultaneous is Newton's rule";
}

SimultaneousResult solve_march(SimultaneousProblem machine, const MarchSettings& settings,
                               std::vector<MarchPoint>* path) {
  SimultaneousRows rows;
  SimultaneousResult result;
  if (!begin_simultaneous(machine, rows, result)) return result;
  const auto count = static_cast<std::size_t>(rows.contacts());
  const Eigen::Index surface_rows = settings.surface_velocity.size();
  if (machine.external_impulse.size() > 0 || settings.laws.size() != count ||
      (!settings.stiffness.empty() && settings.stiffness.size() != count) || machine.friction.size() != count ||
      (count > 0 && rows.tangents == 0) ||
      (surface_rows > 0 && surface_rows != (1 + rows.tangents) * rows.contacts())) {
    result.status = SimultaneousStatus::invalid;
    return result;
  }
  const Eigen::VectorXd before = rows.before * rows.speed;
  if (!std::isfinite(before.squaredNorm())) {
    result.status = SimultaneousStatus::invalid;  // beyond the range of numbers
    return result;
  }
  result.status = SimultaneousStatus::ok;  // loops that were open stay so, with a warning
  const Eigen::MatrixXd columns = contact_columns(rows, ColumnLengths::own);
  TogetherProblem problem = march_problem(machine, settings, rows.tangents, columns);
  if (path != nullptr) problem.path = MarchPath::kept;
  TogetherResult march = solve_together(problem);
  if (march.status != ImpactStatus::ok) {
    result.status = status_of(march.status);
    return result;
  }
  const Eigen::VectorXd jump = columns * march.impulse;
  if (!std::isfinite(jump.squaredNorm())) {
    result.status = SimultaneousStatus::invalid;
    return result;
  }
  if (path != nullptr) *path = std::move(march.path);
  result.warnings |= march.warnings;
  for (const Law law : settings.laws)
    if (!marches(law)) warn(Warning::law_replaced, result);
  result.velocity += rows.factor.matrixU().solve(jump);
  result.impulse = rows.factor.matrixL() * jump;
  result.rows = static_cast<int>(rows.bilateral.cols() + columns.cols());
  result.rank =
      static_cast<int>(rows.loops.cols() + orthonormal_basis(contact_columns(rows, ColumnLengths::unit)).cols());
  fill_contacts(march, machine, result);
  fill_loops(machine, rows, result);
  fill_energy(march.energy, before, jump, result);
  // Loops that were open stay so, and their impulses work on what they are open by.
  if (machine.bilateral.rows() > 0)
    result.bilateral_work = result.bilateral_impulse.dot(machine.bilateral * machine.velocity);
  return result;
}

}  // namespace routh::internal
