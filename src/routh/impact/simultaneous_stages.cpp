#include "routh/impact/simultaneous_stages.h"

namespace routh::internal {

namespace {

bool leaves_approach(const SimultaneousRows& rows, const Eigen::VectorXd& velocity) {
  return rows.contacts() > 0 && (rows.normal.transpose() * velocity).minCoeff() < -simultaneous_equal;
}

void include(const std::vector<char>& other, std::vector<char>& set) {
  for (std::size_t j = 0; j < set.size(); ++j) set[j] = set[j] != 0 || other[j] != 0 ? 1 : 0;
}

void exclude(const std::vector<char>& other, std::vector<char>& set) {
  for (std::size_t j = 0; j < set.size(); ++j) set[j] = set[j] != 0 && other[j] != 0 ? 1 : 0;
}

}  // namespace

std::vector<SimultaneousStage> run_stages(const SimultaneousRows& rows, int most_searched) {
  std::vector<SimultaneousStage> stages{{rows, settle_acting_set(rows, most_searched)}};
  const ActingState& strike = stages.front().state;
  if (!strike.settled || !leaves_approach(rows, strike.velocity)) return stages;
  // What stuck in the strike still does: it is one impact.
  const SimultaneousRows left = closing_rows(rows, strike.velocity);
  ActingState closing = settle_acting_set(left, most_searched, strike.set.tangential);
  stages.push_back({left, std::move(closing)});
  return stages;
}

ActingState total_of(const std::vector<SimultaneousStage>& stages) {
  ActingState total = stages.front().state;
  for (std::size_t k = 1; k < stages.size(); ++k) {
    const ActingState& state = stages[k].state;
    total.settled = state.settled;
    total.rounds += state.rounds;
    if (!state.settled) break;
    include(state.set.normal, total.set.normal);
    include(state.set.tangential, total.set.tangential);
    exclude(state.normal_unique, total.normal_unique);
    exclude(state.tangential_unique, total.tangential_unique);
    total.velocity = state.velocity;
    total.impulse += state.impulse;
    total.normal += state.normal;
    total.tangential += state.tangential;
  }
  return total;
}

}  // namespace routh::internal
