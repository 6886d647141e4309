#include "routh/problem/contacts_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/problem/tolerances.h"
#include "routh/problem/writer.h"

namespace routh::internal {

namespace {

ContactState state_of(const FrictionContactProblem& problem, const ContactsSolution& solution, int contact) {
  const int d = problem.rows_per_contact();
  const auto v = solution.velocity.segment(contact * d, d);
  const double speed = std::max(problem.velocity.norm(), problem.surface_velocity.norm());
  const double still = std::max(tolerances::still_contact_relative, 10 * solution.residual) * speed;
  if (v[0] > still) return ContactState::open;
  const bool slip_given = !problem.slip.empty() && problem.slip[static_cast<std::size_t>(contact)].any();
  return slip_given || v.tail(d - 1).norm() > still ? ContactState::slips : ContactState::sticks;
}

// "contact 3", "contacts 1, 2 and 5", "contacts 1, 2, 3 and 40 others".
std::string listed(const std::vector<int>& contacts) {
  constexpr std::size_t shown = 6;
  std::string text = contacts.size() == 1 ? "contact " : "contacts ";
  const std::size_t named = contacts.size() > shown + 1 ? shown : contacts.size();
  for (std::size_t k = 0; k < named; ++k) {
    const bool last = k + 1 == contacts.size();
    text += fmt::format("{}{}", k == 0 ? "" : last ? " and " : ", ", contacts[k] + 1);
  }
  if (named < contacts.size()) text += fmt::format(" and {} others", contacts.size() - named);
  return text;
}

std::string certificate_sentence(const FrictionContactProblem& problem, const Eigen::VectorXd& certificate) {
  std::vector<int> contacts;
  const int d = problem.rows_per_contact();
  const double largest = certificate.cwiseAbs().maxCoeff();
  for (int k = 0; k < problem.contacts(); ++k)
    if (certificate[k * d] > tolerances::still_contact_relative * largest) contacts.push_back(k);
  Eigen::VectorXd v = problem.velocity;
  if (problem.surface_velocity.size() > 0) v -= problem.surface_velocity;
  return fmt::format(
      "no impulse in the friction cones keeps {} from approaching; along the certificate y the velocity "
      "before is y·v = {:.4g}, and no such impulse raises it",
      contacts.empty() ? "the contacts" : listed(contacts), certificate.dot(v));
}

}  // namespace

Outcome ContactsAnswer::outcome() const {
  return solution.status == ContactsStatus::solved ? Outcome::answered : Outcome::no_answer;
}

ContactsAnswer solve_contacts(const ContactsFile& file, FrictionContactSolver& solver) {
  ContactsAnswer answer;
  try {
    answer.solution = solver.solve(file.problem, file.options, file.start);
  } catch (const InputError& error) {
    if (!error.where().file.empty()) throw;
    throw InputError({file.source, 0, 0}, error.message(), error.remedy());
  }
  const ContactsSolution& solution = answer.solution;
  if (!solution.impulse.allFinite() || !solution.velocity.allFinite() || !std::isfinite(solution.residual) ||
      !std::isfinite(solution.energy_change) || !std::isfinite(solution.supplied))
    throw InputError({file.source, 0, 0}, "the answer exceeds the range of a double", "choose other units");
  for (int k = 0; answer.solution.status == ContactsStatus::solved && k < file.problem.contacts(); ++k)
    answer.states.push_back(state_of(file.problem, answer.solution, k));
  if (file.machine) answer.machine_velocity = file.machine->velocity_after(answer.solution.impulse);
  return answer;
}

std::vector<std::string> contacts_sentences(const ContactsFile& file, const ContactsAnswer& answer) {
  const ContactsSolution& solution = answer.solution;
  std::vector<std::string> sentences;
  if (solution.status == ContactsStatus::not_solved)
    sentences.push_back(fmt::format("not solved to {:.3g}: the best point found has a residual of {:.3g}{}{}",
                                    file.options.tolerance, solution.residual,
                                    solution.tried.empty() ? "" : "; tried: ", solution.tried));
  if (solution.certificate.size() > 0) sentences.push_back(certificate_sentence(file.problem, solution.certificate));
  if (!solution.cases.empty())
    sentences.push_back(fmt::format(
        "whatever the contacts do breaks a law: {} cases are all there are, and each is refuted by a certificate of "
        "its own",
        solution.cases.size()));
  if (!solution.impulse_unique.value_or(true))
    sentences.push_back(file.options.least_norm
                            ? "the impulses are not unique: these are the least of those that give this velocity"
                            : "the impulses are not unique: others in the cones give the same velocity");
  if (solution.other_velocity.size() > 0)
    sentences.push_back(
        fmt::format("the velocity is not unique: another solution differs by {:.4g} in the norm of all rows",
                    (solution.other_velocity - solution.velocity).norm()));
  return sentences;
}

void append_contacts(std::string& out, const ContactsFile& file, const ContactsAnswer& answer) {
  const ContactsSolution& solution = answer.solution;
  JsonStream json(out);
  const auto list = [&](const char* key, const Eigen::VectorXd& values) {
    if (values.size() == 0) return json.null(key);
    json.numbers(key, values);
  };
  const auto judged = [&](const char* key, const std::optional<bool>& value) {
    if (!value) return json.null(key);
    json.flag(key, *value);
  };
  const auto names = [&](const char* key, const auto& values) {
    json.list(key, values, [&](const auto& value) { json.text(name(value)); });
  };
  begin_result(json, file.id_kind, file.id);
  json.text("status", name(solution.status));
  json.number("residual", solution.residual);
  json.number("tolerance", file.options.tolerance);
  list("impulse", solution.impulse);
  list("velocity", solution.velocity);
  json.integer("iterations", solution.iterations);
  if (answer.states.empty())
    json.null("states");
  else
    names("states", answer.states);
  json.begin_object("energy");
  json.number("change", solution.energy_change);
  json.number("supplied", solution.supplied);
  json.end_object();
  judged("impulse_unique", solution.impulse_unique);
  judged("velocity_unique", solution.velocity_unique);
  list("other_velocity", solution.other_velocity);
  list("certificate", solution.certificate);
  if (solution.cases.empty())
    json.null("cases");
  else
    json.objects("cases", solution.cases, [&](const ContactsCase& found) {
      names("modes", found.modes);
      if (!found.sectors.empty())  // of contacts that slip two directions
        json.list("sectors", found.sectors, [&](const SlipSector& sector) {
          if (sector.from.isZero(0)) return json.raw("null");
          json.begin_list();
          json.numbers(sector.from);
          json.numbers(sector.to);
          json.end_list();
        });
      list("y", found.y);
    });
  json.text_or_null("tried", solution.tried);
  if (file.machine) list("machine_velocity", answer.machine_velocity);
  json.end_object();
}

void ContactsOverrides::apply(ContactsOptions& options) const {
  options.tolerance = tolerance.value_or(options.tolerance);
  options.iterations = iterations.value_or(options.iterations);
  if (other_starts) options.other_starts = other_starts;
  options.least_norm = least_norm || options.least_norm;
}

Outcome ContactsLineSolver::solve(std::string_view line, long long number, std::string& out) {
  const std::size_t before = out.size();
  try {
    ContactsFile file = read_contacts_text(std::string(line), "");
    overrides_.apply(file.options);
    const ContactsAnswer answer = solve_contacts(file, solver_);
    append_contacts(out, file, answer);
    return answer.outcome();
  } catch (const InputError& error) {
    out.resize(before);
    const ContactsFile labels = read_contacts_id(std::string(line));
    append_error(out, number, error, labels.id_kind, labels.id);
    return Outcome::invalid;
  }
}

}  // namespace routh::internal
