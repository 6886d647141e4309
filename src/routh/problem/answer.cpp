#include "routh/problem/answer.h"
#include "routh/problem/dense.h"

#include <fmt/format.h>

#include <cmath>

namespace routh::internal {

namespace {

ContactVector contact_vector(const std::vector<double>& values) {
  if (values.empty()) return {};
  return {values[0], values[1], values.size() > 2 ? values[2] : 0.0};
}

ContactInertia contact_inertia(const NumberTable& d) {
  if (d.rows == 2) return planar_inertia(d(0, 0), d(0, 1), d(1, 1));
  return spatial_inertia(d(0, 0), d(0, 1), d(0, 2), d(1, 1), d(1, 2), d(2, 2));
}

// The field whose value `check` complains about; D of a machine comes from its Jacobian.
Field field_of(std::string_view quantity, const ProblemFile& file) {
  const std::string_view head = quantity.substr(0, quantity.find_first_of(".["));
  for (std::size_t i = 0; i < field_names.size(); ++i)
    if (field_names[i] == head && file.has(static_cast<Field>(i))) return static_cast<Field>(i);
  return file.is_machine() ? (head == "contact_velocity" ? Field::velocity : Field::jacobian) : Field::delassus;
}

[[noreturn]] void fail(const ProblemFile& file, const Violation& violation) {
  const Field field = field_of(violation.quantity, file);
  const std::string_view key = field_names[static_cast<std::size_t>(field)];
  const std::string_view quantity = violation.quantity;
  const std::string subject =
      quantity.starts_with(key) ? std::string(quantity) : fmt::format("{} ({} of this machine)", key, quantity);
  throw InputError(file.where(field), fmt::format("{}: {} {}", subject, violation.value, violation.rule));
}

}  // namespace

int exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::answered:
      return 0;
    case Outcome::no_answer:
      return 4;
    case Outcome::invalid:
      return 3;
  }
  return 1;
}

Outcome outcome_of(ImpactStatus status) {
  if (status == ImpactStatus::invalid) return Outcome::invalid;
  return usable(status) ? Outcome::answered : Outcome::no_answer;
}

Outcome ProblemAnswer::outcome() const {
  for (const LawAnswer& law : answers())
    if (count == 1 || law.result.law == Law::energetic) return outcome_of(law.result.status);
  return Outcome::invalid;
}

MachineState ProblemSolver::machine() const {
  return {mass_matrix_, jacobian_, velocity_, bilateral_, external_impulse_};
}

void ProblemSolver::load_machine(const ProblemFile& file) {
  mass_matrix_ = dense(file.mass_matrix);
  jacobian_ = dense(file.jacobian);
  bilateral_ = dense(file.bilateral);
  velocity_ = dense(file.velocity);
  external_impulse_ = dense(file.external_impulse);
  if (reduction_rows_ == bilateral_.rows() && reduction_size_ == velocity_.size()) return;
  reduction_rows_ = bilateral_.rows();
  reduction_size_ = velocity_.size();
  reduction_.emplace(static_cast<int>(reduction_size_), static_cast<int>(reduction_rows_));
}

ImpactProblem ProblemSolver::prepare(const ProblemFile& file) {
  if (!file.contacts.empty())
    throw InputError(file.where(Field::contacts),
                     fmt::format("{} contacts where one is asked for", file.contacts.size()),
                     "`routh impact` solves several at once; here give one");
  ImpactProblem problem;
  if (file.is_machine()) {
    load_machine(file);
    switch (reduction_->compute(machine())) {
      case ReductionStatus::ok:
        break;
      case ReductionStatus::mass_matrix_indefinite:
        throw InputError(file.where(Field::mass_matrix), "mass_matrix is not positive definite",
                         "every motion of the machine needs inertia");
      case ReductionStatus::bad_shape:
      case ReductionStatus::non_finite:
        throw InputError(file.where(Field::mass_matrix), "the numbers of the machine do not fit together",
                         "give a square mass_matrix and as many columns of the jacobian, of finite numbers");
    }
    problem.inertia = reduction_->inertia();
    problem.velocity = reduction_->contact_velocity();
    problem.push = reduction_->contact_push();
  } else {
    problem.inertia = contact_inertia(file.delassus);
    problem.velocity = contact_vector(file.contact_velocity);
  }
  problem.surface_velocity = contact_vector(file.surface_velocity);
  problem.friction = file.friction;
  problem.restitution = file.make_restitution();
  problem.load = file.load;
  if (file.has_acceleration() && free_acceleration(file).n < 0) problem.load = Load::pressed;
  if (const Violation violation = check(problem); violation.rule) fail(file, violation);
  return problem;
}

