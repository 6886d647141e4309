#include "routh/study/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "routh/file/temporary_file.h"
#include "routh/problem/writer.h"
#include "routh/record/csv.h"

namespace routh::internal {

namespace {

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string digits(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

void add_bins(const StudyMeasure& measure, const MeasureResult& result, std::vector<Statistic>& out) {
  const auto plan = measure.bins();
  if (!plan) return;
  const auto count = [&](std::size_t k) { return static_cast<double>(result.bins[k]); };
  if (measure.reduce.counts) {
    for (std::size_t k = 0; k < measure.words.size(); ++k)
      out.push_back({"count", std::string(measure.words[k]), count(k + 1), {}, Statistic::Shape::bin});
    return;
  }
  out.push_back({"below", digits(plan->from), count(0), {}, Statistic::Shape::bin});
  for (int k = 0; k < plan->bins; ++k)
    out.push_back({"count",
                   fmt::format("{}..{}", digits(plan->edge(k)), digits(plan->edge(k + 1))),
                   count(static_cast<std::size_t>(k) + 1),
                   {},
                   Statistic::Shape::bin});
  const double above = count(static_cast<std::size_t>(plan->bins) + 1);
  out.push_back({"above", digits(plan->to), above, {}, Statistic::Shape::bin});
}

void write_value(JsonStream& json, const Statistic& statistic) {
  json.number(statistic.value.value_or(std::numeric_limits<double>::quiet_NaN()));  // null
}

// The members of one measure, without its name. Those of a shape that has no name of its own are pairs [label, value].
void write_measure(JsonStream& json, const StudyMeasure& measure, const MeasureResult& result) {
  const std::vector<Statistic> all = statistics(measure, result);
  const auto pairs = [&](const char* key, Statistic::Shape shape, const auto& label) {
    const auto wanted = [&](const Statistic& each) { return each.shape == shape; };
    if (std::none_of(all.begin(), all.end(), wanted)) return;
    json.begin_list(key);
    for (const Statistic& each : all) {
      if (!wanted(each)) continue;
      json.begin_list();
      label(each);
      write_value(json, each);
      json.end_list();
    }
    json.end_list();
  };
  json.text("value", measure.text);
  json.integer("count", result.moments.count);
  json.integer("missing", result.moments.missing);
  for (const Statistic& each : all) {
    if (each.shape != Statistic::Shape::number) continue;
    json.key(each.name);
    write_value(json, each);
    if (each.sample) json.integer(each.name + "_sample", *each.sample);
  }
  pairs("quantiles", Statistic::Shape::quantile, [&](const Statistic& each) { json.raw(each.detail); });
  pairs("bins", Statistic::Shape::bin, [&](const Statistic& each) { json.text(each.label()); });
}

}  // namespace

std::string Statistic::label() const {
  switch (shape) {
    case Shape::number:
      return name;
    case Shape::quantile:
      return "quantile " + detail;
    case Shape::bin:
      return name == "count" ? detail : name + " " + detail;
  }
  return name;
}

std::string shown(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "none"; }

std::vector<Statistic> statistics(const StudyMeasure& measure, const MeasureResult& result) {
  const Moments& m = result.moments;
  // A reduction that is added does not compile here until it is shown.
  [[maybe_unused]] const auto& [mean, deviation, least, greatest, fraction, counts, quantiles, histogram] =
      measure.reduce;
  const auto known = [&](std::optional<double> value) { return m.count > 0 ? finite(value) : std::nullopt; };
  const auto place = [&](std::uint64_t sample) {
    return m.count > 0 ? std::optional<std::uint64_t>(sample) : std::nullopt;
  };
  std::vector<Statistic> out;
  if (fraction)
    out.push_back({"fraction", {}, known(static_cast<double>(m.nonzero) / static_cast<double>(m.count)), {}});
  if (mean) out.push_back({"mean", {}, known(m.mean), {}});
  if (deviation) out.push_back({"std", {}, known(m.deviation()), {}});
  if (least) out.push_back({"min", {}, known(m.low), place(m.low_index)});
  if (greatest) out.push_back({"max", {}, known(m.high), place(m.high_index)});
  for (const QuantileResult& quantile : result.quantiles)
    out.push_back({"quantile", digits(quantile.share), quantile.value, {}, Statistic::Shape::quantile});
  add_bins(measure, result, out);
  return out;
}

std::string study_json(const Study& study, const StudyResult& result) {
  std::string out;
  JsonStream json(out);
  json.begin_object();
  json.integer("schema", study_result_schema);
  json.text("name", study.title);
  json.text("study", study.path);
  json.text("hash", study.hash);
  json.text("kind", name(study.kind));
  json.text("method", name(study.method));
  json.integer("seed", study.seed);
  json.integer("samples", study.samples());
  json.integer("done", result.samples);
  json.integer("failed", result.failed());
  json.number("quantile_error", study.exact_quantiles() ? 0 : QuantileSketch::relative_error);
  json.texts("parameters", study.parameters);
  json.begin_object("measures");
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    json.begin_object(study.measures[m].name);
    write_measure(json, study.measures[m], result.measures[m]);
    json.end_object();
  }
  json.end_object();
  json.begin_object("faults");
  for (std::size_t k = 1; k < fault_count; ++k)
    if (result.faults[k] > 0) json.integer(all_names<Fault>[k], result.faults[k]);
  json.end_object();
  json.objects("failures", result.failures, [&](const Failure& failure) {
    json.integer("sample", failure.sample);
    json.text("fault", name(failure.fault));
    json.text("reason", failure.reason);
  });
  json.end_object();
  return out;
}

std::string study_csv(const Study& study, const StudyResult& result) {
  std::string out = "measure,statistic,detail,value,sample\n";
  const auto row = [&](const std::string& measure, const Statistic& s) {
    out += fmt::format("{},{},{},", csv_field(measure), s.name, csv_field(s.detail));
    if (s.value) append_number(out, *s.value);
    out += s.sample ? fmt::format(",{}\n", *s.sample) : std::string(",\n");
  };
  row("", {"samples", {}, static_cast<double>(result.samples), {}});
  for (std::size_t k = 1; k < fault_count; ++k)
    if (result.faults[k] > 0)
      row("", {"failed", std::string(all_names<Fault>[k]), static_cast<double>(result.faults[k]), {}});
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    const MeasureResult& measure = result.measures[m];
    row(study.measures[m].name, {"values", {}, static_cast<double>(measure.moments.count), {}});
    for (const Statistic& s : statistics(study.measures[m], measure)) row(study.measures[m].name, s);
  }
  return out;
}

