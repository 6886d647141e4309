#include "commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "interrupt.h"
#include "margins_report.h"
#include "output.h"
#include "progress_line.h"
#include "routh/base/error.h"
#include "routh/record/run_file.h"
#include "simulate_plan.h"
#include "simulate_report.h"

namespace routh {

namespace {

// The run that a page is made of where no run file is asked for: it goes when the page is there, however that ends.
class ScratchFile {
 public:
  enum class Need { none, one };
  explicit ScratchFile(Need need) {
    if (need == Need::one)
      path_ = (std::filesystem::temp_directory_path() / fmt::format("routh-{}.h5", ::getpid())).string();
  }
  ~ScratchFile() {
    if (path_.empty()) return;
    std::error_code error;
    std::filesystem::remove(path_, error);
    set_unfinished_file({});
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;  // empty: none is needed
};

// Takes samples and events as they come: into the run file, if there is one, and into the counts.
class Recorder {
 public:
  // `file` is written; empty: none.
  Recorder(const SimulateOptions& options, const std::string& file, const SimulationPlan& plan)
      : model_(plan.scene.model),
        known_(plan.before ? plan.before->contacts : std::vector<RunContact>{}),
        keeps_events_(options.events == EventLog::table || options.format == OutputFormat::json) {
    if (options.margins == MarginLog::shown) margins_.emplace(plan.scene.model);
    if (!file.empty()) {
      const HoldInterrupts hold;
      writer_.emplace(file, plan.info);
      set_unfinished_file(writer_->temporary_path());
      writer_->name_contacts([this](const Contact& contact) { return name_of(contact); });
    }
    if (!plan.before) return;
    for (const Sample& sample : plan.before->samples) keep(sample);
    for (const Event& event : plan.before->events) add(event);
  }
  ~Recorder() {
    writer_.reset();
    set_unfinished_file({});
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void add(const Sample& sample) {
    if (!margins_) return keep(sample);
    Sample measured = sample;
    margins_->add(measured);
    keep(measured);
  }
  void add(const Event& event) {
    counts_.add(event);
    if (writer_) writer_->add(event);
    if (keeps_events_) events_.push_back(event);
  }
  void finish(const RunOutcome& outcome) {
    if (writer_) writer_->finish(outcome);
    set_unfinished_file({});
  }

  bool takes_samples() const { return writer_.has_value() || margins_.has_value(); }
  long samples() const { return samples_; }
  const EventCounts& counts() const { return counts_; }
  std::vector<Event>& events() { return events_; }
  // Of this part of the run; null unless asked for.
  const MarginRecorder* margins() const { return margins_ ? &*margins_ : nullptr; }

 private:
  void keep(const Sample& sample) {
    ++samples_;
    if (writer_) writer_->add(sample);
  }
  // Contacts that were read from a run lack what their names are made of; the run has the names themselves.
  std::string name_of(const Contact& contact) const {
    for (const RunContact& each : known_)
      if (each.id == contact.id) return each.name;
    return contact_name(model_, contact);
  }

  const Model& model_;
  std::vector<RunContact> known_;
  bool keeps_events_;
  std::optional<RunWriter> writer_;
  std::optional<MarginRecorder> margins_;
  long samples_ = 0;
  EventCounts counts_;
  std::vector<Event> events_;
};

Simulator make_simulator(const SimulationPlan& plan) {
  if (plan.before) return Simulator(plan.scene.model, plan.before->outcome.checkpoint, plan.options);
  return Simulator(plan.scene.model, plan.scene.state, plan.options);
}

// The work of both parts; steps and events the simulator counts from the start by itself. A number that is added does
// not compile here until it is decided how those of two parts make one.
SimulationStatistics all_statistics(const Simulator& simulator, const SimulationPlan& plan, const EventCounts& counts) {
  SimulationStatistics all = simulator.statistics();
  [[maybe_unused]] auto& [steps, rejected, evaluations, implicit_steps, events, impacts, mode_searches, largest_gap,
                          largest_loop, largest_residual, unsolved_steps, steps_gained, steps_lost, crowds, crowd_time,
                          crowd_energy, warnings] = all;
  impacts = counts.impacts();
  warnings = counts.warnings;
  if (!plan.before) return all;
  const SimulationStatistics& before = plan.before->outcome.statistics;
  rejected += before.rejected;
  evaluations += before.evaluations;
  implicit_steps += before.implicit_steps;
  mode_searches += before.mode_searches;
  unsolved_steps += before.unsolved_steps;
  steps_gained += before.steps_gained;
  steps_lost += before.steps_lost;
  crowds += before.crowds;
  crowd_time += before.crowd_time;
  crowd_energy += before.crowd_energy;
  largest_gap = std::max(largest_gap, before.largest_gap);
  largest_loop = std::max(largest_loop, before.largest_loop);
  largest_residual = std::max(largest_residual, before.largest_residual);
  return all;
}

RunOutcome simulate(const SimulateOptions& options, const SimulationPlan& plan, Recorder& recorder,
                    const std::atomic<bool>& stop) {
  ProgressLine progress(options.verbosity);
  Simulator simulator = make_simulator(plan);
  simulator.on_event([&](const Event& event) { recorder.add(event); });
  if (recorder.takes_samples()) {
    // At its checkpoint the old run's own sample stands already.
    const double from = simulator.state().time;
    simulator.on_sample(plan.sample_interval, plan.start(), [&, from](const Sample& sample) {
      if (!plan.before || sample.state.time > from) recorder.add(sample);
    });
  }
  simulator.interrupt_by([&] {
    if (progress.due())
      progress.show(fmt::format("t = {:.6g} of {:.6g} s, {} events, {} steps", simulator.state().time, plan.until,
                                simulator.statistics().events, simulator.statistics().steps));
    return stop.load();
  });
  RunOutcome outcome;
  outcome.status = simulator.advance(plan.until);
  if (stop) take_time_to_end();
  outcome.message = simulator.message();
  outcome.time = simulator.state().time;
  outcome.state = simulator.state();
  outcome.energy = simulator.energy();
  outcome.statistics = all_statistics(simulator, plan, recorder.counts());
  outcome.checkpoint = simulator.checkpoint();
  return outcome;
}

std::string how_to_go_on(const SimulateOptions& options, const SimulationPlan& plan) {
  if (options.output.empty()) return "with -o run.h5 it could be resumed";
  std::filesystem::path next(options.output);
  next.replace_filename(next.stem().string() + "2" + next.extension().string());
  return fmt::format("go on with: routh simulate --resume {} -o {} --until {}", shell_word(options.output),
                     shell_word(next.string()), plan.until);
}

std::string result_text(const SimulateOptions& options, const Terminal& terminal, const SimulationPlan& plan,
                        Recorder& recorder, const RunOutcome& outcome) {
  if (options.format == OutputFormat::json) {
    RunData run;
    run.info = plan.info;
    run.outcome = outcome;
    run.events = std::move(recorder.events());
    std::string json = run_json(run);
    if (recorder.margins()) {
      json.pop_back();
      json += ",\"margins\":" + margins_json(recorder.margins()->contacts()) + "}";
    }
    return json + "\n";
  }
  SimulationReport report;
  report.title = title_of(plan.info.scene_name, plan.info.scene_path);
  report.start = plan.start();
  report.engine = plan.options.engine;
  report.outcome = &outcome;
  report.counts = &recorder.counts();
  report.file = options.output;
  report.samples = recorder.samples();
  const std::string log =
      options.events == EventLog::table ? render_events(terminal, recorder.events()) + "\n" : std::string();
  return log + render(terminal, report) +
         (recorder.margins() ? "\n" + render_margins(terminal, recorder.margins()->contacts()) : std::string());
}

ExitCode exit_code(SimulationStatus status) {
  if (status == SimulationStatus::stopped) return ExitCode::interrupted;
  if (status == SimulationStatus::overlapping) return ExitCode::invalid_input;
  return failed(status) ? ExitCode::no_answer : ExitCode::ok;
}

// Lines of a message may hold names of the scene.
std::string printable_lines(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += (begin > 0 ? "\n" : "") + printable(text.substr(begin, end - begin), 300);
    begin = end + 1;
  }
  return out;
}

}  // namespace

ExitCode run_simulate(const SimulateOptions& options, const Terminal& terminal) {
  // From the first instant on: what can be resumed is written even where nothing has moved yet.
  const std::atomic<bool>& stop = defer_interrupt();
  const NamedFile scene{"the scene", options.file.path}, page_file{"the page of --page", options.page.template_file};
  // A run that is resumed may go on in its own file: that keeps all of it.
  check_outputs({scene, page_file}, {{"-o", options.output}, {"--report", options.page.html}});
  check_outputs({{"the run that is resumed", options.resume}}, {{"--report", options.page.html}});
  std::optional<PageTemplate> page;
  if (options.page.wanted()) {
    page.emplace(options.page);
  }
  const SimulationPlan plan = make_plan(options);
  const ScratchFile scratch(page && options.output.empty() ? ScratchFile::Need::one : ScratchFile::Need::none);
  const std::string& run_file = options.output.empty() ? scratch.path() : options.output;
  Recorder recorder(options, run_file, plan);
  const RunOutcome outcome = simulate(options, plan, recorder, stop);
  recorder.finish(outcome);
  if (page) {
    if (options.output.empty()) set_unfinished_file(run_file);
    report_simulated(options.page, *page, run_file);
  }
  write_stdout(result_text(options, terminal, plan, recorder, outcome));
  if (options.verbosity == Verbosity::normal)
    for (const std::string& warning : warnings_of(recorder.counts(), outcome, plan.options)) write_message(warning);
  if (outcome.status == SimulationStatus::stopped)
    write_message(fmt::format("interrupted at t = {:.9g} s; {}", outcome.time, how_to_go_on(options, plan)));
  if (failed(outcome.status)) write_message("error: " + printable_lines(outcome.message));
  return exit_code(outcome.status);
}

}  // namespace routh
