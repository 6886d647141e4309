// The commands: what each can be told, and what runs it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "page_output.h"
#include "picture_output.h"
#include "routh/impact/problem.h"
#include "routh/map/verdict_map.h"
#include "routh/march/simultaneous_rule.h"
#include "routh/problem/contacts_answer.h"
#include "routh/record/run_file.h"
#include "routh/scene/simulation_settings.h"
#include "routh/study/fit.h"
#include "routh/study/scene_subject.h"
#include "scene_source.h"
#include "terminal.h"

namespace routh {

// --- `routh impact`: one impact, all laws side by side.

enum class EnergyPolicy { warn, reject };  // reject: an answer that gains energy ends with ExitCode::no_answer

// All velocities, joints and loops of a machine, and each of several contacts of a scene as if it were alone.
enum class Detail { brief, all };
enum class DerivativeOutput { none, all };

struct ImpactOptions {
  SourceFile file;  // a problem or a scene; "-": JSON Lines from standard input to standard output
  std::optional<Law> law;
  std::optional<SimultaneousRule> rule;  // of several contacts at once; in place of the file's own
  PictureFiles pictures;
  PageOptions page;
  OutputFormat format = OutputFormat::table;
  EnergyPolicy energy = EnergyPolicy::warn;
  Detail detail = Detail::brief;
  StrikeMoment moment = StrikeMoment::state;
  DerivativeOutput derivatives = DerivativeOutput::none;
  double duration = 10;                // [s] to look ahead for the first strike
  std::vector<std::string> stiffness;  // NAME=RATIO of a scene's contacts
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_impact(const ImpactOptions& options, const Terminal& terminal);

// --- `routh contacts`: any number of contacts with friction at once.

struct ContactsCommandOptions {
  std::string file;  // "-": JSON Lines from standard input to standard output
  ContactsOverrides overrides;
  std::string start;  // a file with an impulse to begin from
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_contacts(const ContactsCommandOptions& options, const Terminal& terminal);

// --- `routh diagnose`: will the contacts hold, and what would change that.

struct DiagnoseOptions {
  SourceFile file;
  std::optional<Law> law;
  PageOptions page;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_diagnose(const DiagnoseOptions& options, const Terminal& terminal);

// --- `routh hold`: which change of torques and forces holds the contacts, which lets them go.

// As typed.
struct HoldCommandOptions {
  SourceFile file;
  std::vector<std::string> efforts;  // names; empty: the usual ones
  std::vector<std::string> limits;   // NAME=LOW:HIGH
  std::vector<std::string> prices;   // NAME=PRICE
  std::optional<double> normal_force;
  double reserve = 0;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_hold(const HoldCommandOptions& options, const Terminal& terminal);

// --- `routh map`: a verdict or a number of a contact over a plane of two variables.

// As typed; what it means depends on the file.
struct MapCommandOptions {
  SourceFile file;
  std::string x, y;                                    // NAME=LOW:HIGH
  std::string show;                                    // a quantity; empty: chosen by the question
  std::string points = "400";                          // N or NxM
  std::string levels;                                  // of a number, with commas; empty: chosen
  std::string size = "620x470";                        // of the axes in pictures: N or NxM [px]
  std::optional<std::string> title, x_label, y_label;  // of pictures, in place of the usual ones
  std::string contact;                                 // of a scene; empty: the first that touches
  std::vector<std::string> adjust;                     // degrees of freedom; empty: all
  PictureFiles pictures;
  std::string csv;  // file to write
  PageOptions page;
  std::optional<Law> law;
  int threads = 0;  // 0: as many as the machine has
  MapRefinement refinement = MapRefinement::adaptive;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_map(const MapCommandOptions& options, const Terminal& terminal);

// --- `routh simulate`: an event-driven run of a scene, recorded, and resumed from its record.

enum class EventLog { none, table };
enum class MarginLog { none, shown };

// As typed; what is absent comes from the run that is resumed, from the scene, or is the usual.
struct SimulateOptions {
  SourceFile file;     // may be empty where a run is resumed
  std::string output;  // run file; empty: none
  std::string resume;  // run file; empty: the scene's state
  SimulationSettings settings;
  PageOptions page;  // of the run file
  EventLog events = EventLog::none;
  MarginLog margins = MarginLog::none;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_simulate(const SimulateOptions& options, const Terminal& terminal);

// --- `routh restitution`: e, duration and peak force from a law of contact force.

struct RestitutionOptions {
  std::string file;
  std::vector<double> speeds;  // [m/s]; empty: some usual ones
  OutputFormat format = OutputFormat::table;
};

ExitCode run_restitution(const RestitutionOptions& options, const Terminal& terminal);

// --- `routh referee`: one contact through a stiff spring beside the rigid answer.

struct RefereeCommandOptions {
  SourceFile file;      // a problem with one contact, or a scene
  std::string contact;  // of a scene; empty: the only one that touches
  StrikeMoment moment = StrikeMoment::state;
  std::vector<double> durations;  // π/√(a k) [s]; empty: the usual
  std::vector<double> stiffness;  // k [N/m], beside the durations
  double tangential_ratio = 0;    // k_t/k
  PictureFiles pictures;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_referee(const RefereeCommandOptions& options, const Terminal& terminal);

// --- `routh fit`: friction and restitution from measured impacts.

struct FitCommandOptions {
  std::string data;
  std::string problem;  // empty: the data hold everything
  PictureFiles pictures;
  std::string csv;
  std::optional<Law> law;  // absent: all
  FitOptions fit;
  OutputFormat format = OutputFormat::table;
};

ExitCode run_fit(const FitCommandOptions& options, const Terminal& terminal);

// --- `routh gradient`: how the end of a run depends on numbers of its scene.

struct GradientCommandOptions {
  SourceFile file;
  std::string of;
  std::vector<std::string> wrt;
  SimulationSettings settings;
  bool differences = false;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_gradient_command(const GradientCommandOptions& options, const Terminal& terminal);

// --- `routh report`: a run as one page for a browser.

struct ReportOptions {
  std::string file;
  std::string output;  // empty: beside the run, ending in .html; "-": standard output
  std::string template_file;
  ShowPage show = ShowPage::no;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_report(const ReportOptions& options);

// After `routh simulate --report`: the page of the run file that was written.
void report_simulated(const PageOptions& options, const PageTemplate& page, const std::string& run_file);

// --- `routh play`: a page that computes.

struct PlayOptions {
  SourceFile file;
  std::string output;  // empty: named like the file, ending in .play.html, in the current folder; "-": standard output
  std::string template_file;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_play(const PlayOptions& options);

// Makes pages that compute. Throws RuntimeFailure when the program was built without the engine or the page.
class PlayPages {
 public:
  explicit PlayPages(const std::string& template_file);
  // `title` where the scene has no name.
  std::string page(const Scene& scene, const std::string& title) const;

