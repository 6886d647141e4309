// What acts in a step beside contacts: the free velocity, springs, dampers and drives in it, and its bias.
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/constrained.h"
#include "routh/dynamics/drive.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/path_bias.h"
#include "routh/dynamics/power.h"
#include "routh/math/elementary.h"
#include "routh/simulation/moreau_step.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

// What drives, springs and the user's force do in a part if v⁺ = v; drives aim at where they are to be at the end.
void MoreauStep::find_load(double h, const Eigen::VectorXd& force, const State& state) {
  for (std::size_t k = 0; k < share_.size(); ++k) share_[k] = touched_[k] ? 1 : 0.5;
  solved_touched_ = touched_;
  load_path_ = path_;
  const State there{middle_, state.v, state.time + h};
  compute_applied_force(model_, there, *workspace_);
  load_ = workspace_->applied;
  if (force.size() > 0) load_ += force;
  for (std::size_t k = 0; k < model_.dofs.size() && implicit_; ++k) {
    saturated_[k] = 0;
    const auto i = static_cast<Eigen::Index>(k);
    load_[i] -= model_.dofs[k].properties.stiffness * h * (share_[k] * state.v[i] - 0.5 * path_[i]);
    if (drive_of(k)) load_[i] += wanted(k, state, h) - drive_force(*drive_of(k), coordinate(k), state.v[i], there.time);
  }
  if (springs_.empty()) return;
  springs_.find(model_, state.q, path_, h, middle_, share_, *workspace_);
  springs_.add_force(state.v, h, load_);
}

const std::optional<DriveDescription>& MoreauStep::drive_of(std::size_t dof) const {
  return model_.dofs[dof].properties.drive;
}

double MoreauStep::coordinate(std::size_t dof) const {
  const int index = model_.dofs[dof].coordinate;
  return index < 0 ? 0.0 : middle_[index];
}

// Of a drive that knows no limit, if v⁺ = v.
double MoreauStep::wanted(std::size_t dof, const State& state, double h) const {
  const DriveDescription& drive = *drive_of(dof);
  const auto i = static_cast<Eigen::Index>(dof);
  const double time = state.time + h, position = coordinate(dof) + h * (share_[dof] * state.v[i] - 0.5 * load_path_[i]);
  return drive.stiffness * (drive.position(time) - position) + drive.damping * (drive.velocity(time) - state.v[i]);
}

// free_ ← v_f − v under load_ and bias_, loops kept closed.
void MoreauStep::find_change(double h, const State& state) {
  free_ = load_ - bias_;
  for (std::size_t k = 0; k < model_.dofs.size() && implicit_; ++k)
    if (saturated_[k])
      free_[static_cast<Eigen::Index>(k)] += std::copysign(drive_of(k)->limit, saturated_[k]) - wanted(k, state, h);
  free_ *= h;
  factor_.solve(free_);
  if (model_.loop_rows == 0) return;
  loop_.noalias() = -(loop_rows_ * (state.v + free_));
  loops_.least_squares(loop_, half_);
  factor_.finish_solve(half_);
  free_ += half_;
}

// Drives that would exceed their limits with this change of velocity give just that. True when there is a new one.
bool MoreauStep::find_saturated(double h, const State& state) {
  bool any = false;
  for (std::size_t k = 0; k < model_.dofs.size() && implicit_; ++k) {
    if (!drive_of(k) || saturated_[k] || !std::isfinite(drive_of(k)->limit)) continue;
    const DriveDescription& drive = *drive_of(k);
    const double c = share_[k], change = c * free_[static_cast<Eigen::Index>(k)];
    const double given = wanted(k, state, h) - (drive.damping + c * h * drive.stiffness) * change;
    if (std::abs(given) <= drive.limit) continue;
    saturated_[k] = given > 0 ? 1 : -1;
    any = true;
  }
  return any;
}

// v_f: the velocity at the end of a part if no contact acted. Coriolis' and gyroscopic forces are taken at the velocity
// v_m = ½ (v + v⁺) along the path w = (q⁺ − q)/h, at its middle: their work is then what K gains by the change of M on
// that path (path_bias), so that what spins and swings keeps its energy. At v they would feed it. v_m is found by
// repetition from the v⁺ that is expected, each round of which takes some h ω off its error; what contacts add to v⁺ is
// first what the expectation leaves for them, then known from the last solution (bends). False where it does not
// converge: the motion turns too much in this time.
bool MoreauStep::find_free_velocity(double h, const Eigen::VectorXd& force, const State& state) {
  integrate(model_, state.q, path_, 0.5 * h, middle_);
  find_load(h, force, state);
  velocity_ = 0.5 * (state.v + expected_);
  bool converged = false;
  do {
    if (!factorise(middle_, h)) return true;
    double last = std::numeric_limits<double>::max();
    converged = false;
    for (int round = 0; round < tolerances::middle_rounds && !converged; ++round) {
      find_bias();
      find_change(h, state);
      if (!pushed_known_) find_pushed(state);
      rate_ = state.v + 0.5 * (free_ + pushed_);
      const double size = factor_.product(rate_, rate_);
      velocity_ -= rate_;
      const double changed = factor_.product(velocity_, velocity_);
      velocity_ = rate_;
      // What the rounds to come would still change, which shrinks as it did; of the first nothing is known.
      const double shrinks = last < std::numeric_limits<double>::max() ? std::sqrt(changed / last) : 1;
      const double left = shrinks < 0.5 ? 2 * shrinks * std::sqrt(changed) : std::sqrt(changed);
      converged = !(left > tolerances::middle_residual * std::sqrt(size));
      if (!(changed <= last)) break;
      last = changed;
    }
  } while (find_saturated(h, state));
  free_ += state.v;
  if (!free_.allFinite()) {
    if (h > tolerances::part_shortest * step_) return false;
    status_ = SimulationStatus::non_finite;
    trouble_ = "forces or velocities within a step";
    return true;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) step_contacts_[i].free_velocity = relative(i, free_);
  return converged;
}

