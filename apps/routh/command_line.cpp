#include "command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command_overview.h"
#include "commands.h"
#include "completion.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/impact/result.h"
#include "routh/version.h"
#include "tolerances.h"

namespace routh {

namespace {

const char* const main_footer =
    "Examples:\n"
    "  routh impact machine.yaml                what strikes, all laws side by side\n"
    "  routh impact machine.yaml --first-strike where its free motion strikes first\n"
    "  routh diagnose machine.yaml              will its contacts hold, and why not\n"
    "  routh hold machine.yaml                  the least torques that hold them\n"
    "  routh project machine.yaml               its constraints as projections\n"
    "  routh map machine.yaml --x friction=0:1 --y position.knee=-1:1 --png map.png\n"
    "  routh simulate machine.yaml -o run.h5    the whole motion, event by event\n"
    "  routh sweep study.yaml -o out.h5         a study: many samples, on all cores\n"
    "  routh fit data.csv --problem rod.json    friction and restitution from data\n"
    "  routh identify throws --scene cube.yaml --set surfaces.table.friction=0:1\n"
    "  routh validate throws --scene cube.yaml  recorded throws beside their runs\n"
    "  routh gradient machine.yaml --of final.position.x --wrt gravity[1]\n"
    "  routh report run.h5                      the run as a page for a browser\n"
    "  routh play machine.yaml                  a page that computes\n"
    "  routh info machine.yaml                  tree, mass, contacts\n"
    "  routh convert robot.urdf -o robot.yaml   a robot's file as a scene\n"
    "  routh impact problem.json                an impact from bare matrices\n"
    "  routh impact problem.json --svg out.svg  and the path as a picture\n"
    "  routh impact - < in.jsonl > out.jsonl    one answer per line\n"
    "  routh contacts problem.json              many contacts at once, with friction\n"
    "  routh examples                           scenes to begin with\n"
    "  routh papers                             printed numbers beside ours\n"
    "\n";

const char* const info_footer =
    "Without --q the posture is that of the scene. Values of --q stand in the order\n"
    "of the coordinates that `routh info FILE` lists, for instance --q 0.1 -0.2\n"
    "\n";

const char* const examples_footer =
    "Without NAME the scenes are listed. With it the scene is copied to NAME.yaml in\n"
    "the current folder, and what it shows, and what to type next, is told.\n"
    "Example:\n"
    "  routh examples rattleback && routh simulate rattleback.yaml -o run.h5\n"
    "  routh examples --site gallery            pages to play with; see `routh play`\n"
    "\n";

const char* const papers_footer =
    "A number agrees when it differs by no more than one unit of the last printed\n"
    "digit. Documented misprints must agree with what follows instead of them.\n"
    "\n";

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& long_name : option->get_lnames()) names.push_back("--" + long_name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

}  // namespace

CommandLine::CommandLine() : app_("Routh: what an impact with friction does, exactly.", "routh") {
  app_.set_help_flag("-h,--help", "show this help");
  app_.set_version_flag("--version", "routh " ROUTH_VERSION, "show the version");
  app_.get_formatter()->column_width(26);
  app_.footer(std::string(main_footer) + exit_code_help);
  app_.require_subcommand(0, 1);
  add_impact();
  add_contacts();
  add_restitution();
  add_referee();
  add_diagnose();
  add_hold();
  add_project();
  add_map();
  add_simulate();
  add_sweep();
  add_fit();
  add_identify();
  add_validate();
  add_predict();
  add_gradient();
  add_report();
  add_play();
  add_export();
  add_compare();
  add_check();
  add_info();
  add_convert();
  add_show();
  add_examples();
  add_papers();
  add_completion();
  add_help_command();
}

CLI::App& CommandLine::add_command(const char* name, const char* description, Run run) {
  CLI::App* command = app_.add_subcommand(name, description);
  commands_.emplace_back(command, std::move(run));
  return *command;
}

void CommandLine::add_page_options(CLI::App& command, PageOptions& page, const char* what) {
  command.add_option("--html", page.html, what)->type_name("OUT.html");
  add_page_manner(command, page);
}

// After the option that names the file of the page: it decides whether --open needs a place of its own.
void CommandLine::add_page_manner(CLI::App& command, PageOptions& page) {
  command.add_option("--page", page.template_file, "a page template in place of the built-in one")
      ->type_name("PAGE.html");
  command.add_flag_callback(
      "--open",
      [&page] {
        page.show = ShowPage::in_browser;
        if (page.html.empty()) page.html = scratch_page();
      },
      "open the page in a browser");
}

void CommandLine::add_source_options(CLI::App& command, SourceFile& file) {
  command.add_option("--set", file.set, "another value than in the file; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command.add_option("--at", file.at, "of a run file: its state at this time; at its end")
      ->type_name("T")
      ->check(finite_number());
  add_word(command, "--base", file.robot.base, words<RobotBase>(), "base")
      .type_name("BASE")
      ->description(fmt::format("how a robot's base link stands: {}", fmt::join(all_names<RobotBase>, ", ")));
  command.add_option("--keyframe", file.robot.keyframe, "where an MJCF robot starts: name or number")->type_name("KEY");
  command.add_option("--package", file.robot.packages, "where to look for package://")
      ->type_name("DIR")
      ->allow_extra_args();
  command
      .add_option("--floor", file.ground.friction,
                  fmt::format("put a floor under a robot, of friction {} or MU", RobotGround::usual_friction))
      ->type_name("[MU]")
      ->expected(0, 1)
      ->default_str(fmt::format("{}", RobotGround::usual_friction))
      ->check(non_negative_number());
  command.add_option("--drop", file.ground.drop, "start a robot so far above the floor [m]")
      ->type_name("HEIGHT")
      ->check(non_negative_number());
}

CLI::Option& CommandLine::add_law(CLI::App& command, std::optional<Law>& law) {
  return *add_word(command, "--law", law, law_words(), "law").type_name("LAW");
}

void CommandLine::add_colour_flag(CLI::App& command) {
  command.add_flag("--no-color,--no-colour", no_colour_, "no colour on a terminal");
}

void CommandLine::add_help(CLI::App& command, const std::string& footer) {
  command.set_help_flag("-h,--help", "show this help");
  command.footer(footer + exit_code_help);
}

void CommandLine::add_check() {
  const auto o = std::make_shared<InspectOptions>();
  CLI::App& command =
      add_command("check", "say whether a scene, problem or study file is sound", [o] { return run_check(*o); });
  command.add_option("FILE", o->file.path, "scene, problem, contacts, study or robot file")->type_name("")->required();
  add_source_options(command, o->file);
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_help(command, "");
}

void CommandLine::add_info() {
  const auto o = std::make_shared<InspectOptions>();
  CLI::App& command = add_command("info", "show the machine of a scene: tree, mass, contacts",
                                  [this, o] { return run_info(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene or robot file")->type_name("")->required();
  command.add_option("--q", o->posture, "coordinates of another posture")->type_name("Q...")->allow_extra_args();
  add_source_options(command, o->file);
  add_choice(command, "--all", o->detail, Detail::all, "every contact within 0.1 m, in the order of the shapes");
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON, with mass matrix and frames");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, info_footer);
}

void CommandLine::add_examples() {
  const auto o = std::make_shared<ExamplesOptions>();
  CLI::App& command = add_command("examples", "list scenes to begin with, or copy one out",
                                  [this, o] { return run_examples(*o, terminal()); });
  command.add_option("NAME", o->name, "the scene to copy")->type_name("EXAMPLE");
  command.add_option("-o,--output", o->output, "file or folder; - for standard output")->type_name("PATH");
  command.add_option("--site", o->site, "write pages that compute, and an index")->type_name("DIR");
  add_choice(command, "-f,--force", o->overwrite, Overwrite::allow, "replace a file that exists");
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_colour_flag(command);
  add_help(command, examples_footer);
}

void CommandLine::add_papers() {
  const auto o = std::make_shared<PapersOptions>();
  CLI::App& command = add_command("papers", "recompute the printed numbers of the papers",
                                  [this, o] { return run_papers(*o, terminal()); });
  command.add_option("NAME", o->name, "one paper; all without it")->type_name("");
  command.add_option("--data", o->data, "read papers from a folder")->type_name("DIR");
  command.add_option("--output", o->output, "write DIR/<paper>/table.md")->type_name("DIR");
  add_page_options(command, o->page, "write tables and figures as one page");
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no messages on standard error");
  add_colour_flag(command);
  add_help(command, papers_footer);
}

void CommandLine::add_help_command() {
  const auto wanted = std::make_shared<std::string>();
  CLI::App& command = add_command("help", "list the commands by question, or explain one", [this, wanted] {
    write_stdout(wanted->empty() ? command_overview(app_) : app_.get_subcommand(*wanted)->help("routh"));
    return ExitCode::ok;
  });
  command.add_option("COMMAND", *wanted, "the command to explain")
      ->type_name("")
      ->check(one_of(command_names(app_), "command"));
  add_help(command, "");
}

void CommandLine::add_completion() {
  const auto shell = std::make_shared<std::optional<Shell>>();
  CLI::App& command = add_command("completion", "print a completion script for a shell", [this, shell] {
    write_stdout(completion_script(app_, shell->value()));
    return ExitCode::ok;
  });
  add_word(command, "SHELL", *shell, words<Shell>(), "shell")
      .type_name("SHELL")
      ->description("bash, zsh or fish")
      ->required();
  add_help(command, "Example:\n  routh completion bash > routh.bash && . ./routh.bash\n\n");
}

ParseOutcome CommandLine::refuse(const std::string& what) {
  const std::vector<CLI::App*> chosen = app_.get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  message_ = fmt::format("error: {}\nTry 'routh{} --help'.", what, command);
  return ParseOutcome::refused;
}

ParseOutcome CommandLine::refuse_unknown_argument(const CLI::App& command, const std::string& argument) {
  if (argument.starts_with("-")) {
    const std::string bare = argument.substr(0, argument.find('='));
    return refuse(fmt::format("unknown option '{}'{}", printable(argument), did_you_mean(bare, option_names(command))));
  }
  return refuse(fmt::format("unexpected argument '{}'", printable(argument)));
}

ParseOutcome CommandLine::parse(int argc, char** argv) {
  const std::vector<std::string> commands = command_names(app_);
  const std::string first = argc > 1 ? argv[1] : "";
  if (argc < 2) {
    message_ = command_overview(app_);
    return ParseOutcome::told;
  }
  if (!first.starts_with("-") && std::find(commands.begin(), commands.end(), first) == commands.end())
    return refuse(fmt::format("unknown command '{}'{}", printable(first), did_you_mean(first, commands)));
  try {
    app_.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    message_ = chosen.empty() ? app_.help() : chosen.front()->help("routh");
    return ParseOutcome::told;
  } catch (const CLI::CallForVersion& version) {
    message_ = std::string(version.what()) + "\n";
    return ParseOutcome::told;
  } catch (const CLI::ExtrasError&) {
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    const std::vector<std::string> extras = app_.remaining(true);
    const CLI::App& command = chosen.empty() ? app_ : *chosen.front();
    return refuse_unknown_argument(command, extras.empty() ? "" : extras.front());
  } catch (const CLI::ParseError& error) {
    return refuse(printable(error.what(), 300));
  }
  for (const auto& [command, run] : commands_) {
    if (!command->parsed()) continue;
    // As a variable of a shell that was never set: to go on without it would be another command than was meant.
    // Only words to be drawn (TEXT) may be none.
    for (const CLI::Option* option : command->get_options())
      for (const std::string& value : option->results())
        if (value.empty() && option->get_type_name() != "TEXT")
          return refuse(option->get_name() + " is given an empty word; give a value, or leave it out");
    chosen_ = run;
    return ParseOutcome::run;
  }
  return refuse("a command is missing: " + fmt::format("{}", fmt::join(commands, ", ")));
}

Terminal CommandLine::terminal() const {
  return detect_terminal(no_colour_ ? ColourChoice::never : ColourChoice::automatic);
}

}  // namespace routh
