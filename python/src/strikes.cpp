// `routh.impact` for a model and a state: every contact that approaches, as if it were alone.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "contact.h"
#include "data.h"
#include "impact_result.h"
#include "impact_several.h"
#include "routh/contact/contact.h"
#include "routh/contact/contact_problem.h"
#include "routh/scene/strikes.h"

namespace routh::python {

namespace {

struct Strike {
  MachineContact contact;
  std::vector<SingleImpact> impacts;  // one for each law
  Eigen::MatrixXd joint_impulses;     // of the first: joints × 6
};

std::vector<Law> read_laws(py::handle value, const Model& model, const Contact& contact) {
  if (value.ptr() == nullptr || value.is_none()) return {contact_law(model, contact)};
  if (is_word(value, "all")) return {std::begin(all_laws), std::end(all_laws)};
  return {read_law(value)};
}

Eigen::MatrixXd joint_impulses(const Model& model, ContactProblemBuilder& builder, Workspace& workspace,
                               const Contact& contact, const ImpactResult& result) {
  std::vector<Wrench> wrenches(model.joints.size());
  builder.joint_impulses(model, workspace, contact, result, wrenches);
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(wrenches.size()), 6);
  for (std::size_t k = 0; k < wrenches.size(); ++k) {
    const Wrench& w = wrenches[k];
    rows.row(static_cast<Eigen::Index>(k)) << w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z;
  }
  return rows;
}

std::vector<Strike> strikes_at(const MachinePointer& machine, const State& state, py::handle law) {
  const Model& model = machine->model();
  Workspace workspace(model);
  const TouchReport report = find_touches(model, state, machine->scene.touch, workspace);
  ContactProblemBuilder builder(model);
  if (const int dof = builder.prepare(model, state, workspace); dof >= 0)
    refuse(fmt::format("the machine has no inertia along '{}' here", dof_name(model, dof)));
  std::vector<Strike> strikes;
  for (const Touch& touch : report.touches) {
    if (touch.kind != TouchKind::approaching) continue;
    Strike& strike = strikes.emplace_back(Strike{{machine, touch.contact, name(touch.kind)}, {}, {}});
    const ImpactProblem problem = builder.impact_problem(model, workspace, touch.contact);
    for (const Law each : read_laws(law, model, touch.contact)) {
      SingleImpact& impact = strike.impacts.emplace_back();
      impact.dimension = model.dimension;
      LawAnswer answer = solve_strike(model, problem, each, builder);
      impact.result = answer.result;
      impact.machine.emplace(MachinePart{answer.velocity, answer.loop_impulse, answer.multipliers});
      if (strike.impacts.size() == 1)
        strike.joint_impulses = joint_impulses(model, builder, workspace, touch.contact, impact.result);
    }
  }
  return strikes;
}

py::object laws_of(const Strike& strike) {
  py::object laws = py::module_::import("routh._laws").attr("Laws")();
  for (const SingleImpact& each : strike.impacts) laws[py::str(name(each.result.law))] = each;
  return laws;
}

}  // namespace

py::object impact_of_model(PyObject* const* values, Py_ssize_t positional, PyObject* keywords) {
  constexpr int parameters = 8;
  py::handle given[parameters] = {values[0]};
  constexpr const char* names[parameters] = {"model", "state", "law", "q", "v", "contact", "rule", "stiffness"};
  if (positional > 3) throw py::type_error("impact(model, state, law) takes at most 3 arguments");
  for (Py_ssize_t k = 1; k < positional; ++k) given[k] = values[k];
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* word = PyTuple_GET_ITEM(keywords, k);
    int index = 1;
    while (index < parameters && PyUnicode_CompareWithASCIIString(word, names[index]) != 0) ++index;
    if (index == parameters)
      throw py::type_error(
          fmt::format("impact(model, state, law) got an unexpected keyword argument '{}'", word_of(word)));
    if (given[index]) throw py::type_error(fmt::format("impact() got multiple values for argument '{}'", names[index]));
    given[index] = values[positional + k];
  }
  const auto machine = given[0].cast<std::shared_ptr<Machine>>();
  const bool by_rule = given[6] && !given[6].is_none();
  if (given[7] && !by_rule) throw py::type_error("stiffness is of several contacts: name a rule");
  if (given[3] || given[4]) {
    if (by_rule) throw py::type_error("rule is for one state: impact(model, state, rule=…)");
    if (given[1]) throw py::type_error("impact(model, …) takes a state, or q and v, not both");
    return impact_of_states(*machine, {given[3], given[4], given[5], given[2]});
  }
  if (given[5]) throw py::type_error("contact is for many states: impact(model, q=…, v=…, contact=…)");
  const State state = read_state(*machine, given[1]);
  refuse_overlaps(*machine, state);
  if (by_rule) return impact_of_touches(machine, state, {given[2], given[6], given[7]});
  return py::cast(strikes_at(machine, state, given[2]));
}

void bind_strikes(py::module_& module) {
  py::class_<Strike>(module, "Strike", "A contact that approaches, and what its impact does, as if it were alone.")
      .def_readonly("contact", &Strike::contact, "Where.")
      .def_property_readonly(
          "result", [](const Strike& s) { return s.impacts.front(); }, "By the first law that was asked for.")
      .def_property_readonly(
          "results", [](const Strike& s) { return laws_of(s); }, "By the name of the law; shown as a table.")
      .def_property_readonly(
          "joint_impulses", [](const Strike& s) { return from_columns(s.joint_impulses); },
          "(joints, 6), for `result`: impulse [N s] and its moment [N m s] that each joint's parent exerts on its "
          "child, "
          "at the joint, world axes.")
      .def("__repr__", [](const Strike& s) {
        if (s.impacts.size() > 1) return s.contact.name() + "\n" + py::repr(laws_of(s)).cast<std::string>();
        return fmt::format("<Strike {}: {}>", s.contact.name(), name(s.impacts.front().result.mode));
      });
}

}  // namespace routh::python
