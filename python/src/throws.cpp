// Recordings of throws: identify, validate, predict, as the JSON and pages of the program; Python makes objects of
// them.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <future>
#include <limits>

#include "bindings.h"
#include "machine.h"
#include "routh/recording/predict.h"
#include "routh/recording/tolerances.h"
#include "routh/recording/writer.h"
#include "routh/study/sweep.h"
#include "routh/study/tolerances.h"

namespace routh::python {

namespace {

using Given = std::vector<std::pair<std::string, double>>;
using Sought = std::vector<std::tuple<std::string, double, double>>;
using Regions = std::vector<std::tuple<std::string, std::vector<double>, std::vector<double>>>;
using ThrowPages = std::tuple<std::string, std::string, std::string>;  // JSON, CSV, HTML

// The work on a thread of its own, while this one looks at signals. What is left when one comes is given up.
template <class Work>
auto watched(std::atomic<bool>& stop, const Work& work) {
  std::future<decltype(work())> answer;
  {
    const py::gil_scoped_release released;
    answer = std::async(std::launch::async, work);
    while (answer.wait_for(look_interval) != std::future_status::ready) {
      const py::gil_scoped_acquire held;
      if (PyErr_CheckSignals() == 0) continue;
      stop = true;
      const py::gil_scoped_release again;
      answer.wait();
      break;
    }
  }
  if (stop) throw py::error_already_set();
  return answer.get();
}

std::vector<SoughtParameter> read_sought(const Sought& sought) {
  std::vector<SoughtParameter> out;
  for (const auto& [path, low, high] : sought) {
    if (!(low < high)) refuse(fmt::format("{}: the range [{}, {}] is empty", path, low, high));
    out.push_back({parse_parameter(path, {"sought"}), low, high});
  }
  return out;
}

Scene scene_with(const Machine& machine, const Given& given) {
  std::vector<std::pair<ThrowParameter, double>> values;
  for (const auto& [path, value] : given) values.emplace_back(parse_parameter(path, {"given"}), value);
  return with_values(machine.scene, values);
}

Recordings read_throws(const std::string& data, const Scene& scene, bool leave_out_bad) {
  return read_recordings(data, scene.model, leave_out_bad ? BadFiles::leave_out : BadFiles::refuse);
}

void check_confidence(double confidence) {
  if (!(confidence >= tolerances::confidence_min && confidence <= tolerances::confidence_max))
    refuse(fmt::format("confidence: {} must lie in [{}, {}]", confidence, tolerances::confidence_min,
                       tolerances::confidence_max));
}

std::optional<Law> given_law(const std::optional<std::string>& word) {
  if (!word) return std::nullopt;
  return read_law(py::str(*word));
}

std::string identify_throws(const std::shared_ptr<Machine>& machine, const std::string& data, const Sought& sought,
                            const Given& given, const std::optional<std::vector<std::string>>& laws,
                            const std::string& loss, double confidence, bool leave_out_bad, int threads) {
  check_confidence(confidence);
  const Scene scene = scene_with(*machine, given);
  const std::vector<SoughtParameter> parameters = read_sought(sought);
  refuse_ends(scene, parameters);
  const Recordings recordings = read_throws(data, scene, leave_out_bad);
  std::atomic<bool> stop = false;
  IdentifyOptions options;
  if (laws) options.laws.clear();
  for (const std::string& word : laws.value_or(std::vector<std::string>{}))
    options.laws.push_back(read_law(py::str(word)));
  if (options.laws.empty()) refuse("laws: none is named", "leave it out for the scene's own");
  const auto kind = value_named<ThrowLoss>(loss);
  if (!kind) refuse(fmt::format("loss: '{}' is neither robust nor mean", loss));
  options.loss = *kind;
  options.confidence = confidence;
  options.threads = usable_threads(threads);
  options.stop = &stop;
  return identify_json(watched(stop, [&] { return identify(scene, recordings, parameters, options); }), options);
}

ThrowPages validate_throws(const std::shared_ptr<Machine>& machine, const std::string& data, const Given& given,
                           const std::optional<std::string>& law, double confidence, bool leave_out_bad, int threads) {
  check_confidence(confidence);
  const Scene scene = scene_with(*machine, given);
  const Recordings recordings = read_throws(data, scene, leave_out_bad);
  std::atomic<bool> stop = false;
  ValidateOptions options;
  options.law = given_law(law);
  options.confidence = confidence;
  options.threads = usable_threads(threads);
  options.stop = &stop;
  const ValidateReport report = watched(stop, [&] { return validate(scene, recordings, options); });
  const Dimension dimension = scene.model.dimension;
  return {validate_json(report, dimension), validate_csv(report, dimension),
          validate_page(report, scene.model.name, dimension)};
}

std::vector<Region> read_regions(const Regions& given, const Scene& scene) {
  const std::size_t directions = scene.model.dimension == Dimension::planar ? 2 : 3;
  std::vector<Region> out;
  for (const auto& [name, low, high] : given) {
    if (low.size() != high.size() || low.size() > directions)
      refuse(fmt::format("regions: '{}' has {} ranges; a place has {} coordinates", name, low.size(), directions));
    for (std::size_t k = 0; k < low.size(); ++k)
      if (!(low[k] < high[k])) refuse(fmt::format("regions: '{}': the range [{}, {}] is empty", name, low[k], high[k]));
    out.push_back({name, low, high});
  }
  return out;
}

ThrowPages predict_throws(const std::shared_ptr<Machine>& machine, const std::string& data, const Sought& sought,
                          const Given& given, const std::optional<std::string>& estimate, const Regions& regions,
                          const std::optional<std::string>& law, const std::optional<double>& duration, int draws,
                          std::uint64_t seed, double widen, bool leave_out_bad, int threads) {
  const Scene scene = scene_with(*machine, given);
  PredictOptions options;
  options.law = given_law(law);
  Estimate parameters;
  parameters.parameters = read_sought(sought);
  parameters.value.assign(sought.size(), 0);
  parameters.deviation.assign(sought.size(), -1);  // anywhere in the range
  if (estimate) {
    const ReadEstimate read = read_estimate(*estimate);
    if (!law) options.law = read.law;
    parameters = read.estimate;
  }
  refuse_ends(scene, parameters.parameters);
  if (draws < 1 || draws > tolerances::draws_max)
    refuse(fmt::format("draws: {} must lie in [1, {}]", draws, tolerances::draws_max));
  if (!(widen >= 0 && widen <= tolerances::widen_max))
    refuse(fmt::format("widen: {} must lie in [0, {}]", widen, tolerances::widen_max));
  if (duration && !(*duration >= tolerances::duration_min && *duration <= tolerances::duration_max))
    refuse(fmt::format("duration: {} must lie in [{}, {}]", *duration, tolerances::duration_min,
                       tolerances::duration_max));
  options.regions = read_regions(regions, scene);
  const Recordings recordings = read_throws(data, scene, leave_out_bad);
  std::atomic<bool> stop = false;
  options.draws = draws;
  options.seed = seed;
  options.widen = widen;
  options.duration = duration;
  options.threads = usable_threads(threads);
  options.stop = &stop;
  const PredictReport report = watched(stop, [&] { return predict(scene, recordings, parameters, options); });
  return {predict_json(report), predict_csv(report), predict_page(report, scene.model.name)};
}

}  // namespace

void bind_throws(py::module_& module) {
  module.def("_identify_throws", &identify_throws, py::arg("model").none(false), py::arg("data"), py::arg("sought"),
             py::arg("given"), py::arg("laws"), py::arg("loss"), py::arg("confidence"), py::arg("leave_out_bad"),
             py::arg("threads"));
  module.def("_validate_throws", &validate_throws, py::arg("model").none(false), py::arg("data"), py::arg("given"),
             py::arg("law"), py::arg("confidence"), py::arg("leave_out_bad"), py::arg("threads"));
  module.def("_predict_throws", &predict_throws, py::arg("model").none(false), py::arg("data"), py::arg("sought"),
             py::arg("given"), py::arg("estimate"), py::arg("regions"), py::arg("law"), py::arg("duration"),
             py::arg("draws"), py::arg("seed"), py::arg("widen"), py::arg("leave_out_bad"), py::arg("threads"));
}

}  // namespace routh::python
