// The commands about contacts and their impacts: impact, contacts, restitution, referee, diagnose, hold, project, map.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "command_line.h"
#include "commands.h"
#include "output.h"
#include "project_command.h"
#include "routh/impact/result.h"
#include "routh/map/map_quantity.h"
#include "routh/map/tolerances.h"
#include "tolerances.h"

namespace routh {

namespace {

const char* const impact_footer =
    "FILE is a scene (key `routh`: a machine, its surfaces, its state), or one\n"
    "contact (delassus, contact_velocity), or the matrices of a machine\n"
    "(mass_matrix, jacobian, velocity), in YAML or JSON:\n"
    "  {\"delassus\": [[1.6, 1.2], [1.2, 3.4]], \"contact_velocity\": [-0.5, 2],\n"
    "   \"friction\": 0.3, \"restitution\": 0.5}\n"
    "Without --law and without a law in FILE every law is shown; then the exit code\n"
    "is that of the first, the energetic law. In a stream --law holds for the lines\n"
    "that name none, and the exit code is the worst one met.\n"
    "Several contacts strike at once by --rule, that of FILE, or simultaneous:\n"
    "Newton's rule and projection. With together all advance through slip and stick,\n"
    "each by --law energetic or poisson.\n"
    "\n";

const char* const contacts_footer =
    "FILE is JSON or YAML, or the text that Siconos writes of a\n"
    "FrictionContactProblem; it may be compressed by gzip:\n"
    "  {\"dimension\": 2, \"delassus\": [[1.6, 1.2], [1.2, 3.4]],\n"
    "   \"contact_velocity\": [-0.5, 2], \"friction\": [0.3]}\n"
    "Finds impulses p in the friction cones and velocities v+ = v + D p that obey\n"
    "Signorini's condition and Coulomb's law, to a residual. What the command line\n"
    "says replaces what FILE says. With - one answer per line; the exit code is the\n"
    "worst one met. Exit code 4: not solved to the tolerance, or infeasible.\n"
    "\n";

const char* const restitution_footer =
    "FILE has a law of contact force under `restitution`, or is one:\n"
    "  thornton: {young: 210e9, poisson: 0.3, yield: 1e9, radius: 0.01, mass: 0.03}\n"
    "Also spring_dashpot, hunt_crossley, lankarani_nikravesh, hertz, johnson.\n"
    "\n";

const char* const referee_footer =
    "FILE is a problem file, whose `free_acceleration` or `force` acts all the while,\n"
    "or a scene: one contact that touches, under all that acts on the machine; others\n"
    "are left out.\n"
    "The contact is a spring and a dashpot, made for the restitution of FILE, with\n"
    "Coulomb friction; it is tried at stiffnesses that give shorter and shorter\n"
    "contacts, beside Routh's answer for the restitution that each amounts to.\n"
    "\n";

const char* const diagnose_footer =
    "FILE is a scene, or a problem file; there `free_acceleration` (of the contact,\n"
    "without contact force) or `force` (on the machine) say what presses.\n"
    "Words first: the verdict, its cause, what would change it. Then A, B, C, D,\n"
    "thresholds of friction (mu*, mu_c, mu_cr) and bounds of restitution.\n"
    "--law takes energetic or poisson for the impact that follows.\n"
    "\n";

const char* const hold_footer =
    "FILE is a scene. Efforts are named by degrees of freedom, as `routh info` does,\n"
    "or by forces of the scene, whose multiple is sought; without --effort those with\n"
    "drives or efforts, or else all joints but floating bases. Changes are added to\n"
    "what acts already; limits are limits of the change, either side may be left out:\n"
    "  routh hold arm.yaml --limit shoulder=-5:5 --limit elbow=0: --price elbow=4\n"
    "The least change has the smallest sum of price times square.\n"
    "\n";

const char* const project_footer =
    "FILE is a problem file with a machine (mass_matrix, jacobian or contacts,\n"
    "velocity, bilateral, force = u - h, external_impulse), or a scene, whose loops\n"
    "are the bilateral rows and whose contacts that touch are the unilateral ones.\n"
    "Shows rank, condition of M_c with its best range of nu, constrained\n"
    "acceleration and impact, and which restitutions gain no energy; --json has P, S,\n"
    "R and M_c of every machine.\n"
    "\n";

std::string map_footer() {
  std::string quantities;
  for (const std::string& line : wrap(fmt::format("Quantities: {}.", fmt::join(all_names<MapQuantity>, ", ")), 79))
    quantities += line + "\n";
  return std::string(
             "FILE is a scene, or a problem file. Variables of a scene: position.DOF,\n"
             "velocity.DOF (as `routh info` names them); of a problem file:\n"
             "contact-velocity.n, .t1, .t2, free-acceleration.n, .t1, .t2; of both: friction,\n"
             "static-friction, kinetic-friction, restitution. Positions that are angles may be\n"
             "in degrees: --x \"position.upper=-40 deg:40 deg\".\n") +
         quantities +
         "Example:\n"
         "  routh map arm.yaml --x position.upper=-0.84:0.84 --y velocity.upper=-4:4 \\\n"
         "      --adjust lower --set friction=0.8 --png map.png\n"
         "\n";
}

}  // namespace

void CommandLine::add_impact() {
  const auto o = std::make_shared<ImpactOptions>();
  CLI::App& command = add_command("impact", "solve one impact under every law, or one law",
                                  [this, o] { return run_impact(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene or problem file, or - for JSON Lines")->type_name("")->required();
  add_law(command, o->law);
  add_word(command, "--rule", o->rule, words<SimultaneousRule>(), "rule")
      .type_name("RULE")
      ->description(fmt::format("of several contacts: {}", fmt::join(all_names<SimultaneousRule>, ", ")));
  command.add_option("--stiffness", o->stiffness, "NAME=RATIO: spring of a scene's contact")
      ->type_name("RATIO")
      ->allow_extra_args();
  add_choice(command, "--all", o->detail, Detail::all, "large machines in full; several contacts alone, too");
  add_picture_options(command, o->pictures, "write a picture of the path");
  add_source_options(command, o->file);
  add_page_options(command, o->page, "write a page for a browser");
  add_choice(command, "--first-strike", o->moment, StrikeMoment::first_strike,
             "move along the free motion to the first strike");
  command.add_option("--duration", o->duration, "how far to look ahead for it, 10 by default")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "--derivatives", o->derivatives, DerivativeOutput::all,
             "with --json: derivatives, of a problem file");
  add_choice(command, "--strict", o->energy, EnergyPolicy::reject, "exit 4 when an answer gains energy");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, impact_footer);
}

void CommandLine::add_contacts() {
  const auto o = std::make_shared<ContactsCommandOptions>();
  CLI::App& command = add_command("contacts", "solve any number of contacts with friction at once",
                                  [this, o] { return run_contacts(*o, terminal()); });
  constexpr int largest_count = 1000000000;
  command.add_option("FILE", o->file, "contact problem, or - for JSON Lines")->type_name("")->required();
  command
      .add_option("--tolerance", o->overrides.tolerance,
                  fmt::format("of the residual, {:g} by default", ContactsOptions{}.tolerance))
      ->type_name("T")
      ->check(positive_number());
  command
      .add_option("--iterations", o->overrides.iterations,
                  fmt::format("at most, {} by default", ContactsOptions{}.iterations))
      ->type_name("N")
      ->check(CLI::Range(1, largest_count).description(""));
  command.add_flag("--least-norm", o->overrides.least_norm, "of impulses that are not unique the least");
  command.add_option("--start", o->start, "begin from the impulse of an answer or list")->type_name("FILE");
  command.add_option("--other-starts", o->overrides.other_starts, "look for a second velocity from N points")
      ->type_name("N")
      ->check(CLI::Range(0, most_other_starts).description(""));
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, contacts_footer);
}

void CommandLine::add_restitution() {
  const auto o = std::make_shared<RestitutionOptions>();
  CLI::App& command = add_command("restitution", "show e, duration and force of a material's contact",
                                  [this, o] { return run_restitution(*o, terminal()); });
  command.add_option("FILE", o->file, "problem file, scene, or a law of contact force alone")
      ->type_name("")
      ->required();
  command.add_option("--speed", o->speeds, "speeds that compression reaches [m/s]")
      ->type_name("V")
      ->check(positive_number());
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_colour_flag(command);
  add_help(command, restitution_footer);
}

void CommandLine::add_referee() {
  const auto o = std::make_shared<RefereeCommandOptions>();
  CLI::App& command = add_command("referee", "compare an impact with contacts that get stiffer",
                                  [this, o] { return run_referee(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene, or problem file with one contact")->type_name("")->required();
  command.add_option("--contact", o->contact, "of a scene in which several touch")->type_name("NAME");
  add_choice(command, "--first-strike", o->moment, StrikeMoment::first_strike, "of a scene: go on to the first strike");
  command.add_option("--duration", o->durations, "of the contacts, half a period of the spring alone [s]")
      ->type_name("T")
      ->check(positive_number());
  command.add_option("--stiffness", o->stiffness, "of the contacts [N/m], in place of durations")
      ->type_name("K")
      ->check(positive_number());
  command.add_option("--tangential", o->tangential_ratio, "tangential over normal stiffness; rigid without")
      ->type_name("RATIO")
      ->check(positive_number());
  add_picture_options(command, o->pictures, "write a picture of forces over time, of the stiffest");
  add_source_options(command, o->file);
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, referee_footer);
}

void CommandLine::add_diagnose() {
  const auto o = std::make_shared<DiagnoseOptions>();
  CLI::App& command = add_command("diagnose", "say whether contacts hold, jam or let go, and why",
                                  [this, o] { return run_diagnose(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene or problem file")->type_name("")->required();
  std::vector<std::string> laws = law_words();
  std::erase_if(laws, [](const std::string& law) { return !has_tangential_impact(*value_named<Law>(law)); });
  add_word(command, "--law", o->law, laws, "law")
      .type_name("LAW")
      ->description(fmt::format("of the impact that follows: {}", fmt::join(laws, ", ")));
  add_source_options(command, o->file);
  add_page_options(command, o->page, "write a page for a browser");
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, diagnose_footer);
}

void CommandLine::add_hold() {
  const auto o = std::make_shared<HoldCommandOptions>();
  CLI::App& command = add_command("hold", "find the least torques and forces that hold contacts",
                                  [this, o] { return run_hold(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene file")->type_name("")->required();
  command.add_option("--effort", o->efforts, "what may change; may be repeated")->type_name("NAME")->allow_extra_args();
  command.add_option("--limit", o->limits, "NAME=LOW:HIGH of its change")->type_name("LIMIT")->allow_extra_args();
  command.add_option("--price", o->prices, "NAME=PRICE, 1 by default")->type_name("PRICE")->allow_extra_args();
  command.add_option("--normal-force", o->normal_force, "that each contact keeps, or from which it stays open")
      ->type_name("N")
      ->check(non_negative_number());
  command.add_option("--reserve", o->reserve, "share of static friction kept back")
      ->type_name("SHARE")
      ->check(number_in(0, tolerances::friction_reserve_max));
  add_source_options(command, o->file);
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, hold_footer);
}

void CommandLine::add_project() {
  const auto o = std::make_shared<ProjectOptions>();
  CLI::App& command = add_command("project", "project motion and impact onto a machine's constraints",
                                  [this, o] { return run_project(*o, terminal()); });
  command.add_option("FILE", o->file.path, "problem file with a machine, or scene")->type_name("")->required();
  command.add_option("--nu", o->nu, "of M_c; within its best range if absent")
      ->type_name("NU")
      ->check(positive_number());
  add_source_options(command, o->file);
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings on standard error");
  add_colour_flag(command);
  add_help(command, project_footer);
}

void CommandLine::add_map() {
  const auto o = std::make_shared<MapCommandOptions>();
  CLI::App& command = add_command("map", "show a verdict or a number over two variables",
                                  [this, o] { return run_map(*o, terminal()); });
  command.add_option("FILE", o->file.path, "scene or problem file")->type_name("")->required();
  command.add_option("--x", o->x, "the variable across: NAME=LOW:HIGH")->type_name("AXIS")->required();
  command.add_option("--y", o->y, "the variable up")->type_name("AXIS")->required();
  command.add_option("--show", o->show, "what to show; chosen by the question if absent")->type_name("QUANTITY");
  command
      .add_option(
          "--points", o->points,
          fmt::format("N or NxM, {} to {}; 400 by default", tolerances::map_points_min, tolerances::map_points_max))
      ->type_name("N");
  add_choice(command, "--full", o->refinement, MapRefinement::full, "look at every point, not only at boundaries");
  command.add_option("--contact", o->contact, "of a scene; the first that touches")->type_name("NAME");
  command.add_option("--adjust", o->adjust, "what gives way to keep it touching; all")
      ->type_name("DOF")
      ->allow_extra_args();
  add_law(command, o->law);
  command.add_option("--threads", o->threads, "as many as there are cores")
      ->type_name("N")
      ->check(CLI::Range(1, tolerances::threads_max).description(""));
  command.add_option("--levels", o->levels, "of a number, as 0.2,0.5,1; chosen if absent")->type_name("LIST");
  add_picture_options(command, o->pictures, "write a picture");
  command.add_option("--title", o->title, "of the picture; empty: none")->type_name("TEXT");
  command.add_option("--x-label", o->x_label, "with _{} and ^{}, as mu_{s}")->type_name("TEXT");
  command.add_option("--y-label", o->y_label, "of the axis up")->type_name("TEXT");
  command.add_option("--size", o->size, "of its axes, N or NxM pixels of 1/96 inch; 620x470")->type_name("SIZE");
  command.add_option("--csv", o->csv, "write every point")->type_name("OUT.csv");
  add_source_options(command, o->file);
  add_page_options(command, o->page, "write a page for a browser");
  add_choice(command, "--json", o->format, OutputFormat::json, "print JSON");
  add_choice(command, "-q,--quiet", o->verbosity, Verbosity::quiet, "no warnings, no progress on standard error");
  add_colour_flag(command);
  add_help(command, map_footer());
}

}  // namespace routh
