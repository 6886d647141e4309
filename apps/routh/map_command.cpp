#include "commands.h"

#include <fmt/format.h>

#include "interrupt.h"
#include "map_report.h"
#include "map_request.h"
#include "output.h"
#include "progress_line.h"
#include "routh/base/error.h"
#include "routh/problem/answer.h"
#include "routh/problem/reader.h"
#include "routh/report/documents.h"
#include "routh/scene/projection.h"
#include "scene_source.h"

namespace routh {

namespace {

struct Question {
  AxisRequest x, y;
  GridSize grid;
  std::vector<FixedSetting> fixed;
};

// What the file holds: a machine, or a problem whose tables the subject looks into.
struct Mapped {
  std::optional<Scene> scene;
  ProblemFile problem;

  const std::string& name() const { return scene ? scene->model.name : problem.title; }
  const Model* model() const { return scene ? &scene->model : nullptr; }
};

Mapped read_mapped(const MapCommandOptions& options, const std::vector<std::string>& set) {
  SourceFile source = options.file;
  source.set = set;
  OpenedFile file = open_file(source);
  Mapped mapped;
  if (file.scene)
    mapped.scene = take_checked_scene(file, options.verbosity);
  else
    mapped.problem = take_problem(file);
  return mapped;
}

MapSubject make_subject(const Mapped& mapped) {
  if (mapped.scene) {
    const Scene& scene = *mapped.scene;
    MapSubject subject(scene.model, scene.state, scene.touch);
    Workspace workspace(scene.model);
    const SceneStrikes strikes = strikes_of_scene(scene.model, scene.state, scene.touch, workspace);
    if (strikes.names.size() > 1) subject.add_strikes(strikes.question, strikes.names);
    return subject;
  }
  if (!mapped.problem.contacts.empty()) {
    const ProjectionProblem machine = projection_problem(mapped.problem);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < mapped.problem.contacts.size(); ++k) names.push_back(fmt::format("{}", k + 1));
    return MapSubject({machine.mass_matrix, machine.bilateral, machine.unilateral, machine.restitution}, names);
  }
  ProblemSolver solver;
  AccelerationProblem problem;
  problem.contact = solver.prepare(mapped.problem);
  problem.free_acceleration = solver.free_acceleration(mapped.problem);
  return MapSubject(problem, mapped.problem.has_acceleration() ? FreeAcceleration::given : FreeAcceleration::unknown,
                    mapped.problem.law);
}

// Why the quantity was found nowhere.
std::string why_nowhere(const MapSubject& subject, MapQuantity quantity) {
  const std::string word(name(quantity));
  if (quantity == MapQuantity::restitution_set)
    return "'restitution-set' is of several contacts: both axes are restitutions of contacts that strike";
  if (subject.is_machine())
    return fmt::format("'{}' touches nowhere in this plane, or '{}' is not defined where it does", subject.contact(),
                       word);
  return fmt::format("'{}' is not defined anywhere in this plane{}", word,
                     subject.known() == FreeAcceleration::unknown
                         ? "; the file says no `free_acceleration`, which some quantities need"
                         : "");
}

// What is set that is no variable of the map: a number of the file.
std::vector<std::string> paths_among(const std::vector<std::string>& settings,
                                     const std::vector<MapVariable>& variables) {
  std::vector<std::string> paths;
  std::copy_if(settings.begin(), settings.end(), std::back_inserter(paths),
               [&](const std::string& setting) { return !is_variable(setting, variables); });
  return paths;
}

Question read_question(const MapCommandOptions& options, const Mapped& mapped, MapSubject& subject) {
  Question question;
  question.x = read_axis("--x", options.x, subject.variables());
  question.y = read_axis("--y", options.y, subject.variables());
  question.grid = read_grid(options.points);
  std::vector<FixedSetting> fixed;
  for (const std::string& text : options.file.set)
    if (is_variable(text, subject.variables())) fixed.push_back(read_setting(text, subject.variables()));
  check_distinct(question.x, question.y, fixed);
  subject.set(fixed);
  question.fixed = std::move(fixed);
  if (options.law) subject.set_law(*options.law);
  choose_adjusted(subject, mapped.model(), options.adjust);
  return question;
}

MapReport compute_report(const MapCommandOptions& options, const Mapped& mapped, const MapSubject& subject,
                         const Question& question, const MapOptions& how) {
  MapReport report;
  report.name = mapped.name();
  report.title = title_of(report.name, options.file.path);
  report.contact = subject.contact();
  report.x = question.x.variable;
  report.y = question.y.variable;
  report.x_shown = ShownAxis(question.x);
  report.y_shown = ShownAxis(question.y);
  report.fixed = question.fixed;
  report.refinement = options.refinement;
  report.look = {options.title, options.x_label, options.y_label, read_picture_size(options.size)};
  report.quantity =
      options.show.empty() ? subject.usual_quantity(report.x, report.y) : read_quantity_name(options.show);
  const MapAxis x{question.x.low, question.x.high, question.grid.columns};
  const MapAxis y{question.y.low, question.y.high, question.grid.rows};
  MapSource source = subject.source(report.x, report.y, report.quantity);
  const std::vector<double> levels = read_levels(options.levels);
  if (is_verdict(report.quantity) && !levels.empty())
    throw UsageError(fmt::format("error: --levels are of numbers, not of '{}'", name(report.quantity)));
  if (!is_verdict(report.quantity)) {
    report.bands = levels.empty() ? choose_bands(x, y, source, how) : Bands{levels, 0};
    source = in_bands(source, report.bands);
  }
  report.map = compute_map(x, y, source, how);
  report.map.evaluations += report.bands.evaluations;
  if (!is_verdict(report.quantity) && report.map.complete) report.least = least_number(report.map, source);
  describe_kinds(report);
  const std::optional<double> at_x = subject.value(report.x), at_y = subject.value(report.y);
  const auto inside = [](const MapAxis& axis, double value) { return axis.low <= value && value <= axis.high; };
  if (at_x && at_y && subject.is_in_plane() && inside(x, *at_x) && inside(y, *at_y)) report.state = {*at_x, *at_y};
  return report;
}

std::vector<FileContent> make_files(const MapCommandOptions& options, const MapReport& report,
                                    const std::optional<PageTemplate>& page) {
  const Picture picture = map_picture(report);
  std::vector<FileContent> files = encode(options.pictures, picture);
  if (!options.csv.empty()) files.push_back({options.csv, map_csv(report)});
  if (options.page.wanted())
    files.push_back({options.page.html, page->with(map_document({.title = heading(report)}, map_json(report, {}),
                                                                map_look(report), to_svg(picture)))});
  return files;
}

}  // namespace