void append_sample(std::uint64_t sample, std::string_view fault, std::span<const double> values,
                   std::span<const std::vector<std::string>> words, std::string& text) {
  text += fmt::format("{},{}", sample, fault);
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += ",";
    if (std::isnan(values[k])) continue;
    if (values[k] >= 0 && values[k] < static_cast<double>(words[k].size()))  // a measure in words is their number
      text += words[k][static_cast<std::size_t>(values[k])];
    else
      append_number(text, values[k]);
  }
  text += "\n";
}

void write_sample_csv(const std::string& path, const Study& study, const RowFile& rows) {
  TemporaryFile file(path);
  std::string text = "sample,fault";
  for (const std::string& parameter : study.parameters) text += "," + csv_field(parameter);
  for (const StudyMeasure& measure : study.measures) text += "," + measure.name;
  text += "\n";
  std::vector<std::vector<std::string>> words(study.parameters.size());
  for (const StudyMeasure& measure : study.measures) words.emplace_back(measure.words.begin(), measure.words.end());
  const std::size_t columns = rows.columns();
  std::uint64_t sample = 0;
  rows.read([&](std::span<const double> values) {
    for (std::size_t at = 0; at < values.size(); at += columns) {
      const auto fault = static_cast<std::size_t>(values[at + columns - 1]);
      append_sample(sample++, fault == 0 ? std::string_view() : all_names<Fault>[fault],
                    values.subspan(at, columns - 1), words, text);
    }
    file.write(text);
    text.clear();
  });
  file.write(text);
  file.move_to_target();
}

std::string samples_path(const std::string& csv) {
  std::filesystem::path path(csv);
  path.replace_filename(path.stem().string() + ".samples" + path.extension().string());
  return path.string();
}

void check_places(const StudyFiles& files) {
  // HDF5 jumps to and fro in its file, which a device or a pipe cannot: the probe refuses them.
  if (!files.hdf5.empty()) TemporaryFile probe(files.hdf5);
  for (const std::string& path : {files.csv, files.html})
    if (!path.empty() && !is_special_file(path)) TemporaryFile probe(path);
}

void check_places(const StudyFiles& files, const Study& study) {
  if (study.table && !files.csv.empty() && is_special_file(files.csv))
    throw RuntimeFailure(
        fmt::format("cannot write '{}': it is a device or a pipe, and the study keeps a table, which stands in a file "
                    "beside; name a file, or leave `table` out",
                    printable(files.csv, 200)));
  check_places(files);
}

void write_results(const StudyFiles& files, const Study& study, const StudyResult& result, const RowFile* rows) {
  if (!files.hdf5.empty()) write_study_file(files.hdf5, study, result, rows);
  if (!files.csv.empty()) {
    write_whole_file(files.csv, study_csv(study, result));
    if (rows) write_sample_csv(samples_path(files.csv), study, *rows);
  }
  if (!files.html.empty()) write_whole_file(files.html, study_page(study, result, rows));
}

}  // namespace routh::internal