ContactVector ProblemSolver::free_acceleration(const ProblemFile& file) const {
  if (!file.has(Field::force)) return contact_vector(file.free_acceleration);
  Eigen::VectorXd force;
  force = dense(file.force);
  const ContactVector moved = reduction_->contact_acceleration(force), drift = contact_vector(file.drift);
  const ContactVector f{moved.n + drift.n, moved.t1 + drift.t1, moved.t2 + drift.t2};
  if (!std::isfinite(f.n) || !std::isfinite(f.t1) || !std::isfinite(f.t2))
    throw InputError(file.where(Field::force), "the acceleration of the contact is out of range", "scale the numbers");
  return f;
}

void ProblemSolver::solve_law(const ProblemFile& file, Law law, const ImpactProblem& problem, LawAnswer& answer) {
  answer.result = solve_impact(problem, law);
  answer.increment.reset();
  answer.derivatives.reset();
  if (!file.is_machine() || bilateral_.rows() == 0) {
    answer.loop_impulse.resize(0);
    answer.multipliers.resize(0);
  }
  if (!file.is_machine()) {
    answer.velocity.resize(0);
    return;
  }
  reduction_->expand(machine(), problem, answer.result);
  answer.velocity = reduction_->velocity_after();
  if (bilateral_.rows() == 0) return;
  answer.loop_impulse = reduction_->loop_impulse();
  answer.multipliers = reduction_->multipliers();
}

Eigen::VectorXd ProblemSolver::velocity_after(const ContactVector& impulse) {
  ImpactResult result;
  result.impulse = impulse;
  reduction_->expand(machine(), result);
  return reduction_->velocity_after();
}

void ProblemSolver::solve(const ProblemFile& file, ProblemAnswer& answer, std::optional<Law> otherwise) {
  answer.count = 0;
  answer.problem = prepare(file);
  answer.bounds = compute_bounds(answer.problem);
  const std::optional<Law> only = file.law ? file.law : otherwise;
  for (const Law law : all_laws) {
    if (only && *only != law) continue;
    solve_law(file, law, answer.problem, answer.laws[static_cast<std::size_t>(answer.count)]);
    ++answer.count;
  }
}

void ProblemSolver::add_increment_numbers(const ProblemFile& file, ProblemAnswer& answer) const {
  for (int k = 0; k < answer.count; ++k) {
    LawAnswer& law = answer.laws[static_cast<std::size_t>(k)];
    law.increment = compute_increment_numbers(answer.problem, law.result);
    if (!law.increment || !file.is_machine()) continue;
    law.first_velocity_per_impulse = velocity_per_impulse(machine(), law.increment->first);
    law.last_velocity_per_impulse = velocity_per_impulse(machine(), law.increment->last);
  }
}

void ProblemSolver::add_derivatives(const ProblemFile& file, ProblemAnswer& answer) const {
  for (int k = 0; k < answer.count; ++k) {
    LawAnswer& law = answer.laws[static_cast<std::size_t>(k)];
    law.derivatives = differentiate_impact(answer.problem, law.result);
    if (file.is_machine()) law.velocity_by_velocity = differentiate_velocity_after(machine(), *law.derivatives);
  }
}

}  // namespace routh::internal
