// The commands about recordings of throws: identify, validate, predict.
#include <memory>

#include "command_line.h"
#include "predict_command.h"
#include "routh/map/tolerances.h"
#include "routh/recording/tolerances.h"
#include "routh/study/tolerances.h"
#include "throws_command.h"
#include "validators.h"

namespace routh {

namespace {

const char* const identify_footer =
    "DATA is a recording of a throw (time and the coordinates of the body's joint),\n"
    "or a folder with one for each throw, or, without a scene, impacts in rows as\n"
    "for `routh fit`. Whole motions are run from the fitted flight and held against\n"
    "the recordings; intervals are bootstrapped over throws, laws compared by throws\n"
    "that were held out. PATH is that of a study; PATH+PATH go together. Example:\n"
    "  routh identify throws --scene cube.yaml --set surfaces.table.friction=0:0.5\n"
    "\n";

const char* const validate_footer =
    "DATA is a recording of a throw, or a folder with one for each. The error of a\n"
    "throw is the mean over its samples of |dp|^2/L + angle^2, L half a width.\n"
    "Example:\n"
    "  routh validate throws --scene cube.yaml --html page.html\n"
    "\n";

const char* const predict_footer =
    "Each throw is run from its flight many times: from starts as uncertain as the\n"
    "flight leaves them, with parameters drawn from LOW:HIGH or from an\n"
    "identification. Shares of the draws are probabilities; where the recording goes\n"
    "on they are scored. Example:\n"
    "  routh predict throws --scene cube.yaml --estimate identified.json\n"
    "\n";

void add_throws_options(CLI::App& command, ThrowsOptions& o, const char* set) {
  command.add_option("--set", o.set, set)->type_name("PATH=VALUE")->allow_extra_args(false);
  add_choice(command, "--leave-out-bad", o.bad, BadFiles::leave_out, "leave out files that cannot be used, and say so");
  command.add_option("--confidence", o.confidence, "of the intervals; 0.95")
      ->type_name("P")
      ->check(number_in(tolerances::confidence_min, tolerances::confidence_max).description(""));
  command.add_option("--threads", o.threads, "how many; one for each core")
      ->type_name("N")
      ->check(number_in(1, tolerances::threads_max).description(""));
  add_choice(command, "--json", o.format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o.verbosity, Verbosity::quiet, "no warnings, no progress on standard error");
}

void choose(ResumeStart& start, ResumeStart chosen) {
  if (start != ResumeStart::fresh) throw UsageError("error: --resume and --restart exclude each other");
  start = chosen;
}

}  // namespace

void CommandLine::add_identify() {
  const auto o = std::make_shared<IdentifyCommandOptions>();
  CLI::App& command = add_command("identify", "find parameters of a scene in recordings of throws",
                                  [this, o] { return run_identify(*o, terminal()); });
  command.add_option("DATA", o->throws.data, "CSV file, or a folder of them")->type_name("")->required();
  command.add_option("--scene", o->throws.scene, "the scene that was thrown in")->type_name("FILE");
  command.add_option("--problem", o->fit.problem, "of impacts: what they have in common")->type_name("FILE");
  add_throws_options(command, o->throws, "seek it in LOW:HIGH, or give it a value");
  command.add_option("--law", o->laws, "one law, or several to compare")
      ->type_name("LAW")
      ->check(one_of(law_words(), "law"))
      ->allow_extra_args();
  add_word(command, "--loss", o->loss, words<ThrowLoss>(), "loss").type_name("LOSS");
  command.add_option("-o,--output", o->output, "write the result as JSON")->type_name("OUT.json");
  command.add_flag_callback(
      "--resume", [o] { choose(o->start, ResumeStart::resume); }, "go on from the checkpoint beside the output");
  command.add_flag_callback(
      "--restart", [o] { choose(o->start, ResumeStart::anew); }, "begin anew in spite of a checkpoint");
  add_colour_flag(command);
  add_help(command, identify_footer);
}

void CommandLine::add_validate() {
  const auto o = std::make_shared<ValidateCommandOptions>();
  CLI::App& command = add_command("validate", "hold a scene against recordings of throws",
                                  [this, o] { return run_validate(*o, terminal()); });
  command.add_option("DATA", o->throws.data, "CSV file, or a folder of them")->type_name("")->required();
  command.add_option("--scene", o->throws.scene, "the scene that was thrown in")->type_name("FILE")->required();
  add_throws_options(command, o->throws, "give a number of the scene another value");
  add_law(command, o->law).description("of every impact, in place of the surfaces' laws");
  command.add_option("--csv", o->csv, "write a row for each throw")->type_name("OUT.csv");
  command.add_option("--html", o->html, "write a page with pictures")->type_name("OUT.html");
  add_colour_flag(command);
  add_help(command, validate_footer);
}

void CommandLine::add_predict() {
  const auto o = std::make_shared<PredictCommandOptions>();
  CLI::App& command = add_command("predict", "the distribution of the paths of throws",
                                  [this, o] { return run_predict(*o, terminal()); });
  command.add_option("DATA", o->throws.data, "CSV file, or a folder of them")->type_name("")->required();
  command.add_option("--scene", o->throws.scene, "the scene that was thrown in")->type_name("FILE")->required();
  add_throws_options(command, o->throws, "draw it from LOW:HIGH, or give it a value");
  command.remove_option(command.get_option("--confidence"));
  add_law(command, o->law).description("of every impact, in place of the surfaces' laws");
  command.add_option("--estimate", o->estimate, "draw parameters as identify -o left them")->type_name("FILE");
  command.add_option("--region", o->regions, "a place to end in; may be given again")
      ->type_name("NAME=LOW:HIGH,LOW:HIGH")
      ->allow_extra_args(false);
  command.add_option("--draws", o->draws, "of each throw; 64")
      ->type_name("N")
      ->check(number_in(1, tolerances::draws_max).description(""));
  command.add_option("--seed", o->seed, "of the draws; 0")->type_name("N");
  command.add_option("--widen", o->widen, "the starts' deviations by this factor; 1")
      ->type_name("F")
      ->check(number_in(0, tolerances::widen_max).description(""));
  command.add_option("--duration", o->duration, "run so long, also where the recording ends in flight")
      ->type_name("T")
      ->check(number_in(tolerances::duration_min, tolerances::duration_max).description(""));
  command.add_option("--csv", o->csv, "write the probabilities, a row for each throw")->type_name("OUT.csv");
  command.add_option("--html", o->html, "write a page with pictures")->type_name("OUT.html");
  add_colour_flag(command);
  add_help(command, predict_footer);
}

}  // namespace routh
