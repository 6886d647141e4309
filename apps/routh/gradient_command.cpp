#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "routh/scene/simulation_settings.h"
#include "routh/study/gradient.h"
#include "table.h"

namespace routh {

namespace {

std::string gradient_table(const Terminal& terminal, const GradientReport& report, const GradientRequest& request) {
  std::string text =
      fmt::format("{} = {:.10g} at {:g} s\n\n", request.of.front(), report.values.front(), report.run.state.time);
  if (!report.entries.empty()) {
    std::size_t widest = 28;
    for (const std::string& each : request.wrt) widest = std::max(widest, each.size());
    std::vector<Column> columns = {{widest, Align::left}, {9}, {15}};
    std::vector<std::string> heading = {"by", "value", "derivative"};
    if (request.differences) {
      columns.push_back({15});
      heading.push_back("difference");
    }
    columns.push_back({9});
    heading.push_back("holds for");
    TextTable table(columns);
    table.add_heading(heading);
    for (const GradientReport::Entry& each : report.entries) {
      std::vector<Cell> row = {
          {each.path}, {fmt::format("{:.6g}", each.value)}, {fmt::format("{:.9g}", each.derivatives.front())}};
      if (request.differences)
        row.push_back({each.differences.empty() ? "none" : fmt::format("{:.9g}", each.differences.front())});
      row.push_back({std::isfinite(each.validity) ? fmt::format("±{:.2g}", each.validity) : "any"});
      table.add_row(row);
    }
    text += table.render(terminal);
  } else {
    text += fmt::format("There is no derivative: it was lost at {:.9g} s.\n", report.run.lost);
  }
  for (const SensitivityNote& note : report.run.notes)
    text += wrapped(terminal, fmt::format("- {} at {:.9g} s: {}", name(note.doubt), note.time, note.text));
  return encode(terminal, text);
}

}  // namespace

ExitCode run_gradient_command(const GradientCommandOptions& options, const Terminal& terminal) {
  OpenedFile file = open_file(options.file);
  const Scene scene = take_checked_scene(file, options.verbosity);
  const SimulationSettings settings = overlay(options.settings, scene.simulation);
  GradientRequest request;
  request.of = {options.of};
  request.wrt = options.wrt;
  request.options = simulation_options(settings, scene.touch);
  request.until = settings.until.value_or(scene.state.time + usual_duration);
  request.differences = options.differences;
  if (!(request.until > scene.state.time))
    throw UsageError(fmt::format("error: --until {:g}: the run begins at {:g} s", request.until, scene.state.time));
  const std::atomic<bool>& stopped = defer_interrupt();
  const GradientReport report = run_gradient(scene, request, [&] { return stopped.load(); });
  if (report.run.status == SimulationStatus::stopped) return ExitCode::interrupted;
  write_stdout(options.format == OutputFormat::json ? gradient_json(report, request) + "\n"
                                                    : gradient_table(terminal, report, request));
  return report.run.exists ? ExitCode::ok : ExitCode::no_answer;
}

}  // namespace routh
