// Studies: many impacts or runs in a call, with Python looking on.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <atomic>
#include <filesystem>
#include <future>

#include "bindings.h"
#include "routh/map/tolerances.h"
#include "routh/scene/named_files.h"
#include "routh/study/attached.h"
#include "routh/study/sweep.h"
#include "routh/study/writer.h"

namespace routh::python {

namespace {

struct SweepWishes {
  AttachedTexts attached;
  std::optional<bool> table;  // in place of what the study says
  StudyFiles files;
  bool resume = false, restart = false;
  double checkpoint = 5;  // [s]
  int threads = 0;
  py::object progress;
};

KeeperOptions keeper_options(const SweepWishes& wishes) {
  KeeperOptions options;
  options.output = wishes.files.hdf5.empty() ? wishes.files.csv : wishes.files.hdf5;
  options.start = wishes.resume ? StudyStart::resume : wishes.restart ? StudyStart::anew : StudyStart::fresh;
  options.interval = wishes.checkpoint;
  options.resume_words = "resume=True";
  options.restart_words = "restart=True";
  return options;
}

// No result may stand where the study, or a file that is read for it, does.
void refuse_overwriting(const Study& study, const StudyFiles& files) {
  std::vector<std::string> outputs = {files.hdf5, files.csv, files.html};
  if (study.table && !files.csv.empty()) outputs.push_back(samples_path(files.csv));
  std::error_code error;
  std::erase_if(outputs, [&](const std::string& output) { return !std::filesystem::is_regular_file(output, error); });
  if (outputs.empty()) return;
  std::vector<std::string> inputs = study.sources;
  for (const std::string& source : study.sources)
    for (std::string& named : files_named_by(source)) inputs.push_back(std::move(named));
  for (const std::string& output : outputs)
    for (const std::string& input : inputs)
      if (std::filesystem::equivalent(output, input, error))
        refuse(fmt::format("output: '{}' would replace a file that the study reads", printable(output, 200)),
               "give another name");
}

// A study and all that came of it. The table stays where it was gathered: in memory, or in a file without a name.
class FinishedSweep {
 public:
  FinishedSweep(Study study, const SweepWishes& wishes) : study_(std::move(study)) {
    if (wishes.table) study_.table = *wishes.table;
    refuse_overwriting(study_, wishes.files);
    check_places(wishes.files);
    keeper_.emplace(study_, keeper_options(wishes));
  }
  FinishedSweep(const FinishedSweep&) = delete;
  FinishedSweep& operator=(const FinishedSweep&) = delete;

  // With the GIL held, which it lets go.
  void run(const SweepWishes& wishes) {
    try {
      compute(wishes);
      const py::gil_scoped_release released;
      result_ = keeper_->totals().result();
      write_results(wishes.files, study_, result_, keeper_->rows());
      keeper_->remove_files();
    } catch (const RuntimeFailure& failure) {
      // A full disk, mostly: what was computed is not lost.
      if (!keeper_->keeps_files()) throw;
      throw RuntimeFailure(
          fmt::format("{}; the checkpoint is kept: the same call with resume=True goes on from it", failure.what()));
    }
  }

  const Study& study() const { return study_; }
  const StudyResult& result() const { return result_; }
  std::uint64_t resumed() const { return keeper_->resumed_samples(); }
  const RowFile* rows() const { return keeper_->rows(); }

 private:
  // Threads of the library compute; this one looks at signals and reports progress.
  void compute(const SweepWishes& wishes) {
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> done{resumed()};
    SweepOptions options;
    options.threads = wishes.threads;
    options.stop = &stop;
    options.progress = [&](const StudyTotals& totals) { done = totals.samples(); };
    std::exception_ptr error;
    {
      const py::gil_scoped_release released;
      auto work = std::async(std::launch::async, [&] { return sweep(study_, *keeper_, options); });
      while (!error && work.wait_for(look_interval) != std::future_status::ready) {
        const py::gil_scoped_acquire held;
        try {
          check_signals();
          if (!wishes.progress.is_none()) wishes.progress(done.load(), study_.samples());
        } catch (...) {
          error = std::current_exception();
          stop = true;
        }
      }
      try {
        work.get();
        if (error) keeper_->save();
      } catch (...) {
        if (!error) error = std::current_exception();
      }
    }
    if (error) std::rethrow_exception(error);
    if (!wishes.progress.is_none()) wishes.progress(study_.samples(), study_.samples());
  }

