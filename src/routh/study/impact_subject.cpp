#include "routh/study/impact_subject.h"

#include "routh/problem/answer.h"
#include "routh/study/impact_quantity.h"
#include "routh/study/problem_parameter.h"

namespace routh::internal {

namespace {

// What the samples have in common.
struct ImpactPlan {
  ProblemFile problem;
  ImpactShape shape;
  std::vector<ProblemParameter> parameters;
  std::vector<ImpactQuantity> quantities;
  std::array<bool, law_count> laws = {};  // asked for, by Law
  bool bounds = false, verdict = false, energy = false;
};

Fault fault_of(ImpactStatus status) {
  switch (status) {
    case ImpactStatus::ill_conditioned:
      return Fault::ill_conditioned;
    case ImpactStatus::overflow:
      return Fault::overflow;
    case ImpactStatus::not_converged:
      return Fault::not_converged;
    case ImpactStatus::invalid:
      return Fault::refused;
    case ImpactStatus::ok:
    case ImpactStatus::no_impact:
    case ImpactStatus::no_solution:
    case ImpactStatus::undefined:
    case ImpactStatus::locked:
      break;
  }
  return Fault::none;
}

class ImpactRunner : public SampleRunner {
 public:
  explicit ImpactRunner(const ImpactPlan& plan) : plan_(plan), problem_(plan.problem) {
    seen_.problem = &contact_;
    seen_.bounds = &bounds_;
    for (std::size_t k = 0; k < law_count; ++k) seen_.laws[k] = &answers_[k];
  }

  Fault run(std::span<const double> parameters, std::span<double> quantities, std::string& reason) override {
    for (std::size_t k = 0; k < parameters.size(); ++k) plan_.parameters[k].set(problem_, parameters[k]);
    if (const auto breach = settle(problem_)) {
      reason = breach->message;
      return Fault::refused;
    }
    try {
      if (const Fault fault = solve(reason); fault != Fault::none) return fault;
    } catch (const InputError& error) {
      reason = error.message();
      return Fault::refused;
    }
    for (std::size_t k = 0; k < quantities.size(); ++k) quantities[k] = plan_.quantities[k].value(seen_);
    return Fault::none;
  }

 private:
  Fault solve(std::string& reason) {
    contact_ = solver_.prepare(problem_);
    for (const Law law : all_laws) {
      if (!plan_.laws[static_cast<std::size_t>(law)]) continue;
      LawAnswer& answer = answers_[static_cast<std::size_t>(law)];
      solver_.solve_law(problem_, law, contact_, answer);
      if (!gave_out(answer.result.status)) continue;
      reason = explain(answer.result.status);
      return fault_of(answer.result.status);
    }
    if (plan_.bounds) bounds_ = compute_bounds(contact_);
    if (plan_.verdict) {
      const bool known = problem_.has_acceleration();
      const ContactVector f = known ? solver_.free_acceleration(problem_) : ContactVector{};
      seen_.verdict =
          diagnose({contact_, f}, known ? FreeAcceleration::given : FreeAcceleration::unknown, plan_.shape.law).verdict;
    }
    if (plan_.energy) seen_.energy_before = kinetic_energy();
    return Fault::none;
  }

  double kinetic_energy() const {
    double twice = 0;
    for (int r = 0; r < problem_.mass_matrix.rows; ++r)
      for (int c = 0; c < problem_.mass_matrix.columns; ++c)
        twice += problem_.velocity[static_cast<std::size_t>(r)] * problem_.mass_matrix(r, c) *
                 problem_.velocity[static_cast<std::size_t>(c)];
    return 0.5 * twice;
  }

  const ImpactPlan& plan_;
  ProblemFile problem_;
  ProblemSolver solver_;
  ImpactProblem contact_;
  ImpactBounds bounds_;
  std::array<LawAnswer, law_count> answers_;
  ImpactObservation seen_;
};

class ImpactSubject : public StudySubject {
 public:
  ImpactSubject(ProblemFile problem, std::optional<Law> law) {
    plan_.shape.law = law ? *law : problem.law.value_or(Law::energetic);
    plan_.shape.directions = problem.dimension() == Dimension::planar ? 2 : 3;
    plan_.shape.coordinates = problem.is_machine() ? problem.jacobian.columns : 0;
    plan_.problem = std::move(problem);
  }

  void add_parameter(const StudyPath& path) override {
    plan_.parameters.push_back(ProblemParameter::find(path, plan_.problem));
  }
  std::optional<Refusal> try_values(std::span<const GivenValue> values) const override {
    ProblemFile problem = plan_.problem;
    set(problem, values);
    if (const auto breach = settle(problem)) return Refusal{breach->message, breach->remedy};
    try {
      ProblemSolver().prepare(problem);
    } catch (const InputError& error) {
      return Refusal{error.message(), error.remedy()};
    }
    return std::nullopt;
  }
  void set_parameters(std::span<const GivenValue> values) override { set(plan_.problem, values); }
  QuantityRef find_quantity(const StudyPath& path) override {
    const ImpactQuantity found = find_impact_quantity(path, plan_.shape);
    using Needs = ImpactMeasure::Needs;
    plan_.bounds = plan_.bounds || found.needs(Needs::bounds);
    plan_.verdict = plan_.verdict || found.needs(Needs::verdict);
    plan_.energy = plan_.energy || found.needs(Needs::energy);
    if (found.needs(Needs::law)) plan_.laws[static_cast<std::size_t>(found.law)] = true;
    return {place_of(found, plan_.quantities), found.words(), found.is_condition()};
  }
  std::unique_ptr<SampleRunner> make_runner() const override { return std::make_unique<ImpactRunner>(plan_); }
  std::size_t quantity_count() const override { return plan_.quantities.size(); }
  std::uint64_t block_size() const override { return 4096; }

 private:
  static void set(ProblemFile& problem, std::span<const GivenValue> values) {
    for (const GivenValue& each : values) ProblemParameter::find(each.path, problem).set(problem, each.value);
  }

  ImpactPlan plan_;
};

}  // namespace

std::unique_ptr<StudySubject> impact_subject(ProblemFile problem, std::optional<Law> law) {
  return std::make_unique<ImpactSubject>(std::move(problem), law);
}

}  // namespace routh::internal
