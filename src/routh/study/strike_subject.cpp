#include <algorithm>
#include <array>

#include "routh/contact/strike.h"
#include "routh/dynamics/dynamics.h"
#include "routh/simulation/free_flight.h"
#include "routh/study/impact_quantity.h"
#include "routh/study/scene_parameter.h"
#include "routh/study/scene_subject.h"

namespace routh::internal {

namespace {

struct StrikePlan {
  SceneMaker maker;
  StrikeRequest request;
  std::vector<ImpactQuantity> quantities;
  std::array<bool, law_count> laws = {};  // asked for, by Law
  bool bounds = false, energy = false;
  Law usual = Law::energetic;  // of quantities that name none
};

// The law that the study names, or all pairs of surfaces; else the energetic one.
Law usual_law(const Model& model, std::optional<Law> wanted) {
  if (wanted) return *wanted;
  if (model.pairs.empty()) return Law::energetic;
  const Law first = model.pairs.front().properties.law.value_or(Law::energetic);
  for (const ShapePair& pair : model.pairs)
    if (pair.properties.law.value_or(Law::energetic) != first) return Law::energetic;
  return first;
}

Fault flight_fault(FlightStatus status) {
  switch (status) {
    case FlightStatus::struck:
    case FlightStatus::touching:
      return Fault::none;
    case FlightStatus::no_strike:
    case FlightStatus::supported:
      return Fault::no_strike;
    case FlightStatus::overlapping:
      return Fault::overlapping;
    case FlightStatus::step_limit:
      return Fault::step_limit;
    case FlightStatus::singular:
      return Fault::singular;
  }
  return Fault::no_strike;
}

class StrikeRunner : public SampleRunner {
 public:
  explicit StrikeRunner(const StrikePlan& plan) : plan_(plan), builder_(plan.maker) {}

  Fault run(std::span<const double> parameters, std::span<double> quantities, std::string& reason) override {
    if (!builder_.build(parameters, reason)) return Fault::refused;
    State state = builder_.state();
    if (plan_.request.moment == StrikeMoment::first_strike) {
      FlightOptions flight;
      flight.duration = plan_.request.within;
      flight.touch = builder_.touch().tolerance;
      flight.stop = stop();
      const FlightResult result = fly_to_strike(builder_.model(), state, flight);
      if (const Fault fault = flight_fault(result.status); fault != Fault::none) {
        reason = explain(result.status);
        return fault;
      }
      state = result.state;
    }
    return solve(state, quantities, reason);
  }

 private:
  Fault solve(const State& state, std::span<double> quantities, std::string& reason) {
    const Model& model = builder_.model();
    Workspace workspace(model);
    const TouchReport touch = find_touches(model, state, builder_.touch(), workspace);
    if (!touch.overlaps.empty()) {
      reason = contact_name(model, touch.overlaps.front()) + ": the shapes overlap";
      return Fault::overlapping;
    }
    const Contact* contact = find_strike(touch);
    if (!contact) {
      reason = "nothing strikes";
      return Fault::no_strike;
    }
    StrikeSolver solver(model);
    if (solver.prepare(model, state, workspace) >= 0) {
      reason = "the mass matrix is singular";
      return Fault::singular;
    }
    const ImpactProblem problem = solver.reduce(model, workspace, *contact);
    std::array<LawAnswer, law_count> answers;
    ImpactObservation seen;
    seen.problem = &problem;
    for (const Law law : all_laws) {
      if (!plan_.laws[static_cast<std::size_t>(law)]) continue;
      LawAnswer& answer = answers[static_cast<std::size_t>(law)];
      answer.result = solve_impact(problem, law);
      if (gave_out(answer.result.status)) {
        reason = explain(answer.result.status);
        return Fault::not_converged;
      }
      solver.expand(answer.result);
      answer.velocity = solver.velocity_after();
      if (model.loop_rows > 0) answer.loop_impulse = solver.loop_impulse();
      seen.laws[static_cast<std::size_t>(law)] = &answer;
    }
    const ImpactBounds bounds = plan_.bounds ? compute_bounds(problem) : ImpactBounds{};
    seen.bounds = &bounds;
    seen.verdict = ContactVerdict::strikes;
    if (plan_.energy) seen.energy_before = compute_energy(model, state, workspace).kinetic;
    for (std::size_t k = 0; k < quantities.size(); ++k) quantities[k] = plan_.quantities[k].value(seen);
    return Fault::none;
  }

  const Contact* find_strike(const TouchReport& report) const {
    for (const Touch& touch : report.touches)
      if (touch.kind == TouchKind::approaching &&
          (plan_.request.contact.empty() || contact_name(builder_.model(), touch.contact) == plan_.request.contact))
        return &touch.contact;
    return nullptr;
  }

  const StrikePlan& plan_;
  SceneMaker::Builder builder_;
};

class StrikeSubject : public StudySubject {
 public:
  StrikeSubject(SceneDraft draft, const StrikeRequest& request)
      : plan_{SceneMaker(std::move(draft)), request, {}, {}, false, false, Law::energetic} {
    plan_.usual = usual_law(plan_.maker.model(), request.law);
  }

  void add_parameter(const StudyPath& path) override { plan_.maker.add_parameter(path); }
  std::optional<Refusal> try_values(std::span<const GivenValue> values) const override {
    return plan_.maker.try_values(values);
  }
  void set_parameters(std::span<const GivenValue> values) override { plan_.maker.set_parameters(values); }
  QuantityRef find_quantity(const StudyPath& path) override {
    const Model& model = plan_.maker.model();
    const ImpactShape shape{plan_.usual, model.dimension == Dimension::planar ? 2 : 3, model.velocities};
    const ImpactQuantity found = find_named(path, shape);
    plan_.bounds = plan_.bounds || found.of_bounds();
    if (found.of_law()) plan_.laws[static_cast<std::size_t>(found.law)] = true;
    plan_.energy = plan_.energy || found.kind == ImpactQuantity::Kind::energy_before;
    return {place_of(found, plan_.quantities), found.words(), found.is_condition()};
  }
  std::unique_ptr<SampleRunner> make_runner() const override { return std::make_unique<StrikeRunner>(plan_); }
  std::size_t quantity_count() const override { return plan_.quantities.size(); }
  std::uint64_t block_size() const override { return 64; }

 private:
  // `velocity.knee` beside `velocity[1]`.
  ImpactQuantity find_named(const StudyPath& path, const ImpactShape& shape) const {
    StudyPath by_index = path;
    for (std::size_t k = 0; k + 1 < path.size() && k < 2; ++k) {
      if (!path[k].is("velocity") || path[k + 1].entry >= 0) continue;
      const int dof = find_dof(path, k + 1, plan_.maker.model());
      by_index.parts.resize(k + 1);
      by_index.parts.push_back({{}, dof});
    }
    return find_impact_quantity(by_index, shape);
  }

  StrikePlan plan_;
};

}  // namespace

std::unique_ptr<StudySubject> strike_subject(SceneDraft draft, const StrikeRequest& request) {
  return std::make_unique<StrikeSubject>(std::move(draft), request);
}

}  // namespace routh::internal
