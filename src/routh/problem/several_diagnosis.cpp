#include "routh/problem/several_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/problem/dense.h"
#include "routh/problem/diagnosis_writer.h"
#include "routh/problem/projection_report.h"
#include "routh/solvability/hold_words.h"
#include "routh/solvability/single_contact.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

// By their terms: a normal velocity that is rounding of them is rest.
SeveralKind kind_of(const Eigen::MatrixXd& J, const Eigen::VectorXd& velocity) {
  const double rate = J.row(0).dot(velocity);
  const double terms = J.row(0).cwiseAbs().dot(velocity.cwiseAbs());
  if (std::abs(rate) <= tolerances::zero_speed_relative * terms) return SeveralKind::resting;
  return rate < 0 ? SeveralKind::approaching : SeveralKind::separating;
}

// D, f and v of the contacts that rest, under the bilateral rows.
ModesProblem resting_problem(const ProblemFile& file, const ProjectionProblem& machine,
                             const std::vector<int>& resting) {
  ProjectionProblem loops = machine;
  loops.unilateral.resize(0, machine.mass_matrix.rows());
  loops.restitution.resize(0);
  loops.drift.resize(0);
  const Projection free = project(loops);
  const Eigen::Index rows = file.contacts.front().jacobian.rows;
  Eigen::MatrixXd J(rows * static_cast<Eigen::Index>(resting.size()), machine.mass_matrix.rows());
  ModesProblem problem;
  problem.dimension = rows == 2 ? Dimension::planar : Dimension::spatial;
  for (std::size_t k = 0; k < resting.size(); ++k) {
    const ProblemContact& contact = file.contacts[static_cast<std::size_t>(resting[k])];
    J.middleRows(static_cast<Eigen::Index>(k) * rows, rows) = dense(contact.jacobian);
    problem.friction.push_back({std::min(contact.friction.static_coefficient, widest_friction),
                                std::min(contact.friction.kinetic_coefficient, widest_friction)});
  }
  problem.inertia = J * free.M_o_inverse * J.transpose();
  problem.free_acceleration = J * free.acceleration;
  problem.velocity = J * machine.velocity;
  const Eigen::VectorXd terms = J.cwiseAbs() * machine.velocity.cwiseAbs();
  for (Eigen::Index row = 0; row < problem.velocity.size(); ++row)
    if (row % rows == 0 || std::abs(problem.velocity[row]) <= tolerances::zero_speed_relative * terms[row])
      problem.velocity[row] = 0;
  return problem;
}

std::vector<std::string> names_of_contacts(const std::vector<int>& contacts) {
  std::vector<std::string> names;
  for (const int c : contacts) names.push_back(fmt::format("contact {}", c + 1));
  return names;
}

JsonText hold_json(const SeveralDiagnosis& diagnosis) {
  const HoldReport& hold = *diagnosis.hold;
  JsonText json = JsonText::object({{"contacts", JsonText(names_of_contacts(diagnosis.resting))},
                                    {"verdict", name(hold.verdict)},
                                    {"slipping", hold.slipping},
                                    {"motion", hold.motion ? JsonText(*hold.motion) : JsonText()},
                                    {"modes", json_list(hold.modes, [](ContactMode mode) { return name(mode); })}});
  if (!hold.slipping) {
    const std::optional<double> only = hold.factor.only_rest_from();
    json.add("rest", hold.rest);
    json.add("any_load", hold.any_load);
    json.add("rest_from", json_number(hold.factor.rest_from));
    json.add("only_rest_from", only ? json_number(*only) : JsonText());
  }
  json.add("solutions", json_list(diagnosis.together->solutions, [](const ModesSolution& solution) {
             return JsonText::object({{"modes", json_list(solution.modes, [](ContactMode mode) { return name(mode); })},
                                      {"force", json_numbers(solution.force)},
                                      {"acceleration", json_numbers(solution.acceleration)},
                                      {"force_unique", solution.force_unique}});
           }));
  return json;
}

}  // namespace

SeveralDiagnosis diagnose_several(const ProblemFile& file) {
  const int rows = file.contacts.front().jacobian.rows;
  for (std::size_t k = 0; k < file.contacts.size(); ++k)
    if (file.contacts[k].jacobian.rows != rows)
      throw InputError(file.where(Field::contacts),
                       fmt::format("contacts[{}].jacobian has another number of rows than the first", k),
                       "give all contacts 2 rows (the plane) or 3 (space)");
  ProjectionReport machine;
  machine.problem = projection_problem(file);
  machine.where = file.where(Field::mass_matrix);
  examine(machine);
  SeveralDiagnosis out;
  out.restitution = *machine.restitution;
  out.rows = machine.projection.rows;
  out.rank = machine.projection.rank;
  for (std::size_t k = 0; k < file.contacts.size(); ++k) {
    out.kinds.push_back(kind_of(dense(file.contacts[k].jacobian), machine.problem.velocity));
    if (out.kinds.back() == SeveralKind::resting) out.resting.push_back(static_cast<int>(k));
  }
  if (!file.has(Field::force) || out.resting.empty()) return out;
  const ModesProblem problem = resting_problem(file, machine.problem, out.resting);
  out.together = examine_modes(problem);
  out.hold = judge_hold(problem, *out.together, Eigen::MatrixXd(problem.inertia.rows(), 0));
  return out;
}

std::string several_diagnosis_json(const ProblemFile& file, const SeveralDiagnosis& diagnosis) {
  JsonText json = JsonText::object({{"schema", diagnosis_schema}});
  if (file.id_kind != IdKind::none) json.add("id", file.id);
  JsonText contacts = JsonText::list();
  for (std::size_t k = 0; k < diagnosis.kinds.size(); ++k)
    contacts.push_back(
        JsonText::object({{"contact", fmt::format("contact {}", k + 1)}, {"kind", name(diagnosis.kinds[k])}}));
  json.add("contacts", contacts);
  json.add("together", diagnosis.hold ? hold_json(diagnosis) : JsonText());
  JsonText restitution = restitution_members(diagnosis.restitution);
  restitution.add("rows", diagnosis.rows);
  restitution.add("rank_of_all", diagnosis.rank);
  json.add("restitution", restitution);
  json.add("words", JsonText(several_diagnosis_sentences(diagnosis)));
  return json.text();
}

std::vector<std::string> several_diagnosis_sentences(const SeveralDiagnosis& diagnosis) {
  std::vector<std::string> words;
  if (diagnosis.hold) {
    words = hold_sentences(*diagnosis.hold, {names_of_contacts(diagnosis.resting), {}, {}}, {});
  } else if (!diagnosis.resting.empty()) {
    words.push_back(
        fmt::format("{} of {} contacts rest; whether they hold is not known: `force` would say what presses.",
                    diagnosis.resting.size(), diagnosis.kinds.size()));
  }
  const auto striking = std::count(diagnosis.kinds.begin(), diagnosis.kinds.end(), SeveralKind::approaching);
  if (striking > 0)
    words.push_back(
        fmt::format("{} of {} contacts strike: `routh impact` has what follows.", striking, diagnosis.kinds.size()));
  words.push_back(fmt::format("Rank {} of {} rows{}.", diagnosis.rank, diagnosis.rows,
                              diagnosis.rank < diagnosis.rows ? ": impulses and forces are not unique" : ""));
  for (const std::string& sentence : restitution_sentences(diagnosis.restitution)) words.push_back(sentence);
  return words;
}

}  // namespace routh::internal
