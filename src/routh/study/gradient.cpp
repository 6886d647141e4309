#include "routh/study/gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/dynamics.h"
#include "routh/problem/json_text.h"
#include "routh/scene/draft.h"
#include "routh/simulation/mode_flow.h"
#include "routh/simulation/parameter_family.h"
#include "routh/study/run_quantity.h"
#include "routh/study/scene_parameter.h"
#include "routh/study/subject.h"
#include "routh/study/tolerances.h"

namespace routh::internal {

namespace {

using Kind = RunQuantity::Kind;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool has_derivative(const RunQuantity& quantity) {
  if (quantity.when != RunQuantity::When::end) return false;
  switch (quantity.kind) {
    case Kind::time:
    case Kind::position:
    case Kind::velocity:
    case Kind::event_first:
    case Kind::event_last:
      return true;
    case Kind::energy: {
      EnergyAccount account;  // which entries depend on the state alone
      account.dissipated = account.supplied = account.corrected = account.gained = account.initial = 1;
      return energy_entry(account, quantity.index) == 0;
    }
    case Kind::event_count:
    case Kind::all_events:
    case Kind::impulse:
      return false;
  }
  return false;
}

RunParameter parameter_of(const std::string& text, const Scene& scene) {
  const Location where{"--wrt " + text, 0, 0};
  const StudyPath path = parse_path(text, where);
  const SceneParameter found = find_scene_parameter(path, scene.draft, scene.model);
  RunParameter parameter;
  parameter.name = text;
  parameter.value = found.value(scene.draft);
  if (!std::isfinite(parameter.value)) refuse(path, "it has no single value in this scene", "give it one there");
  const bool all = path.size() == 1 && path[0].is("friction");
  if (all || (path.size() == 3 && path[0].is("surfaces") && path[2].is("friction")))
    for (const SurfaceDescription& each : scene.draft.description.surfaces)
      if ((all || path[1].is(each.name)) &&
          each.properties.friction.static_coefficient != each.properties.friction.kinetic_coefficient)
        refuse(path, "static and kinetic friction differ here", "name one: " + text + ".kinetic");
  parameter.at = [set = found.set, draft = scene.draft, touch = scene.touch](double value) {
    SceneDraft changed = draft;
    set(changed, value);
    RunParameter::Case made{build_model(changed.description), {}};
    made.start = build_state(changed, made.model, touch);
    return made;
  };
  return parameter;
}

// The quantities of the expression, and how they change along one column.
struct Slots {
  std::vector<double> value, change;
};

class Gradient {
 public:
  Gradient(const Scene& scene, const GradientRequest& request) : scene_(scene), request_(request) {
    const Location where{"--of", 1, 1};
    expression_ = Expression::compile(request.of, where, [&](const StudyPath& path) {
      const RunQuantity found = find_run_quantity(path, scene.model);
      if (!has_derivative(found))
        refuse(path, "it has no derivative here",
               "take final.position, final.velocity, energy.kinetic, .potential, .total, events.KIND.first or .last");
      return QuantityRef{place_of(found, quantities_), {}, false};
    });
    for (const std::string& each : request.wrt) parameters_.push_back(parameter_of(each, scene));
  }

  GradientReport report(const std::function<bool()>& interrupt) {
    GradientReport out;
    out.run = run_sensitivity(scene_.model, scene_.state, request_.until, request_.options, parameters_,
                              StartTangents::none, interrupt);
    if (failed(out.run.status)) throw InputError({}, "the run failed: " + out.run.message, "see `routh simulate`");
    if (out.run.status == SimulationStatus::stopped) return out;
    out.value = value(scene_.model, out.run.state, out.run.events);
    if (!std::isfinite(out.value))
      throw InputError({"--of", 1, 1}, "the expression has no value in this run",
                       "an event that it names may not have happened");
    if (!out.run.exists) return out;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      GradientReport::Entry entry{parameters_[k].name, parameters_[k].value, 0, out.run.validity[Eigen::Index(k)], {}};
      entry.derivative = derivative(out.run, static_cast<Eigen::Index>(k));
      if (request_.differences) entry.difference = difference_of(parameters_[k]);
      out.entries.push_back(std::move(entry));
    }
    return out;
  }

