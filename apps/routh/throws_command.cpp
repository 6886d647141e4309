#include "throws_command.h"

#include <fmt/format.h>

#include <filesystem>

#include "interrupt.h"
#include "output.h"
#include "progress_line.h"
#include "routh/base/number.h"
#include "routh/file/own_file.h"
#include "routh/recording/writer.h"
#include "routh/study/sweep.h"
#include "scene_source.h"

namespace routh {

namespace {

[[noreturn]] void refuse_setting(const std::string& text, const std::string& what) {
  throw UsageError(fmt::format("error: --set {}: {}", printable(text, 200), what));
}

double number_of(const std::string& text, std::string_view part) {
  const ParsedNumber parsed = parse_number(part);
  if (parsed.fault != NumberFault::none)
    refuse_setting(text, fmt::format("'{}' {}", printable(std::string(part)), explain(parsed.fault)));
  return parsed.value;
}

}  // namespace

Settings read_settings(const std::vector<std::string>& texts, Ranges ranges) {
  Settings out;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      refuse_setting(text, ranges == Ranges::allowed ? "write PATH=LOW:HIGH to seek it, PATH=VALUE to give it"
                                                     : "write PATH=VALUE");
    ThrowParameter parameter = parse_parameter(text.substr(0, equals), {"--set"});
    const std::string_view values = std::string_view(text).substr(equals + 1);
    const std::size_t colon = values.find(':');
    if (colon == std::string_view::npos) {
      out.given.emplace_back(std::move(parameter), number_of(text, values));
      continue;
    }
    if (ranges == Ranges::refused) refuse_setting(text, "nothing is sought here; write PATH=VALUE");
    const double low = number_of(text, values.substr(0, colon)), high = number_of(text, values.substr(colon + 1));
    if (!(low < high)) refuse_setting(text, "the range is empty; write the lower end first");
    out.sought.push_back({std::move(parameter), low, high});
  }
  return out;
}

Scene throws_scene(const ThrowsOptions& options, const Settings& settings) {
  SourceFile source;
  source.path = options.scene;
  OpenedFile file = open_file(source);
  if (!file.scene) throw InputError({options.scene}, "this is not a scene", "a scene begins with `routh: 1`");
  return with_values(take_scene(file, options.verbosity), settings.given);
}

namespace {

std::string read_all(const std::string& path) { return read_text_file(path, std::size_t{1} << 30); }

std::string checkpoint_path(const std::string& output) { return output.empty() ? output : output + ".checkpoint"; }

// What has been computed, on disk every few seconds.
class RowKeeper {
 public:
  RowKeeper(const IdentifyCommandOptions& options, std::uint64_t fingerprint)
      : output_(options.output), fingerprint_(fingerprint), progress_(options.throws.verbosity) {
    if (output_.empty()) {
      if (options.start != ResumeStart::fresh)
        throw UsageError(
            "error: --resume and --restart need the output whose checkpoint stands beside it: -o out.json");
      return;
    }
    const bool there = stands_as_ours(path(), rows_magic, "a checkpoint of identify");
    if (there && options.start == ResumeStart::fresh)
      throw UsageError(fmt::format("error: '{}' is there: go on with --resume, or begin anew with --restart",
                                   printable(path(), 200)));
    if (options.start != ResumeStart::resume) return;
    if (there)
      rows_ = read_rows(path(), fingerprint_);
    else
      write_message(fmt::format("there is no checkpoint '{}'; beginning anew", printable(path(), 200)));
    known_ = rows_;
  }

  const std::vector<ThrowRow>& known() const { return known_; }
  void add(const ThrowRow& row) {
    rows_.push_back(row);
    if (progress_.due())
      progress_.show(fmt::format("{} points of the search, {:.0f} s", rows_.size(), progress_.elapsed()));
    constexpr auto between = std::chrono::seconds(5);
    if (output_.empty() || std::chrono::steady_clock::now() < saved_ + between) return;
    save();
  }
  void save() {
    if (output_.empty()) return;
    write_file(path(), rows_text(rows_, fingerprint_));
    saved_ = std::chrono::steady_clock::now();
  }
  void remove() {
    if (!output_.empty()) std::filesystem::remove(path());
  }
  std::size_t size() const { return rows_.size(); }
  void end_progress() { progress_.clear(); }

 private:
  std::string path() const { return checkpoint_path(output_); }