 private:
  std::string engine_;
  PageTemplate template_;
};

// --- `routh export` and `routh compare`: what can be done with run files.

struct ExportOptions {
  std::string file;
  std::string output;
  std::string format;  // csv, json or npz; empty: as the output's name ends
};

struct CompareCommandOptions {
  std::string first, second;
  CompareOptions compare;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;  // quiet: the exit code alone
};

ExitCode run_export(const ExportOptions& options);
ExitCode run_compare(const CompareCommandOptions& options);

// --- `routh check` and `routh info`: is the file sound, and what is in it.

struct InspectOptions {
  SourceFile file;
  std::vector<double> posture;  // empty: that of the scene
  Detail detail = Detail::brief;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_check(const InspectOptions& options);
ExitCode run_info(const InspectOptions& options, const Terminal& terminal);

// --- `routh convert`: a robot's file, or a scene that takes one, as a scene that is complete by itself.

struct ConvertOptions {
  SourceFile file;
  std::string output;  // empty or `-`: standard output
  Verbosity verbosity = Verbosity::normal;
};
ExitCode run_convert(const ConvertOptions& options);

// --- `routh examples`: the scenes of examples/, which travel inside the program.

enum class Overwrite { refuse, allow };

struct ExamplesOptions {
  std::string name;    // the scene to copy out; empty: list them
  std::string output;  // file or folder to write, "-" for standard output; empty: NAME.yaml in the current folder
  std::string site;    // folder for a page that computes of each, and an index; empty: none
  Overwrite overwrite = Overwrite::refuse;
  OutputFormat format = OutputFormat::table;
};

// What the comment at the top of a scene says of it: its first line is the title, `#` alone ends a paragraph.
struct ExampleScene {
  std::string name;  // of the file, without .yaml
  std::string title;
  std::vector<std::string> paragraphs;
  std::string text;  // the whole file
};

// Sorted by name.
std::vector<ExampleScene> embedded_examples();

ExitCode run_examples(const ExamplesOptions& options, const Terminal& terminal);

// --- `routh papers`: every printed number of the papers, and their figures, regenerated.

struct PapersOptions {
  std::string name;    // one paper; empty: all
  std::string data;    // folder to read instead of the data in the program
  std::string output;  // folder to write <paper>/table.md and the figures into
  PageOptions page;
  OutputFormat format = OutputFormat::table;
  Verbosity verbosity = Verbosity::normal;
};

ExitCode run_papers(const PapersOptions& options, const Terminal& terminal);

}  // namespace routh
