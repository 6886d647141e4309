#include "routh/contacts/contacts_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contacts/certificate.h"
#include "routh/contacts/one_contact.h"
#include "routh/contacts/pyramid.h"
#include "routh/contacts/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

const ContactsSolution& ContactsEngine::solve(const FrictionContactProblem& problem, const ContactsOptions& options,
                                              std::span<const double> start) {
  options_ = options;
  if (!system_.take_up(problem)) factor_.forget_structure();
  solution_.iterations = 0;
  solution_.tried.clear();
  tried_.clear();
  best_.residual.scaled = std::numeric_limits<double>::infinity();
  factor_.by_rank(true);
  const auto enough = [&] { return options.enough > 0 && best_.residual.within(options.enough); };
  bool solved = nothing_touches() || from_start(start);
  solved = solved || (!enough() && from_sweeps());
  solved = solved || (!enough() && from_interior(tolerances::interior_fraction_quick));
  factor_.by_rank(false);  // what is left is hard enough to need every digit
  const auto goes_on = [&] { return options.thorough && !enough(); };
  solved = solved || (goes_on() && from_interior(tolerances::interior_fraction_careful));
  solved = solved || (goes_on() && from_pyramids());
  solved = solved || (goes_on() && (from_friction() || from_many_sweeps() || from_anywhere()));
  tell(problem, solved);
  return solution_;
}

// Room for a state of this size; velocity and residual of the impulse it has.
void ContactsEngine::begin(ContactsState& state) {
  system_.respond(state.impulse, state.velocity);
  state.residual = residual_of(system_, state.impulse, state.velocity);
}

bool ContactsEngine::finish(bool solved) {
  if (state_.residual.scaled < best_.residual.scaled || solved) best_ = state_;
  return solved;
}

bool ContactsEngine::newton(int limit, int halving_steps, double rho) {
  const int left = std::max(0, options_.iterations - solution_.iterations);
  return finish(newton_.run(system_, factor_, {options_.tolerance, std::min(limit, left), halving_steps, rho}, state_,
                            solution_.iterations));
}

bool ContactsEngine::nothing_touches() {
  state_.impulse.assign(system_.kind.size(), Vector3::Zero());
  begin(state_);
  return finish(state_.residual.within(options_.tolerance));
}

bool ContactsEngine::from_start(std::span<const double> start) {
  if (start.empty()) return false;
  system_.gather(start, state_.impulse);
  begin(state_);
  return newton(tolerances::warm_steps, tolerances::newton_halving_steps);
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
  tried_.push_back("Newton's method after sweeps of Gauss and Seidel");
  return newton(tolerances::first_steps, tolerances::newton_halving_steps);
}

bool ContactsEngine::from_interior(double fraction) {
  const int left = options_.iterations - solution_.iterations;
  if (left <= 0) return false;
  if (!system_.formed()) return false;  // its systems are too ill-conditioned for gradients
  const bool quick = fraction == tolerances::interior_fraction_quick;
  const double reached = quick ? std::max(tolerances::interior_handover, options_.tolerance) : options_.tolerance;
  interior_.run(system_, factor_, reached, fraction, std::min(tolerances::interior_steps, left), state_,
                solution_.iterations);
  tried_.push_back(quick ? "interior points and Newton's method" : "the same closer to the middle of the path");
  return newton(tolerances::later_steps, tolerances::later_steps);
}

bool ContactsEngine::from_pyramids() {
  if (!small() || !system_.formed()) return false;
  tried_.push_back("Lemke's method on pyramids and Newton's method");
  fans_.widen(system_.size());
  for (int round = 0; round < tolerances::pyramid_rounds; ++round) {
    if (!solve_pyramids(system_, fans_, state_.impulse)) return false;
    begin(state_);
    fans_.narrow(state_.impulse, state_.velocity);
    const ContactsState found = state_;
    if (newton(tolerances::first_steps, tolerances::newton_halving_steps)) return true;
    // Where contacts all but lock each other, impulses are far larger than velocities over the mobility.
    state_ = found;
    if (newton(tolerances::first_steps, tolerances::newton_halving_steps, std::max(1.0, found.residual.largest)))
      return true;
    if (system_.planar()) return false;  // pyramids are the cones
  }
  return false;
}

