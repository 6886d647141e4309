// Where the energy of a simultaneous impact went.
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/impact/simultaneous_stages.h"

namespace routh::internal {

namespace {

constexpr double energy_tolerance = 1e-12;

double kinetic(const Eigen::VectorXd& y) { return 0.5 * y.squaredNorm(); }

// λ times mean velocity [Aghili 2019, eq. 39]. A rule that is met enters as (1 − e) φ̇⁻, without the cancellation of
// φ̇⁺ + φ̇⁻ for e = 1; not where loops were open before, which give the contact another φ̇⁻ as they close.
double normal_work(const SimultaneousRows& rows, const ActingState& state, Eigen::Index j) {
  if (!(state.normal[j] > 0)) return 0;
  const double approach = rows.normal.col(j).dot(rows.before);
  const double residual = rows.normal.col(j).dot(state.velocity) - rows.wanted[j];
  const bool met = std::abs(residual) <= simultaneous_equal;
  const double e = rows.restitution[j];
  const bool own = rows.role[static_cast<std::size_t>(j)] == ContactRole::strikes &&
                   std::abs(rows.wanted[j] + e * approach) <= simultaneous_equal;
  const double rule = own ? (1 - e) * approach : approach + rows.wanted[j];
  return 0.5 * state.normal[j] * (rule + (met ? 0 : residual));
}

// A contact that sticks has no tangential velocity after.
double tangential_work(const SimultaneousRows& rows, const ActingState& state) {
  return 0.5 * state.tangential.dot(rows.tangential.transpose() * rows.before);
}

// Of the loops, which have no velocity after.
double bilateral_work(const SimultaneousRows& rows, const ActingState& state) {
  const Eigen::VectorXd total = state.velocity - rows.before - rows.push;
  return 0.5 * (rows.loops.transpose() * total).dot(rows.loops.transpose() * rows.before);
}

}  // namespace

void fill_energy(const std::vector<SimultaneousStage>& stages, SimultaneousResult& result) {
  for (const auto& [rows, state] : stages) {
    const double unit = rows.speed * rows.speed;
    for (Eigen::Index j = 0; j < rows.contacts(); ++j) result.normal_work += normal_work(rows, state, j) * unit;
    result.tangential_work += tangential_work(rows, state) * unit;
    result.bilateral_work += bilateral_work(rows, state) * unit;
    result.supplied += 0.5 * rows.push.dot(rows.before + state.velocity) * unit;
  }
  const Eigen::VectorXd &first = stages.front().rows.before, &last = stages.back().state.velocity;
  const double speed = stages.front().rows.speed, unit = speed * speed;
  const double before = kinetic(first) * unit, after = kinetic(last) * unit;
  result.energy_change = 0.5 * (last - first).dot(last + first) * unit;
  result.ratio = before > 0 ? after / before : (after > 0 ? std::numeric_limits<double>::infinity() : 1.0);
  // Large impulses against each other round the sum of their works, and the velocities too: a gain is what both show.
  const double works = result.normal_work + result.tangential_work + result.bilateral_work;
  const double gain = std::min(result.energy_change - result.supplied, works);
  const double passed = kinetic(stages.front().rows.push) * unit;
  result.consistent = gain <= energy_tolerance * std::max({before, after, passed, std::abs(result.supplied)});
  result.gain = result.consistent ? 0 : gain;
}

}  // namespace routh::internal