  Study study_;
  std::optional<StudyKeeper> keeper_;  // refers to the study
  StudyResult result_;
};

std::unique_ptr<FinishedSweep> run_sweep(const std::optional<std::string>& text, const std::string& path,
                                         const SweepWishes& wishes) {
  if (wishes.threads < 0 || wishes.threads > tolerances::threads_max)
    refuse(fmt::format("threads: expected a number from 0 to {}", tolerances::threads_max), "0: one for each core");
  if (wishes.resume && wishes.restart) refuse("resume and restart exclude each other");
  if (wishes.resume && wishes.files.hdf5.empty() && wishes.files.csv.empty())
    refuse("resume needs the output whose checkpoint stands beside it", "give output=\"out.h5\" or \"out.csv\"");
  if (!(wishes.checkpoint > 0)) refuse(fmt::format("checkpoint: {} s must be positive", wishes.checkpoint));
  std::unique_ptr<FinishedSweep> sweep;
  {
    const py::gil_scoped_release released;
    sweep = std::make_unique<FinishedSweep>(
        text ? read_study_text(*text, path, wishes.attached) : read_study_file(path), wishes);
  }
  sweep->run(wishes);
  return sweep;
}

template <class T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

// What is asked for of a measure; what is not is left out.
py::dict measure_dict(const StudyMeasure& measure, const MeasureResult& result) {
  py::dict out, quantiles;
  py::list numbers;
  out["value"] = measure.text;
  out["count"] = result.moments.count;
  out["missing"] = result.moments.missing;
  out["names"] = std::vector<std::string>(measure.words.begin(), measure.words.end());
  for (const Statistic& s : statistics(measure, result)) {
    switch (s.shape) {
      case Statistic::Shape::number:
        numbers.append(s.name);
        out[s.name.c_str()] = s.value;
        if (s.sample) out[(s.name + "_sample").c_str()] = *s.sample;
        break;
      case Statistic::Shape::quantile:  // as a dictionary and arrays, below
      case Statistic::Shape::bin:
        break;
    }
  }
  for (const QuantileResult& quantile : result.quantiles) quantiles[py::float_(quantile.share)] = quantile.value;
  out["quantiles"] = quantiles;
  out["numbers"] = numbers;
  const auto plan = measure.bins();
  if (!plan) return out;
  out["counts"] = array_of(std::vector<std::int64_t>(result.bins.begin() + 1, result.bins.end() - 1));
  if (measure.reduce.counts) return out;
  std::vector<double> edges;
  for (int k = 0; k <= plan->bins; ++k) edges.push_back(plan->edge(k));
  out["edges"] = array_of(edges);
  out["below"] = result.bins.front();
  out["above"] = result.bins.back();
  return out;
}

py::dict summary(const FinishedSweep& sweep) {
  const Study& study = sweep.study();
  const StudyResult& result = sweep.result();
  py::dict out, measures, faults;
  for (std::size_t m = 0; m < study.measures.size(); ++m)
    measures[study.measures[m].name.c_str()] = measure_dict(study.measures[m], result.measures[m]);
  for (std::size_t k = 1; k < fault_count; ++k)
    if (result.faults[k] > 0) faults[std::string(all_names<Fault>[k]).c_str()] = result.faults[k];
  py::list failures;
  for (const Failure& failure : result.failures)
    failures.append(py::make_tuple(failure.sample, name(failure.fault), failure.reason));
  out["name"] = study.title;
  out["hash"] = study.hash;
  out["kind"] = name(study.kind);
  out["method"] = name(study.method);
  out["seed"] = study.seed;
  out["samples"] = result.samples;
  out["failed"] = result.failed();
  out["resumed"] = sweep.resumed();
  out["parameters"] = study.parameters;
  out["quantile_error"] = study.exact_quantiles() ? 0.0 : QuantileSketch::relative_error;
  out["measures"] = measures;
  out["faults"] = faults;
  out["failures"] = failures;
  py::list warnings;
  for (const std::string& warning : study.warnings) warnings.append(readable(warning));
  out["warnings"] = warnings;
  return out;
}

// A row for each sample: parameters, measures, fault. None without a table.
py::object rows_array(const FinishedSweep& sweep) {
  const RowFile* rows = sweep.rows();
  if (!rows) return py::none();
  py::array_t<double> out({static_cast<py::ssize_t>(rows->rows()), static_cast<py::ssize_t>(rows->columns())});
  double* to = out.mutable_data();
  {
    const py::gil_scoped_release released;
    rows->read([&](std::span<const double> some) { to = std::copy(some.begin(), some.end(), to); });
  }
  return out;
}

}  // namespace

void bind_study(py::module_& module) {
  py::class_<FinishedSweep>(module, "_Sweep")
      .def("summary", &summary)
      .def("rows", &rows_array)
      .def("page", [](const FinishedSweep& s) { return study_page(s.study(), s.result(), s.rows()); })
      .def("json", [](const FinishedSweep& s) { return study_json(s.study(), s.result()); })
      .def(
          "write",
          [](const FinishedSweep& s, std::string hdf5, std::string csv, std::string html) {
            const py::gil_scoped_release released;
            write_results({std::move(hdf5), std::move(csv), std::move(html)}, s.study(), s.result(), s.rows());
          },
          py::arg("hdf5"), py::arg("csv"), py::arg("html"));
  module.attr("_fault_names") = py::cast(std::vector<std::string>(all_names<Fault>.begin(), all_names<Fault>.end()));
  module.def(
      "_sweep",
      [](const std::optional<std::string>& text, const std::string& path, AttachedTexts attached,
         std::optional<bool> table, std::tuple<std::string, std::string, std::string> files,
         std::pair<bool, bool> resume_restart, double checkpoint, int threads, py::object progress) {
        auto& [hdf5, csv, html] = files;
        return run_sweep(text, path,
                         {std::move(attached),
                          table,
                          {std::move(hdf5), std::move(csv), std::move(html)},
                          resume_restart.first,
                          resume_restart.second,
                          checkpoint,
                          threads,
                          std::move(progress)});
      },
      py::arg("text"), py::arg("path"), py::arg("attached"), py::arg("table"), py::arg("files"),
      py::arg("resume_restart"), py::arg("checkpoint"), py::arg("threads"), py::arg("progress"));
}

}  // namespace routh::python
