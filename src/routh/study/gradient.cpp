#include "routh/study/gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/dynamics.h"
#include "routh/problem/json_text.h"
#include "routh/simulation/mode_flow.h"
#include "routh/simulation/parameter_family.h"
#include "routh/study/run_parameter.h"
#include "routh/study/run_quantity.h"
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

class Gradient {
 public:
  Gradient(const Scene& scene, const GradientRequest& request) : scene_(scene), request_(request) {
    const Location where{"--of", 1, 1};
    for (const std::string& each : request.of)
      expressions_.push_back(Expression::compile(each, where, [&](const StudyPath& path) {
        const RunQuantity found = find_run_quantity(path, scene.model);
        if (!has_derivative(found))
          refuse(path, "it has no derivative here",
                 "take final.position, final.velocity, energy.kinetic, .potential, .total, events.KIND.first or .last");
        return QuantityRef{place_of(found, quantities_), {}, false};
      }));
    if (!request.along.empty()) {
      RunDirection direction = run_direction(request.wrt, request.along, scene);
      parameters_.push_back(std::move(direction.parameter));
      unit_ = direction.unit;
      return;
    }
    for (const std::string& each : request.wrt) parameters_.push_back(run_parameter(each, scene));
  }

  GradientReport report(const std::function<bool()>& interrupt) {
    GradientReport out;
    out.run = run_sensitivity(scene_.model, scene_.state, request_.until, request_.options, parameters_,
                              StartTangents::none, interrupt);
    if (failed(out.run.status)) throw InputError({}, "the run failed: " + out.run.message, "see `routh simulate`");
    if (out.run.status == SimulationStatus::stopped) return out;
    out.values = to_vector(values(scene_.model, out.run.state, out.run.events));
    for (std::size_t k = 0; k < out.values.size(); ++k)
      if (!std::isfinite(out.values[k]))
        throw InputError({"--of", 1, 1}, fmt::format("'{}' has no value in this run", request_.of[k]),
                         "an event that it names may not have happened");
    expect_known_times(out.run);
    if (!out.run.exists) return out;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      GradientReport::Entry entry{parameters_[k].name, parameters_[k].value, {}, out.run.validity[column] * unit_, {}};
      entry.derivatives = to_vector(derivatives(out.run, column) / unit_);
      if (request_.differences)
        if (const auto found = differences_of(parameters_[k])) entry.differences = to_vector(*found / unit_);
      out.entries.push_back(std::move(entry));
    }
    return out;
  }

 private:
  using Events = std::vector<RunSensitivity::EventTime>;

  static std::vector<double> to_vector(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

  // The event whose time a quantity is; null: it is no such quantity, or nothing of the kind happened.
  static const RunSensitivity::EventTime* event_of(const RunQuantity& quantity, const Events& events) {
    const auto is_it = [&](const auto& event) { return static_cast<int>(event.kind) == quantity.index; };
    if (quantity.kind == Kind::event_first) {
      const auto found = std::find_if(events.begin(), events.end(), is_it);
      return found == events.end() ? nullptr : &*found;
    }
    if (quantity.kind != Kind::event_last) return nullptr;
    const auto found = std::find_if(events.rbegin(), events.rend(), is_it);
    return found == events.rend() ? nullptr : &*found;
  }

  void expect_known_times(RunSensitivity& run) const {
    for (const RunQuantity& each : quantities_) {
      const auto* event = event_of(each, run.events);
      if (!run.exists || event == nullptr || event->known) continue;
      run.exists = false;
      run.lost = event->time;
      run.notes.push_back({SensitivityDoubt::not_followed, event->time, "the time of this event has no derivative"});
    }
  }

  std::vector<double> slots(const Model& model, const State& state, const Events& events) const {
    Workspace workspace(model);
    EnergyAccount account;
    const Energy energy = compute_energy(model, state, workspace);
    account.kinetic = energy.kinetic;
    account.potential = energy.potential;
    std::vector<double> out;
    for (const RunQuantity& it : quantities_) {
      double found = no_value;
      if (const auto* event = event_of(it, events)) found = event->time;
      if (it.kind == Kind::time) found = state.time;
      if (it.kind == Kind::position) found = state.q[it.index];
      if (it.kind == Kind::velocity) found = state.v[it.index];
      if (it.kind == Kind::energy) found = energy_entry(account, it.index);
      out.push_back(found);
    }
    return out;
  }

  // Of all expressions.
  Eigen::VectorXd values(const Model& model, const State& state, const Events& events) const {
    const std::vector<double> all = slots(model, state, events);
    Eigen::VectorXd out(std::ssize(expressions_));
    for (std::size_t k = 0; k < expressions_.size(); ++k)
      out[static_cast<Eigen::Index>(k)] = expressions_[k].evaluate(all);
    return out;
  }

  // Of the expressions along a column: by differences of fourth order of closed forms.
  Eigen::VectorXd derivatives(RunSensitivity& run, Eigen::Index column) {
    const Eigen::VectorXd dq = run.position.col(column), dv = run.velocity.col(column);
    double size = std::max(dq.cwiseAbs().maxCoeff(), dv.cwiseAbs().maxCoeff());
    for (const auto& event : run.events) size = std::max(size, std::abs(event.change[column]));
    if (!(size > 0)) size = 1;
    const double h = tolerances::gradient_step / size;
    const auto at = [&](double s) {
      State moved = run.state;
      integrate(scene_.model, run.state.q, dq, s, moved.q);
      moved.v += s * dv;
      Events events = run.events;
      for (auto& event : events) event.time += s * event.change[column];
      return values(scene_.model, moved, events);
    };
    const Eigen::VectorXd base = at(0), a = at(h), b = at(-h), c = at(2 * h), d = at(-2 * h);
    const Eigen::ArrayXd right = (a - base) / h, left = (base - b) / h;
    if (((right - left).abs() > tolerances::gradient_kink * right.abs().max(left.abs())).any() && !bends_) {
      bends_ = true;
      run.notes.push_back(
          {SensitivityDoubt::mode_border, request_.until, "the expression bends here: the slopes of its sides differ"});
    }
    const Eigen::VectorXd along = fourth_order(a, b, c, d, h);
    if (!needs_model()) return along;
    // Energies belong to the machine, which the number may change.
    ParameterFamily family(parameters_[static_cast<std::size_t>(column)]);
    const Eigen::VectorXd by_model = family.derivative(
        [&](const Model& model, Workspace&, const State&) { return values(model, run.state, run.events); });
    return along + by_model / family.size();
  }

  bool needs_model() const {
    return std::any_of(quantities_.begin(), quantities_.end(),
                       [](const RunQuantity& each) { return each.kind == Kind::energy; });
  }

  std::optional<Eigen::VectorXd> differences_of(const RunParameter& parameter) const {
    const double h = tolerances::gradient_difference * (parameter.value != 0 ? std::abs(parameter.value) : 1);
    const auto end = [&](double p) -> Eigen::VectorXd {
      const RunParameter::Case made = parameter.at(p);
      Simulator simulator(made.model, made.start, request_.options);
      if (failed(simulator.advance(request_.until)))
        return Eigen::VectorXd::Constant(std::ssize(expressions_), no_value);
      Events events;
      for (const Event& event : simulator.events()) events.push_back({event.time, event.kind, {}, true});
      return values(made.model, simulator.state(), events);
    };
    try {
      const Eigen::VectorXd slope = (end(parameter.value + h) - end(parameter.value - h)) / (2 * h);
      return slope.allFinite() ? std::optional(slope) : std::nullopt;
    } catch (const InputError&) {
      return std::nullopt;  // at the border of what the number may be
    }
  }

  const Scene& scene_;
  const GradientRequest& request_;
  std::vector<Expression> expressions_;
  std::vector<RunQuantity> quantities_;
  std::vector<RunParameter> parameters_;
  double unit_ = 1;     // of a direction
  bool bends_ = false;  // an expression, at the end of the run
};

