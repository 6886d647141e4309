#include "project_command.h"

#include <fmt/format.h>

#include <cmath>

#include "output.h"
#include "routh/base/error.h"
#include "routh/problem/reader.h"
#include "routh/scene/projection.h"
#include "table.h"
#include "tolerances.h"

namespace routh {

namespace {

// Machines whose matrices are shown; --json has those of all.
constexpr Eigen::Index matrices_shown = 6;

std::string number(double value, double scale) {
  return fmt::format("{:.6g}", std::abs(value) <= tolerances::shown_zero_relative * scale ? 0 : value + 0.0);
}

// `scale`: of entries that are more than rounding.
std::string render_matrix(const Terminal& terminal, const char* label, const Eigen::MatrixXd& matrix, double scale) {
  std::vector<Column> columns{{5, Align::left}};
  for (Eigen::Index k = 0; k < matrix.cols(); ++k) columns.push_back({11});
  TextTable table(columns);
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    std::vector<Cell> cells{{row == 0 ? label : "", Tone::strong}};
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) cells.push_back({number(matrix(row, k), scale)});
    table.add_row(std::move(cells));
  }
  return table.render(terminal);
}

std::string render_coordinates(const Terminal& terminal, const ProjectionReport& report) {
  const Projection& p = report.projection;
  TextTable table({{20, Align::left}, {13}, {13}, {15}, {13}});
  table.add_heading({"coordinate", "q̇⁻", "q̇⁺", "q̈ constrained", "f = Aᵀλ"});
  const auto size = [](const Eigen::VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0; };
  for (std::size_t k = 0; k < report.coordinates.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const double before = report.problem.velocity.size() > 0 ? report.problem.velocity[i] : 0;
    table.add_row({{printable(report.coordinates[k])},
                   {number(before, 0)},
                   {number(p.velocity_after[i], size(p.velocity_after))},
                   {number(p.acceleration[i], size(p.acceleration))},
                   {number(p.constraint_force[i], size(p.constraint_force))}});
  }
  return table.render(terminal);
}

std::string render_rows(const Terminal& terminal, const ProjectionReport& report) {
  const Projection& p = report.projection;
  TextTable table({{38, Align::left}, {10}, {13}, {15}});
  table.add_heading({"row of A", "e", "λ", "impulse"});
  const Eigen::Index bilateral = report.problem.bilateral.rows();
  for (std::size_t k = 0; k < report.rows.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const bool contact = i >= bilateral && report.problem.restitution.size() > 0;
    table.add_row({{printable(report.rows[k])},
                   {contact ? fmt::format("{:.6g}", report.problem.restitution[i - bilateral]) : "-"},
                   {number(p.multipliers[i], p.multipliers.lpNorm<Eigen::Infinity>())},
                   {number(p.impulse_multipliers[i], p.impulse_multipliers.lpNorm<Eigen::Infinity>())}});
  }
  return table.render(terminal);
}

std::string projection_text(const Terminal& terminal, const ProjectionReport& report) {
  std::string text = paint(terminal, Tone::strong, encode(terminal, report.title)) + "\n";
  for (const std::string& sentence : projection_sentences(report)) text += wrapped(terminal, sentence);
  text += "\n" + render_coordinates(terminal, report);
  if (!report.rows.empty()) text += "\n" + render_rows(terminal, report);
  const Projection& p = report.projection;
  if (p.S.rows() > matrices_shown) return text + "\nP, S, R, M_c: see --json\n";
  for (const auto& [label, matrix] : {std::pair{"P", &p.P}, {"S", &p.S}, {"R", &p.R}, {"M_c", &p.M_c}})
    text += "\n" + render_matrix(terminal, label, *matrix, matrix == &p.M_c ? matrix->lpNorm<Eigen::Infinity>() : 1.0);
  return text;
}

ProjectionReport read_report(const ProjectOptions& options) {
  OpenedFile opened = open_file(options.file);
  if (opened.scene) {
    const Scene scene = take_checked_scene(opened, options.verbosity);
    Workspace workspace(scene.model);
    ProjectionReport report = projection_of_scene(scene.model, scene.state, scene.touch, workspace);
    report.title = title_of(scene.model.name, options.file.path);
    report.where.file = options.file.path;
    return report;
  }
  const ProblemFile file = take_problem(opened);
  ProjectionReport report;
  report.problem = projection_problem(file);
  report.where = file.where(Field::mass_matrix);
  report.title = title_of(file.title, options.file.path);
  return report;
}

}  // namespace

ExitCode run_project(const ProjectOptions& options, const Terminal& terminal) {
  ProjectionReport report = read_report(options);
  report.problem.nu = options.nu;
  examine(report);
  write_stdout(options.format == OutputFormat::json ? projection_json(report) + "\n"
                                                    : projection_text(terminal, report));
  return ExitCode::ok;
}

}  // namespace routh
