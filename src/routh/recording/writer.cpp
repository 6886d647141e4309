#include "routh/recording/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "routh/problem/json_text.h"
#include "routh/recording/tolerances.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

JsonText json_of(const ThrowSummary& summary, double length) {
  return JsonText::object({{"mean", summary.mean},
                           {"median", summary.median},
                           {"position", summary.position},
                           {"position_percent", 100 * summary.position / (2 * length)},
                           {"rotation", summary.rotation},
                           {"failed", summary.failed}});
}

JsonText json_of(const IdentifiedLaw& law, const IdentifyReport& report) {
  JsonText parameters = JsonText::object();
  for (std::size_t j = 0; j < report.names.size(); ++j) {
    const FittedParameter& it = law.parameters[j];
    parameters.add(
        report.names[j],
        JsonText::object({{"value", it.determination == Determination::nothing ? JsonText() : JsonText(it.value)},
                          {"low", it.low},
                          {"high", it.high},
                          {"deviation", law.deviation[j]},
                          {"range", JsonText::list({report.low[j], report.high[j]})},
                          {"determination", name(it.determination)}}));
  }
  return JsonText::object({{"law", law.law ? JsonText(name(*law.law)) : JsonText()},
                           {"parameters", parameters},
                           {"correlation", law.correlation},
                           {"error", json_of(law.error, report.length)},
                           {"held_out", JsonText::object({{"mean", law.held_out_mean},
                                                          {"loss", law.held_out_loss},
                                                          {"behind", law.behind},
                                                          {"behind_deviation", law.behind_deviation}})},
                           {"runs", law.runs}});
}

}  // namespace

std::string identify_json(const IdentifyReport& report, const IdentifyOptions& options) {
  return JsonText::object(
             {{"schema", identify_schema},
              {"throws", report.throws},
              {"length", report.length},
              {"loss", name(options.loss)},
              {"confidence", options.confidence},
              {"laws", json_list(report.laws, [&](const IdentifiedLaw& each) { return json_of(each, report); })},
              {"remarks", report.remarks}})
      .text();
}

std::string validate_json(const ValidateReport& report, Dimension dimension) {
  const auto& faces = face_names(dimension);
  const auto one = [&](const ValidatedThrow& each) {
    return JsonText::object({{"name", each.name},
                             {"error", each.error.mean},
                             {"position", each.error.position},
                             {"rotation", each.error.rotation},
                             {"failed", each.error.failed},
                             {"bounces", each.bounces},
                             {"measured_bounces", each.measured_bounces},
                             {"face", faces[static_cast<std::size_t>(each.face)]},
                             {"measured_face", faces[static_cast<std::size_t>(each.measured_face)]}});
  };
  JsonText worst = JsonText::list();
  for (const std::size_t k : report.worst) worst.push_back(report.throws[k].name);
  return JsonText::object({{"schema", 1},
                           {"throws", json_list(report.throws, one)},
                           {"length", report.length},
                           {"error", json_of(report.summary, report.length)},
                           {"interval", JsonText::list({report.low, report.high})},
                           {"bounces", JsonText::object({{"run", report.bounces},
                                                         {"measured", report.measured_bounces},
                                                         {"chi_square", report.chi_square},
                                                         {"freedom", report.freedom}})},
                           {"same_face", report.same_face},
                           {"worst", worst},
                           {"remarks", report.remarks}})
      .text();
}

std::string validate_csv(const ValidateReport& report, Dimension dimension) {
  const auto& faces = face_names(dimension);
  std::string text = "throw,error,position,rotation,failed,bounces,measured_bounces,face,measured_face\n";
  for (const ValidatedThrow& each : report.throws)
    text +=
        fmt::format("\"{}\",{},{},{},{},{},{},{},{}\n", printable(each.name, 200), each.error.mean, each.error.position,
                    each.error.rotation, each.error.failed ? 1 : 0, each.bounces, each.measured_bounces,
                    faces[static_cast<std::size_t>(each.face)], faces[static_cast<std::size_t>(each.measured_face)]);
  return text;
}

// FNV-1a: names a text, proves nothing.
std::uint64_t fingerprint_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

namespace {

std::string heading_of(std::uint64_t fingerprint) { return fmt::format("{}2 {:016x}\n", rows_magic, fingerprint); }
std::string sum_of(const std::string& text) { return fmt::format("sum {:016x}\n", fingerprint_of(text)); }

}  // namespace

std::string rows_text(const std::vector<ThrowRow>& rows, std::uint64_t fingerprint) {
  std::string text = heading_of(fingerprint);
  for (const ThrowRow& row : rows) {
    text += fmt::format("{} {} {} {}", row.law, row.fold, row.at.size(), row.errors.size());
    for (const double each : row.at) text += fmt::format(" {}", each);
    for (const double each : row.errors) text += fmt::format(" {}", each);
    text += "\n";
  }
  return text + sum_of(text);
}

namespace {

class RowReader {
 public:
  RowReader(const std::string& path, int line, std::string_view text) : path_(path), line_(line), text_(text) {}

  template <class Number>
  Number next() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) refuse_line();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }
  void expect_end() const {
    if (!text_.empty()) refuse_line();
  }
  [[noreturn]] void refuse_line() const {
    throw InputError({path_, line_, 1}, "this is no row of a checkpoint of identify",
                     "begin anew with --restart, or name another output");
  }

 private:
  const std::string& path_;
  int line_;
  std::string_view text_;
};

}  // namespace

std::vector<ThrowRow> read_rows(const std::string& path, std::uint64_t fingerprint) {
  constexpr std::size_t max_bytes = std::size_t{1} << 30;
  const std::string file = read_text_file(path, max_bytes), heading = heading_of(fingerprint);
  if (!file.starts_with(heading))
    throw InputError({path, 1, 1}, "the checkpoint is of other data, another scene or other options",
                     "begin anew with --restart, or name another output");
  const std::string text = file.substr(0, file.size() - std::min(file.size(), sum_of({}).size()));
  if (text + sum_of(text) != file)
    throw InputError({path, 1, 1}, "the checkpoint is damaged: its check sum is another",
                     "begin anew with --restart, or name another output");
  std::vector<ThrowRow> out;
  int line = 1;
  for (std::size_t begin = heading.size(); begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    RowReader reader(path, ++line, std::string_view(text).substr(begin, end - begin));
    ThrowRow row;
    row.law = reader.next<std::size_t>();
    row.fold = reader.next<int>();
    const auto parameters = reader.next<std::size_t>(), errors = reader.next<std::size_t>();
    if (parameters > tolerances::sought_max || errors > text.size()) reader.refuse_line();
    for (std::size_t k = 0; k < parameters; ++k) row.at.push_back(reader.next<double>());
    for (std::size_t k = 0; k < errors; ++k) row.errors.push_back(reader.next<double>());
    reader.expect_end();
    out.push_back(std::move(row));
    begin = end + 1;
  }
  return out;
}

}  // namespace routh::internal
