#include "routh/problem/projection_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/impact/restitution.h"
#include "routh/problem/dense.h"

namespace routh::internal {

namespace {

JsonText rows_of(const Eigen::MatrixXd& all) {
  JsonText rows = JsonText::list();
  for (Eigen::Index k = 0; k < all.rows(); ++k) rows.push_back(json_numbers(Eigen::VectorXd(all.row(k))));
  return rows;
}

double rate_before(const ProjectionProblem& problem, Eigen::Index row) {
  return problem.velocity.size() == 0 ? 0 : problem.unilateral.row(row).dot(problem.velocity);
}

}  // namespace

ProjectionProblem projection_problem(const ProblemFile& file) {
  if (!file.is_machine())
    throw InputError(file.where(Field::delassus), "a projection needs the machine, this file has the contact alone",
                     "give mass_matrix, jacobian (or contacts) and velocity");
  if (file.has(Field::surface_velocity))
    throw InputError(file.where(Field::surface_velocity),
                     "surface_velocity: the projection knows surfaces at rest only",
                     "add a coordinate for what moves, or leave it out");
  ProjectionProblem problem;
  problem.mass_matrix = dense(file.mass_matrix);
  problem.velocity = dense(file.velocity);
  const Eigen::Index n = problem.velocity.size();
  problem.bilateral = file.bilateral.rows > 0 ? Eigen::MatrixXd(dense(file.bilateral)) : Eigen::MatrixXd(0, n);
  if (file.has(Field::external_impulse)) problem.external_impulse = dense(file.external_impulse);
  if (file.has(Field::force)) problem.force = dense(file.force);
  const std::size_t count = std::max<std::size_t>(1, file.contacts.size());
  problem.unilateral.resize(static_cast<Eigen::Index>(count), n);
  problem.restitution.resize(static_cast<Eigen::Index>(count));
  for (std::size_t k = 0; k < count; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const bool several = !file.contacts.empty();
    problem.unilateral.row(row) = dense(several ? file.contacts[k].jacobian : file.jacobian).row(0);
    Restitution restitution = several ? file.contacts[k].restitution : file.make_restitution();
    if (several) restitution.table = file.contacts[k].table;
    problem.restitution[row] = restitution_at(restitution, std::max(0.0, -rate_before(problem, row))).coefficient;
  }
  // The drift of a file is that of its one contact; loops of bare matrices have none.
  if (file.has(Field::drift) && file.contacts.empty()) {
    problem.drift = Eigen::VectorXd::Zero(problem.bilateral.rows() + 1);
    problem.drift[problem.bilateral.rows()] = file.drift.front();
  }
  return problem;
}

RestitutionAnswer admissible_restitution(const ProjectionProblem& problem) {
  RestitutionQuestion question;
  question.mass_matrix = problem.mass_matrix;
  question.fixed = problem.bilateral;
  question.striking = problem.unilateral;
  question.restitution = problem.restitution;
  if (question.fixed.rows() == 0) question.fixed.resize(0, problem.mass_matrix.rows());
  return examine_restitution(question);
}

void examine(ProjectionReport& report) {
  report.projection = project(report.problem);
  const ProjectionStatus status = report.projection.status;
  if (status != ProjectionStatus::ok)
    throw InputError(report.where, explain(status),
                     status == ProjectionStatus::mass_matrix_indefinite ? "every motion needs inertia"
                     : status == ProjectionStatus::contradiction        ? "give dependent rows the same drift"
                     : status == ProjectionStatus::overflow
                         ? "give masses, rows, velocities and forces nearer to one"
                         : "check the shapes of the matrices, restitutions in [0, 1] and nu > 0");
  const ProjectionProblem& problem = report.problem;
  if (report.coordinates.empty())
    for (Eigen::Index k = 0; k < problem.mass_matrix.rows(); ++k)
      report.coordinates.push_back(fmt::format("q_{}", k + 1));
  if (report.rows.empty()) {
    for (Eigen::Index k = 0; k < problem.bilateral.rows(); ++k)
      report.rows.push_back(fmt::format("bilateral {}", k + 1));
    for (Eigen::Index k = 0; k < problem.unilateral.rows(); ++k)
      report.rows.push_back(fmt::format("contact {}", k + 1));
  }
  if (problem.restitution.size() > 0) report.restitution = admissible_restitution(problem);
}

JsonText restitution_members(const RestitutionAnswer& answer) {
  return JsonText::object({{"status", name(answer.status)},
                           {"message", answer.message},
                           {"rank", answer.rank},
                           {"consistent", answer.consistent},
                           {"consistent_printed", answer.consistent_printed},
                           {"printed_eigenvalue", json_number(answer.printed_eigenvalue)},
                           {"worst_growth", json_number(answer.worst_growth)},
                           {"worst_velocity", json_numbers(answer.worst_velocity)},
                           {"largest_common", json_number(answer.largest_common)},
                           {"largest_scaling", json_number(answer.largest_scaling)},
                           {"consistent_lmi", answer.consistent_lmi},
                           {"lmi_scaling", json_number(answer.lmi_scaling)},
                           {"nearest", json_numbers(answer.nearest)},
                           {"box", json_number(answer.box)}});
}

std::string projection_json(const ProjectionReport& report) {
  const Projection& p = report.projection;
  JsonText json = JsonText::object(
      {{"schema", projection_schema},
       {"name", report.title},
       {"coordinates", JsonText(report.coordinates)},
       {"row_names", JsonText(report.rows)},
       {"rows", p.rows},
       {"rank", p.rank},
       {"P", rows_of(p.P)},
       {"S", rows_of(p.S)},
       {"R", rows_of(p.R)},
       {"M_o", rows_of(p.M_o)},
       {"M_c", rows_of(p.M_c)},
       {"M_o_inverse", rows_of(p.M_o_inverse)},
       {"nu", json_number(p.nu)},
       {"nu_best", p.nu_high > 0 ? JsonText::list({json_number(p.nu_low), json_number(p.nu_high)}) : JsonText()},
       {"condition", json_number(p.condition)},
       {"best_condition", json_number(p.best_condition)},
       {"multipliers_unique", p.multipliers_unique}});
  json.add("motion", JsonText::object({{"acceleration", json_numbers(p.acceleration)},
                                       {"constraint_force", json_numbers(p.constraint_force)},
                                       {"multipliers", json_numbers(p.multipliers)}}));
  json.add("impact", JsonText::object({{"velocity", json_numbers(p.velocity_after)},
                                       {"impulse", json_numbers(p.impulse)},
                                       {"multipliers", json_numbers(p.impulse_multipliers)},
                                       {"residual", json_number(p.residual)},
                                       {"energy_before", json_number(p.energy_before)},
                                       {"energy_after", json_number(p.energy_after)},
                                       {"ratio", json_number(p.ratio)},
                                       {"projected_energy", json_number(p.projected_energy)}}));
  json.add("restitution", report.restitution ? restitution_members(*report.restitution) : JsonText());
  json.add("words", JsonText(projection_sentences(report)));
  return json.text();
}

std::vector<std::string> restitution_sentences(const RestitutionAnswer& answer) {
  std::vector<std::string> words;
  if (!answer.answered) return {answer.message};
  if (answer.consistent)
    words.push_back(
        fmt::format("No velocity gains energy with these restitutions, without friction. Every one of them "
                    "may be off by {:.4g}, all may be scaled by {}.",
                    answer.box,
                    std::isfinite(answer.largest_scaling) ? fmt::format("{:.4g}", answer.largest_scaling)
                                                          : "any factor: they are 0"));
  else
    words.push_back(
        fmt::format("Some velocity gains energy with these restitutions, up to {:.4g} % of what the contacts "
                    "hold. Scaled by {:.4g} none does; the nearest below them that do not: {:.4g}.",
                    100 * answer.worst_growth, answer.largest_scaling, fmt::join(answer.nearest, ", ")));
  words.push_back(fmt::format("As printed: λ_max(E Q E − Q) = {:.4g}, {} (55).", answer.printed_eigenvalue,
                              answer.consistent_printed ? "consistent" : "not consistent"));
  if (answer.consistent != answer.consistent_printed)
    words.emplace_back(
        "The printed test counts velocities that loops exclude, and energy that redundant rows cannot have.");
  if (!answer.message.empty()) words.push_back(answer.message);
  return words;
}

std::vector<std::string> projection_sentences(const ProjectionReport& report) {
  const Projection& p = report.projection;
  std::vector<std::string> words;
  words.push_back(
      fmt::format("Rank {} of {} rows, {} of {} motions are left{}.", p.rank, p.rows, p.S.rows() - p.rank, p.S.rows(),
                  p.multipliers_unique ? "" : ": multipliers are not unique, those of least norm are shown"));
  if (p.nu_high > 0)
    words.push_back(
        fmt::format("M_c has condition {:.4g} with ν = {:.4g}; the best is {:.4g}, for ν from {:.4g} to {:.4g}.",
                    p.condition, p.nu, p.best_condition, p.nu_low, p.nu_high));
  if (p.energy_before > 0)
    words.push_back(
        fmt::format("The impact leaves γ = {:.6g} of the kinetic energy; without restitution it would take "
                    "{:.4g} of {:.4g} J.",
                    p.ratio, p.projected_energy, p.energy_before));
  if (p.impulse_multipliers.size() > 0) {
    const Eigen::Index contacts = report.problem.unilateral.rows();
    if (contacts > 0 && p.impulse_multipliers.tail(contacts).minCoeff() < 0)
      words.emplace_back(
          "Some contact would have to pull: `routh impact` releases those, and gives the impact that follows.");
  }
  if (report.restitution)
    for (const std::string& sentence : restitution_sentences(*report.restitution)) words.push_back(sentence);
  return words;
}

}  // namespace routh::internal
