// Friction and restitution from measured impacts.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>

#include "bindings.h"
#include "routh/problem/reader.h"
#include "routh/study/fit_writer.h"
#include "routh/study/tolerances.h"

namespace routh::python {

namespace {

using Clock = std::chrono::steady_clock;

struct FinishedFit {
  FitData data;
  FitReport report;
  double confidence = 0.95;
};

SampleList list_of(std::vector<std::string> columns, py::handle values) {
  const Numbers numbers(values, "data");
  SampleList list;
  list.columns = std::move(columns);
  list.values.assign(numbers.data(), numbers.data() + numbers.size());
  for (std::size_t k = 0; k < list.values.size(); ++k)
    if (!std::isfinite(list.values[k]))
      refuse(fmt::format("data: '{}' is {} in row {}", list.columns[k % list.columns.size()], list.values[k],
                         k / list.columns.size() + 1),
             "leave out what was not measured");
  return list;
}

std::unique_ptr<FinishedFit> run_fit(const SampleList& list, ProblemFile problem, FitOptions options) {
  auto fit = std::make_unique<FinishedFit>();
  fit->confidence = options.confidence;
  Clock::time_point next = Clock::now() + look_interval;
  options.look = [&] {
    if (Clock::now() < next) return;
    next = Clock::now() + look_interval;
    const py::gil_scoped_acquire held;
    check_signals();
  };
  const py::gil_scoped_release released;
  fit->data = make_fit_data(std::move(problem), list);
  fit->report = fit_laws(fit->data, options);
  return fit;
}

FitOptions read_options(const std::optional<std::vector<std::string>>& laws, bool tangential, bool refined,
                        double confidence) {
  FitOptions options;
  options.tangential = tangential;
  options.refined = refined;
  options.confidence = confidence;
  if (!(confidence >= tolerances::confidence_min && confidence <= tolerances::confidence_max))
    refuse(fmt::format("confidence: {} must lie in [{}, {}]", confidence, tolerances::confidence_min,
                       tolerances::confidence_max));
  if (!laws) return options;
  options.laws.clear();
  for (const std::string& word : *laws) {
    const Law law = read_law(py::str(word));
    if (std::find(options.laws.begin(), options.laws.end(), law) != options.laws.end())
      refuse(fmt::format("laws: '{}' occurs twice", word));
    options.laws.push_back(law);
  }
  if (options.laws.empty()) refuse("laws: none is named", "leave it out for all of them");
  return options;
}

// The text of a problem, or the path of its file, or neither: the data hold everything.
ProblemFile read_given_problem(const std::optional<std::string>& text, const std::string& path,
                               const SampleList& list) {
  if (text) return read_problem_text(*text, "<problem>");
  return path.empty() ? problem_of_columns(list, "problem") : read_common_problem(path);
}

// A row for each impact, a column for each quantity measured.
py::array_t<double> residuals(const FinishedFit& fit, std::size_t law) {
  const auto columns = static_cast<py::ssize_t>(fit.data.columns.size());
  const std::vector<double>& all = fit.report.laws.at(law).residuals;
  return py::array_t<double>({static_cast<py::ssize_t>(fit.data.impacts.size()), columns}, all.data());
}

}  // namespace

void bind_fit(py::module_& module) {
  py::class_<FinishedFit>(module, "_Fit")
      .def("json", [](const FinishedFit& fit) { return fit_json(fit.report, fit.data, fit.confidence); })
      .def("csv", [](const FinishedFit& fit) { return fit_residuals_csv(fit.report, fit.data); })
      .def("svg", [](const FinishedFit& fit) { return to_svg(fit_picture(fit.report, fit.data)); })
      .def("residuals", &residuals, py::arg("law"));
  const py::arg problem_text("problem_text"), problem_path("problem_path"), laws("laws"), tangential("tangential"),
      refined("refined"), confidence("confidence");
  module.def(
      "_fit_arrays",
      [](std::vector<std::string> columns, const py::object& values, const std::optional<std::string>& text,
         const std::string& path, const std::optional<std::vector<std::string>>& wanted, bool also_tangential,
         bool also_refined, double level) {
        const SampleList list = list_of(std::move(columns), values);
        return run_fit(list, read_given_problem(text, path, list),
                       read_options(wanted, also_tangential, also_refined, level));
      },
      py::arg("columns"), py::arg("values"), problem_text, problem_path, laws, tangential, refined, confidence);
  module.def(
      "_fit_file",
      [](const std::string& data, const std::optional<std::string>& text, const std::string& path,
         const std::optional<std::vector<std::string>>& wanted, bool also_tangential, bool also_refined, double level) {
        std::string seen;
        const SampleList list = read_sample_list(data, seen);
        return run_fit(list, read_given_problem(text, path, list),
                       read_options(wanted, also_tangential, also_refined, level));
      },
      py::arg("data"), problem_text, problem_path, laws, tangential, refined, confidence);
}

}  // namespace routh::python
