// A verdict or a number over a plane of two variables.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "impact_arguments.h"
#include "machine.h"
#include "routh/contact/contact.h"
#include "routh/map/tolerances.h"
#include "routh/scene/map_source.h"
#include "routh/scene/map_subject.h"
#include "routh/scene/projection.h"

namespace routh::python {

namespace {

using Axis = std::tuple<std::string, double, double>;

struct MapQuestion {
  Axis x, y;
  std::string show;
  std::pair<int, int> points;
  std::map<std::string, double> fixed;
  int threads = 0;
};

struct MapAnswer {
  VerdictMap map;
  MapQuantity quantity = MapQuantity::verdict;
  MapVariable x, y;
  std::optional<MapExtreme> least;
};

const MapVariable& find_variable(const std::vector<MapVariable>& variables, const std::string& word) {
  std::vector<std::string> names;
  for (const MapVariable& each : variables) {
    if (each.name == word) return each;
    names.push_back(each.name);
  }
  refuse(fmt::format("variable '{}' is unknown", printable(word)), fmt::format("there are {}", fmt::join(names, ", ")));
}

MapQuantity read_quantity_name(const std::string& word) {
  if (const std::optional<MapQuantity> found = value_named<MapQuantity>(word)) return *found;
  refuse(fmt::format("show: '{}' is unknown", printable(word)),
         fmt::format("there are {}", fmt::join(all_names<MapQuantity>, ", ")));
}

MapAxis read_axis(const char* argument, const Axis& axis, int points) {
  const auto& [word, low, high] = axis;
  if (!(low < high) || !std::isfinite(low) || !std::isfinite(high))
    refuse(fmt::format("{}: {} from {} to {} is not a range", argument, printable(word), low, high),
           "the first end must be below the second");
  if (points < tolerances::map_points_min || points > tolerances::map_points_max)
    refuse(fmt::format("points: {} is not between {} and {}", points, tolerances::map_points_min,
                       tolerances::map_points_max));
  return {low, high, points};
}

std::vector<FixedSetting> read_fixed(const std::vector<MapVariable>& variables,
                                     const std::map<std::string, double>& fixed) {
  std::vector<FixedSetting> settings;
  for (const auto& [word, value] : fixed) {
    if (!std::isfinite(value)) refuse(fmt::format("fixed: {} must be finite", printable(word)));
    settings.push_back({find_variable(variables, word), value});
  }
  return settings;
}

// Signals are looked at whenever the map reports progress.
MapAnswer compute(const MapQuestion& question, MapSubject& subject) {
  subject.set(read_fixed(subject.variables(), question.fixed));
  MapAnswer answer;
  answer.quantity = read_quantity_name(question.show);
  answer.x = find_variable(subject.variables(), std::get<0>(question.x));
  answer.y = find_variable(subject.variables(), std::get<0>(question.y));
  const MapAxis x = read_axis("x", question.x, question.points.first);
  const MapAxis y = read_axis("y", question.y, question.points.second);
  if (question.threads < 0 || question.threads > tolerances::threads_max)
    refuse(fmt::format("threads: expected a number from 0 to {}", tolerances::threads_max));
  MapOptions options;
  options.threads = question.threads;
  if (!is_verdict(answer.quantity)) {
    options.refinement = MapRefinement::full;
    options.curve_tolerance = 0;
  }
  options.progress = [](double) {
    const py::gil_scoped_acquire held;
    check_signals();
  };
  const MapSource made = subject.source(answer.x, answer.y, answer.quantity);
  const py::gil_scoped_release released;
  answer.map = compute_map(x, y, made, options);
  if (!is_verdict(answer.quantity)) answer.least = least_number(answer.map, made);
  return answer;
}

MapAnswer map_model(const std::shared_ptr<Machine>& machine, const py::object& given, const MapQuestion& question,
                    const std::optional<std::string>& contact, const py::object& law) {
  const State state = read_state(*machine, given);
  MapSubject subject(machine->model(), state, machine->scene.touch);
  Workspace workspace(machine->model());
  const SceneStrikes strikes = strikes_of_scene(machine->model(), state, machine->scene.touch, workspace);
  if (strikes.names.size() > 1) subject.add_strikes(strikes.question, strikes.names);
  const bool found = contact ? !contact->empty() && subject.choose_contact(*contact) : subject.choose_contact("");
  if (!found) {
    if (!contact) refuse("nothing touches at this state", "name a contact: contact='tip on floor'");
    refuse(fmt::format("contact: '{}' is unknown", printable(*contact)),
           fmt::format("contacts within {} m: {}", MapSubject::farthest_contact,
                       fmt::join(subject.contact_names(), ", ")));
  }
  if (!law.is_none()) subject.set_law(read_law(law));
  return compute(question, subject);
}

MapAnswer map_contact(const py::dict& arguments, const MapQuestion& question) {
  const BareContact bare = read_bare_contact(arguments);
  MapSubject subject(bare.problem, bare.known, bare.law);
  return compute(question, subject);
}

py::dict to_dict(const MapAnswer& answer) {
  const VerdictMap& map = answer.map;
  const auto rows = static_cast<py::ssize_t>(map.y.points), columns = static_cast<py::ssize_t>(map.x.points);
  py::list kinds, colours, curves;
  for (const std::string_view each : kind_names(answer.quantity)) kinds.append(std::string(each));
  for (const std::string_view each : kind_colours(answer.quantity)) colours.append(std::string(each));
  for (const MapCurve& curve : map.curves) {
    py::array_t<double> line({static_cast<py::ssize_t>(curve.x.size()), py::ssize_t{2}});
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      line.mutable_data()[2 * k] = curve.x[k];
      line.mutable_data()[2 * k + 1] = curve.y[k];
    }
    curves.append(py::make_tuple(curve.kind_a, curve.kind_b, line));
  }
  py::dict out;
  out["show"] = std::string(name(answer.quantity));
  out["x_name"] = answer.x.name;
  out["y_name"] = answer.y.name;
  out["x_label"] = answer.x.unit.empty() ? answer.x.label : answer.x.label + " [" + answer.x.unit + "]";
  out["y_label"] = answer.y.unit.empty() ? answer.y.label : answer.y.label + " [" + answer.y.unit + "]";
  out["x_range"] = py::make_tuple(map.x.low, map.x.high, map.x.points);
  out["y_range"] = py::make_tuple(map.y.low, map.y.high, map.y.points);
  out["kinds"] = py::array_t<int>({rows, columns}, map.kinds.data());
  out["numbers"] = py::array_t<double>({rows, columns}, map.numbers.data());
  out["names"] = py::tuple(kinds);
  out["colours"] = py::tuple(colours);
  out["curves"] = curves;
  out["evaluations"] = map.evaluations;
  out["least"] = py::none();
  if (answer.least) out["least"] = py::make_tuple(answer.least->number, answer.least->x, answer.least->y);
  return out;
}

}  // namespace

void bind_map(py::module_& module) {
  const py::arg x("x"), y("y"), show("show"), points("points"), fixed("fixed"), threads("threads");
  module.def(
      "_map_model",
      [](const std::shared_ptr<Machine>& model, const py::object& state, const Axis& ax, const Axis& ay,
         const std::string& what, std::pair<int, int> grid, std::map<std::string, double> settings, int workers,
         const std::optional<std::string>& contact, const py::object& law) {
        return to_dict(map_model(model, state, {ax, ay, what, grid, std::move(settings), workers}, contact, law));
      },
      py::arg("model").none(false), py::arg("state"), x, y, show, points, fixed, threads, py::arg("contact"),
      py::arg("law"));
  module.def(
      "_map_contact",
      [](const py::dict& arguments, const Axis& ax, const Axis& ay, const std::string& what, std::pair<int, int> grid,
         std::map<std::string, double> settings, int workers) {
        return to_dict(map_contact(arguments, {ax, ay, what, grid, std::move(settings), workers}));
      },
      py::arg("arguments"), x, y, show, points, fixed, threads);
}

}  // namespace routh::python
