#include "routh/play/impact_question.h"

#include "routh/contact/contact_problem.h"
#include "routh/contact/contact_rows.h"
#include "routh/problem/writer.h"
#include "routh/report/documents.h"

namespace routh::internal {

namespace {

using Rows = ImpactQuestion::Rows;

Rows rows_of(const NumberTable& table) {
  Rows rows(static_cast<std::size_t>(table.rows));
  for (int r = 0; r < table.rows; ++r)
    for (int c = 0; c < table.columns; ++c) rows[static_cast<std::size_t>(r)].push_back(table(r, c));
  return rows;
}

Rows rows_of(const Eigen::MatrixXd& matrix) {
  Rows rows(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index r = 0; r < matrix.rows(); ++r)
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) rows[static_cast<std::size_t>(r)].push_back(matrix(r, c));
  return rows;
}

void put(ProblemFile& file, Field field, NumberTable& to, const Rows& rows) {
  if (rows.empty()) return;
  file.set(field);
  to.rows = static_cast<int>(rows.size());
  to.columns = static_cast<int>(rows.front().size());
  for (const std::vector<double>& row : rows) {
    if (row.size() != rows.front().size()) throw InputError({}, "the rows of a matrix differ in length");
    to.values.insert(to.values.end(), row.begin(), row.end());
  }
}

void put(ProblemFile& file, Field field, std::vector<double>& to, const std::vector<double>& values) {
  if (values.empty()) return;
  file.set(field);
  to = values;
}

}  // namespace

ImpactQuestion question_of(const ProblemFile& file, Load load) {
  ImpactQuestion question;
  question.mass_matrix = rows_of(file.mass_matrix);
  question.jacobian = rows_of(file.jacobian);
  question.bilateral = rows_of(file.bilateral);
  question.velocity = file.velocity;
  question.external_impulse = file.external_impulse;
  question.delassus = rows_of(file.delassus);
  question.contact_velocity = file.contact_velocity;
  question.surface_velocity = file.surface_velocity;
  question.surface = {file.friction, file.restitution, file.table, file.law};
  question.pressed = load == Load::pressed;
  return question;
}

std::optional<ImpactQuestion> question_of(const Model& model, const State& state, const Contact& contact,
                                          const ImpactProblem& problem, std::optional<Law> law, Workspace& workspace) {
  if (contact.kind == ContactKind::limit) return std::nullopt;
  const SimultaneousProblem machine =
      simultaneous_problem(model, state, {&contact, 1}, TangentialRows::sticking, workspace);
  const SurfaceProperties& surface = model.pairs[static_cast<std::size_t>(contact.id.pair)].properties;
  ImpactQuestion question;
  question.mass_matrix = rows_of(machine.mass_matrix);
  question.jacobian = rows_of(machine.normal);
  for (std::vector<double>& row : rows_of(machine.tangential)) question.jacobian.push_back(std::move(row));
  question.bilateral = rows_of(machine.bilateral);
  question.velocity.assign(machine.velocity.begin(), machine.velocity.end());
  const ContactVector& belt = problem.surface_velocity;
  question.surface_velocity = {belt.n, belt.t1};
  if (model.dimension == Dimension::spatial) question.surface_velocity.push_back(belt.t2);
  question.surface = surface;
  if (law) question.surface.law = law;
  question.pressed = problem.load == Load::pressed;
  return question;
}

ProblemFile problem_of(const ImpactQuestion& question) {
  ProblemFile file;
  put(file, Field::mass_matrix, file.mass_matrix, question.mass_matrix);
  put(file, Field::jacobian, file.jacobian, question.jacobian);
  put(file, Field::bilateral, file.bilateral, question.bilateral);
  put(file, Field::velocity, file.velocity, question.velocity);
  put(file, Field::external_impulse, file.external_impulse, question.external_impulse);
  put(file, Field::delassus, file.delassus, question.delassus);
  put(file, Field::contact_velocity, file.contact_velocity, question.contact_velocity);
  put(file, Field::surface_velocity, file.surface_velocity, question.surface_velocity);
  file.set(Field::friction);
  file.set(Field::restitution);
  file.friction = question.surface.friction;
  file.restitution = question.surface.restitution;
  file.table = question.surface.table;
  file.law = question.surface.law;
  if (file.law) file.set(Field::law);
  file.load = question.pressed != 0 ? Load::pressed : Load::unknown;
  return file;
}

std::string impact_answer(const std::string& text) {
  ProblemFile file = problem_of(question_from_json(text));
  if (const auto breach = settle(file)) throw InputError({}, breach->message, breach->remedy);
  ProblemSolver solver;
  ProblemAnswer answer;
  solver.solve(file, answer);
  solver.add_increment_numbers(file, answer);
  std::string data;
  append_answer(data, file, answer);
  JsonWriter json;
  json.begin_object();
  json.raw("data", data);
  write_law_paths(law_paths(answer, 0), json);
  json.end_object();
  return json.result();
}

}  // namespace routh::internal
