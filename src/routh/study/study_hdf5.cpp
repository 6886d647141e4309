// The result of a study as one HDF5 file: summary by measure, failures, and the table if there is one.
#include <fmt/format.h>

#include "routh/record/hdf5_driver.h"
#include "routh/record/hdf5_file.h"
#include "routh/record/seal.h"
#include "routh/study/writer.h"
#include "routh/version.h"

namespace routh::internal {

namespace {

constexpr long long rows_in_chunk = 4096;

template <class T>
void put_list(hdf::Node& parent, const char* name, const std::vector<T>& values) {
  const auto count = static_cast<long long>(values.size());
  parent.create_column(name, hdf::element_of<T>(), hdf::flat, std::clamp<long long>(count, 1, rows_in_chunk))
      .append(values.data(), count, hdf::element_of<T>());
}

void write_heading(hdf::Node& root, const Study& study, const StudyResult& result) {
  root.put("format", std::string("routh study"));
  root.put("schema", static_cast<long long>(study_file_schema));
  root.put("program_version", std::string(ROUTH_VERSION));
  root.put("name", study.title);
  root.put("hash", study.hash);
  root.put("kind", std::string(name(study.kind)));
  root.put("method", name(study.method));
  root.put("seed", static_cast<long long>(study.seed));
  root.put("samples", static_cast<long long>(result.samples));
  root.put("failed", static_cast<long long>(result.failed()));
  root.put("quantile_error", study.exact_quantiles() ? 0.0 : QuantileSketch::relative_error);
  root.put("parameters", study.parameters);
  root.create_text("study", study.text);
  root.create_text("summary_json", study_json(study, result));
  root.create_text("summary_csv", study_csv(study, result));
}

void write_measure(hdf::Node& group, const StudyMeasure& measure, const MeasureResult& result) {
  hdf::Node node = group.create_group(measure.name.c_str());
  node.put("value", measure.text);
  node.put("count", static_cast<long long>(result.moments.count));
  node.put("missing", static_cast<long long>(result.moments.missing));
  std::vector<double> shares, quantiles;
  for (const Statistic& s : statistics(measure, result)) {
    switch (s.shape) {
      case Statistic::Shape::number:
        if (s.value) node.put(s.name.c_str(), *s.value);
        if (s.value && s.sample) node.put((s.name + "_sample").c_str(), static_cast<long long>(*s.sample));
        break;
      case Statistic::Shape::quantile:  // as lists, below
      case Statistic::Shape::bin:
        break;
    }
  }
  for (const QuantileResult& quantile : result.quantiles) {
    if (!quantile.value) continue;
    shares.push_back(quantile.share);
    quantiles.push_back(*quantile.value);
  }
  if (!shares.empty()) {
    put_list(node, "quantile_shares", shares);
    put_list(node, "quantiles", quantiles);
  }
  const auto plan = measure.bins();
  if (!plan) return;
  std::vector<std::int64_t> counts(result.bins.begin() + 1, result.bins.end() - 1);
  put_list(node, "counts", counts);
  if (measure.reduce.counts) {
    node.put("names", std::vector<std::string>(measure.words.begin(), measure.words.end()));
    return;
  }
  std::vector<double> edges;
  for (int k = 0; k <= plan->bins; ++k) edges.push_back(plan->edge(k));
  put_list(node, "edges", edges);
  node.put("below", static_cast<long long>(result.bins.front()));
  node.put("above", static_cast<long long>(result.bins.back()));
}

void write_failures(hdf::Node& root, const StudyResult& result) {
  hdf::Node group = root.create_group("failures");
  std::vector<std::int64_t> samples, counts(result.faults.begin(), result.faults.end());
  std::string reasons;
  for (const Failure& failure : result.failures) {
    samples.push_back(static_cast<std::int64_t>(failure.sample));
    reasons += fmt::format("{}: {}: {}\n", failure.sample, name(failure.fault), failure.reason);
  }
  group.put("fault_names", std::vector<std::string>(all_names<Fault>.begin(), all_names<Fault>.end()));
  put_list(group, "fault_counts", counts);
  put_list(group, "samples", samples);
  group.create_text("reasons", reasons.empty() ? "none" : reasons);
}

void write_table(hdf::Node& root, const Study& study, const RowFile& rows) {
  hdf::Node group = root.create_group("table");
  std::vector<std::string> names = study.parameters;
  for (const StudyMeasure& measure : study.measures) names.push_back(measure.name);
  const std::size_t columns = rows.columns();
  const auto width = static_cast<long long>(columns - 1);
  hdf::Node values = group.create_column("values", hdf::element_of<double>(), width, rows_in_chunk);
  values.put("columns", names);
  std::vector<std::string> words(study.parameters.size());
  for (const StudyMeasure& measure : study.measures) words.push_back(fmt::format("{}", fmt::join(measure.words, " ")));
  values.put("words", words);  // of each column the names of its codes
  hdf::Node faults = group.create_column("faults", hdf::element_of<std::int32_t>(), hdf::flat, rows_in_chunk);
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
  rows.read([&](std::span<const double> some) {
    numbers.clear();
    codes.clear();
    for (std::size_t at = 0; at < some.size(); at += columns) {
      numbers.insert(numbers.end(), some.begin() + static_cast<std::ptrdiff_t>(at),
                     some.begin() + static_cast<std::ptrdiff_t>(at + columns - 1));
      codes.push_back(static_cast<std::int32_t>(some[at + columns - 1]));
    }
    values.append(numbers.data(), static_cast<long long>(codes.size()), hdf::element_of<double>());
    faults.append(codes.data(), static_cast<long long>(codes.size()), hdf::element_of<std::int32_t>());
  });
}

}  // namespace

void write_study_file(const std::string& path, const Study& study, const StudyResult& result, const RowFile* rows) {
  TemporaryFile temporary(path);
  const hdf::Session session;
  hdf::WriteTarget target;
  target.descriptor = temporary.descriptor();
  try {
    hdf::ensure_memory();
    hdf::Node root = hdf::create_file(temporary.path(), target);
    write_heading(root, study, result);
    {
      hdf::Node group = root.create_group("measures");
      for (std::size_t m = 0; m < study.measures.size(); ++m)
        write_measure(group, study.measures[m], result.measures[m]);
    }
    write_failures(root, result);
    if (rows) write_table(root, study, *rows);
    hdf::flush_file(root);
    if (!root.close()) throw hdf::Failure("the file could not be closed");
    hdf::check_written(target);
    seal_file(temporary);
    temporary.move_to_target();
  } catch (const hdf::Failure& failure) {
    throw RuntimeFailure(fmt::format("cannot write '{}': {}", printable(path, 200), failure.what()));
  }
}

}  // namespace routh::internal