// What is expected of a part before anything of it is known: that contacts go on as in the last step. Where none acted,
// the path begins as v, so that what changes it suddenly, a whip that cracks, is not fed by what it did before.
void MoreauStep::expect(double length, const State& state, const StepMemory& memory) {
  expected_ = state.v + length * memory.acceleration;
  path_ = expected_;
  velocity_ = state.v;
  follow_path();
  pushed_known_ = false;
}

// What contacts add to v⁺ on the trees on which they act, free_ being the change without them.
void MoreauStep::find_pushed(const State& state) {
  for (Eigen::Index k = 0; k < pushed_.size(); ++k)
    pushed_[k] = touched_[static_cast<std::size_t>(k)] ? expected_[k] - state.v[k] - free_[k] : 0;
  pushed_known_ = true;
}

// w: v⁺ where contacts act, and v_m, in velocity_, where none does.
void MoreauStep::follow_path() {
  for (Eigen::Index k = 0; k < path_.size(); ++k)
    if (!touched_[static_cast<std::size_t>(k)]) path_[k] = velocity_[k];
}

// bias_ at v_m = velocity_ along w.
void MoreauStep::find_bias() {
  follow_path();
  compute_path_bias(model_, middle_, velocity_, path_, *workspace_);
  bias_ = workspace_->force;
}

// After the contacts of a part are solved: whether what is known now of v_m and of the path changes the bias by more
// than may be neglected, so that the part is to be solved once more. What it does wrong by that, at most its change
// times v_m, is to be little beside ½‖v⁺ − v‖², which the step loses where contacts act, or beside K.
bool MoreauStep::bends(double h, const State& state) {
  find_touched(h);
  const bool regrouped = implicit_ && touched_ != solved_touched_;
  expected_ = velocity_;
  pushed_ = velocity_ - free_;
  pushed_known_ = true;
  path_ = velocity_;
  rate_ = velocity_ - state.v;
  for (Eigen::Index k = 0; k < rate_.size(); ++k)
    if (!touched_[static_cast<std::size_t>(k)]) rate_[k] = 0;
  const double lost = 0.5 * factor_.product(rate_, rate_);
  velocity_ = 0.5 * (state.v + velocity_);
  rate_ = bias_;
  follow_path();
  integrate(model_, state.q, path_, 0.5 * h, middle_);
  find_bias();
  rate_ = h * (bias_ - rate_);
  factor_.half_solve(rate_);
  const double size = factor_.product(velocity_, velocity_), most = tolerances::bend_residual * size;
  velocity_ = expected_;
  return regrouped || rate_.norm() * std::sqrt(size) > std::max(most, tolerances::bend_of_loss * lost);
}

// The degrees of freedom of the trees on which contacts act. Where springs, dampers or drives are solved with them, a
// tree that was touched stays so for the part, or it might change for ever.
//
// Gaps were predicted with v⁺. What moves at v_m beside it, as a sphere that falls under another that is touched, lags
// behind by ½ h (v⁺ − v): where that would press surfaces together, both go by v⁺, too.
void MoreauStep::find_touched(double length) {
  if (!implicit_) std::fill(pressed_.begin(), pressed_.end(), static_cast<char>(0));
  for (const std::size_t i : chosen_)
    if (step_contacts_[i].impulse.n != 0) press_trees(i);
  mark_touched();
  for (bool more = true; more; mark_touched()) {
    more = false;
    if (std::find(pressed_.begin(), pressed_.end(), static_cast<char>(0)) == pressed_.end()) return;
    rate_ = velocity_;
    for (Eigen::Index k = 0; k < rate_.size(); ++k)
      if (!touched_[static_cast<std::size_t>(k)]) rate_[k] = 0.5 * (looked_.v[k] + velocity_[k]);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      bool lags = false;
      rows_.visit_trees(i, [&](std::size_t tree) { lags = lags || !pressed_[tree]; });
      if (!lags || contacts_[i].gap + length * relative(i, rate_).n >= -overlap_left()) continue;
      press_trees(i);
      more = true;
    }
  }
}

void MoreauStep::press_trees(std::size_t contact) {
  rows_.visit_trees(contact, [&](std::size_t tree) { pressed_[tree] = 1; });
}

void MoreauStep::mark_touched() {
  for (std::size_t k = 0; k < touched_.size(); ++k)
    touched_[k] = pressed_[static_cast<std::size_t>(rows_.tree_of(static_cast<int>(k)))];
}

// Whether contacts act on springs, dampers or drives that were taken in the middle of the step.
bool MoreauStep::regroups(double length) {
  if (!implicit_) return false;
  find_touched(length);
  return touched_ != solved_touched_;
}

}  // namespace routh::internal
