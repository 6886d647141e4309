#include "sweep_command.h"

#include <fmt/format.h>

#include "interrupt.h"
#include "output.h"
#include "routh/map/tolerances.h"
#include "routh/study/sweep.h"
#include "routh/study/tolerances.h"
#include "routh/study/writer.h"
#include "sweep_progress.h"
#include "sweep_report.h"
#include "validators.h"

namespace routh {

namespace {

// The file beside which the checkpoint stands.
const std::string& main_output(const SweepCommandOptions& options) {
  return options.output.empty() ? options.csv : options.output;
}

StudyFiles files(const SweepCommandOptions& options) { return {options.output, options.csv, options.html}; }

// Also the files that stand beside the result, for good or while it is computed.
void refuse_overwriting(const SweepCommandOptions& options, const Study& study) {
  std::vector<NamedFile> inputs, outputs = {{"-o", options.output}, {"--csv", options.csv}, {"--html", options.html}};
  for (const std::string& source : study.sources)
    inputs.push_back({source == study.path ? "the study" : "a file that the study names", source});
  if (study.table && !options.csv.empty()) outputs.push_back({"the table of --csv", samples_path(options.csv)});
  if (const std::string& beside = main_output(options); !beside.empty()) {
    outputs.push_back({"the checkpoint", StudyKeeper::checkpoint_path(beside)});
    outputs.push_back({"the lock", StudyKeeper::lock_path(beside)});
    if (study.table) outputs.push_back({"the rows of the table", StudyKeeper::rows_path(beside)});
  }
  refuse_overwriting(inputs, outputs);
}

// A file whose name says that it is of another kind is a slip: `-o out.csv` would hold HDF5.
void refuse_misnomers(const SweepCommandOptions& options) {
  struct Kind {
    const char *option, *what;
    std::vector<const char*> ends;
    const std::string& path;
  };
  const Kind kinds[] = {{"-o", "HDF5", {".h5", ".hdf5"}, options.output},
                        {"--csv", "CSV", {".csv"}, options.csv},
                        {"--html", "a page", {".html", ".htm"}, options.html}};
  for (const Kind& kind : kinds)
    for (const Kind& other : kinds)
      for (const char* const end : other.ends)
        if (&kind != &other && kind.path.ends_with(end))
          throw UsageError(
              fmt::format("error: {} writes {}: '{}' would have a misleading name; use {} for it, or "
                          "another name",
                          kind.option, kind.what, printable(kind.path, 200), other.option));
}

void choose_start(StudyStart& start, StudyStart chosen) {
  if (start != StudyStart::fresh) throw UsageError("error: --resume and --restart exclude each other");
  start = chosen;
}

}  // namespace

void add_sweep_options(CLI::App& command, SweepCommandOptions& o) {
  command.add_option("STUDY", o.file, "study file")->type_name("")->required();
  command.add_option("-o,--output", o.output, "write the result as HDF5")->type_name("OUT.h5");
  command.add_option("--csv", o.csv, "write it as CSV; a table to OUT.samples.csv")->type_name("OUT.csv");
  command.add_option("--html", o.html, "write it as a page with pictures")->type_name("OUT.html");
  add_choice(command, "--open", o.show, ShowPage::in_browser, "open that page in a browser");
  command.add_option("--threads", o.threads, "how many; one for each core")
      ->type_name("N")
      ->check(number_in(1, tolerances::threads_max).description(""));
  command.add_option("--checkpoint", o.checkpoint, "time between checkpoints, s; 5")
      ->type_name("SECONDS")
      ->check(positive_number());
  command.add_flag_callback(
      "--resume", [&o] { choose_start(o.start, StudyStart::resume); }, "go on from the checkpoint beside the output");
  command.add_flag_callback(
      "--restart", [&o] { choose_start(o.start, StudyStart::anew); }, "begin anew in spite of a checkpoint");
  add_choice(command, "--json", o.format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o.verbosity, Verbosity::quiet, "no warnings, no progress on standard error");
}

void check_options(const SweepCommandOptions& options, const Study& study) {
  const bool writes = !options.output.empty() || !options.csv.empty();
  if (options.start == StudyStart::resume && !writes)
    throw UsageError("error: --resume needs the output whose checkpoint stands beside it: -o out.h5");
  if (study.table && !writes)
    throw UsageError("error: the study asks for a table of all samples; say where: -o out.h5 or --csv out.csv");
  refuse_overwriting(options, study);
  if (options.show == ShowPage::in_browser && options.html.empty())
    throw UsageError("error: --open needs a page: --html out.html");
  refuse_misnomers(options);
  check_places(files(options), study);
}

KeeperOptions keeper_options(const SweepCommandOptions& options) {
  KeeperOptions out;
  out.output = main_output(options);
  out.start = options.start;
  out.interval = options.checkpoint;
  return out;
}

std::string how_to_resume(const SweepCommandOptions& options, const std::string& program) {
  if (main_output(options).empty()) return "with -o out.h5 it could be resumed";
  std::string out = fmt::format("go on with: {} {}", program, shell_word(options.file));
  if (!options.output.empty()) out += fmt::format(" -o {}", shell_word(options.output));
  if (!options.csv.empty()) out += fmt::format(" --csv {}", shell_word(options.csv));
  if (!options.html.empty()) out += fmt::format(" --html {}", shell_word(options.html));
  return out + " --resume";
}

void say_start(const SweepCommandOptions& options, const Study& study, const StudyKeeper& keeper) {
  if (options.verbosity == Verbosity::quiet) return;
  for (const std::string& warning : study.warnings) write_complaint(warning);
  if (options.start != StudyStart::resume) return;
  if (keeper.found_checkpoint())
    write_message(fmt::format("resumed after {} of {} samples", keeper.resumed_samples(), study.samples()));
  else
    write_message(fmt::format("there is no checkpoint '{}'; beginning anew",
                              printable(StudyKeeper::checkpoint_path(main_output(options)), 200)));
}

ExitCode finish_sweep(const SweepCommandOptions& options, const Terminal& terminal, const Study& study,
                      StudyKeeper& keeper) {
  const StudyResult result = keeper.totals().result();
  write_results(files(options), study, result, keeper.rows());
  keeper.remove_files();
  if (options.show == ShowPage::in_browser) open_page(options.html);
  if (options.format == OutputFormat::json)
    write_stdout(study_json(study, result) + "\n");
  else
    write_stdout(render(terminal, study, result));
  if (result.failed() < result.samples) return ExitCode::ok;
  write_message("error: every sample failed");
  return ExitCode::no_answer;
}

namespace {

ExitCode compute(const SweepCommandOptions& options, const Terminal& terminal, const Study& study, StudyKeeper& keeper,
                 const std::atomic<bool>& stop) {
  SweepEnd end = SweepEnd::complete;
  {
    SweepProgress progress(options.verbosity, study.samples(), keeper.resumed_samples());
    SweepOptions how;
    how.threads = options.threads;
    how.stop = &stop;
    how.progress = [&](const StudyTotals& totals) { progress.show(totals); };
    end = sweep(study, keeper, how);
    take_time_to_end();
  }
  if (end == SweepEnd::complete) return finish_sweep(options, terminal, study, keeper);
  keeper.save();
  write_message(fmt::format("interrupted after {} of {} samples; {}", keeper.totals().samples(), study.samples(),
                            how_to_resume(options, "routh sweep")));
  return ExitCode::interrupted;
}

}  // namespace

ExitCode run_sweep(const SweepCommandOptions& options, const Terminal& terminal) {
  Study study = read_study_file(options.file);
  check_options(options, study);
  // For the pictures of the page; beside another output rows are a table, which the study asks for or not.
  if (!options.html.empty() && main_output(options).empty() && study.samples() <= tolerances::rows_for_page_max)
    study.table = true;
  const std::atomic<bool>& stop = defer_interrupt();  // before there is anything to go on from
  StudyKeeper keeper(study, keeper_options(options));
  say_start(options, study, keeper);
  try {
    return compute(options, terminal, study, keeper, stop);
  } catch (const RuntimeFailure& failure) {
    // A full disk, mostly: what was computed is not lost.
    if (!keeper.can_be_resumed()) throw;  // standard output, when the result is written
    throw RuntimeFailure(
        fmt::format("{}; the checkpoint is kept: {}", failure.what(), how_to_resume(options, "routh sweep")));
  }
}

}  // namespace routh
