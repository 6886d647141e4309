// The commands about many impacts: sweep, fit.
#include "command_line.h"
#include "validators.h"

namespace routh {

namespace {

const char* const sweep_footer =
    "STUDY names a problem or a scene, what varies in it (grid, latin_hypercube,\n"
    "sobol, random, csv), what is measured and how it is reduced; see\n"
    "docs/study-file.md. The result does not depend on the number of threads, to the\n"
    "last bit. A study that was interrupted or killed can go on:\n"
    "  routh sweep study.yaml -o out.h5\n"
    "  routh sweep study.yaml -o out.h5 --resume\n"
    "A sample that fails is counted with its reason; exit code 4 if all fail.\n"
    "\n";

const char* const fit_footer =
    "DATA is CSV with a row for each impact. Columns are named like the numbers of\n"
    "the problem (velocity[0], contact_velocity[1], delassus[0][1], ...), what was\n"
    "measured after.contact_velocity[0], after.velocity[2], after.impulse[0].\n"
    "Every law is fitted by least squares; intervals are profiles; what the data\n"
    "cannot tell is said. See docs/fit.md.\n"
    "\n";

}  // namespace

void CommandLine::add_fit() {
  FitCommandOptions& o = fit_options_;
  fit_ = app_.add_subcommand("fit", "find friction and restitution in measured impacts");
  fit_->add_option("DATA", file_, "CSV file")->type_name("")->required();
  fit_->add_option("--problem", o.problem, "what the impacts have in common")->type_name("FILE");
  fit_->add_option("--law", law_, "one law alone; all five without it")
      ->type_name("LAW")
      ->check(one_of(law_words(), "law"));
  fit_->add_flag("--tangential", flags_.tangential, "seek tangential restitution too (unified law)");
  fit_->add_option("--confidence", o.fit.confidence, "of the intervals; 0.95")
      ->type_name("P")
      ->check(number_in(0.5, 0.9999).description(""));
  add_picture_options(*fit_, o.pictures, "write a picture of the residuals");
  fit_->add_option("--csv", o.csv, "write the residuals")->type_name("OUT.csv");
  fit_->add_flag("--json", flags_.json, "print JSON");
  add_colour_flag(*fit_);
  add_help(*fit_, fit_footer);
}

FitCommandOptions CommandLine::fit() const {
  FitCommandOptions options = fit_options_;
  options.data = file_;
  options.fit.tangential = flags_.tangential;
  if (const auto law = chosen_law()) options.fit.laws = {*law};
  if (flags_.tangential && options.fit.laws.size() == 1 && options.fit.laws[0] != Law::unified)
    throw UsageError(
        "error: --tangential: only the unified law has a tangential restitution; leave --law out or choose unified");
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  return options;
}

void CommandLine::add_sweep() {
  SweepCommandOptions& o = sweep_options_;
  sweep_ = app_.add_subcommand("sweep", "run a study: many samples, on all cores");
  sweep_->add_option("STUDY", file_, "study file")->type_name("")->required();
  sweep_->add_option("-o,--output", o.output, "write the result as HDF5")->type_name("OUT.h5");
  sweep_->add_option("--csv", o.csv, "write it as CSV; a table to OUT.samples.csv")->type_name("OUT.csv");
  sweep_->add_option("--html", o.html, "write it as a page with pictures")->type_name("OUT.html");
  sweep_->add_option("--threads", o.threads, "how many; one for each core")
      ->type_name("N")
      ->check(number_in(1, 1024).description(""));
  sweep_->add_option("--checkpoint", o.checkpoint, "time between checkpoints, s; 5")
      ->type_name("SECONDS")
      ->check(positive_number());
  sweep_->add_flag("--resume", flags_.resume, "go on from the checkpoint beside the output");
  sweep_->add_flag("--restart", flags_.restart, "begin anew in spite of a checkpoint");
  sweep_->add_flag("--json", flags_.json, "print JSON");
  sweep_->add_flag("-q,--quiet", flags_.quiet, "no warnings, no progress on standard error");
  add_colour_flag(*sweep_);
  add_help(*sweep_, sweep_footer);
}

SweepCommandOptions CommandLine::sweep() const {
  SweepCommandOptions options = sweep_options_;
  options.file = file_;
  if (flags_.resume && flags_.restart) throw UsageError("error: --resume and --restart exclude each other");
  if (flags_.resume) options.start = StudyStart::resume;
  if (flags_.restart) options.start = StudyStart::anew;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

}  // namespace routh
