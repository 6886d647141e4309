// The starts of ContactsEngine: from where Newton's method sets out.
#include <algorithm>
#include <cmath>

#include "routh/contacts/certificate.h"
#include "routh/contacts/contacts_engine.h"
#include "routh/contacts/mode_tree.h"
#include "routh/contacts/one_contact.h"
#include "routh/contacts/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

// Room for a state of this size; velocity and residual of the impulse it has.
void ContactsEngine::begin(ContactsState& state) {
  system_.respond(state.impulse, state.velocity);
  state.residual = residual_of(system_, state.impulse, state.velocity);
}

bool ContactsEngine::finish(bool solved) {
  if (state_.residual.scaled < best_.residual.scaled || solved) best_ = state_;
  return solved;
}

int ContactsEngine::steps_left(int limit) const {
  const int all = std::min(options_.iterations, stage_end_) - solution_.iterations;
  return std::clamp(all, 0, limit);
}

bool ContactsEngine::newton(int limit, int halving_steps, double rho, int watchdog) {
  const ContactNewton::Limits limits{.tolerance = options_.tolerance,
                                     .steps = steps_left(limit),
                                     .halving_steps = halving_steps,
                                     .rho = rho,
                                     .watchdog = watchdog};
  return finish(newton_.run(system_, factor_, limits, state_, solution_.iterations));
}

// Friction as given, but at most `cap`. The impulses of contacts that slide stay on their cones, with the friction they
// have: that is what large friction leaves alone, while their normal impulse goes to zero.
void ContactsEngine::cap_friction(double cap, std::vector<Vector3>& impulse) {
  cap_ = cap;
  for (int i = 0; i < system_.size(); ++i) {
    if (system_.kind[i] != ConeKind::cone) continue;
    const double before = system_.friction[i], now = std::min(given_friction_[i], cap);
    system_.friction[i] = now;
    if (before == now || impulse.empty()) continue;
    Vector3& p = impulse[i];
    const double tangential = std::sqrt(p[1] * p[1] + p[2] * p[2]);
    if (tangential >= (1 - tolerances::slides_relative) * before * p[0]) p[0] = tangential / now;
  }
}

// Newton's method from `state_`, where friction is capped on that problem first, and then from one cap to the next.
bool ContactsEngine::arrive(int limit, int halving_steps, double rho) {
  if (cap_ < largest_friction_) {
    bool reached = true;
    for (double cap = cap_; cap < largest_friction_ && reached; cap *= tolerances::friction_cap_rises) {
      cap_friction(cap, state_.impulse);
      begin(state_);
      const double largest = std::max(1.0, state_.residual.largest);
      reached = newton_.run(
          system_, factor_,
          {options_.tolerance, steps_left(limit), halving_steps, cap == tolerances::friction_cap ? rho : largest},
          state_, solution_.iterations);
    }
    cap_friction(largest_friction_, state_.impulse);
    begin(state_);
    if (!reached) return finish(state_.residual.within(options_.tolerance));
    rho = std::max(1.0, state_.residual.largest);
  }
  return newton(limit, halving_steps, rho);
}

bool ContactsEngine::nothing_touches() {
  state_.impulse.assign(system_.kind.size(), Vector3::Zero());
  begin(state_);
  best_ = state_;
  return best_.residual.within(options_.tolerance);
}

bool ContactsEngine::from_start(std::span<const double> start) {
  if (start.empty()) return false;
  system_.gather(start, system_.impulse_unit(), state_.impulse);
  given_start_ = state_.impulse;
  begin(state_);
  const ContactNewton::Limits limits{.tolerance = options_.tolerance,
                                     .steps = steps_left(tolerances::warm_steps),
                                     .halving_steps = tolerances::newton_halving_steps,
                                     .after_whole_step = tolerances::enough_after_step * options_.enough};
  return finish(newton_.run(system_, factor_, limits, state_, solution_.iterations));
}

