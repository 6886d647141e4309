#include "routh/contacts/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contacts/alart_curnier.h"
#include "routh/contacts/one_contact.h"
#include "routh/contacts/tolerances.h"

namespace routh::internal {

// ½‖F‖² without the half, contacts in units of velocity.
double ContactNewton::evaluate(const ContactSystem& system, const std::vector<Vector3>& impulse,
                               const std::vector<Vector3>& velocity, bool with_slope) {
  double merit = 0;
  AlartCurnierSlope slope;
  for (int i = 0; i < system.size(); ++i) {
    const AlartCurnier local =
        alart_curnier(system, i, impulse[i], velocity[i], rho_ / system.mobility[i], with_slope ? &slope : nullptr);
    merit += (local.value * system.mobility[i]).squaredNorm();
    if (!with_slope) continue;
    value_[i] = -local.value;
    slope_.impulse[i] = slope.impulse;
    slope_.velocity[i] = slope.velocity;
  }
  return merit;
}

bool ContactNewton::run(const ContactSystem& system, BlockFactor& factor, const Limits& limits, ContactsState& state,
                        int& iterations) {
  const auto n = static_cast<std::size_t>(system.size());
  value_.resize(n);
  slope_.impulse.resize(n);
  slope_.velocity.resize(n);
  rho_ = limits.rho;
  current_ = state;
  trial_.impulse.resize(n);
  double lift = tolerances::newton_lift;
  double halved = std::numeric_limits<double>::infinity();  // residual when it last fell to a half, and the step
  int halved_at = 0;
  int patience = limits.watchdog;
  bool whole = false, excused = false;  // excused: by rounding, in the step before
  system.respond(current_.impulse, current_.velocity);
  for (int step = 0;; ++step) {
    const double merit = evaluate(system, current_.impulse, current_.velocity, true);
    if (!std::isfinite(merit)) return excused;
    current_.residual = residual_of(system, current_.impulse, current_.velocity);
    const double tolerance = whole ? std::max(limits.tolerance, limits.after_whole_step) : limits.tolerance;
    if (excused) {
      if (current_.residual.within(tolerance) && current_.residual.natural < state.residual.natural) state = current_;
      return true;
    }
    if (step == 0 || current_.residual.scaled < state.residual.scaled) state = current_;
    if (state.residual.within(tolerance)) {
      // What only the bound on its rounding excuses is often far above rounding: one more step tells. Of a start none
      // is taken, so that an answer is its own.
      if (step == 0 || state.residual.reaches(tolerance)) return true;
      excused = true;
    }
    if (current_.residual.scaled < 0.5 * halved) {
      halved = current_.residual.scaled;
      halved_at = step;
    }
    if (step == limits.steps || step - halved_at > limits.halving_steps) return excused;
    ++iterations;
    bool better = whole = false;
    double share = 1;
    const bool found = factor.solve(system, slope_, lift, value_, step_);
    if (found) {
      for (int halving = 0; halving < tolerances::newton_halvings; ++halving, share *= 0.5) {
        for (std::size_t i = 0; i < n; ++i) trial_.impulse[i] = current_.impulse[i] + share * step_[i];
        system.respond(trial_.impulse, trial_.velocity);
        const double reached = evaluate(system, trial_.impulse, trial_.velocity, false);
        better = reached < (1 - tolerances::newton_decrease * share) * merit;
        if (better) break;
      }
    }
    if (better) {
      std::swap(current_.impulse, trial_.impulse);
      std::swap(current_.velocity, trial_.velocity);
      // What a lift leaves is its share of the residual before the step.
      whole = share == 1 && current_.residual.within(limits.tolerance / lift);
      if (share == 1) lift = std::max(lift * tolerances::newton_lift_falls, tolerances::newton_lift_least);
    } else if (found && patience > 0) {
      --patience;
      for (std::size_t i = 0; i < n; ++i) current_.impulse[i] += step_[i];
      system.respond(current_.impulse, current_.velocity);
    } else {
      if (limits.watchdog > 0) current_.impulse = state.impulse;
      patience = limits.watchdog;
      // The equations have a kink here: sweeps leave it, and a larger lift takes shorter steps.
      for (int k = 0; k < tolerances::newton_sweeps && system.formed(); ++k) sweep(system, current_.impulse);
      system.respond(current_.impulse, current_.velocity);
      lift = std::min(lift * tolerances::newton_lift_rises, 1.0);
    }
  }
}

}  // namespace routh::internal