ExitCode run_map(const MapCommandOptions& options, const Terminal& terminal) {
  std::vector<NamedFile> outputs = options.pictures.named();
  outputs.insert(outputs.end(), {{"--csv", options.csv}, {"--html", options.page.html}});
  check_outputs({{"the file that is read", options.file.path}, {"the page of --page", options.page.template_file}},
                outputs);
  std::optional<PageTemplate> page;
  if (options.page.wanted()) page.emplace(options.page);
  Mapped mapped = read_mapped(options, {});
  if (const std::vector<std::string> paths = paths_among(options.file.set, make_subject(mapped).variables());
      !paths.empty())
    mapped = read_mapped(options, paths);
  MapSubject subject = make_subject(mapped);
  const Question question = read_question(options, mapped, subject);
  if (!options.show.empty()) read_quantity_name(options.show);
  choose_contact(subject, mapped.model(), options.contact);

  const std::atomic<bool>& stop = defer_interrupt();
  ProgressLine progress(options.verbosity);
  MapOptions how;
  how.refinement = options.refinement;
  how.threads = options.threads;
  how.stop = &stop;
  how.progress = [&](double share) {
    if (progress.due()) progress.show(fmt::format("map: {:.0f} %", 100 * share));
  };
  const MapReport report = compute_report(options, mapped, subject, question, how);
  progress.clear();
  if (stop) return ExitCode::interrupted;
  if (is_nowhere(report)) throw NoAnswer("error: " + why_nowhere(subject, report.quantity));

  // Everything is made before anything is written.
  const std::vector<FileContent> files = make_files(options, report, page);
  std::vector<std::string> paths;
  for (const FileContent& file : files)
    paths.push_back(options.format == OutputFormat::json ? file.path : printable(file.path, 70));
  const std::string text =
      options.format == OutputFormat::json ? map_json(report, paths) : map_text(terminal, report, paths);
  if (stop) return ExitCode::interrupted;
  for (const FileContent& file : files) write_file(file.path, file.content);
  if (options.page.show == ShowPage::in_browser) open_page(options.page.html);
  write_stdout(text);
  return ExitCode::ok;
}

}  // namespace routh