// The proximal point method [Rockafellar 1976]: contacts with D + ε diag(m) and v − ε m p₀, m their mobilities, from
// p₀, which is the start and then the answer of each round, with ε that falls. Where contacts are redundant or press
// one another far beyond their load, this is the answer near the start, and a problem of full rank.
bool ContactsEngine::from_proximity() {
  if (given_start_.empty() || !system_.formed()) return false;
  factor_.by_rank(false);
  diagonal_.resize(system_.kind.size());
  for (int i = 0; i < system_.size(); ++i) diagonal_[i] = system_.inertia.block[system_.inertia.diagonal[i]];
  given_velocity_ = system_.free_velocity;
  state_.impulse = given_start_;
  double compliance = tolerances::proximity, last = best_.residual.scaled;
  for (int round = 0; round < tolerances::proximity_rounds; ++round, compliance *= tolerances::proximity_falls) {
    for (int i = 0; i < system_.size(); ++i) {
      const double own = compliance * system_.mobility[i];
      system_.inertia.block[system_.inertia.diagonal[i]].diagonal().array() += own;
      system_.free_velocity[i] -= own * state_.impulse[i];
    }
    begin(state_);
    newton_.run(system_, factor_,
                {options_.tolerance, steps_left(tolerances::proximity_steps), tolerances::proximity_steps}, state_,
                solution_.iterations);
    for (int i = 0; i < system_.size(); ++i) system_.inertia.block[system_.inertia.diagonal[i]] = diagonal_[i];
    system_.free_velocity = given_velocity_;
    begin(state_);
    if (finish(state_.residual.within(options_.tolerance))) return true;
    if (best_.residual.within(options_.enough) || !(state_.residual.scaled < 0.5 * last)) break;
    last = state_.residual.scaled;
  }
  state_ = best_;
  return newton(tolerances::proximity_steps, tolerances::proximity_steps);
}

// Sweeps find which contacts act; where many lie upon each other they need as many sweeps as there are layers, and all
// contacts stuck, brought into their cones, is nearer.
bool ContactsEngine::from_sweeps() {
  const std::size_t n = system_.kind.size();
  blocks_.impulse.assign(n, Matrix3::Zero());
  blocks_.velocity.assign(n, Matrix3::Identity());
  right_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    right_[i] = -system_.free_velocity[i];
    if (system_.kind[i] != ConeKind::ray) continue;
    blocks_.velocity[i] = Vector3::UnitX().asDiagonal();
    blocks_.impulse[i] << 0, 0, 0, -system_.ray[i][1], 1, 0, -system_.ray[i][2], 0, 1;
    right_[i].tail<2>().setZero();
  }
  state_.impulse.assign(n, Vector3::Zero());
  if (factor_.solve(system_, blocks_, tolerances::newton_lift, right_, step_)) {
    for (std::size_t i = 0; i < n; ++i) {
      if (system_.kind[i] == ConeKind::cone)
        step_[i] = project_on_cone(step_[i], system_.friction[i]);
      else if (system_.kind[i] != ConeKind::bilateral && step_[i][0] < 0)
        step_[i].setZero();
    }
    state_.impulse = step_;
  }
  begin(state_);
  if (system_.formed()) {
    right_.assign(n, Vector3::Zero());
    for (int k = 0; k < tolerances::first_sweeps; ++k) sweep(system_, right_);
    system_.respond(right_, step_);
    const ContactResidual swept = residual_of(system_, right_, step_);
    if (swept.scaled < state_.residual.scaled) {
      state_.impulse = right_;
      state_.velocity = step_;
      state_.residual = swept;
    }
  }
  return newton(tolerances::first_steps, tolerances::newton_halving_steps);
}

bool ContactsEngine::from_interior() {
  if (!system_.formed()) return false;  // its systems are too ill-conditioned for gradients
  cap_friction(tolerances::friction_cap, no_impulse_);
  interior_.run(system_, factor_, std::max(tolerances::interior_handover, options_.tolerance),
                steps_left(tolerances::interior_steps), state_, solution_.iterations);
  const bool solved = arrive(tolerances::later_steps, tolerances::later_steps);
  factor_.by_rank(false);  // what is left is hard enough to need every digit
  return solved;
}

