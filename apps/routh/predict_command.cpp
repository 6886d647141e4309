#include "predict_command.h"

#include <fmt/format.h>

#include <limits>

#include "interrupt.h"
#include "output.h"
#include "routh/base/number.h"
#include "routh/study/sweep.h"
#include "scene_source.h"

namespace routh {

namespace {

[[noreturn]] void refuse_region(const std::string& text, const std::string& what) {
  throw UsageError(fmt::format("error: --region {}: {}", printable(text, 200), what));
}

double end_of(const std::string& text, std::string_view part, double open) {
  if (part.empty()) return open;
  const ParsedNumber parsed = parse_number(part);
  if (parsed.fault != NumberFault::none)
    refuse_region(text, fmt::format("'{}' {}", printable(std::string(part)), explain(parsed.fault)));
  return parsed.value;
}

// NAME=LOW:HIGH,LOW:HIGH…, of x, y, z; an end that is left out is open.
Region read_region(const std::string& text, std::size_t directions) {
  constexpr double open = std::numeric_limits<double>::infinity();
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) refuse_region(text, "write NAME=XLOW:XHIGH,YLOW:YHIGH");
  Region out;
  out.name = text.substr(0, equals);
  std::string_view left = std::string_view(text).substr(equals + 1);
  for (;;) {
    const std::size_t comma = std::min(left.find(','), left.size());
    const std::string_view part = left.substr(0, comma);
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) refuse_region(text, "write each range as LOW:HIGH; an open end is left out");
    out.low.push_back(end_of(text, part.substr(0, colon), -open));
    out.high.push_back(end_of(text, part.substr(colon + 1), open));
    if (!(out.low.back() < out.high.back())) refuse_region(text, "the range is empty; write the lower end first");
    if (comma == left.size()) break;
    left.remove_prefix(comma + 1);
  }
  if (out.low.size() > directions) refuse_region(text, fmt::format("a place has {} coordinates", directions));
  return out;
}

std::vector<Region> read_regions(const std::vector<std::string>& texts, Dimension dimension) {
  std::vector<Region> out;
  for (const std::string& text : texts) {
    out.push_back(read_region(text, dimension == Dimension::planar ? 2 : 3));
    if (out.back().name == "elsewhere") refuse_region(text, "this name is that of the rest");
    for (std::size_t k = 0; k + 1 < out.size(); ++k)
      if (out[k].name == out.back().name) refuse_region(text, "this name occurs twice");
  }
  return out;
}

Estimate estimate_of(const Settings& settings, const PredictCommandOptions& options, std::optional<Law>& law) {
  if (options.estimate.empty()) {
    Estimate out;
    out.parameters = settings.sought;
    out.value.assign(settings.sought.size(), 0);
    out.deviation.assign(settings.sought.size(), -1);  // anywhere in the range
    return out;
  }
  if (!settings.sought.empty())
    throw UsageError("error: --estimate and --set PATH=LOW:HIGH exclude each other: the one says how uncertain it is");
  ReadEstimate read = read_estimate(options.estimate);
  if (!law) law = read.law;
  return read.estimate;
}

}  // namespace

ExitCode run_predict(const PredictCommandOptions& options, const Terminal& terminal) {
  const Settings settings = read_settings(options.throws.set, Ranges::allowed);
  check_outputs(
      {{"the data", options.throws.data}, {"the scene", options.throws.scene}, {"--estimate", options.estimate}},
      {{"--csv", options.csv}, {"--html", options.html}});
  const Scene scene = throws_scene(options.throws, settings);
  PredictOptions how;
  how.law = options.law;
  const Estimate estimate = estimate_of(settings, options, how.law);
  refuse_ends(scene, estimate.parameters);
  how.regions = read_regions(options.regions, scene.model.dimension);
  const Recordings recordings = read_recordings(options.throws.data, scene.model, options.throws.bad);
  how.draws = options.draws;
  how.seed = options.seed;
  how.widen = options.widen;
  how.duration = options.duration;
  how.threads = usable_threads(options.throws.threads);
  how.stop = &defer_interrupt();
  const PredictReport report = predict(scene, recordings, estimate, how);
  if (!report.complete) {
    write_message("interrupted; nothing was written");
    return ExitCode::interrupted;
  }
  if (!options.csv.empty()) write_file(options.csv, predict_csv(report));
  if (!options.html.empty())
    write_file(options.html, predict_page(report, title_of(scene.model.name, options.throws.scene)));
  write_stdout(options.throws.format == OutputFormat::json ? predict_json(report) + "\n"
                                                           : predict_table(terminal, report));
  return ExitCode::ok;
}

}  // namespace routh
