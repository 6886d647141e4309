// What ContactsEngine tells of the point it has found.
#include <algorithm>
#include <cmath>

#include "routh/contacts/certificate.h"
#include "routh/contacts/contacts_engine.h"
#include "routh/contacts/mode_tree.h"
#include "routh/contacts/tolerances.h"

namespace routh::internal {

void ContactsEngine::read_duties() {
  const std::size_t n = system_.kind.size();
  duty_.resize(n);
  direction_ = system_.ray;
  const double least = tolerances::duty_relative * system_.speed;
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3 &p = best_.impulse[i], &v = best_.velocity[i];
    const double slip = std::sqrt(v[1] * v[1] + v[2] * v[2]);
    if (system_.kind[i] == ConeKind::bilateral) {
      duty_[i] = ContactDuty::holds;
    } else if (v[0] > least && v[0] > p[0] * system_.mobility[i]) {
      duty_[i] = ContactDuty::open;
    } else if (system_.kind[i] == ConeKind::ray) {
      duty_[i] = ContactDuty::slides;
    } else if (slip > least) {
      duty_[i] = ContactDuty::slides;
      direction_[i].tail<2>() = -system_.friction[i] / slip * v.tail<2>();
    } else {
      duty_[i] = ContactDuty::sticks;
    }
  }
}

void ContactsEngine::choose_least_norm() {
  // The velocity must be one that impulses on the rays give, to more digits than were asked for.
  newton_.run(system_, factor_,
              {tolerances::least_norm_velocity, tolerances::least_norm_polish, tolerances::least_norm_polish}, best_,
              solution_.iterations);
  read_duties();
  const std::size_t n = system_.kind.size();
  right_.resize(n);
  for (std::size_t i = 0; i < n; ++i) right_[i] = best_.velocity[i] - system_.free_velocity[i];
  admissible_.impulse.assign(n, Vector3::Zero());
  least_norm_.run(system_, factor_, duty_, direction_, right_, admissible_);
  state_.impulse = admissible_.impulse;
  begin(state_);
  if (state_.residual.within(options_.tolerance)) best_ = state_;
}

// Impulses that differ by dp give the same velocity where D dp = 0. What the contacts do allows dp = E x: nothing of
// open contacts, the ray of those that slide, anything of those that stick. So the least eigenvalue of EᵀD E decides (D
// symmetric; contacts in units of their mobility), found by inverse iteration; E Eᵀ + … by blocks makes it a matrix of
// Newton's kind. At the edge of its cone a contact may go one way only: the direction found must, or its opposite; else
// such contacts are bound to their ray or, without impulse, to none, and where that decides otherwise nothing is told.
std::optional<bool> ContactsEngine::impulse_unique() {
  if (!system_.formed()) return std::nullopt;
  read_duties();
  if (!has_idle_direction()) return true;
  const double least = tolerances::duty_edge * system_.speed;
  bool bound = false, forth = true, back = true;
  for (int i = 0; i < system_.size(); ++i) {
    if (duty_[i] == ContactDuty::holds || duty_[i] == ContactDuty::open) continue;
    const Vector3 &p = best_.impulse[i], &x = step_[i];
    const double mobility = system_.mobility[i], mu = system_.friction[i];
    const double tangential = std::sqrt(p[1] * p[1] + p[2] * p[2]);
    const bool presses = p[0] * mobility > least, sticks = duty_[i] == ContactDuty::sticks;
    if (presses && !(sticks && tangential * mobility >= mu * p[0] * mobility - least)) continue;
    bound = true;
    // How fast the impulse leaves the cone along ±x; from its tip ‖x_t‖ − μ x_n, or −x_n along a ray.
    const double aside = presses ? (p[1] * x[1] + p[2] * x[2]) / tangential : std::sqrt(x[1] * x[1] + x[2] * x[2]);
    const double slack = tolerances::duty_edge * x.norm();
    forth = forth && (sticks ? aside - mu * x[0] : -x[0]) <= slack;
    back = back && (sticks ? (presses ? -aside : aside) + mu * x[0] : x[0]) <= slack;
    duty_[i] = presses ? ContactDuty::slides : ContactDuty::open;
    if (presses) direction_[i] = p / p[0];
  }
  if (!bound || forth || back) return false;
  return has_idle_direction() ? std::optional(false) : std::nullopt;
}

