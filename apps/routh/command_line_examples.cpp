// The command that hands out the example scenes.
#include "command_line.h"

namespace routh {

namespace {

const char* const examples_footer =
    "Without NAME the scenes are listed. With it the scene is copied to NAME.yaml in\n"
    "the current folder, and what it shows, and what to type next, is told.\n"
    "Example:\n"
    "  routh examples rattleback && routh simulate rattleback.yaml -o run.h5\n"
    "\n";

}  // namespace

void CommandLine::add_examples() {
  ExamplesOptions& o = examples_options_;
  examples_ = app_.add_subcommand("examples", "list scenes to begin with, or copy one out");
  examples_->add_option("NAME", o.name, "the scene to copy")->type_name("EXAMPLE");
  examples_->add_option("-o,--output", o.output, "file or folder; - for standard output")->type_name("PATH");
  examples_->add_flag("-f,--force", flags_.force, "replace a file that exists");
  examples_->add_flag("--json", flags_.json, "print JSON");
  add_colour_flag(*examples_);
  add_help(*examples_, examples_footer);
}

ExamplesOptions CommandLine::examples() const {
  ExamplesOptions options = examples_options_;
  options.overwrite = flags_.force ? Overwrite::allow : Overwrite::refuse;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  return options;
}

}  // namespace routh
