#include "sweep_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "interrupt.h"
#include "output.h"
#include "routh/figure/stacked.h"
#include "routh/map/tolerances.h"
#include "routh/study/study_plots.h"
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
void check_outputs(const SweepCommandOptions& options, const Study& study) {
  std::vector<NamedFile> inputs, outputs = options.pictures.named();
  outputs.insert(outputs.end(), {{"-o", options.output}, {"--csv", options.csv}, {"--html", options.html}});
  for (const std::string& source : study.sources)
    inputs.push_back({source == study.path ? "the study" : "a file that the study names", source});
  if (study.table && !options.csv.empty()) outputs.push_back({"the table of --csv", samples_path(options.csv)});
  if (const std::string& beside = main_output(options); !beside.empty()) {
    outputs.push_back({"the checkpoint", StudyKeeper::checkpoint_path(beside)});
    outputs.push_back({"the lock", StudyKeeper::lock_path(beside)});
    if (study.table) outputs.push_back({"the rows of the table", StudyKeeper::rows_path(beside)});
  }
  check_outputs(inputs, outputs);
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

bool draws(const SweepCommandOptions& options) { return !options.html.empty() || options.pictures.wanted(); }

// Beside another output rows are a table, which the study asks for or not.
bool keeps_rows(const SweepCommandOptions& options, const Study& study) {
  return study.table ||
         (draws(options) && main_output(options).empty() && study.samples() <= tolerances::rows_for_page_max);
}

// Places of the measures that are drawn; what cannot be drawn is told before anything is computed.
std::vector<std::size_t> drawn_measures(const SweepCommandOptions& options, const Study& study) {
  std::vector<std::string> names;
  for (const StudyMeasure& measure : study.measures) names.push_back(measure.name);
  std::vector<std::size_t> drawn;
  for (const std::string& wanted : options.measures) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      throw UsageError(fmt::format("error: --measure: the study has no measure '{}'; it has {}", printable(wanted),
                                   fmt::join(names, ", ")));
    drawn.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  if (!options.pictures.wanted()) {
    if (!drawn.empty()) throw UsageError("error: --measure is for pictures: --svg, --png or --pdf");
    return drawn;
  }
  const std::string option = options.pictures.named().front().role;
  if (!keeps_rows(options, study))
    throw UsageError(fmt::format("error: {} draws the samples one by one: put `table: true` into the study", option));
  if (study.parameters.empty())
    throw UsageError(fmt::format("error: {}: nothing varies in this study, so there is nothing to draw over", option));
  if (drawn.empty())
    for (std::size_t k = 0; k < names.size(); ++k) drawn.push_back(k);
  return drawn;
}

// How each of the measures depends on what varies.
void draw_measures(const SweepCommandOptions& options, const Study& study, const RowFile& rows) {
  const StudyColumns columns(study, rows);
  std::vector<Picture> pictures;
  for (const std::size_t measure : drawn_measures(options, study))
    if (auto picture = dependence_picture(study, columns, measure)) pictures.push_back(std::move(*picture));
  if (pictures.empty()) throw NoAnswer("error: no sample has a value, so that there is nothing to draw");
  write_pictures(options.pictures, stacked(std::move(pictures), title_of(study.title, options.file)));
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
  add_picture_options(command, o.pictures, "draw the measures over what varies");
  command.add_option("--measure", o.measures, "draw this one alone; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args();
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
  check_outputs(options, study);
  drawn_measures(options, study);
  if (options.show == ShowPage::in_browser && options.html.empty())
    throw UsageError("error: --open needs a page: --html out.html");
  refuse_misnomers(options);
  check_places(files(options), study);
}

void keep_rows_for_pictures(const SweepCommandOptions& options, Study& study) {
  study.table = keeps_rows(options, study);
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
  for (const NamedFile& file : options.pictures.named()) out += fmt::format(" {} {}", file.role, shell_word(file.path));
  for (const std::string& measure : options.measures) out += fmt::format(" --measure {}", shell_word(measure));
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
  if (options.pictures.wanted()) draw_measures(options, study, *keeper.rows());
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
  keep_rows_for_pictures(options, study);
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
