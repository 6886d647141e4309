// The commands about runs, studies and files: convert, simulate, gradient, report, play, export, compare, sweep, fit.
#include <memory>

#include "command_line.h"
#include "commands.h"
#include "routh/record/run_file.h"
#include "routh/study/tolerances.h"
#include "show_command.h"
#include "sweep_command.h"

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

const char* const play_footer =
    "One file that needs no network and no program: the browser computes the motion\n"
    "with the same engine, to the same bits. Drag a body, throw it, poke it; change\n"
    "friction, restitution, law, gravity, drives and the start while it runs.\n"
    "Without -o it is FILE.play.html in this folder; - is standard output.\n"
    "Examples:\n"
    "  routh play machine.yaml\n"
    "  routh play robot.urdf --base floating -o robot.html\n"
    "\n";

const char* const export_footer =
    "CSV of a run has two more files, OUT.events.csv and OUT.contacts.csv; of a\n"
    "study's result OUT.samples.csv. NPZ is NumPy's: np.load(OUT).\n"
    "Example:\n"
    "  routh export run.h5 -o run.csv\n"
    "\n";

const char* const compare_footer =
    "Two numbers are equal when they differ by at most atol + rtol times the largest\n"
    "of their kind. With --rtol 0 --atol 0 every bit counts.\n"
    "\n";

const char* const convert_footer =
    "FILE is a robot in URDF or MJCF, or a scene that takes one. Everything ignored\n"
    "is named, each kind of thing once with its line. The scene loads as the same\n"
    "machine, to the last bit.\n"
    "Examples:\n"
    "  routh convert robot.urdf -o robot.yaml --base floating\n"
    "  routh info robot.urdf                    robots can be used as they are, too\n"
    "\n";

const char* const show_footer =
    "Nothing is computed but where everything stands. Shapes that overlap are red;\n"
    "arrows are the normals of contacts that touch.\n"
    "Examples:\n"
    "  routh show machine.yaml                  machine.html, to turn and zoom\n"
    "  routh show machine.yaml --svg machine.svg --set \"position.knee=40 deg\"\n"
    "\n";

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

const char* const gradient_footer =
    "EXPR is made of final.position.DOF, final.velocity.DOF, energy.kinetic,\n"
    "energy.potential, energy.total, events.KIND.first and events.KIND.last; PATH is\n"
    "a number of the scene, as in studies. The derivative is that of the run itself,\n"
    "through its impacts; where there is none the answer says why. See\n"
    "docs/gradient.md.\n"
    "Example:\n"
    "  routh gradient ball.yaml --of final.position.ball.x --wrt \\\n"
    "    surfaces.floor.friction state.velocity.ball.x --until 1\n"
    "Exit code 4: there is no derivative, or the run could not go on.\n"
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
    add_word(command, setting.flag, value, accepted, setting.keyword).type_name(setting.placeholder);
  } else {
    std::string help = setting.help;
    if constexpr (std::is_same_v<T, Option>)
      if (help.ends_with(' ')) help += fmt::format("{}", SimulationOptions{}.*setting.option);
    command.add_option(setting.flag, value, help)->type_name(setting.placeholder)->check(check_of(setting.range));
  }
}

// 1e-9, not 1e-09.
std::string shown_default(double value) {
  std::string text = fmt::format("{}", value);
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

}  // namespace

void CommandLine::add_convert() {
  const auto o = std::make_shared<ConvertOptions>();
  CLI::App& command = add_command("convert", "write a robot's file as a scene", [o] { return run_convert(*o); });
  command.add_option("FILE", o->file.path, "robot file (.urdf, .xml, .mjcf), or a scene")->type_name("")->required();
  command.add_option("-o,--output", o->output, "what to write; standard output")->type_name("OUT.yaml");
  add_source_options(command, o->file);
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_help(command, convert_footer);
}

