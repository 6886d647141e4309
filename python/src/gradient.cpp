// The derivatives of a run by numbers of its scene and by its start; Python makes objects of what is given here.
#include "routh/study/gradient.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "data.h"
#include "machine.h"
#include "routh/scene/draft.h"
#include "routh/scene/simulation_settings.h"
#include "routh/study/run_parameter.h"
#include "simulation_parts.h"

namespace routh::python {

namespace {

// A run to be differentiated: the scene in the state asked for, and how it is computed.
struct Differentiated {
  Scene scene;
  SimulationOptions options;
  double until = 0;
};

Differentiated prepare_run(const std::shared_ptr<Machine>& machine, const py::object& state,
                           const std::vector<std::string>& wrt, const py::kwargs& keywords) {
  Differentiated run{machine->scene, {}, 0};
  if (!state.is_none()) begin_in(run.scene, read_state(*machine, state));
  refuse_overlaps(*machine, run.scene.state);
  const SimulationSettings settings = overlay(read_settings(keywords), run.scene.simulation);
  run.options = simulation_options(settings, run.scene.touch);
  run.until = settings.until.value_or(run.scene.state.time + usual_duration);
  if (wrt.empty()) refuse("wrt: no number is named");
  if (!std::isfinite(run.until) || !(run.until > run.scene.state.time))
    refuse(fmt::format("until: {} must exceed the time of the state, {} s", run.until, run.scene.state.time));
  return run;
}

// Ctrl-C, looked for now and then by a run without the GIL.
auto look_at_signals() {
  return [next = std::chrono::steady_clock::now() + look_interval]() mutable {
    if (std::chrono::steady_clock::now() < next) return false;
    next = std::chrono::steady_clock::now() + look_interval;
    const py::gil_scoped_acquire held;
    check_signals();
    return false;
  };
}

void expect_one_each(const char* name, const std::vector<double>& values, const std::vector<std::string>& wrt) {
  if (!values.empty() && values.size() != wrt.size())
    refuse(fmt::format("{}: {} numbers for the {} of wrt", name, values.size(), wrt.size()), "give one for each");
  for (const double value : values)
    if (!std::isfinite(value)) refuse(fmt::format("{}: {} is not a finite number", name, value));
}

std::string gradient_model(const std::shared_ptr<Machine>& machine, const std::vector<std::string>& of,
                           const std::vector<std::string>& wrt, const std::vector<double>& at,
                           const std::vector<double>& along, bool differences, const py::object& state,
                           const py::kwargs& keywords) {
  if (of.empty()) refuse("of: no expression is named");
  expect_one_each("at", at, wrt);
  expect_one_each("tangent", along, wrt);
  const Differentiated run = prepare_run(machine, state, wrt, keywords);
  const GradientRequest request{of, wrt, at, along, run.until, run.options, differences};
  auto look = look_at_signals();
  const py::gil_scoped_release released;
  return gradient_json(run_gradient(run.scene, request, look), request);
}

py::list notes_of(const RunSensitivity& run) {
  py::list notes;
  for (const SensitivityNote& each : run.notes) {
    py::dict note;
    note["doubt"] = name(each.doubt);
    note["time"] = each.time;
    note["text"] = each.text;
    notes.append(note);
  }
  return notes;
}

py::dict sensitivity_model(const std::shared_ptr<Machine>& machine, const py::object& state,
                           const std::vector<std::string>& wrt, bool start, const py::kwargs& keywords) {
  std::vector<std::string> asked = wrt;
  if (start) asked.emplace_back("state");
  const Differentiated prepared = prepare_run(machine, state, asked, keywords);
  std::vector<RunParameter> parameters;
  for (const std::string& each : wrt) parameters.push_back(run_parameter(each, prepared.scene));
  RunSensitivity run;
  {
    auto look = look_at_signals();
    const py::gil_scoped_release released;
    run = run_sensitivity(prepared.scene.model, prepared.scene.state, prepared.until, prepared.options, parameters,
                          start ? StartTangents::all : StartTangents::none, look);
  }
  py::dict out;
  py::list kinds;
  const Eigen::Index columns = run.validity.size();
  Eigen::MatrixXd changes(std::ssize(run.events), columns);
  Eigen::VectorXd times(changes.rows());
  py::list known;
  for (std::size_t k = 0; k < run.events.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    times[row] = run.events[k].time;
    changes.row(row) = run.events[k].change;
    kinds.append(name(run.events[k].kind));
    known.append(run.events[k].known);
  }
  out["position"] = from_columns(run.position);  // without rows where there is no derivative
  out["velocity"] = from_columns(run.velocity);
  out["validity"] = to_array(run.validity);
  out["exists"] = run.exists;
  out["lost"] = run.exists ? py::object(py::none()) : py::float_(run.lost);
  out["event_time"] = to_array(times);
  out["event_kind"] = kinds;
  out["event_known"] = known;
  out["event_change"] = from_columns(changes);
  out["notes"] = notes_of(run);
  return out;
}

}  // namespace

void bind_gradient(py::module_& module) {
  module.def("_gradient_model", &gradient_model, py::arg("model").none(false), py::arg("of"), py::arg("wrt"),
             py::arg("at"), py::arg("along"), py::arg("differences"), py::arg("state"));
  module.def("_sensitivity_model", &sensitivity_model, py::arg("model").none(false), py::arg("state"), py::arg("wrt"),
             py::arg("start"));
}

}  // namespace routh::python
