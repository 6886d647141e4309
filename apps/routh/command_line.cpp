#include "command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "routh/base/error.h"
#include "routh/impact/result.h"
#include "routh/version.h"
#include "suggestion.h"
#include "validators.h"

namespace routh {

namespace {

const char* const main_footer =
    "Examples:\n"
    "  routh impact machine.yaml                what strikes, all laws side by side\n"
    "  routh impact machine.yaml --first-strike where its free motion strikes first\n"
    "  routh diagnose machine.yaml              will its contacts hold, and why not\n"
    "  routh map machine.yaml --x friction=0:1 --y position.knee=-1:1 --png map.png\n"
    "  routh simulate machine.yaml -o run.h5    the whole motion, event by event\n"
    "  routh sweep study.yaml -o out.h5         a study: many samples, on all cores\n"
    "  routh fit data.csv --problem rod.json    friction and restitution from data\n"
    "  routh report run.h5                      the run as a page for a browser\n"
    "  routh info machine.yaml                  tree, mass, contacts\n"
    "  routh convert robot.urdf -o robot.yaml   a robot's file as a scene\n"
    "  routh impact problem.json                an impact from bare matrices\n"
    "  routh impact problem.json --svg out.svg  and the path as a picture\n"
    "  routh impact - < in.jsonl > out.jsonl    one answer per line\n"
    "  routh examples                           scenes to begin with\n"
    "  routh papers                             printed numbers beside ours\n"
    "\n";

const char* const impact_footer =
    "FILE is a scene (key `routh`: a machine, its surfaces, its state), or one\n"
    "contact (delassus, contact_velocity), or the matrices of a machine\n"
    "(mass_matrix, jacobian, velocity), in YAML or JSON:\n"
    "  {\"delassus\": [[1.6, 1.2], [1.2, 3.4]], \"contact_velocity\": [-0.5, 2],\n"
    "   \"friction\": 0.3, \"restitution\": 0.5}\n"
    "Without --law and without a law in FILE every law is shown; then the exit code\n"
    "is that of the first, the energetic law. In a stream --law holds for the lines\n"
    "that name none, and the exit code is the worst one met.\n"
    "\n";

const char* const diagnose_footer =
    "FILE is a scene, or a problem file; there `free_acceleration` (of the contact,\n"
    "without contact force) or `force` (on the machine) say what presses.\n"
    "Words first: the verdict, its cause, what would change it. Then A, B, C, D,\n"
    "thresholds of friction (mu*, mu_c, mu_cr) and bounds of restitution.\n"
    "--law takes energetic or poisson for the impact that follows.\n"
    "\n";

const char* const map_footer =
    "FILE is a scene, or a problem file. Variables of a scene: position.DOF,\n"
    "velocity.DOF (as `routh info` names them); of a problem file:\n"
    "contact-velocity.n, .t1, .t2, free-acceleration.n, .t1, .t2; of both: friction,\n"
    "static-friction, kinetic-friction, restitution. Positions that are angles may be\n"
    "in degrees: --x \"position.upper=-40 deg:40 deg\".\n"
    "Quantities: verdict, mode, admissible, every-velocity, impact, energy, A, B,\n"
    "normal-force, friction-demand, stick-friction, impact-friction,\n"
    "jamming-friction, restitution-bound, energy-ratio.\n"
    "Example:\n"
    "  routh map arm.yaml --x position.upper=-0.84:0.84 --y velocity.upper=-4:4 \\\n"
    "      --adjust lower --set friction=0.8 --png map.png\n"
    "\n";

const char* const info_footer =
    "Without --q the posture is that of the scene. Values of --q stand in the order\n"
    "of the coordinates that `routh info FILE` lists, for instance --q 0.1 -0.2\n"
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
  add_diagnose();
  add_map();
  add_simulate();
  add_sweep();
  add_fit();
  add_report();
  add_export();
  add_compare();
  add_check();
  add_info();
  add_convert();
  add_examples();
  add_papers();
  add_completion();
}

void CommandLine::add_page_options(CLI::App& command, const char* what) {
  command.add_option("--html", page_.html, what)->type_name("OUT.html");
  command.add_option("--page", page_.template_file, "another page than the program's")->type_name("PAGE.html");
}

void CommandLine::add_robot_options(CLI::App& command) {
  command
      .add_option("--base", base_,
                  fmt::format("how a robot's outermost link stands: {}", fmt::join(all_names<RobotBase>, ", ")))
      ->type_name("BASE")
      ->check(one_of(words<RobotBase>(), "base"));
  command.add_option("--keyframe", robot_.keyframe, "where an MJCF robot starts: name or number")->type_name("KEY");
  command.add_option("--package", robot_.packages, "where to look for package://")
      ->type_name("DIR")
      ->allow_extra_args();
}

void CommandLine::add_law(CLI::App& command) {
  command.add_option("--law", law_, fmt::format("{}", fmt::join(law_words(), ", ")))
      ->type_name("LAW")
      ->check(one_of(law_words(), "law"));
}

void CommandLine::add_colour_flag(CLI::App& command) {
  command.add_flag("--no-color,--no-colour", flags_.no_colour, "no colour on a terminal");
}

void CommandLine::add_help(CLI::App& command, const std::string& footer) {
  command.set_help_flag("-h,--help", "show this help");
  command.footer(footer + exit_code_help);
}

void CommandLine::add_picture_options(CLI::App& command, PictureFiles& files, const std::string& description) {
  command.add_option("--svg", files.svg, description)->type_name("OUT.svg");
  command.add_option("--png", files.png, description)->type_name("OUT.png");
  command.add_option("--pdf", files.pdf, description)->type_name("OUT.pdf");
}

SourceFile CommandLine::source() const {
  SourceFile file{file_, robot_};
  if (const auto base = value_named<RobotBase>(base_)) file.robot.base = *base;
  return file;
}

void CommandLine::add_impact() {
  impact_ = app_.add_subcommand("impact", "solve one impact under every law, or one law");
  impact_->add_option("FILE", file_, "scene or problem file, or - for JSON Lines")->type_name("")->required();
  add_law(*impact_);
  add_picture_options(*impact_, pictures_, "write a picture of the path");
  add_robot_options(*impact_);
  add_page_options(*impact_, "write a page for a browser");
  impact_->add_flag("--first-strike", flags_.first_strike, "move along the free motion to the first strike");
  impact_->add_option("--duration", duration_, "how far to look ahead for it, 10 by default")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  impact_->add_flag("--json", flags_.json, "print JSON");
  impact_->add_flag("--strict", flags_.strict, "exit 4 when an answer gains energy");
  impact_->add_flag("-q,--quiet", flags_.quiet, "no warnings on standard error");
  add_colour_flag(*impact_);
  add_help(*impact_, impact_footer);
}

void CommandLine::add_diagnose() {
  diagnose_ = app_.add_subcommand("diagnose", "say whether contacts hold, jam or let go, and why");
  diagnose_->add_option("FILE", file_, "scene or problem file")->type_name("")->required();
  std::vector<std::string> laws = law_words();
  std::erase_if(laws, [](const std::string& law) { return !has_tangential_impact(*value_named<Law>(law)); });
  diagnose_->add_option("--law", law_, fmt::format("of the impact that follows: {}", fmt::join(laws, ", ")))
      ->type_name("LAW")
      ->check(one_of(laws, "law"));
  add_robot_options(*diagnose_);
  add_page_options(*diagnose_, "write a page for a browser");
  diagnose_->add_flag("--json", flags_.json, "print JSON");
  diagnose_->add_flag("-q,--quiet", flags_.quiet, "no warnings on standard error");
  add_colour_flag(*diagnose_);
  add_help(*diagnose_, diagnose_footer);
}

void CommandLine::add_map() {
  MapCommandOptions& o = map_options_;
  map_ = app_.add_subcommand("map", "show a verdict or a number over two variables");
  map_->add_option("FILE", file_, "scene or problem file")->type_name("")->required();
  map_->add_option("--x", o.x, "the variable across: NAME=LOW:HIGH")->type_name("AXIS")->required();
  map_->add_option("--y", o.y, "the variable up")->type_name("AXIS")->required();
  map_->add_option("--show", o.show, "what to show; chosen by the question if absent")->type_name("QUANTITY");
  map_->add_option("--points", o.points, "N or NxM, 2 to 5000; 400 by default")->type_name("N");
  map_->add_flag("--full", flags_.full, "look at every point, not only at boundaries");
  map_->add_option("--contact", o.contact, "of a scene; the first that touches")->type_name("NAME");
  map_->add_option("--adjust", o.adjust, "what gives way to keep it touching; all")
      ->type_name("DOF")
      ->allow_extra_args();
  map_->add_option("--set", o.set, "NAME=VALUE, held fixed")->type_name("SETTING")->allow_extra_args();
  add_law(*map_);
  map_->add_option("--threads", o.threads, "as many as there are cores")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  add_picture_options(*map_, o.pictures, "write a picture");
  map_->add_option("--csv", o.csv, "write every point")->type_name("OUT.csv");
  add_robot_options(*map_);
  add_page_options(*map_, "write a page for a browser");
  map_->add_flag("--json", flags_.json, "print JSON");
  map_->add_flag("-q,--quiet", flags_.quiet, "no warnings, no progress on standard error");
  add_colour_flag(*map_);
  add_help(*map_, map_footer);
}

void CommandLine::add_check() {
  check_ = app_.add_subcommand("check", "say whether a scene, problem or study file is sound");
  check_->add_option("FILE", file_, "scene, problem, study or robot file")->type_name("")->required();
  add_robot_options(*check_);
  check_->add_flag("-q,--quiet", flags_.quiet, "no warnings on standard error");
  add_help(*check_, "");
}

void CommandLine::add_info() {
  info_ = app_.add_subcommand("info", "show the machine of a scene: tree, mass, contacts");
  info_->add_option("FILE", file_, "scene or robot file")->type_name("")->required();
  info_->add_option("--q", posture_, "coordinates of another posture")->type_name("Q...")->allow_extra_args();
  add_robot_options(*info_);
  info_->add_flag("--json", flags_.json, "print JSON, with mass matrix and frames");
  info_->add_flag("-q,--quiet", flags_.quiet, "no warnings on standard error");
  add_colour_flag(*info_);
  add_help(*info_, info_footer);
}

void CommandLine::add_papers() {
  papers_ = app_.add_subcommand("papers", "recompute the printed numbers of the papers");
  papers_->add_option("NAME", paper_, "one paper; all without it")->type_name("");
  papers_->add_option("--data", data_, "read papers from a folder")->type_name("DIR");
  papers_->add_option("--output", output_, "write DIR/<paper>/table.md")->type_name("DIR");
  add_page_options(*papers_, "write tables and figures as one page");
  papers_->add_flag("--json", flags_.json, "print JSON");
  papers_->add_flag("-q,--quiet", flags_.quiet, "no messages on standard error");
  add_colour_flag(*papers_);
  add_help(*papers_, papers_footer);
}

void CommandLine::add_completion() {
  completion_ = app_.add_subcommand("completion", "print a completion script for a shell");
  completion_->add_option("SHELL", shell_, "bash, zsh or fish")
      ->type_name("SHELL")
      ->required()
      ->check(one_of(words<Shell>(), "shell"));
  add_help(*completion_, "Example:\n  routh completion bash > routh.bash && . ./routh.bash\n\n");
}

ParseOutcome CommandLine::refuse(const std::string& what) {
  message_ = fmt::format("error: {}\nTry 'routh --help'.", what);
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
  if (argc < 2) return refuse("a command is missing: " + fmt::format("{}", fmt::join(commands, ", ")));
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
  const std::pair<const CLI::App*, Command> all[] = {
      {impact_, Command::impact},     {diagnose_, Command::diagnose}, {map_, Command::map},
      {simulate_, Command::simulate}, {sweep_, Command::sweep},       {fit_, Command::fit},
      {report_, Command::report},     {export_, Command::export_run}, {compare_, Command::compare},
      {check_, Command::check},       {info_, Command::info},         {convert_, Command::convert},
      {examples_, Command::examples}, {papers_, Command::papers},     {completion_, Command::completion}};
  for (const auto& [app, command] : all) {
    if (!app->parsed()) continue;
    chosen_ = command;
    return ParseOutcome::run;
  }
  return refuse("a command is missing: " + fmt::format("{}", fmt::join(commands, ", ")));
}

Terminal CommandLine::terminal() const {
  return detect_terminal(flags_.no_colour ? ColourChoice::never : ColourChoice::automatic);
}

std::optional<Law> CommandLine::chosen_law() const { return value_named<Law>(law_); }

ImpactOptions CommandLine::impact() const {
  ImpactOptions options;
  options.file = source();
  options.law = chosen_law();
  options.pictures = pictures_;
  options.page = page_;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  options.energy = flags_.strict ? EnergyPolicy::reject : EnergyPolicy::warn;
  options.moment = flags_.first_strike ? Moment::first_strike : Moment::state;
  options.duration = duration_;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

DiagnoseOptions CommandLine::diagnose() const {
  DiagnoseOptions options;
  options.file = source();
  options.law = chosen_law();
  options.page = page_;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

MapCommandOptions CommandLine::map() const {
  MapCommandOptions options = map_options_;
  options.file = source();
  options.law = chosen_law();
  options.page = page_;
  options.refinement = flags_.full ? MapRefinement::full : MapRefinement::adaptive;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

InspectOptions CommandLine::inspect() const {
  InspectOptions options;
  options.file = source();
  options.posture = posture_;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

PapersOptions CommandLine::papers() const {
  PapersOptions options;
  options.name = paper_;
  options.data = data_;
  options.output = output_;
  options.page = page_;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

Shell CommandLine::shell() const { return value_named<Shell>(shell_).value_or(Shell::bash); }

}  // namespace routh