bool ContactsEngine::over_kinks() {
  for (const double rho : tolerances::kink_rho) {
    state_ = best_;
    if (newton(tolerances::kink_steps, tolerances::kink_steps, rho, tolerances::newton_watchdog)) return true;
  }
  return false;
}

// Every case refuted proves that there is no solution, and nothing else need be tried.
bool ContactsEngine::from_modes() {
  if (can_search_modes(system_)) return by_cases();
  // Elsewhere the cones alone may contradict, or every direction of slip.
  if (!options_.certificate || !system_.formed() || system_.size() > tolerances::certificate_contacts) return false;
  std::vector<Vector3> proof;
  refuted_ = find_certificate(system_, proof);
  if (refuted_) system_.scatter(proof, 1, solution_.certificate);
  return !refuted_ && can_search_sectors(system_) && !cannot_contradict(system_) && by_cases();
}

bool ContactsEngine::by_cases() {
  const ModeTreeResult tree = search_modes(system_, [&](const std::vector<Vector3>& impulse) {
    state_.impulse = impulse;
    begin(state_);
    return newton(tolerances::first_steps, tolerances::newton_halving_steps) ? Offer::accepted : Offer::rejected;
  });
  if (tree.end == ModeTreeEnd::accepted) return true;
  if (tree.end != ModeTreeEnd::complete || tree.offered > 0 || cannot_contradict(system_)) return false;
  refuted_ = true;
  const auto contacts = std::find(system_.kind.begin(), system_.kind.end(), ConeKind::bilateral) - system_.kind.begin();
  const auto all = [&](const RefutedCase& found) {
    return std::all_of(found.modes.begin(), found.modes.begin() + contacts,
                       [](CaseMode mode) { return mode == CaseMode::any; });
  };
  if (all(tree.refuted.front())) {
    system_.scatter(tree.refuted.front().y, 1, solution_.certificate);
    return false;
  }
  for (const RefutedCase& found : tree.refuted) {
    ContactsCase& told = solution_.cases.emplace_back();
    told.modes.assign(found.modes.begin(), found.modes.begin() + contacts);
    if (!found.sectors.empty()) told.sectors.assign(found.sectors.begin(), found.sectors.begin() + contacts);
    system_.scatter(found.y, 1, told.y);
  }
  return false;
}

// Compliant contacts, D + ε diag(w), become rigid: ε falls from one to nothing, each stage from the one before.
// Stiffnesses that differ by many powers of ten, as those of light bodies between heavy ones, are met one power after
// the other. At first w is the mobilities; other weights take other paths, which end in other places where one fails.
bool ContactsEngine::from_compliance() {
  if (!system_.formed()) return false;
  weight_.assign(system_.kind.size(), Vector3::Ones());
  diagonal_.resize(system_.kind.size());
  return compliant_path();
}

bool ContactsEngine::from_other_compliances() {
  if (!system_.formed() || system_.size() > tolerances::compliance_contacts) return false;
  std::mt19937 random(static_cast<unsigned>(solution_.iterations));
  // A path that takes no step at all has met numbers out of range, and so would the next.
  for (int before = -1; steps_left(1) > 0 && solution_.iterations > before;) {
    before = solution_.iterations;
    for (Vector3& weight : weight_)
      weight.setConstant(elementary::exp(tolerances::compliance_spread * signed_uniform(random)));
    if (compliant_path()) return true;
  }
  return false;
}

