#include "routh/contacts/contacts_engine.h"

#include <algorithm>

namespace routh::internal {

namespace {

// Where Newton's method sets out, in the order in which it is tried, and the steps that each may take at most.
struct Start {
  bool (ContactsEngine::*run)();
  int steps;
  bool quick;  // takes no longer than those before it together
  const char* words;
};

}  // namespace

struct ContactsStarts {
  static constexpr Start all[] = {
      {&ContactsEngine::from_proximity, 60, true, "compliant contacts that hold on to the start"},
      {&ContactsEngine::from_sweeps, 100, true, "Newton's method after sweeps of Gauss and Seidel"},
      {&ContactsEngine::from_interior, 300, true, "interior points and Newton's method"},
      {&ContactsEngine::over_kinks, 600, false, "Newton's method over kinks"},
      {&ContactsEngine::from_modes, 400, false, "what contacts can do, case by case"},
      {&ContactsEngine::from_compliance, 600, false, "compliant contacts that become rigid"},
      {&ContactsEngine::from_other_compliances, 1500, false, "other compliances"},
      {&ContactsEngine::from_pyramids, 600, false, "Lemke's method on pyramids"},
      {&ContactsEngine::from_many_sweeps, 1000, false, "more sweeps"},
      {&ContactsEngine::over_more_kinks, 1000, false, "more kinks"},
      {&ContactsEngine::from_other_compliances, 5000, false, "more compliances"},
  };
};

const ContactsSolution& ContactsEngine::solve(const FrictionContactProblem& problem, const ContactsOptions& options,
                                              std::span<const double> start) {
  options_ = options;
  if (!system_.take_up(problem)) factor_.forget_structure();
  given_friction_ = system_.friction;
  largest_friction_ = 0;
  for (const double mu : given_friction_) largest_friction_ = std::max(largest_friction_, mu);
  solution_.iterations = 0;
  solution_.tried.clear();
  factor_.by_rank(true);
  stage_end_ = options_.iterations;
  solution_.certificate.resize(0);
  solution_.cases.clear();
  refuted_ = false;
  int tried = 0;
  given_start_.clear();
  bool solved = nothing_touches() || from_start(start);
  for (const Start& way : ContactsStarts::all) {
    if (solved || refuted_ || (options.enough > 0 && best_.residual.within(options.enough))) break;
    if (solution_.iterations >= options_.iterations || (!options_.thorough && !way.quick)) break;
    ++tried;
    stage_end_ = solution_.iterations + way.steps;
    solved = (this->*way.run)();
  }
  if (!solved && !refuted_)
    for (int k = 0; k < tried; ++k) solution_.tried += (k > 0 ? "; " : "") + std::string(ContactsStarts::all[k].words);
  tell(problem, solved);
  return solution_;
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
  system.gather({impulse.data(), static_cast<std::size_t>(impulse.size())}, system.impulse_unit(), p);
  system.respond(p, v);
  return residual_of(system, p, v).natural;
}

}  // namespace routh
