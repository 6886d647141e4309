// From a problem file to answers: one law or all of them, the bounds, and the machine's own velocities.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>

#include "routh/impact/bounds.h"
#include "routh/impact/impact_derivatives.h"
#include "routh/impact/reduction.h"
#include "routh/impact/solve.h"
#include "routh/problem/problem_file.h"

namespace routh::internal {

// What one law says.
struct LawAnswer {
  ImpactResult result;
  // Of a machine only, empty otherwise.
  Eigen::VectorXd velocity;      // q̇⁺
  Eigen::VectorXd loop_impulse;  // A_bᵀλ; empty without bilateral rows
  Eigen::VectorXd multipliers;   // λ; empty without bilateral rows
  // Of `add_increment_numbers`; L of the first and the last stretch, of a machine only.
  std::optional<IncrementNumbers> increment;
  Eigen::VectorXd first_velocity_per_impulse, last_velocity_per_impulse;
  // Of `add_derivatives`; ∂q̇⁺/∂q̇⁻ of a machine only.
  std::optional<ImpactDerivatives> derivatives;
  Eigen::MatrixXd velocity_by_velocity;
};

// How a problem or a whole stream of them ended, from good to bad.
enum class Outcome {
  answered,
  no_answer,  // a law without an answer, or an iteration that gave up: exit code 4
  invalid,    // the problem breaks a rule: exit code 3
};
int exit_code(Outcome outcome);
Outcome outcome_of(ImpactStatus status);
inline Outcome worse(Outcome a, Outcome b) { return a < b ? b : a; }

// Reusable: no allocation when a problem of the same size follows.
struct ProblemAnswer {
  ImpactProblem problem;  // the contact that was solved; its table is a view of the ProblemFile
  ImpactBounds bounds;
  int count = 0;  // laws answered
  std::array<LawAnswer, law_count> laws;

  std::span<const LawAnswer> answers() const { return {laws.data(), static_cast<std::size_t>(count)}; }
  // Of the only law, or of the default law when all were asked for: that a textbook law has no answer is news, not a
  // failure.
  Outcome outcome() const;
};

class ProblemSolver {
 public:
  // The contact of the file: D and v, reduced from the machine where there is one. Throws InputError when the problem
  // breaks a rule that only shows now, such as a mass matrix that is not positive definite.
  ImpactProblem prepare(const ProblemFile& file);

  // After `prepare`: f of the contact, where the file says it (`has_acceleration`); zero otherwise. Throws InputError
  // when it is out of range.
  ContactVector free_acceleration(const ProblemFile& file) const;

  // Solves for the law of the file; if it names none, for `otherwise`; if that is empty too, for all laws.
  void solve(const ProblemFile& file, ProblemAnswer& answer, std::optional<Law> otherwise = std::nullopt);
  // One law alone, without bounds; `problem` is what `prepare` made of the file.
  void solve_law(const ProblemFile& file, Law law, const ImpactProblem& problem, LawAnswer& answer);
  // After `prepare` of a machine: its velocity after an impulse of the contact, whatever law gave it.
  Eigen::VectorXd velocity_after(const ContactVector& impulse);
  // After `solve`, for readers of an answer: a stream goes without, as they cost a second solve.
  void add_increment_numbers(const ProblemFile& file, ProblemAnswer& answer) const;
  void add_derivatives(const ProblemFile& file, ProblemAnswer& answer) const;

 private:
  MachineState machine() const;
  void load_machine(const ProblemFile& file);

  Eigen::MatrixXd mass_matrix_, jacobian_, bilateral_;
  Eigen::VectorXd velocity_, external_impulse_;
  std::optional<Reduction> reduction_;
  Eigen::Index reduction_rows_ = -1, reduction_size_ = -1;
};

}  // namespace routh::internal
