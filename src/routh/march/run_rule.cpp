#include "routh/march/run_rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "routh/impact/simultaneous_rows.h"
#include "routh/march/tolerances.h"

namespace routh::internal {

namespace {

// Whether contacts of the projection may have these surfaces: it knows no motion of theirs along which friction acts.
bool may_project(const SimultaneousProblem& machine, const Eigen::VectorXd& surface_velocity, bool smooth) {
  if (surface_velocity.size() == 0) return true;
  const Eigen::Index rows = surface_velocity.size() / machine.normal.rows();
  for (Eigen::Index row = 0; row < surface_velocity.size(); ++row)
    if (surface_velocity[row] != 0 && (row % rows == 0 || !smooth)) return false;
  return true;
}

bool run_keeps(const SimultaneousResult& result) {
  if (result.status != SimultaneousStatus::ok || !result.consistent) return false;
  double speed = 0;
  for (const SimultaneousContactResult& each : result.contacts) speed = std::max(speed, std::abs(each.approach));
  return std::none_of(result.contacts.begin(), result.contacts.end(), [&](const SimultaneousContactResult& each) {
    return (each.acts && !each.inside_cone) || each.departure < -tolerances::newton_residual * speed ||
           std::abs(each.residual) > tolerances::newton_residual * speed;
  });
}

// Some contacts of a machine, at a velocity.
SimultaneousProblem machine_of(const SimultaneousProblem& all, const std::vector<std::size_t>& group,
                               const Eigen::VectorXd& velocity) {
  const Eigen::Index tangents = all.tangential.rows() / all.normal.rows(), n = all.normal.cols();
  const auto count = static_cast<Eigen::Index>(group.size());
  SimultaneousProblem some;
  some.mass_matrix = all.mass_matrix;
  some.velocity = velocity;
  some.bilateral = all.bilateral;
  some.normal.resize(count, n);
  some.tangential.resize(count * tangents, n);
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto from = static_cast<Eigen::Index>(group[static_cast<std::size_t>(k)]);
    some.normal.row(k) = all.normal.row(from);
    some.tangential.middleRows(k * tangents, tangents) = all.tangential.middleRows(from * tangents, tangents);
    some.friction.push_back(all.friction[static_cast<std::size_t>(from)]);
    some.restitution.push_back(all.restitution[static_cast<std::size_t>(from)]);
  }
  return some;
}

MarchSettings settings_of(const MarchSettings& all, const std::vector<std::size_t>& group) {
  MarchSettings some;
  some.load = all.load;
  const Eigen::Index rows = all.surface_velocity.size() / static_cast<Eigen::Index>(all.laws.size());
  some.surface_velocity.resize(rows * static_cast<Eigen::Index>(group.size()));
  for (std::size_t k = 0; k < group.size(); ++k) {
    some.laws.push_back(all.laws[group[k]]);
    if (!all.stiffness.empty()) some.stiffness.push_back(all.stiffness[group[k]]);
    some.surface_velocity.segment(rows * static_cast<Eigen::Index>(k), rows) =
        all.surface_velocity.segment(rows * static_cast<Eigen::Index>(group[k]), rows);
  }
  return some;
}

RunAnswer solve_group(const SimultaneousProblem& machine, const MarchSettings& settings) {
  // One contact is an impact by its own law, which the march agrees with.
  if (settings.load != Load::pressed && machine.normal.rows() > 1)
    if (auto kept = project_as_runs(machine, settings.surface_velocity))
      return {SimultaneousRule::simultaneous, {}, std::move(*kept), {}};
  RunAnswer answer{SimultaneousRule::together, {}, {}, {}};
  answer.result = solve_march(machine, settings, &answer.path);
  return answer;
}

bool strikes(const SimultaneousProblem& machine, const MarchSettings& settings) {
  Eigen::VectorXd approach = machine.normal * machine.velocity;
  if (const Eigen::Index rows = settings.surface_velocity.size() / approach.size(); rows > 0)
    for (Eigen::Index k = 0; k < approach.size(); ++k) approach[k] -= settings.surface_velocity[rows * k];
  return approach.minCoeff() < 0 || settings.load == Load::pressed;
}

// The works of groups add up: none moves the contacts of another.
void add(const SimultaneousResult& part, const std::vector<std::size_t>& group, SimultaneousResult& all) {
  all.velocity = part.velocity;
  all.impulse += part.impulse;
  all.bilateral_impulse += part.bilateral_impulse;
  for (std::size_t k = 0; k < group.size(); ++k) all.contacts[group[k]] = part.contacts[k];
  all.rounds += part.rounds;
  all.normal_work += part.normal_work;
  all.tangential_work += part.tangential_work;
  all.bilateral_work += part.bilateral_work;
  all.supplied += part.supplied;
  all.energy_change += part.energy_change;
  all.ratio *= part.ratio;
  all.gain += part.gain;
  all.consistent = all.consistent && part.consistent;
  all.warnings |= part.warnings;
}

}  // namespace

