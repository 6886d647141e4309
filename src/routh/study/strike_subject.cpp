#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "routh/contact/contact.h"
#include "routh/contact/contact_problem.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/scene/strikes.h"
#include "routh/simulation/first_strike.h"
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

// The law that the study names, or the rule, or all pairs of surfaces; else the energetic one.
Law usual_law(const Model& model, const StrikeRequest& request) {
  if (request.law) return *request.law;
  if (request.rule == SimultaneousRule::simultaneous) return Law::newton;
  if (model.pairs.empty()) return Law::energetic;
  const Law first = model.pairs.properties().front().law.value_or(Law::energetic);
  for (const SurfaceProperties& meeting : model.pairs.properties())
    if (meeting.law.value_or(Law::energetic) != first) return Law::energetic;
  return first;
}

Fault strike_fault(const FirstStrike& first) {
  switch (first.status) {
    case FirstStrikeStatus::struck:
      return Fault::none;
    case FirstStrikeStatus::no_strike:
    case FirstStrikeStatus::supported:
      return Fault::no_strike;
    case FirstStrikeStatus::failed:
      return first.run == SimulationStatus::stopped ? Fault::step_limit : fault_of(first.run);
  }
  return Fault::no_strike;
}

// Of the projection, where contacts have friction, the answer without slip: as in a run.
const SimultaneousResult& answer_of(const SimultaneousAnswers& answers, const Model& model,
                                    std::span<const Contact> contacts) {
  const bool rough = std::any_of(contacts.begin(), contacts.end(), [&](const Contact& each) {
    return contact_friction(model, each).static_coefficient > 0;
  });
  const std::vector<NamedAnswer> named = answers_of(answers);  // one, but for the projection
  return *(rough ? named.back() : named.front()).result;
}

// What the impact of all contacts does at one of them. After the kinematics of the state.
LawAnswer share_of(const SimultaneousResult& all, std::size_t place, const Contact& contact, const Model& model,
                   double time, Workspace& workspace) {
  const SimultaneousContactResult& own = all.contacts[place];
  LawAnswer answer;
  ImpactResult& result = answer.result;
  result.status = all.status == SimultaneousStatus::no_impact ? ImpactStatus::no_impact : ImpactStatus::ok;
  result.impulse = {own.normal_impulse, own.tangential_impulse[0], own.tangential_impulse[1]};
  result.restitution = own.restitution;
  result.energy = {all.normal_work, all.tangential_work, all.supplied, all.energy_change, all.consistent};
  result.warnings = all.warnings;
  Eigen::MatrixXd jacobian(contact_rows(model), model.velocities);
  contact_jacobian(model, workspace, contact, jacobian);
  const Eigen::VectorXd after = jacobian * all.velocity;
  const ContactVector belt = surface_velocity(model, workspace, contact, time);
  result.velocity = {after[0], after[1], after.size() == 3 ? after[2] : 0};
  result.relative_velocity = {result.velocity.n - belt.n, result.velocity.t1 - belt.t1, result.velocity.t2 - belt.t2};
  answer.velocity = all.velocity;
  if (model.loop_rows > 0) {
    Eigen::MatrixXd loops(model.loop_rows, model.velocities);
    loop_jacobian(model, workspace, loops);
    answer.loop_impulse = loops.transpose() * all.bilateral_impulse;
  }
  return answer;
}

class StrikeRunner : public SampleRunner {
 public:
  explicit StrikeRunner(const StrikePlan& plan) : plan_(plan), builder_(plan.maker) {}

  Fault run(std::span<const double> parameters, std::span<double> quantities, std::string& reason) override {
    if (!builder_.build(parameters, reason)) return Fault::refused;
    State state = builder_.state();
    if (plan_.request.moment == StrikeMoment::first_strike) {
      SimulationOptions options;
      options.touch = builder_.touch().tolerance;
      const FirstStrike first =
          find_first_strike(builder_.model(), state, plan_.request.within, options, [&] { return stop() && *stop(); });
      if (const Fault fault = strike_fault(first); fault != Fault::none) {
        reason = explain(first);
        return fault;
      }
      state = first.state;
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
    ContactProblemBuilder builder(model);
    if (builder.prepare(model, state, workspace) >= 0) {
      reason = "the mass matrix is singular";
      return Fault::singular;
    }
    const ImpactProblem problem = builder.impact_problem(model, workspace, *contact);
    std::vector<Contact> touching;
    for (const Touch& each : touch.touches) touching.push_back(each.contact);
    const auto place = static_cast<std::size_t>(
        std::find_if(touching.begin(), touching.end(), [&](const Contact& each) { return each.id == contact->id; }) -
        touching.begin());
    std::array<LawAnswer, law_count> answers;
    ImpactObservation seen;
    seen.problem = &problem;
    for (const Law law : all_laws) {
      if (!plan_.laws[static_cast<std::size_t>(law)]) continue;
      LawAnswer& answer = answers[static_cast<std::size_t>(law)];
      seen.laws[static_cast<std::size_t>(law)] = &answer;
      if (plan_.request.rule) {
        const SimultaneousAnswers all =
            solve_contacts_at_once(model, state, touching, {law, *plan_.request.rule}, Beside::no, workspace);
        const SimultaneousResult& result = answer_of(all, model, touching);
        if (!usable(result.status)) {
          reason = explain(result.status);
          return Fault::not_converged;
        }
        answer = share_of(result, place, *contact, model, state.time, workspace);
        answer.result.law = law;
        continue;
      }
      answer = solve_strike(model, problem, law, builder);
      if (gave_out(answer.result.status)) {
        reason = explain(answer.result.status);
        return Fault::not_converged;
      }
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
  StrikeSubject(Scene scene, const StrikeRequest& request)
      : plan_{SceneMaker(std::move(scene)), request, {}, {}, false, false, Law::energetic} {
    plan_.usual = usual_law(plan_.maker.model(), request);
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
    if (plan_.request.rule) refuse_unknown(path, found);
    using Needs = ImpactMeasure::Needs;
    plan_.bounds = plan_.bounds || found.needs(Needs::bounds);
    if (found.needs(Needs::law)) plan_.laws[static_cast<std::size_t>(found.law)] = true;
    plan_.energy = plan_.energy || found.needs(Needs::energy);
    return {place_of(found, plan_.quantities), found.words(), found.is_condition()};
  }
  std::unique_ptr<SampleRunner> make_runner() const override { return std::make_unique<StrikeRunner>(plan_); }
  std::size_t quantity_count() const override { return plan_.quantities.size(); }
  std::uint64_t block_size() const override { return 64; }

 private:
  // Several contacts at once have no mode and no phases, and only some laws.
  void refuse_unknown(const StudyPath& path, const ImpactQuantity& found) const {
    const SimultaneousRule rule = *plan_.request.rule;
    if (found.measure->of_one_contact)
      refuse(path, "it belongs to one contact alone", "remove the `rule`, or measure something else");
    if (found.needs(ImpactMeasure::Needs::law) && !knows(rule, found.law))
      refuse(path, fmt::format("the rule '{}' does not know the law '{}'", name(rule), name(found.law)), known_laws());
  }

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

std::unique_ptr<StudySubject> strike_subject(Scene scene, const StrikeRequest& request) {
  return std::make_unique<StrikeSubject>(std::move(scene), request);
}

}  // namespace routh::internal