bool ContactsEngine::has_idle_direction() {
  const std::size_t n = system_.kind.size();
  blocks_.impulse.assign(n, Matrix3::Zero());
  blocks_.velocity.assign(n, Matrix3::Zero());
  right_.resize(n);
  const auto allowed = [&](std::size_t i, const Vector3& x) -> Vector3 {
    if (duty_[i] == ContactDuty::open) return Vector3::Zero();
    if (duty_[i] != ContactDuty::slides) return x;
    return {x.dot(direction_[i]), 0, 0};  // the row of the ray; the other two hold p on it
  };
  std::mt19937 random(1);
  bool closed = false;
  for (std::size_t i = 0; i < n; ++i) {
    closed = closed || duty_[i] != ContactDuty::open;
    const Vector3 anything(signed_uniform(random), signed_uniform(random), signed_uniform(random));
    right_[i] = allowed(i, system_.mobility[i] * anything);
    if (duty_[i] == ContactDuty::open) {
      blocks_.impulse[i].setIdentity();
    } else if (duty_[i] == ContactDuty::slides) {
      blocks_.velocity[i].row(0) = direction_[i].transpose();
      blocks_.impulse[i] << 0, 0, 0, -direction_[i][1], 1, 0, -direction_[i][2], 0, 1;
    } else {
      blocks_.velocity[i].setIdentity();
    }
  }
  if (!closed) return false;
  for (int round = 0; round < tolerances::unique_rounds; ++round) {
    if (!factor_.solve(system_, blocks_, tolerances::unique_lift, right_, step_)) return true;
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) size = std::max(size, system_.mobility[i] * step_[i].norm());
    if (!(size > 0)) return false;
    for (std::size_t i = 0; i < n; ++i) right_[i] = allowed(i, system_.mobility[i] / size * step_[i]);
  }
  // Rayleigh's quotient of the last direction.
  system_.respond(step_, right_);
  double energy = 0, square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    energy += step_[i].dot(right_[i] - system_.free_velocity[i]);
    square += system_.mobility[i] * step_[i].squaredNorm();
  }
  return energy <= tolerances::unique_rank * square;
}

bool ContactsEngine::is_other(const ContactsState& state) const {
  double apart = 0;
  for (std::size_t i = 0; i < state.velocity.size(); ++i)
    apart += (state.velocity[i] - best_.velocity[i]).squaredNorm();
  return std::sqrt(apart) > tolerances::same_velocity_relative * system_.speed;
}

// All solutions of few contacts in the plane; else what other starts lead to.
void ContactsEngine::look_for_others() {
  int steps = 0;
  const auto polished = [&](int limit) {
    return newton_.run(system_, factor_, {options_.tolerance, limit, tolerances::newton_halving_steps}, state_, steps);
  };
  const bool few = system_.size() <= tolerances::others_contacts && options_.other_starts.value_or(1) > 0;
  if (options_.uniqueness && few && can_search_modes(system_)) {
    const ModeTreeResult tree = search_modes(system_, [&](const std::vector<Vector3>& impulse) {
      state_.impulse = impulse;
      begin(state_);
      if (!polished(tolerances::warm_steps)) return Offer::rejected;
      return is_other(state_) ? Offer::accepted : Offer::seen;
    });
    if (tree.end == ModeTreeEnd::complete) solution_.velocity_unique = true;
    if (tree.end == ModeTreeEnd::accepted) solution_.velocity_unique = false;
  }
  const int usual = options_.uniqueness && small() && system_.formed() ? tolerances::others_starts : 0;
  const int starts = options_.other_starts.value_or(usual);
  if (solution_.velocity_unique.value_or(starts <= 0)) return;  // a seed costs as much as a small problem
  std::mt19937 random(1);
  for (int k = 0; !solution_.velocity_unique && k < starts; ++k) {
    anywhere(random);
    if (polished(tolerances::first_steps) && is_other(state_)) solution_.velocity_unique = false;
  }
  if (solution_.velocity_unique == false)
    system_.scatter(state_.velocity, system_.velocity_unit, solution_.other_velocity);
}

// The best point of a problem that was not solved: an impulse that the contacts can give at least.
void ContactsEngine::bring_into_cones() {
  state_ = best_;
  for (std::size_t i = 0; i < state_.impulse.size(); ++i) {
    Vector3& p = state_.impulse[i];
    if (system_.kind[i] == ConeKind::cone) p = project_on_cone(p, system_.friction[i]);
    if (system_.kind[i] == ConeKind::ray) p = std::max(0.0, p[0]) * system_.ray[i];
  }
  begin(state_);
  if (std::isfinite(state_.residual.natural)) best_ = state_;
}

void ContactsEngine::tell(const FrictionContactProblem& problem, bool solved) {
  solution_.status = solved ? ContactsStatus::solved : ContactsStatus::not_solved;
  solution_.impulse_unique.reset();
  solution_.other_velocity.resize(0);
  solution_.velocity_unique.reset();
  if (solved) {
    if (options_.least_norm) choose_least_norm();
    if (options_.uniqueness) solution_.impulse_unique = impulse_unique();
    look_for_others();
  } else {
    bring_into_cones();
    if (std::vector<Vector3> proof; !refuted_ && options_.certificate && find_certificate(system_, proof)) {
      refuted_ = true;
      system_.scatter(proof, 1, solution_.certificate);
    }
    if (refuted_) solution_.status = ContactsStatus::infeasible;
    if (solution_.certificate.size() > 0) solution_.certificate.normalize();
    for (ContactsCase& found : solution_.cases) found.y.normalize();
  }
  solution_.residual = best_.residual.natural;
  system_.scatter(best_.impulse, system_.impulse_unit(), solution_.impulse);
  system_.scatter(best_.velocity, system_.velocity_unit, solution_.velocity);
  // T changes by p·v⁺ − ½ p·Dp; of relative velocities, D p = v⁺ − v.
  double change = 0;
  for (std::size_t i = 0; i < best_.impulse.size(); ++i)
    change += 0.5 * best_.impulse[i].dot(best_.velocity[i] + system_.free_velocity[i]);
  solution_.supplied = problem.surface_velocity.size() > 0 ? solution_.impulse.dot(problem.surface_velocity) : 0.0;
  solution_.energy_change = change * system_.impulse_unit() * system_.velocity_unit + solution_.supplied;
}

}  // namespace routh::internal