std::vector<std::vector<std::size_t>> coupled_groups(const Eigen::MatrixXd& inertia, Eigen::Index rows) {
  const auto count = static_cast<std::size_t>(inertia.rows() / rows);
  std::vector<std::size_t> group(count);
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto block = [&](std::size_t i, std::size_t j) {
    return inertia.block(rows * static_cast<Eigen::Index>(i), rows * static_cast<Eigen::Index>(j), rows, rows)
        .cwiseAbs()
        .maxCoeff();
  };
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (block(i, j) > tolerances::coupling_least * std::sqrt(block(i, i) * block(j, j))) {
        const std::size_t from = group[i], to = group[j];
        for (std::size_t& each : group)
          if (each == from) each = to;
      }
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < count; ++i)
      if (group[i] == k) members.push_back(i);
    if (!members.empty()) groups.push_back(std::move(members));
  }
  return groups;
}

std::optional<SimultaneousResult> project_as_runs(SimultaneousProblem machine,
                                                  const Eigen::VectorXd& surface_velocity) {
  const bool smooth = std::all_of(machine.friction.begin(), machine.friction.end(),
                                  [](const Friction& each) { return each.static_coefficient == 0; });
  if (!may_project(machine, surface_velocity, smooth)) return std::nullopt;
  if (smooth) machine.tangential.resize(0, 0);
  machine.most_searched = tolerances::projection_searched;
  SimultaneousResult result = solve_simultaneous(machine);
  if (!run_keeps(result)) return std::nullopt;
  return result;
}

RunAnswer solve_as_runs(const SimultaneousProblem& machine, const MarchSettings& settings) {
  SimultaneousProblem checked = machine;
  SimultaneousRows rows;
  RunAnswer answer;
  if (!begin_simultaneous(checked, rows, answer.result)) return answer;
  const Eigen::MatrixXd columns = contact_columns(rows, ColumnLengths::own);
  const auto groups = coupled_groups(columns.transpose().lazyProduct(columns), 1 + rows.tangents);
  if (groups.size() < 2) {
    answer = solve_group(machine, settings);
    answer.rules.assign(machine.friction.size(), answer.rule);
    return answer;
  }
  SimultaneousResult& all = answer.result;
  answer.rules.assign(machine.friction.size(), SimultaneousRule::simultaneous);
  all.status = SimultaneousStatus::no_impact;
  all.rows = static_cast<int>(rows.bilateral.cols());
  all.rank = static_cast<int>(rows.loops.cols());
  const SimultaneousResult before = all;
  for (const std::vector<std::size_t>& group : groups) {
    const SimultaneousProblem own = machine_of(machine, group, all.velocity);
    const MarchSettings own_settings = settings_of(settings, group);
    if (!strikes(own, own_settings)) continue;
    const RunAnswer part = solve_group(own, own_settings);
    if (!usable(part.result.status)) {
      all = before;
      all.status = part.result.status;
      answer.rule = part.rule;
      return answer;
    }
    if (part.rule == SimultaneousRule::together) answer.rule = part.rule;
    for (const std::size_t k : group) answer.rules[k] = part.rule;
    all.status = SimultaneousStatus::ok;
    add(part.result, group, all);
    all.rows += part.result.rows - before.rows;
    all.rank += part.result.rank - before.rank;
  }
  return answer;
}

}  // namespace routh::internal
