#include "routh/study/writer.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

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

void append_statistic(std::string& out, const Statistic& statistic) {
  if (statistic.value)
    append_number(out, *statistic.value);
  else
    out += "null";
}

// The members of one measure, without its name.
void append_measure(std::string& out, const StudyMeasure& measure, const MeasureResult& result) {
  out += "{\"value\":";
  append_text(out, measure.text);
  out += fmt::format(",\"count\":{},\"missing\":{}", result.moments.count, result.moments.missing);
  std::string quantiles, bins;
  for (const Statistic& s : statistics(measure, result)) {
    switch (s.shape) {
      case Statistic::Shape::number:
        out += fmt::format(",\"{}\":", s.name);
        append_statistic(out, s);
        if (s.sample) out += fmt::format(",\"{}_sample\":{}", s.name, *s.sample);
        break;
      case Statistic::Shape::quantile:
        quantiles += fmt::format("{}[{},", quantiles.empty() ? "" : ",", s.detail);
        append_statistic(quantiles, s);
        quantiles += "]";
        break;
      case Statistic::Shape::bin:
        bins += bins.empty() ? "[" : ",[";
        append_text(bins, s.label());
        bins += ",";
        append_statistic(bins, s);
        bins += "]";
        break;
    }
  }
  if (!quantiles.empty()) out += ",\"quantiles\":[" + quantiles + "]";
  if (!bins.empty()) out += ",\"bins\":[" + bins + "]";
  out += "}";
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
  std::string out = fmt::format("{{\"schema\":{},\"name\":", study_result_schema);
  append_text(out, study.title);
  out += ",\"study\":";
  append_text(out, study.path);
  out += fmt::format(",\"hash\":\"{}\",\"kind\":\"{}\",\"method\":\"{}\",\"seed\":{}", study.hash, name(study.kind),
                     name(study.method), study.seed);
  out += fmt::format(",\"samples\":{},\"done\":{},\"failed\":{},\"quantile_error\":", study.samples(), result.samples,
                     result.failed());
  append_number(out, study.exact_quantiles() ? 0 : QuantileSketch::relative_error);
  out += ",\"parameters\":[";
  for (std::size_t k = 0; k < study.parameters.size(); ++k) {
    out += k > 0 ? "," : "";
    append_text(out, study.parameters[k]);
  }
  out += "],\"measures\":{";
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    out += m > 0 ? "," : "";
    append_text(out, study.measures[m].name);
    out += ":";
    append_measure(out, study.measures[m], result.measures[m]);
  }
  out += "},\"faults\":{";
  bool first = true;
  for (std::size_t k = 1; k < fault_count; ++k) {
    if (result.faults[k] == 0) continue;
    out += fmt::format("{}\"{}\":{}", first ? "" : ",", all_names<Fault>[k], result.faults[k]);
    first = false;
  }
  out += "},\"failures\":[";
  for (std::size_t k = 0; k < result.failures.size(); ++k) {
    const Failure& failure = result.failures[k];
    out += fmt::format("{}{{\"sample\":{},\"fault\":\"{}\",\"reason\":", k > 0 ? "," : "", failure.sample,
                       name(failure.fault));
    append_text(out, failure.reason);
    out += "}";
  }
  return out + "]}";
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

void write_sample_csv(const std::string& path, const Study& study, const RowFile& rows) {
  TemporaryFile file(path);
  std::string text = "sample,fault";
  for (const std::string& parameter : study.parameters) text += "," + csv_field(parameter);
  for (const StudyMeasure& measure : study.measures) text += "," + measure.name;
  text += "\n";
  const std::size_t parameters = study.parameters.size(), columns = rows.columns();
  std::uint64_t sample = 0;
  rows.read([&](std::span<const double> values) {
    for (std::size_t at = 0; at < values.size(); at += columns) {
      const auto fault = static_cast<std::size_t>(values[at + columns - 1]);
      text += fmt::format("{},{}", sample++, fault == 0 ? std::string_view() : all_names<Fault>[fault]);
      for (std::size_t k = 0; k + 1 < columns; ++k) {
        const double value = values[at + k];
        text += ",";
        if (std::isnan(value)) continue;
        const bool word = k >= parameters && !study.measures[k - parameters].words.empty();
        if (word)
          text += study.measures[k - parameters].words[static_cast<std::size_t>(value)];
        else
          append_number(text, value);
      }
      text += "\n";
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
  if (!files.html.empty()) write_whole_file(files.html, study_page(study, result));
}

}  // namespace routh::internal