// Friction rises from zero, where the problem is convex, in equal angles of the cones, each stage from the one before.
bool ContactsEngine::from_friction() {
  if (!system_.formed()) return false;
  const std::vector<double> friction = system_.friction;
  state_.impulse.assign(system_.kind.size(), Vector3::Zero());
  for (int stage = 0; stage <= tolerances::friction_stages; ++stage) {
    const double share = static_cast<double>(stage) / tolerances::friction_stages;
    for (std::size_t i = 0; i < friction.size(); ++i)
      if (system_.kind[i] == ConeKind::cone)
        system_.friction[i] =
            stage == tolerances::friction_stages ? friction[i] : elementary::tan(share * elementary::atan(friction[i]));
    sweep(system_, state_.impulse);
    begin(state_);
    if (stage == tolerances::friction_stages) break;
    const int left = options_.iterations - solution_.iterations;
    newton_.run(system_, factor_,
                {tolerances::friction_stage_residual, std::clamp(left, 0, tolerances::friction_steps),
                 tolerances::friction_steps},
                state_, solution_.iterations);
  }
  tried_.push_back("friction raised from zero");
  return newton(tolerances::later_steps, tolerances::later_steps);
}

bool ContactsEngine::from_many_sweeps() {
  if (!system_.formed()) return false;
  state_.impulse = best_.impulse;
  for (int k = 0; k < tolerances::later_sweeps; ++k) sweep(system_, state_.impulse);
  begin(state_);
  tried_.push_back("more sweeps and Newton's method");
  return newton(small() ? tolerances::later_steps : options_.iterations, options_.iterations);
}

bool ContactsEngine::from_anywhere() {
  if (!small()) return false;
  tried_.push_back("Newton's method from impulses anywhere in the cones");
  std::mt19937 random(1);
  for (int k = 0; k < tolerances::starts_anywhere && solution_.iterations < options_.iterations; ++k) {
    anywhere(random);
    for (int sweeps = 0; sweeps < tolerances::newton_sweeps && system_.formed(); ++sweeps)
      sweep(system_, state_.impulse);
    begin(state_);
    if (newton(tolerances::first_steps, tolerances::newton_halving_steps)) return true;
  }
  return false;
}

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

// Whether the equations of what the contacts do leave an impulse open: inverse iteration from a fixed vector.
bool ContactsEngine::impulse_unique() {
  read_duties();
  const std::size_t n = system_.kind.size();
  blocks_.impulse.assign(n, Matrix3::Zero());
  blocks_.velocity.assign(n, Matrix3::Zero());
  right_.resize(n);
  bool closed = false;
  for (std::size_t i = 0; i < n; ++i) {
    const double turn = static_cast<double>(i % 7) - 3;  // any vector will do that no symmetry makes special
    right_[i] = Vector3(1, 0.3 * turn, 0.7 - 0.1 * turn) * system_.mobility[i];
    closed = closed || duty_[i] != ContactDuty::open;
    if (duty_[i] == ContactDuty::open) {
      blocks_.impulse[i].setIdentity();
      right_[i].setZero();
    } else if (duty_[i] == ContactDuty::slides) {
      blocks_.velocity[i](0, 0) = 1;
      blocks_.impulse[i] << 0, 0, 0, -direction_[i][1], 1, 0, -direction_[i][2], 0, 1;
      right_[i].tail<2>().setZero();
    } else {
      blocks_.velocity[i].setIdentity();
    }
  }
  if (!closed || !system_.formed()) return true;
  if (!factor_.solve(system_, blocks_, tolerances::unique_lift, right_, step_)) return false;
  double size = 0;
  for (const Vector3& part : step_) size = std::max(size, part.cwiseAbs().maxCoeff());
  return size * tolerances::unique_lift < tolerances::unique_gain;
}

