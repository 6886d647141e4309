// The command line: commands, options, help, and messages for what is mistyped.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "completion.h"
#include "diagnose_command.h"
#include "examples_command.h"
#include "fit_command.h"
#include "impact_command.h"
#include "inspect_commands.h"
#include "map_command.h"
#include "papers_command.h"
#include "report_command.h"
#include "run_commands.h"
#include "scene_source.h"
#include "simulate_command.h"
#include "sweep_command.h"
#include "terminal.h"

namespace routh {

enum class Command {
  impact,
  diagnose,
  map,
  simulate,
  sweep,
  fit,
  report,
  export_run,
  compare,
  check,
  info,
  convert,
  examples,
  papers,
  completion
};

enum class ParseOutcome {
  run,      // a command was chosen
  told,     // help or version: print `message` as the result
  refused,  // print `message` as an error
};

class CommandLine {
 public:
  CommandLine();

  ParseOutcome parse(int argc, char** argv);

  const std::string& message() const { return message_; }
  Command chosen() const { return chosen_; }
  CLI::App& app() { return app_; }
  Terminal terminal() const;
  ImpactOptions impact() const;
  DiagnoseOptions diagnose() const;
  MapCommandOptions map() const;
  SimulateOptions simulate() const;
  SweepCommandOptions sweep() const;
  FitCommandOptions fit() const;
  ReportOptions report() const;
  ExportOptions export_run() const { return export_options_; }
  CompareCommandOptions compare() const;
  InspectOptions inspect() const;
  ConvertOptions convert() const;
  ExamplesOptions examples() const;
  PapersOptions papers() const;
  Shell shell() const;

 private:
  void add_impact();
  void add_diagnose();
  void add_map();
  void add_simulate();
  void add_sweep();
  void add_fit();
  void add_report();
  void add_export();
  void add_compare();
  void add_check();
  void add_info();
  void add_convert();
  void add_examples();
  void add_papers();
  void add_completion();
  void add_colour_flag(CLI::App& command);
  // Last in every command; the exit codes follow the footer.
  static void add_help(CLI::App& command, const std::string& footer);
  // --html and --page.
  void add_page_options(CLI::App& command, const char* what);
  static void add_picture_options(CLI::App& command, PictureFiles& files, const std::string& description);
  // --base, --keyframe and --package.
  void add_robot_options(CLI::App& command);
  void add_law(CLI::App& command);
  // FILE with what was chosen about a robot in it.
  SourceFile source() const;
  std::optional<Law> chosen_law() const;
  ParseOutcome refuse(const std::string& what);
  ParseOutcome refuse_unknown_argument(const CLI::App& command, const std::string& argument);

  // What CLI11 fills; the accessors turn it into the commands' own types.
  struct Flags {
    bool json = false;
    bool quiet = false;
    bool no_colour = false;
    bool strict = false;
    bool first_strike = false;
    bool full = false;
    bool events = false;
    bool tangential = false;
    bool force = false;
    bool resume = false;
    bool restart = false;
  };

  CLI::App app_;
  CLI::App* impact_ = nullptr;
  CLI::App* diagnose_ = nullptr;
  CLI::App* map_ = nullptr;
  CLI::App* simulate_ = nullptr;
  CLI::App* sweep_ = nullptr;
  CLI::App* fit_ = nullptr;
  CLI::App* report_ = nullptr;
  CLI::App* export_ = nullptr;
  CLI::App* compare_ = nullptr;
  CLI::App* check_ = nullptr;
  CLI::App* info_ = nullptr;
  CLI::App* convert_ = nullptr;
  CLI::App* examples_ = nullptr;
  CLI::App* papers_ = nullptr;
  CLI::App* completion_ = nullptr;
  Flags flags_;
  std::string file_;
  std::string law_;
  PictureFiles pictures_;
  PageOptions page_;
  MapCommandOptions map_options_;  // what is only its own
  SimulateOptions simulate_options_;
  SweepCommandOptions sweep_options_;
  FitCommandOptions fit_options_;
  ReportOptions report_options_;
  ExportOptions export_options_;
  CompareCommandOptions compare_options_;
  ExamplesOptions examples_options_;
  ConvertOptions convert_options_;
  std::string base_;
  RobotOptions robot_;  // but for the base
  double duration_ = 10;
  std::vector<double> posture_;
  std::string paper_;
  std::string data_;
  std::string output_;
  std::string shell_;
  std::string message_;
  Command chosen_ = Command::impact;
};

}  // namespace routh