  std::string output_;
  std::uint64_t fingerprint_;
  ProgressLine progress_;
  std::vector<ThrowRow> rows_, known_;
  std::chrono::steady_clock::time_point saved_;  // long ago: the first point is saved at once
};

IdentifyOptions identify_options(const IdentifyCommandOptions& options) {
  IdentifyOptions out;
  out.loss = options.loss.value_or(ThrowLoss::robust);
  out.confidence = options.throws.confidence;
  out.threads = usable_threads(options.throws.threads);
  if (!options.laws.empty()) out.laws.clear();
  for (const std::string& word : options.laws) out.laws.push_back(value_named<Law>(word));
  return out;
}

// Everything the result depends on.
std::string all_of(const IdentifyCommandOptions& options, const Recordings& recordings) {
  std::string text = recordings.text + read_all(options.throws.scene);
  for (const std::string& each : options.throws.set) text += "\n" + each;
  for (const std::string& each : options.laws) text += "\n" + each;
  return text + fmt::format("\n{}", name(options.loss.value_or(ThrowLoss::robust)));
}

void refuse_mixture(const IdentifyCommandOptions& options) {
  if (options.throws.scene.empty() && options.fit.problem.empty() && !options.throws.set.empty())
    throw UsageError("error: --set is of throws: name their scene by --scene FILE");
  if (!options.throws.scene.empty() && !options.fit.problem.empty())
    throw UsageError("error: --scene is of recorded throws, --problem of measured impacts: give one of them");
}

}  // namespace

ExitCode run_identify(const IdentifyCommandOptions& options, const Terminal& terminal) {
  refuse_mixture(options);
  if (options.throws.scene.empty()) {
    FitCommandOptions fit = options.fit;
    fit.data = options.throws.data;
    fit.format = options.throws.format;
    fit.fit.confidence = options.throws.confidence;
    if (!options.laws.empty()) fit.fit.laws.clear();
    for (const std::string& word : options.laws) fit.fit.laws.push_back(*value_named<Law>(word));
    return run_fit(fit, terminal);
  }
  const Settings settings = read_settings(options.throws.set, Ranges::allowed);
  check_outputs({{"the data", options.throws.data}, {"the scene", options.throws.scene}},
                {{"-o", options.output}, {"the checkpoint", checkpoint_path(options.output)}});
  const Scene scene = throws_scene(options.throws, settings);
  const Recordings recordings = read_recordings(options.throws.data, scene.model, options.throws.bad);
  refuse_ends(scene, settings.sought);
  IdentifyOptions how = identify_options(options);
  const std::atomic<bool>& stop = defer_interrupt();
  RowKeeper keeper(options, fingerprint_of(all_of(options, recordings)));
  how.known = keeper.known();
  how.stop = &stop;
  how.on_row = [&](const ThrowRow& row) { keeper.add(row); };
  const IdentifyReport report = identify(scene, recordings, settings.sought, how);
  keeper.end_progress();
  if (!report.complete) {
    take_time_to_end();
    keeper.save();
    write_message(fmt::format(
        "interrupted after {} points; {}", keeper.size(),
        options.output.empty() ? "with -o out.json it could be resumed" : "go on with the same command and --resume"));
    return ExitCode::interrupted;
  }
  const std::string json = identify_json(report, how) + "\n";
  if (!options.output.empty()) write_file(options.output, json);
  keeper.remove();
  write_stdout(options.throws.format == OutputFormat::json ? json : identify_table(terminal, report, how.confidence));
  return ExitCode::ok;
}

ExitCode run_validate(const ValidateCommandOptions& options, const Terminal& terminal) {
  const Settings settings = read_settings(options.throws.set, Ranges::refused);
  check_outputs({{"the data", options.throws.data}, {"the scene", options.throws.scene}},
                {{"--csv", options.csv}, {"--html", options.html}});
  const Scene scene = throws_scene(options.throws, settings);
  const Recordings recordings = read_recordings(options.throws.data, scene.model, options.throws.bad);
  ValidateOptions how;
  how.law = options.law;
  how.threads = usable_threads(options.throws.threads);
  how.confidence = options.throws.confidence;
  const ValidateReport report = validate(scene, recordings, how);
  const Dimension dimension = scene.model.dimension;
  if (!options.csv.empty()) write_file(options.csv, validate_csv(report, dimension));
  if (!options.html.empty())
    write_file(options.html, validate_page(report, title_of(scene.model.name, options.throws.scene), dimension));
  write_stdout(options.throws.format == OutputFormat::json ? validate_json(report, dimension) + "\n"
                                                           : validate_table(terminal, report, how.confidence));
  return ExitCode::ok;
}

}  // namespace routh
