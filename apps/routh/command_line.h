// The command line: commands, options, help, and messages for what is mistyped.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "options.h"
#include "page_output.h"
#include "picture_output.h"
#include "scene_source.h"
#include "terminal.h"
#include "validators.h"

namespace routh {

enum class ParseOutcome {
  run,      // a command was chosen
  told,     // help or version: print `message` as the result
  refused,  // print `message` as an error
};

class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;  // commands refer to it
  CommandLine& operator=(const CommandLine&) = delete;

  ParseOutcome parse(int argc, char** argv);
  const std::string& message() const { return message_; }
  // Runs the chosen command with its options.
  ExitCode run() const { return chosen_(); }

 private:
  using Run = std::function<ExitCode()>;

  void add_impact();
  void add_contacts();
  void add_restitution();
  void add_referee();
  void add_diagnose();
  void add_hold();
  void add_project();
  void add_map();
  void add_simulate();
  void add_sweep();
  void add_fit();
  void add_identify();
  void add_validate();
  void add_predict();
  void add_gradient();
  void add_report();
  void add_play();
  void add_export();
  void add_compare();
  void add_check();
  void add_info();
  void add_convert();
  void add_show();
  void add_examples();
  void add_papers();
  void add_completion();
  void add_help_command();  // after all others

  CLI::App& add_command(const char* name, const char* description, Run run);
  void add_colour_flag(CLI::App& command);
  // Last in every command; the exit codes follow the footer.
  static void add_help(CLI::App& command, const std::string& footer);
  // --html, --page and --open.
  static void add_page_options(CLI::App& command, PageOptions& page, const char* what);
  // --page and --open.
  static void add_page_manner(CLI::App& command, PageOptions& page);
  // --set, --at of runs, and of robots --base, --keyframe, --package, --floor and --drop.
  static void add_source_options(CLI::App& command, SourceFile& file);
  static CLI::Option& add_law(CLI::App& command, std::optional<Law>& law);
  Terminal terminal() const;
  ParseOutcome refuse(const std::string& what);
  ParseOutcome refuse_unknown_argument(const CLI::App& command, const std::string& argument);

  CLI::App app_;
  std::vector<std::pair<const CLI::App*, Run>> commands_;
  bool no_colour_ = false;
  std::string message_;
  Run chosen_;
};

}  // namespace routh