 private:
  Slots slots(const Model& model, const State& state, const std::vector<RunSensitivity::EventTime>& events) const {
    Workspace workspace(model);
    EnergyAccount account;
    const Energy energy = compute_energy(model, state, workspace);
    account.kinetic = energy.kinetic;
    account.potential = energy.potential;
    Slots out;
    for (const RunQuantity& it : quantities_) {
      double found = no_value;
      for (const auto& event : events) {
        if (static_cast<int>(event.kind) != it.index) continue;
        if (it.kind == Kind::event_last || (it.kind == Kind::event_first && std::isnan(found))) found = event.time;
      }
      if (it.kind == Kind::time) found = state.time;
      if (it.kind == Kind::position) found = state.q[it.index];
      if (it.kind == Kind::velocity) found = state.v[it.index];
      if (it.kind == Kind::energy) found = energy_entry(account, it.index);
      out.value.push_back(found);
    }
    return out;
  }

  double value(const Model& model, const State& state, const std::vector<RunSensitivity::EventTime>& events) const {
    return expression_.evaluate(slots(model, state, events).value);
  }

  // Of the expression along a column: by differences of fourth order of closed forms.
  double derivative(RunSensitivity& run, Eigen::Index column) {
    const Eigen::VectorXd dq = run.position.col(column), dv = run.velocity.col(column);
    double size = std::max(dq.cwiseAbs().maxCoeff(), dv.cwiseAbs().maxCoeff());
    for (const auto& event : run.events) size = std::max(size, std::abs(event.change[column]));
    if (!(size > 0)) size = 1;
    const double h = tolerances::gradient_step / size;
    const auto at = [&](double s) {
      State moved = run.state;
      integrate(scene_.model, run.state.q, dq, s, moved.q);
      moved.v += s * dv;
      std::vector<RunSensitivity::EventTime> events = run.events;
      for (auto& event : events) event.time += s * event.change[column];
      return value(scene_.model, moved, events);
    };
    const double base = at(0), a = at(h), b = at(-h), c = at(2 * h), d = at(-2 * h);
    const double right = (a - base) / h, left = (base - b) / h;
    if (std::abs(right - left) > tolerances::gradient_kink * std::max(std::abs(right), std::abs(left)))
      run.notes.push_back(
          {SensitivityDoubt::mode_border, request_.until, "the expression bends here: the slopes of its sides differ"});
    const double along = fourth_order(a, b, c, d, h);
    if (!needs_model()) return along;
    // Energies belong to the machine, which the number may change.
    ParameterFamily family(parameters_[static_cast<std::size_t>(column)]);
    return along + family.derivative([&](const Model& model, Workspace&, const State&) {
      return value(model, run.state, run.events);
    }) / family.size();
  }

  bool needs_model() const {
    return std::any_of(quantities_.begin(), quantities_.end(),
                       [](const RunQuantity& each) { return each.kind == Kind::energy; });
  }

  std::optional<double> difference_of(const RunParameter& parameter) const {
    const double h = tolerances::gradient_difference * (parameter.value != 0 ? std::abs(parameter.value) : 1);
    const auto end = [&](double p) {
      const RunParameter::Case made = parameter.at(p);
      Simulator simulator(made.model, made.start, request_.options);
      if (failed(simulator.advance(request_.until))) return no_value;
      std::vector<RunSensitivity::EventTime> events;
      for (const Event& event : simulator.events()) events.push_back({event.time, event.kind, {}, true});
      return value(made.model, simulator.state(), events);
    };
    try {
      const double slope = (end(parameter.value + h) - end(parameter.value - h)) / (2 * h);
      return std::isfinite(slope) ? std::optional(slope) : std::nullopt;
    } catch (const InputError&) {
      return std::nullopt;  // at the border of what the number may be
    }
  }

  const Scene& scene_;
  const GradientRequest& request_;
  Expression expression_;
  std::vector<RunQuantity> quantities_;
  std::vector<RunParameter> parameters_;
};

}  // namespace

GradientReport run_gradient(const Scene& scene, const GradientRequest& request,
                            const std::function<bool()>& interrupt) {
  return Gradient(scene, request).report(interrupt);
}

std::string gradient_json(const GradientReport& report, const GradientRequest& request) {
  std::vector<JsonText> entries, notes;
  for (const GradientReport::Entry& each : report.entries)
    entries.push_back(JsonText::object({{"path", each.path},
                                        {"value", each.value},
                                        {"derivative", each.derivative},
                                        {"difference", each.difference ? JsonText(*each.difference) : JsonText()},
                                        {"validity", each.validity}}));
  for (const SensitivityNote& each : report.run.notes)
    notes.push_back(JsonText::object({{"doubt", name(each.doubt)}, {"time", each.time}, {"text", each.text}}));
  return JsonText::object({{"schema", 1},
                           {"of", request.of},
                           {"value", report.value},
                           {"time", report.run.state.time},
                           {"exists", report.run.exists},
                           {"lost", report.run.exists ? JsonText() : JsonText(report.run.lost)},
                           {"gradient", entries},
                           {"notes", notes}})
      .text();
}

}  // namespace routh::internal