bool ContactsEngine::compliant_path() {
  cap_friction(tolerances::friction_cap, no_impulse_);
  for (int i = 0; i < system_.size(); ++i) diagonal_[i] = system_.inertia.block[system_.inertia.diagonal[i]];
  state_.impulse.assign(system_.kind.size(), Vector3::Zero());
  for (double compliance = 1; compliance > tolerances::compliance_least; compliance *= tolerances::compliance_falls) {
    for (int i = 0; i < system_.size(); ++i) {
      Matrix3& block = system_.inertia.block[system_.inertia.diagonal[i]];
      block = diagonal_[i];
      block.diagonal() += compliance * system_.mobility[i] * weight_[i];
    }
    begin(state_);
    newton_.run(system_, factor_,
                {tolerances::compliance_residual, steps_left(tolerances::compliance_steps),
                 tolerances::compliance_steps, std::max(1.0, state_.residual.largest)},
                state_, solution_.iterations);
  }
  for (int i = 0; i < system_.size(); ++i) system_.inertia.block[system_.inertia.diagonal[i]] = diagonal_[i];
  begin(state_);
  start_ = state_.impulse;
  if (arrive(tolerances::first_steps, tolerances::first_steps, std::max(1.0, state_.residual.largest))) return true;
  state_.impulse = start_;
  cap_friction(tolerances::friction_cap, no_impulse_);
  begin(state_);
  return arrive(tolerances::first_steps, tolerances::newton_halving_steps);
}

bool ContactsEngine::from_pyramids() {
  if (!small() || !system_.formed()) return false;
  if (pyramids(tolerances::friction_cap)) return true;
  return largest_friction_ > tolerances::friction_cap && system_.size() <= tolerances::pyramid_contacts_uncapped &&
         pyramids(largest_friction_);
}

bool ContactsEngine::pyramids(double cap) {
  fans_.widen(system_.size());
  for (int round = 0; round < tolerances::pyramid_rounds; ++round) {
    cap_friction(cap, no_impulse_);
    const bool found = pyramid_.solve(system_, fans_, state_.impulse);
    if (!found) {
      cap_friction(largest_friction_, no_impulse_);
      return false;
    }
    begin(state_);
    fans_.narrow(state_.impulse, state_.velocity);
    start_ = state_.impulse;
    const double largest = state_.residual.largest;
    if (arrive(tolerances::first_steps, tolerances::newton_halving_steps)) return true;
    // Where contacts all but lock each other, impulses are far larger than velocities over the mobility.
    state_.impulse = start_;
    cap_friction(cap, no_impulse_);
    begin(state_);
    if (arrive(tolerances::first_steps, tolerances::newton_halving_steps, std::max(1.0, largest))) return true;
    if (system_.planar()) return false;  // pyramids are the cones
  }
  return false;
}

void ContactsEngine::sweep_best() {
  state_.impulse = best_.impulse;
  for (int k = 0; k < tolerances::later_sweeps; ++k) sweep(system_, state_.impulse);
  begin(state_);
}

bool ContactsEngine::from_many_sweeps() {
  if (!system_.formed()) return false;
  sweep_best();
  return newton(small() ? tolerances::later_steps : options_.iterations, options_.iterations);
}

// Again and again, each time with another ρ.
bool ContactsEngine::over_more_kinks() {
  if (!system_.formed()) return false;
  std::mt19937 random(1);
  for (int before = -1; steps_left(1) > 0 && solution_.iterations > before;) {
    before = solution_.iterations;
    sweep_best();
    const double rho = elementary::exp(tolerances::kink_rho_spread * signed_uniform(random));
    if (newton(tolerances::later_steps, tolerances::later_steps, rho, tolerances::newton_watchdog)) return true;
  }
  return false;
}

// An impulse anywhere in the cones, of the size of what stops each contact alone. Seeded: the same every time.
void ContactsEngine::anywhere(std::mt19937& random) {
  state_.impulse.resize(system_.kind.size());
  for (std::size_t i = 0; i < system_.kind.size(); ++i) {
    const double size = 2 * system_.speed / system_.mobility[i];
    const double normal = size * std::max(0.0, signed_uniform(random));
    const double reach = std::min(system_.friction[i], 1.0) * size;
    state_.impulse[i] = Vector3(normal, reach * signed_uniform(random), reach * signed_uniform(random));
  }
  begin(state_);
}

}  // namespace routh::internal
