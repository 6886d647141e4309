#include "map_command.h"

#include <fmt/format.h>

#include <filesystem>

#include "interrupt.h"
#include "map_report.h"
#include "map_subject.h"
#include "output.h"
#include "progress_line.h"
#include "routh/base/error.h"
#include "routh/report/documents.h"
#include "scene_source.h"

namespace routh {

namespace {

struct Question {
  AxisRequest x, y;
  GridSize grid;
  std::vector<FixedSetting> fixed;
};

Question read_question(const MapCommandOptions& options, MapSubject& subject) {
  Question question;
  question.x = read_axis("--x", options.x, subject.variables());
  question.y = read_axis("--y", options.y, subject.variables());
  question.grid = read_grid(options.points);
  std::vector<FixedSetting> fixed;
  for (const std::string& text : options.set) fixed.push_back(read_setting(text, subject.variables()));
  check_distinct(question.x, question.y, fixed);
  subject.set(fixed);
  question.fixed = std::move(fixed);
  subject.set_law(options.law);
  subject.choose_adjusted(options.adjust);
  return question;
}

MapReport compute_report(const MapCommandOptions& options, const MapSubject& subject, const Question& question,
                         const MapOptions& how) {
  MapReport report;
  report.name = subject.name();
  report.title =
      printable(report.name.empty() ? std::filesystem::path(options.file.path).filename().string() : report.name, 76);
  report.contact = subject.contact();
  report.x = question.x.variable;
  report.y = question.y.variable;
  report.fixed = question.fixed;
  report.refinement = options.refinement;
  report.quantity =
      options.show.empty() ? subject.usual_quantity(report.x, report.y) : read_quantity_name(options.show);
  const MapAxis x{question.x.low, question.x.high, question.grid.columns};
  const MapAxis y{question.y.low, question.y.high, question.grid.rows};
  MapSource source = subject.source(report.x, report.y, report.quantity);
  if (!is_verdict(report.quantity)) {
    report.bands = choose_bands(x, y, source, how);
    source = in_bands(source, report.bands);
  }
  report.map = compute_map(x, y, source, how);
  report.map.evaluations += report.bands.evaluations;
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
    files.push_back({options.page.html,
                     page->with(map_document({.title = heading(report)}, map_json(report, {}), to_svg(picture)))});
  return files;
}

}  // namespace

ExitCode run_map(const MapCommandOptions& options, const Terminal& terminal) {
  std::vector<NamedFile> outputs = options.pictures.named();
  outputs.insert(outputs.end(), {{"--csv", options.csv}, {"--html", options.page.html}});
  refuse_overwriting({{"the file that is read", options.file.path}, {"the page of --page", options.page.template_file}},
                     outputs);
  std::optional<PageTemplate> page;
  if (options.page.wanted()) page.emplace(options.page);
  MapSubject subject(open_document(options.file, options.verbosity), options.verbosity);
  const Question question = read_question(options, subject);
  if (!options.show.empty()) read_quantity_name(options.show);
  subject.choose_contact(options.contact);

  const std::atomic<bool>& stop = defer_interrupt();
  ProgressLine progress(options.verbosity);
  MapOptions how;
  how.refinement = options.refinement;
  how.threads = options.threads;
  how.stop = &stop;
  how.progress = [&](double share) {
    if (progress.due()) progress.show(fmt::format("map: {:.0f} %", 100 * share));
  };
  const MapReport report = compute_report(options, subject, question, how);
  progress.clear();
  if (stop) return ExitCode::interrupted;
  if (is_nowhere(report)) throw NoAnswer("error: " + subject.why_nowhere(report.quantity));

  // Everything is made before anything is written.
  const std::vector<FileContent> files = make_files(options, report, page);
  std::vector<std::string> paths;
  for (const FileContent& file : files)
    paths.push_back(options.format == OutputFormat::json ? file.path : printable(file.path, 70));
  const std::string text =
      options.format == OutputFormat::json ? map_json(report, paths) : map_text(terminal, report, paths);
  if (stop) return ExitCode::interrupted;
  for (const FileContent& file : files) write_file(file.path, file.content);
  write_stdout(text);
  return ExitCode::ok;
}

}  // namespace routh