// A number of one expression, a list of several.
JsonText told(const std::vector<double>& values, const GradientRequest& request) {
  if (values.empty()) return {};
  return request.of.size() == 1 ? JsonText(values.front()) : JsonText(values);
}

}  // namespace

GradientReport run_gradient(const Scene& scene, const GradientRequest& request,
                            const std::function<bool()>& interrupt) {
  if (request.at.empty()) return Gradient(scene, request).report(interrupt);
  const Scene changed = with_numbers(scene, request.wrt, request.at);
  return Gradient(changed, request).report(interrupt);
}

std::string gradient_json(const GradientReport& report, const GradientRequest& request) {
  std::vector<JsonText> entries, notes;
  for (const GradientReport::Entry& each : report.entries)
    entries.push_back(JsonText::object({{"path", each.path},
                                        {"value", each.value},
                                        {"derivative", told(each.derivatives, request)},
                                        {"difference", told(each.differences, request)},
                                        {"validity", each.validity}}));
  for (const SensitivityNote& each : report.run.notes)
    notes.push_back(JsonText::object({{"doubt", name(each.doubt)}, {"time", each.time}, {"text", each.text}}));
  return JsonText::object({{"schema", 1},
                           {"of", request.of.size() == 1 ? JsonText(request.of.front()) : JsonText(request.of)},
                           {"value", told(report.values, request)},
                           {"time", report.run.state.time},
                           {"exists", report.run.exists},
                           {"lost", report.run.exists ? JsonText() : JsonText(report.run.lost)},
                           {"gradient", entries},
                           {"notes", notes}})
      .text();
}

}  // namespace routh::internal
