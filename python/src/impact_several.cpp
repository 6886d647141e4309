#include "impact_several.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "contacts_members.h"
#include "data.h"
#include "impact_result.h"
#include "impact_solver.h"
#include "routh/scene/strikes.h"

namespace routh::python {

namespace {

// One of the answers that a rule gives, and beside the smooth one of the projection those without slip and with both.
struct SimultaneousImpact {
  SimultaneousRule rule = SimultaneousRule::simultaneous;
  SimultaneousResult result;
  Eigen::MatrixXd slip;                  // a column for each contact
  std::vector<MachineContact> contacts;  // of a model
  int rows = 2;
  std::shared_ptr<const SimultaneousImpact> sticking;
  std::optional<FrictionalAnswer> frictional;
  std::vector<std::pair<std::string, std::shared_ptr<const SimultaneousImpact>>> laws;  // beside a run
  std::vector<MarchPoint> path;                                                         // of a march
};

SimultaneousRule read_rule(py::handle value) {
  const std::string word = PyUnicode_Check(value.ptr()) ? word_of(value) : std::string();
  if (const auto rule = value_named<SimultaneousRule>(word)) return *rule;
  refuse(fmt::format("rule: '{}' is unknown", printable(word)),
         fmt::format("the rules are {}", fmt::join(all_names<SimultaneousRule>, ", ")));
}

std::optional<Law> read_law_of(py::handle value, SimultaneousRule rule) {
  if (!value || value.is_none()) return std::nullopt;
  const Law law = read_law(value);
  if (!knows(rule, law))
    refuse(fmt::format("law: '{}' does not belong to the rule '{}'", name(law), name(rule)), known_laws());
  return law;
}

py::object to_python(const SimultaneousAnswers& answers, std::vector<MachineContact> contacts, int rows) {
  const auto one = [&](SimultaneousRule rule, const SimultaneousResult& result,
                       const std::vector<MarchPoint>& path = {}) {
    auto impact = std::make_shared<SimultaneousImpact>();
    *impact = {rule, result, answers.slip(result), contacts, rows, nullptr, std::nullopt, {}, path};
    return impact;
  };
  const auto projection = [&] {
    auto impact = one(SimultaneousRule::simultaneous, answers.smooth);
    if (answers.sticking) impact->sticking = one(SimultaneousRule::simultaneous, *answers.sticking);
    impact->frictional = answers.frictional;
    return impact;
  };
  switch (answers.rule) {
    case SimultaneousRule::simultaneous:
      return py::cast(projection());
    case SimultaneousRule::together:
      return py::cast(one(answers.rule, answers.march, answers.path));
    case SimultaneousRule::run: {
      auto impact = one(answers.run->rule, answers.run->result, answers.run->path);
      impact->laws.emplace_back(name(Law::newton), projection());
      for (const LawOfAll& each : answers.laws)
        impact->laws.emplace_back(name(each.law), one(SimultaneousRule::together, each.result, each.path));
      return py::cast(impact);
    }
  }
  return py::none();
}

// The contacts were read as a batch: M, q̇ and the loops must not vary over it.
SimultaneousProblem machine_of(const ImpactArguments& a) {
  const py::ssize_t count = a.count, n = a.coordinates, tangents = a.rows() - 1;
  SimultaneousProblem problem;
  problem.mass_matrix = Rows(a.mass_matrix.at(0), n, n);
  problem.velocity = Eigen::Map<const Eigen::VectorXd>(a.velocity.at(0), n);
  problem.bilateral = Eigen::MatrixXd(a.bilateral_rows, n);
  if (a.bilateral) problem.bilateral = Rows(a.bilateral.at(0), a.bilateral_rows, n);
  if (a.external_impulse) problem.external_impulse = Eigen::Map<const Eigen::VectorXd>(a.external_impulse.at(0), n);
  problem.normal.resize(count, n);
  problem.tangential.resize(count * tangents, n);
  for (py::ssize_t k = 0; k < count; ++k) {
    const Eigen::MatrixXd J = Rows(a.jacobian.at(k), 1 + tangents, n);
    problem.normal.row(k) = J.row(0);
    problem.tangential.middleRows(k * tangents, tangents) = J.bottomRows(tangents);
  }
  return problem;
}

// Friction and restitution of each contact, checked by the rules of one.
void take_surfaces(const ImpactArguments& a, SimultaneousProblem& problem) {
  ImpactSolver solver(a);
  for (py::ssize_t k = 0; k < a.count; ++k) {
    if (!solver.load(k) || check(solver.problem()).rule) refuse(fmt::format("contact {}: {}", k, solver.why(k)));
    problem.friction.push_back(solver.problem().friction);
    problem.restitution.push_back(solver.problem().restitution);
  }
}

std::vector<double> read_stiffness(py::handle value, py::ssize_t count) {
  if (!value) return {};
  const auto given = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
  if (!given || given.ndim() != 1 || given.size() != count)
    refuse("stiffness: expected one number for each contact", "only their ratios count");
  std::vector<double> stiffness(given.data(), given.data() + count);
  for (const double each : stiffness)
    if (!(each > 0) || !std::isfinite(each)) refuse(fmt::format("stiffness: {} must be positive and finite", each));
  return stiffness;
}

std::vector<ContactStiffness> read_named_stiffness(py::handle value) {
  std::vector<ContactStiffness> stiffness;
  if (!value || value.is_none()) return stiffness;
  if (!py::isinstance<py::dict>(value)) refuse("stiffness: expected a dictionary from names of contacts to ratios");
  for (const auto& [contact, ratio] : py::reinterpret_borrow<py::dict>(value))
    stiffness.push_back({contact.cast<std::string>(), ratio.cast<double>()});
  return stiffness;
}

MarchSettings march_settings(const ImpactArguments& a, std::optional<Law> law, py::handle stiffness) {
  MarchSettings settings;
  settings.laws.assign(static_cast<std::size_t>(a.count), law.value_or(Law::energetic));
  settings.load = a.load;
  settings.stiffness = read_stiffness(stiffness, a.count);
  if (!a.surface_velocity) return settings;
  settings.surface_velocity.resize(a.count * a.rows());
  for (py::ssize_t k = 0; k < a.count; ++k)
    settings.surface_velocity.segment(k * a.rows(), a.rows()) =
        Eigen::Map<const Eigen::VectorXd>(a.surface_velocity.at(k), a.rows());
  return settings;
}

py::object impact_of_one_machine(const RawArguments& raw) {
  const SimultaneousRule rule = read_rule(raw[Argument::rule]);
  const std::optional<Law> law = read_law_of(raw[Argument::law], rule);
  for (const Argument other : {Argument::invalid, Argument::threads})
    if (raw.has(other)) throw py::type_error("invalid and threads are for a batch; with a rule there is one problem");
  if (raw.has(Argument::derivatives)) throw py::type_error("derivatives are of one contact, without a rule");
  const ImpactArguments a(raw);
  if (!a.machine) throw py::type_error("rule is for a machine: give mass_matrix, jacobian and velocity");
  if (a.batch.size() != 1 || a.mass_matrix.step != 0 || a.velocity.step != 0 || a.bilateral.step != 0 ||
      a.external_impulse.step != 0)
    refuse("with a rule jacobian is (contacts, 2 or 3, n), and the machine is one",
           "give mass_matrix, velocity, bilateral and external_impulse without leading axes");
  if (rule != SimultaneousRule::simultaneous && a.external_impulse)
    refuse(fmt::format("external_impulse: the rule '{}' has none", name(rule)), "use the rule 'simultaneous'");
  SimultaneousProblem machine = machine_of(a);
  take_surfaces(a, machine);
  const MarchSettings settings = march_settings(a, law, raw[Argument::stiffness]);
  SimultaneousAnswers answers = solve_by_rule(rule, machine, settings);
  solve_beside(machine, settings, answers);
  return to_python(answers, {}, a.rows());
}

py::dict point_of(const MarchPoint& point, int rows) {
  const auto vectors = [&](const Eigen::VectorXd& all) {
    return from_columns(all.reshaped(rows, all.size() / rows).transpose());
  };
  py::list stages, slips;
  for (const MarchStage each : point.stages) stages.append(name(each));
  for (const MarchSlip each : point.slips) slips.append(name(each));
  py::dict out;
  out["impulse"] = vectors(point.impulse);
  out["velocity"] = vectors(point.velocity);
  out["stage"] = py::tuple(stages);
  out["slip"] = py::tuple(slips);
  return out;
}

}  // namespace

// Velocities with a leading axis are a batch of the same machine.
py::object impact_of_several(const RawArguments& raw) {
  const py::array velocities = raw.has(Argument::velocity) ? py::array::ensure(raw[Argument::velocity]) : py::array();
  if (!velocities || velocities.ndim() != 2) {
    PyErr_Clear();
    return impact_of_one_machine(raw);
  }
  py::list answers;
  for (py::ssize_t k = 0; k < velocities.shape(0); ++k) {
    const py::object row = velocities[py::int_(k)];
    RawArguments one = raw;
    one.set(Argument::velocity, row);
    answers.append(impact_of_one_machine(one));
  }
  return answers;
}

py::object impact_of_touches(const MachinePointer& machine, const State& state, const TouchArguments& given) {
  const Model& model = machine->model();
  StrikeOptions options;
  options.rule = read_rule(given.rule);
  options.law = read_law_of(given.law, options.rule);
  options.stiffness = read_named_stiffness(given.stiffness);
  Workspace workspace(model);
  const TouchReport report = find_touches(model, state, machine->scene.touch, workspace);
  std::vector<Contact> contacts;
  std::vector<MachineContact> shown;
  for (const Touch& touch : report.touches) {
    contacts.push_back(touch.contact);
    shown.push_back({machine, touch.contact, name(touch.kind)});
  }
  if (contacts.empty()) refuse("nothing touches at this state", "a rule is for contacts that touch");
  if (const std::string fault = stiffness_fault(model, contacts, options.stiffness); !fault.empty())
    refuse("stiffness: " + fault);
  const SimultaneousAnswers answers = solve_contacts_at_once(model, state, contacts, options, Beside::yes, workspace);
  return to_python(answers, std::move(shown), contact_rows(model));
}

void bind_simultaneous(py::module_& module) {
  using S = SimultaneousImpact;
  const auto each = [](double SimultaneousContactResult::*member) {
    return [member](const S& s) {
      Eigen::VectorXd values(static_cast<Eigen::Index>(s.result.contacts.size()));
      for (std::size_t k = 0; k < s.result.contacts.size(); ++k)
        values[static_cast<Eigen::Index>(k)] = s.result.contacts[k].*member;
      return to_array(values);
    };
  };
  const auto energy = [](double SimultaneousResult::*member) {
    return [member](const S& s) { return s.result.*member; };
  };
  py::class_<S, std::shared_ptr<S>>(module, "SimultaneousImpact",
                                    "Several contacts at once: what `routh.impact` gives with a rule.")
      .def_property_readonly(
          "rule", [](const S& s) { return name(s.rule); }, "'simultaneous' or 'together'.")
      .def_property_readonly(
          "status", [](const S& s) { return name(s.result.status); }, "As in the JSON of `routh impact`.")
      .def_property_readonly(
          "ok", [](const S& s) { return usable(s.result.status); }, "Whether the result is an answer.")
      .def_property_readonly(
          "explanation", [](const S& s) { return explain(s.result.status); }, "The status as a sentence.")
      .def_readonly("contacts", &S::contacts, "Of a model: what touches, in the order of the arrays.")
      .def_property_readonly(
          "roles",
          [](const S& s) {
            py::list roles;
            for (const SimultaneousContactResult& contact : s.result.contacts) roles.append(name(contact.role));
            return py::tuple(roles);
          },
          "Of each contact: 'strikes', 'rests', 'separates' or 'released'.")
      .def_property_readonly(
          "velocity", [](const S& s) { return to_array(s.result.velocity); }, "q̇⁺ [m/s, rad/s].")
      .def_property_readonly("approach", each(&SimultaneousContactResult::approach),
                             "(contacts,) normal velocity before [m/s].")
      .def_property_readonly("departure", each(&SimultaneousContactResult::departure),
                             "(contacts,) normal velocity after [m/s].")
      .def_property_readonly("restitution", each(&SimultaneousContactResult::restitution),
                             "(contacts,) the coefficients used.")
      .def_property_readonly(
          "impulse",
          [](const S& s) {
            Eigen::MatrixXd columns(s.rows, static_cast<Eigen::Index>(s.result.contacts.size()));
            for (Eigen::Index k = 0; k < columns.cols(); ++k) {
              const SimultaneousContactResult& c = s.result.contacts[static_cast<std::size_t>(k)];
              columns(0, k) = c.normal_impulse;
              for (int t = 1; t < s.rows; ++t) columns(t, k) = c.tangential_impulse[t - 1];
            }
            return from_columns(columns.transpose());
          },
          "(contacts, 2 or 3), normal first [N s].")
      .def_property_readonly(
          "multipliers", [](const S& s) { return to_array(s.result.bilateral_impulse); },
          "Impulse of each bilateral row, of least norm.")
      .def_property_readonly("normal_work", energy(&SimultaneousResult::normal_work), "Along the normals [J].")
      .def_property_readonly("tangential_work", energy(&SimultaneousResult::tangential_work), "Of friction [J].")
      .def_property_readonly("supplied", energy(&SimultaneousResult::supplied),
                             "By moving surfaces and an external impulse [J].")
      .def_property_readonly("energy_change", energy(&SimultaneousResult::energy_change), "Of the kinetic energy [J].")
      .def_property_readonly(
          "consistent", [](const S& s) { return s.result.consistent; }, "The certificate: nothing was gained.")
      .def_property_readonly(
          "warnings", [](const S& s) { return warning_names(s.result.warnings); }, "Names of warnings.")
      .def_property_readonly(
          "sticking",
          [](const S& s) {
            return s.sticking ? py::cast(std::const_pointer_cast<S>(s.sticking)) : py::object(py::none());
          },
          "Of the rule 'simultaneous', beside the smooth answer: contacts that do not slip; None where a surface "
          "moves.")
      .def_property_readonly(
          "frictional",
          [](const S& s) -> py::object {
            if (!s.frictional) return py::none();
            const py::object solution = py::module_::import("routh._contacts").attr("ContactsSolution");
            return solution(contacts_members(s.frictional->file, s.frictional->answer));
          },
          "Of the rule 'simultaneous', where contacts have friction and none rebounds: slip and stick as they come, a "
          "ContactsSolution; else None.")
      .def_property_readonly(
          "slip", [](const S& s) { return from_columns(s.slip.transpose()); },
          "(contacts, 1 or 2) tangential velocities after, relative to the surfaces [m/s].")
      .def_property_readonly(
          "laws",
          [](const S& s) {
            py::dict laws;
            for (const auto& [law, impact] : s.laws) laws[py::str(law)] = py::cast(impact);
            return laws;
          },
          "Of the rule 'run': each law for all contacts, by name: 'newton' (the projection), 'energetic', 'poisson'.")
      .def_property_readonly(
          "path",
          [](const S& s) {
            py::list points;
            for (const MarchPoint& point : s.path) points.append(point_of(point, s.rows));
            return points;
          },
          "The way through the march of all contacts, from point to point: 'impulse' so far and 'velocity' (contacts, "
          "2 or 3), and of each contact its 'stage' ('open', 'compression', 'restitution', 'held') and 'slip' ('none', "
          "'slips', 'sticks') from there on. Empty where the contacts do not march together.")
      .def("__repr__", [](const S& s) {
        return fmt::format("<SimultaneousImpact {}: {}, {} contacts, energy {:+.6g} J>", name(s.rule),
                           name(s.result.status), s.result.contacts.size(), s.result.energy_change);
      });
}

}  // namespace routh::python
