// Verdicts on contacts, as the JSON of `routh diagnose` and as sentences; Python makes objects of them.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "impact_arguments.h"
#include "impact_solver.h"
#include "machine.h"
#include "routh/problem/diagnosis_writer.h"
#include "routh/scene/diagnosis.h"
#include "routh/scene/diagnosis_writer.h"
#include "routh/solvability/diagnosis_words.h"

namespace routh::python {

BareContact read_bare_contact(const py::dict& arguments) {
  BareContact bare;
  RawArguments raw;
  py::object acceleration = py::none();
  for (const auto& [key, value] : arguments) {
    const std::string word = word_of(key);
    if (word == "free_acceleration") {
      acceleration = py::reinterpret_borrow<py::object>(value);
      continue;
    }
    const auto found =
        std::find_if(argument_names.begin(), argument_names.end(), [&](const char* n) { return word == n; });
    if (found == argument_names.end() || word == "invalid" || word == "threads")
      throw py::type_error(fmt::format("unexpected argument '{}'", printable(word)));
    raw.set(static_cast<Argument>(found - argument_names.begin()), value);
  }
  bare.arguments = std::make_unique<ImpactArguments>(raw);
  if (!bare.arguments->batch.empty()) refuse("one contact is needed, not a batch", "loop over its problems");
  ImpactSolver solver(*bare.arguments);
  solver.load(0);
  if (const std::string why = solver.why(0); !why.empty()) refuse(why);
  bare.problem.contact = solver.problem();
  bare.law = bare.arguments->law;
  if (acceleration.is_none()) return bare;
  const VectorArgument f(acceleration, "free_acceleration", bare.arguments->rows());
  bare.known = FreeAcceleration::given;
  bare.problem.free_acceleration = {f.map()[0], f.map()[1], bare.arguments->rows() == 3 ? f.map()[2] : 0.0};
  if (bare.problem.free_acceleration.n < 0) bare.problem.contact.load = Load::pressed;
  return bare;
}

namespace {

using Words = std::vector<std::vector<std::string>>;

py::tuple diagnose_model(const std::shared_ptr<Machine>& machine, const py::object& given, const py::object& law,
                         bool search) {
  Scene scene = machine->scene;
  scene.state = read_state(*machine, given);
  refuse_overlaps(*machine, scene.state);
  DiagnosisOptions options;
  if (!law.is_none()) options.law = read_law(law);
  options.search_postures = search;
  std::string json;
  Words words;
  std::vector<std::string> together;
  {
    const py::gil_scoped_release released;
    Workspace workspace(scene.model);
    const SceneDiagnosis diagnosis = diagnose_scene(scene.model, scene.state, scene.touch, options, workspace);
    json = diagnosis_json(scene, diagnosis);
    for (const TouchDiagnosis& touch : diagnosis.contacts)
      words.push_back(contact_sentences(scene.model, diagnosis, touch));
    together = hold_sentences(scene.model, diagnosis);
  }
  return py::make_tuple(json, words, together);
}

py::tuple diagnose_contact(const py::dict& arguments) {
  const BareContact bare = read_bare_contact(arguments);
  const ContactDiagnosis diagnosis = diagnose(bare.problem, bare.known, bare.law);
  return py::make_tuple("{\"contacts\": [{" + diagnosis_members(diagnosis) + "}]}",
                        Words{diagnosis_sentences(diagnosis, {})}, std::vector<std::string>{});
}

}  // namespace

void bind_diagnosis(py::module_& module) {
  module.def("_diagnose_model", &diagnose_model, py::arg("model").none(false), py::arg("state"), py::arg("law"),
             py::arg("search"));
  module.def("_diagnose_contact", &diagnose_contact, py::arg("arguments"));
}

}  // namespace routh::python