void CommandLine::add_show() {
  const auto o = std::make_shared<ShowOptions>();
  CLI::App& command = add_command("show", "show how a scene or robot stands, and overlaps",
                                  [this, o] { return run_show(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene or robot file")->type_name("")->required();
  add_picture_options(command, o->pictures, "write a picture");
  add_page_options(command, o->page, "write a page for a browser; FILE.html if nothing else");
  add_source_options(command, o->file);
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, show_footer);
}

void CommandLine::add_simulate() {
  const auto o = std::make_shared<SimulateOptions>();
  CLI::App& command = add_command("simulate", "run a scene through its impacts, event by event",
                                  [this, o] { return run_simulate(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene file; not needed with --resume")->type_name("");
  command.add_option("-o,--output", o->output, "record the run")->type_name("RUN.h5");
  for_each_setting([&](const auto& setting) { add_setting(command, setting, o->settings); });
  command.add_option("--resume", o->resume, "go on from where this run ended")->type_name("RUN.h5");
  add_source_options(command, o->file);
  command.add_option("--report", o->page.html, "write the recorded run as a page, too")->type_name("OUT.html");
  add_page_manner(command, o->page);
  add_choice(command, "--events", o->events, EventLog::table, "show every event");
  add_choice(command, "--margins", o->margins, MarginLog::shown, "how far contacts stay from slip, loss and jam");
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings, no progress on standard error");
  add_colour_flag(command);
  add_help(command, simulate_footer);
}

void CommandLine::add_report() {
  const auto o = std::make_shared<ReportOptions>();
  CLI::App& command = add_command("report", "show a run as a page for a browser", [o] { return run_report(*o); });
  command.add_option("RUN", o->file, "run file")->type_name("")->required();
  command.add_option("-o,--output", o->output, "what to write; RUN.html")->type_name("OUT.html");
  command.add_option("--page", o->template_file, "a page template in place of the built-in one")
      ->type_name("PAGE.html");
  add_choice(command, "--open", o->show, ShowPage::in_browser, "open the page in a browser");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "print nothing");
  add_help(command, report_footer);
}

void CommandLine::add_play() {
  const auto o = std::make_shared<PlayOptions>();
  CLI::App& command = add_command("play", "make a page that computes a scene", [o] { return run_play(*o); });
  command.add_option("FILE", o->file.path, "scene file, or a robot's file")->type_name("")->required();
  command.add_option("-o,--output", o->output, "what to write; FILE.play.html")->type_name("OUT.html");
  command.add_option("--page", o->template_file, "a page template in place of the built-in one")
      ->type_name("PAGE.html");
  add_source_options(command, o->file);
  add_choice(command, "--json", o->format, OutputFormat::json, "print what the page starts from, without a page");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings, print nothing");
  add_help(command, play_footer);
}

void CommandLine::add_export() {
  const auto o = std::make_shared<ExportOptions>();
  CLI::App& command =
      add_command("export", "write a run or a study's result as CSV, JSON, NPZ", [o] { return run_export(*o); });
  command.add_option("RUN", o->file, "run file")->type_name("")->required();
  command.add_option("-o,--output", o->output, "what to write")->type_name("OUT")->required();
  command.add_option("--format", o->format, fmt::format("{}; as OUT ends", fmt::join(all_names<ExportFormat>, ", ")))
      ->type_name("FORMAT")
      ->check(one_of(words<ExportFormat>(), "format"));
  add_help(command, export_footer);
}

void CommandLine::add_compare() {
  const auto o = std::make_shared<CompareCommandOptions>();
  CLI::App& command = add_command("compare", "tell whether two runs agree", [o] { return run_compare(*o); });
  command.add_option("A", o->first, "run file")->type_name("")->required();
  command.add_option("B", o->second, "run file")->type_name("")->required();
  command.add_option("--rtol", o->compare.rtol, "relative tolerance, " + shown_default(o->compare.rtol))
      ->type_name("R")
      ->check(non_negative_number());
  command.add_option("--atol", o->compare.atol, "absolute tolerance, " + shown_default(o->compare.atol))
      ->type_name("A")
      ->check(non_negative_number());
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "print nothing: the exit code tells");
  add_help(command, compare_footer);
}

void CommandLine::add_fit() {
  const auto o = std::make_shared<FitCommandOptions>();
  CLI::App& command = add_command("fit", "find friction and restitution in measured impacts",
                                  [this, o] { return run_fit(*o, terminal()); });
  command.add_option("DATA", o->data, "CSV file")->type_name("")->required();
  command.add_option("--problem", o->problem, "what the impacts have in common")->type_name("FILE");
  add_law(command, o->law).description("one law alone; all five without it");
  command.add_flag("--tangential", o->fit.tangential, "seek tangential restitution too (unified law)");
  command.add_flag("--refined", o->fit.refined, "seek tangents that yield and an e that falls with slip, too");
  command.add_option("--confidence", o->fit.confidence, "of the intervals; 0.95")
      ->type_name("P")
      ->check(number_in(tolerances::confidence_min, tolerances::confidence_max).description(""));
  add_picture_options(command, o->pictures, "write a picture of the residuals");
  command.add_option("--csv", o->csv, "write the residuals")->type_name("OUT.csv");
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_colour_flag(command);
  add_help(command, fit_footer);
}

void CommandLine::add_gradient() {
  const auto o = std::make_shared<GradientCommandOptions>();
  CLI::App& command = add_command("gradient", "how the end of a run depends on numbers of its scene",
                                  [this, o] { return run_gradient_command(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene file")->type_name("")->required();
  command.add_option("--of", o->of, "what is differentiated")->type_name("EXPR")->required();
  command.add_option("--wrt", o->wrt, "by these numbers")->type_name("PATH…")->required();
  for_each_setting([&](const auto& setting) { add_setting(command, setting, o->settings); });
  command.add_flag("--differences", o->differences, "central differences of the run beside it");
  add_source_options(command, o->file);
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, gradient_footer);
}

void CommandLine::add_sweep() {
  const auto o = std::make_shared<SweepCommandOptions>();
  CLI::App& command =
      add_command("sweep", "run a study: many samples, on all cores", [this, o] { return run_sweep(*o, terminal()); });
  add_sweep_options(command, *o);
  add_colour_flag(command);
  add_help(command, sweep_footer);
}

}  // namespace routh
