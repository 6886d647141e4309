#include "routh/report/run_document.h"

#include <fmt/format.h>

#include <filesystem>

#include "routh/record/run_fields.h"
#include "routh/record/run_warnings.h"
#include "routh/report/kinds.h"
#include "routh/report/series.h"
#include "routh/report/tolerances.h"
#include "routh/version.h"

namespace routh::internal {

namespace {

DecimationLimits limits_for(const RunData& run, const Model& model, DecimationLimits limits) {
  const std::size_t width = 7 * model.bodies.size() + run.info.coordinate_names.size() +
                            run.info.velocity_names.size() + 3 * run.contacts.size();
  const std::size_t affordable =
      std::max<std::size_t>(200, tolerances::page_numbers_max / std::max<std::size_t>(1, width));
  limits.samples = std::min(limits.samples, affordable);
  limits.event_samples = std::min(limits.event_samples, affordable);
  return limits;
}

void write_info(const RunInfo& info, JsonWriter& json) {
  json.begin_object("info");
  json.text("scene_path", info.scene_path);
  json.text("created", info.created);
  json.text("input_hash", info.input_hash);
  json.text("engine", name(info.engine));
  json.number("tolerance", info.tolerance);
  json.integer("seed", info.seed);
  json.end_object();
}

void write_outcome(const RunOutcome& outcome, JsonWriter& json) {
  const EnergyAccount& energy = outcome.energy;
  json.begin_object("outcome");
  json.text("status", name(outcome.status));
  json.text("ending", ending(outcome.status));
  json.text("tone", tone(outcome.status));
  json.text("message", outcome.message);
  json.number("time", outcome.time);
  json.begin_object("energy");
  json.number("initial", energy.initial);
  json.number("final", energy.total());
  json.number("dissipated", energy.dissipated);
  json.number("supplied", energy.supplied);
  json.number("corrected", energy.corrected);
  json.number("gained", energy.gained);
  json.number("balance", energy.balance());
  json.end_object();
  json.begin_object("statistics");
  for_each_statistic(outcome.statistics, [&](const char* name, auto number, int) {
    if constexpr (std::is_same_v<decltype(number), double>)
      json.number(name, number);
    else
      json.integer(name, number);
  });
  json.end_object();
  json.end_object();
}

std::string some(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// How the run went wrong, and what its events warn of.
void warn_of_run(const RunData& run, const RunMachine& machine, std::vector<std::string>& warnings) {
  const RunOutcome& outcome = run.outcome;
  if (failed(outcome.status)) {
    warnings.push_back(fmt::format("The run ended at t = {:.9g} s: {}.", outcome.time, explain(outcome.status)));
  } else if (outcome.status == SimulationStatus::stopped) {
    warnings.push_back(fmt::format("The run was interrupted at t = {:.9g} s.", outcome.time));
  }
  for (std::string& sentence : run_warnings(run, EventWarnings::all)) {
    if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
    warnings.push_back(sentence + ".");
  }
  for (const std::string& warning : machine.warnings()) warnings.push_back(warning);
}

// What the page lacks.
void warn_of_omissions(const RunData& run, const Decimation& kept, const MissingPaths& paths,
                       std::vector<std::string>& warnings) {
  if (kept.samples.size() < run.samples.size())
    warnings.push_back(
        fmt::format("{} of {} samples are shown: those about events, and the extremes of energies and "
                    "coordinates between them. The run file has all.",
                    kept.samples.size(), run.samples.size()));
  if (kept.bare_events > 0)
    warnings.push_back(
        fmt::format("{} shown without the samples around them.",
                    kept.bare_events == 1 ? "1 event is" : fmt::format("{} events are", kept.bare_events)));
  if (kept.events.size() < run.events.size())
    warnings.push_back(fmt::format("{} of {} events are shown, evenly chosen.", kept.events.size(), run.events.size()));
  if (paths.beyond_limit > 0)
    warnings.push_back(fmt::format("The paths of the {} with the smallest impulses are left out.",
                                   some(paths.beyond_limit, "impact")));
  if (paths.not_recorded > 0)
    warnings.push_back(fmt::format("The paths of {} were not recorded by the program that wrote the run.",
                                   some(paths.not_recorded, "impact")));
}

// Everything up to the events.
std::string write_head(const RunData& run, const std::vector<std::size_t>& samples, RunMachine& machine,
                       const std::vector<std::string>& warnings) {
  const RunInfo& info = run.info;
  JsonWriter json;
  json.begin_object();
  json.integer("routh", 1);
  json.text("kind", "run");
  json.text("title",
            info.scene_name.empty() ? std::filesystem::path(info.scene_path).filename().string() : info.scene_name);
  json.text("program_version", info.program_version.empty() ? ROUTH_VERSION : info.program_version);
  json.texts("warnings", warnings);
  write_run_kinds(json);
  write_machine(machine.model(), json);
  write_info(info, json);
  write_outcome(run.outcome, json);
  write_samples(run, samples, machine, json);
  write_contacts(run, samples, machine, json);
  return json.result();
}

}  // namespace

std::string run_document(const RunData& run, const RunReportLimits& limits) {
  RunMachine machine(run);
  const Decimation kept = decimate(run, limits_for(run, machine.model(), limits.samples));
  // Events first: how many paths there are decides what the warnings say, and those come first.
  JsonWriter events;
  events.begin_object();
  const MissingPaths paths = write_events(run, kept, limits.paths, machine, events);
  std::vector<std::string> warnings;
  warn_of_run(run, machine, warnings);
  warn_of_omissions(run, kept, paths, warnings);
  // `{"events":[…]`, without its brace, closes the document.
  return write_head(run, kept.samples, machine, warnings) + "," + events.result().substr(1) + "}";
}

}  // namespace routh::internal
