// The commands about runs and files: convert, simulate, report, export, compare.
#include <fmt/format.h>

#include "command_line.h"
#include "routh/record/export.h"
#include "routh/scene/scene.h"
#include "validators.h"

namespace routh {

namespace {

const char* const simulate_footer =
    "FILE is a scene; its section `simulation` may say most of this. Impacts are\n"
    "solved one by one or together, bounces that pile up end in rest, and the energy\n"
    "is accounted for. An interrupted run is kept and can go on, to the same bits:\n"
    "  routh simulate machine.yaml -o run.h5 --until 10\n"
    "  routh simulate --resume run.h5 -o run2.h5 --until 20\n"
    "Exit code 4: the run could not go on; what there is is written and shown.\n"
    "\n";

const char* const report_footer =
    "One file that needs no network: the machine in motion, plots, events, energy,\n"
    "and the path of each impact. Without -o it is written beside the run; - is\n"
    "standard output. Pages of other commands: --html of impact, diagnose, map and\n"
    "papers.\n"
    "Example:\n"
    "  routh report run.h5 -o report.html\n"
    "\n";

const char* const export_footer =
    "CSV has a second file OUT.events.csv. NPZ is NumPy's: np.load(OUT).\n"
    "Example:\n"
    "  routh export run.h5 -o run.csv\n"
    "\n";

const char* const compare_footer =
    "Two numbers are equal when they differ by at most atol + rtol times the largest\n"
    "of their kind. With --rtol 0 --atol 0 every bit counts.\n"
    "\n";

const char* const convert_footer =
    "FILE is a robot in URDF or MJCF, or a scene that takes one. What is ignored is\n"
    "said, each kind of thing once with its line. The scene loads as the same\n"
    "machine, to the last bit.\n"
    "Examples:\n"
    "  routh convert robot.urdf -o robot.yaml --base floating\n"
    "  routh info robot.urdf                    robots can be used as they are, too\n"
    "\n";

CLI::Validator check_of(const SettingRange& range) {
  if (range.positive()) return positive_number();
  return range.high < unlimited ? number_in(range.low, range.high) : finite_number();
}

// The flag of a setting, where it has one.
template <class T, class Option>
void add_setting(CLI::App& command, const SimulationSetting<T, Option>& setting, SimulationSettings& settings) {
  if (*setting.flag == '\0') return;
  std::optional<T>& value = settings.*setting.member;
  if constexpr (NamedEnum<T>) {
    const std::vector<std::string> accepted = std::is_same_v<T, Law> ? law_words() : words<T>();
    command
        .add_option_function<std::string>(
            setting.flag, [&value](const std::string& word) { value = value_named<T>(word); },
            fmt::format("{}", fmt::join(accepted, ", ")))
        ->type_name(setting.placeholder)
        ->check(one_of(accepted, setting.keyword));
  } else {
    std::string help = setting.help;
    if (help.ends_with(' ')) help += fmt::format("{}", SimulationOptions{}.*setting.option);
    command.add_option(setting.flag, value, help)->type_name(setting.placeholder)->check(check_of(setting.range));
  }
}

}  // namespace

void CommandLine::add_convert() {
  convert_ = app_.add_subcommand("convert", "write a robot's file as a scene");
  convert_->add_option("FILE", file_, "robot file (.urdf, .xml, .mjcf), or a scene")->type_name("")->required();
  convert_->add_option("-o,--output", convert_options_.output, "what to write; standard output")->type_name("OUT.yaml");
  add_robot_options(*convert_);
  convert_->add_flag("-q,--quiet", flags_.quiet, "no warnings on standard error");
  add_help(*convert_, convert_footer);
}

ConvertOptions CommandLine::convert() const {
  ConvertOptions options = convert_options_;
  options.file = source();
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

void CommandLine::add_simulate() {
  SimulateOptions& o = simulate_options_;
  simulate_ = app_.add_subcommand("simulate", "run a scene through its impacts, event by event");
  simulate_->add_option("FILE", file_, "scene file; not needed with --resume")->type_name("");
  simulate_->add_option("-o,--output", o.output, "record the run")->type_name("RUN.h5");
  for_each_setting([&](const auto& setting) { add_setting(*simulate_, setting, o.settings); });
  simulate_->add_option("--resume", o.resume, "go on from where this run ended")->type_name("RUN.h5");
  add_robot_options(*simulate_);
  simulate_->add_option("--report", page_.html, "write the recorded run as a page, too")->type_name("OUT.html");
  simulate_->add_option("--page", page_.template_file, "another page than the program's")->type_name("PAGE.html");
  simulate_->add_flag("--events", flags_.events, "show every event");
  simulate_->add_flag("--json", flags_.json, "print JSON");
  simulate_->add_flag("-q,--quiet", flags_.quiet, "no warnings, no progress on standard error");
  add_colour_flag(*simulate_);
  add_help(*simulate_, simulate_footer);
}

void CommandLine::add_report() {
  ReportOptions& o = report_options_;
  report_ = app_.add_subcommand("report", "show a run as a page for a browser");
  report_->add_option("RUN", o.file, "run file")->type_name("")->required();
  report_->add_option("-o,--output", o.output, "what to write; RUN.html")->type_name("OUT.html");
  report_->add_option("--page", o.template_file, "another page than the program's")->type_name("PAGE.html");
  report_->add_flag("-q,--quiet", flags_.quiet, "print nothing");
  add_help(*report_, report_footer);
}

void CommandLine::add_export() {
  export_ = app_.add_subcommand("export", "write a run as CSV, JSON or NPZ");
  export_->add_option("RUN", export_options_.file, "run file")->type_name("")->required();
  export_->add_option("-o,--output", export_options_.output, "what to write")->type_name("OUT")->required();
  export_
      ->add_option("--format", export_options_.format,
                   fmt::format("{}; as OUT ends", fmt::join(all_names<ExportFormat>, ", ")))
      ->type_name("FORMAT")
      ->check(one_of(words<ExportFormat>(), "format"));
  add_help(*export_, export_footer);
}

void CommandLine::add_compare() {
  CompareCommandOptions& o = compare_options_;
  compare_ = app_.add_subcommand("compare", "say whether two runs tell the same");
  compare_->add_option("A", o.first, "run file")->type_name("")->required();
  compare_->add_option("B", o.second, "run file")->type_name("")->required();
  compare_->add_option("--rtol", o.rtol, "relative tolerance, 1e-9")->type_name("R")->check(non_negative_number());
  compare_->add_option("--atol", o.atol, "absolute tolerance, 1e-12")->type_name("A")->check(non_negative_number());
  compare_->add_flag("--json", flags_.json, "print JSON");
  compare_->add_flag("-q,--quiet", flags_.quiet, "print nothing: the exit code tells");
  add_help(*compare_, compare_footer);
}

SimulateOptions CommandLine::simulate() const {
  SimulateOptions options = simulate_options_;
  options.file = source();
  options.page = page_;
  options.events = flags_.events ? EventLog::table : EventLog::none;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

ReportOptions CommandLine::report() const {
  ReportOptions options = report_options_;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

CompareCommandOptions CommandLine::compare() const {
  CompareCommandOptions options = compare_options_;
  options.format = flags_.json ? OutputFormat::json : OutputFormat::table;
  options.verbosity = flags_.quiet ? Verbosity::quiet : Verbosity::normal;
  return options;
}

}  // namespace routh
