// Samples of the run at even intervals, and on both sides of every jump.
#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/simulation/engine.h"

namespace routh {

// What lies between the ends of a step is found with the contacts as they were on it, before their slip has turned.
void Engine::prepare_samples(double from, double h) {
  if (sampling() && next_sample_time() < from + h) at(0.5, scratch_);
}

// Samples between `from` and the end of the step of length h that was just accepted; `state` is its end.
void Engine::take_samples(double from, double h, bool last) {
  if (!sampling()) return;
  const double end = state.time;
  while (true) {
    const double time = next_sample_time();
    if (time > end) break;
    ++next_sample_;
    const double theta = h > 0 ? (time - from) / h : 1;
    State there = state;
    Accounts accounts = accounts_;
    if (theta < 1 && h > 0) {
      if (!at(std::max(theta, 0.0), there)) continue;
      const Eigen::Index first = model.coordinates + model.velocities;
      accounts = {view_[first], view_[first + 1], step_corrected_};
      accounts += close(there).energy;
    }
    there.time = time;
    give_sample(sample_at(there, accounts));
    if (time == end) last = false;
  }
  if (last) give_sample(sample_at(state, accounts_));
}

Sample Engine::sample_at(const State& at_state, const Accounts& accounts) {
  return {at_state, account(compute_energy(model, at_state, workspace_), accounts),
          reader_.active(motion_, at_state, force_)};
}

}  // namespace routh