// An impulse anywhere in the cones, of the size of what stops each contact alone. Seeded: the same every time.
void ContactsEngine::anywhere(std::mt19937& random) {
  const auto uniform = [&random] { return 2.0 * static_cast<double>(random()) / 4294967295.0 - 1; };
  state_.impulse.resize(system_.kind.size());
  for (std::size_t i = 0; i < system_.kind.size(); ++i) {
    const double size = 2 * system_.speed / system_.mobility[i];
    const double normal = size * std::max(0.0, uniform());
    const double reach = std::min(system_.friction[i], 1.0) * size;
    state_.impulse[i] = Vector3(normal, reach * uniform(), reach * uniform());
  }
  begin(state_);
}

void ContactsEngine::look_for_others() {
  const std::size_t n = system_.kind.size();
  std::mt19937 random(1);
  for (int k = 0; k < options_.other_starts; ++k) {
    anywhere(random);
    int steps = 0;
    if (!newton_.run(system_, factor_, {options_.tolerance, tolerances::first_steps, tolerances::newton_halving_steps},
                     state_, steps))
      continue;
    double apart = 0;
    for (std::size_t i = 0; i < n; ++i) apart += (state_.velocity[i] - best_.velocity[i]).squaredNorm();
    if (std::sqrt(apart) <= tolerances::same_velocity_relative * system_.speed) continue;
    system_.scatter(state_.velocity, solution_.other_velocity);
    return;
  }
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
  solution_.impulse_unique = true;
  solution_.other_velocity.resize(0);
  solution_.certificate.resize(0);
  if (solved) {
    if (options_.least_norm) choose_least_norm();
    if (options_.uniqueness) solution_.impulse_unique = impulse_unique();
    if (options_.other_starts > 0) look_for_others();
  } else {
    bring_into_cones();
    for (const char* method : tried_) solution_.tried += (solution_.tried.empty() ? "" : "; ") + std::string(method);
    if (std::vector<Vector3> proof; options_.certificate && find_certificate(system_, proof)) {
      solution_.status = ContactsStatus::infeasible;
      system_.scatter(proof, solution_.certificate);
    }
  }
  solution_.residual = best_.residual.natural;
  system_.scatter(best_.impulse, solution_.impulse);
  system_.scatter(best_.velocity, solution_.velocity);
  // T changes by p·v⁺ − ½ p·Dp; of relative velocities, D p = v⁺ − v.
  double change = 0;
  for (std::size_t i = 0; i < best_.impulse.size(); ++i)
    change += 0.5 * best_.impulse[i].dot(best_.velocity[i] + system_.free_velocity[i]);
  solution_.supplied = problem.surface_velocity.size() > 0 ? solution_.impulse.dot(problem.surface_velocity) : 0.0;
  solution_.energy_change = change + solution_.supplied;
}

}  // namespace routh::internal

namespace routh {

FrictionContactSolver::FrictionContactSolver() : engine_(make_hidden<internal::ContactsEngine>()) {}

const ContactsSolution& FrictionContactSolver::solve(const FrictionContactProblem& problem,
                                                     const ContactsOptions& options, std::span<const double> start) {
  return engine_->solve(problem, options, start);
}

ContactsSolution solve_contacts(const FrictionContactProblem& problem, const ContactsOptions& options) {
  return FrictionContactSolver().solve(problem, options);
}

double natural_residual(const FrictionContactProblem& problem, const Eigen::VectorXd& impulse) {
  internal::ContactSystem system;
  system.take_up(problem);
  std::vector<internal::Vector3> p, v;
  system.gather({impulse.data(), static_cast<std::size_t>(impulse.size())}, p);
  system.respond(p, v);
  return residual_of(system, p, v).natural;
}

}  // namespace routh
