#include "reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "table.h"
#include "tolerances.h"

namespace routh {

namespace {

std::string number(double value, double scale) {
  return std::abs(value) <= tolerances::shown_zero_relative * scale ? "0" : fmt::format("{:.5g}", value);
}

std::string impulse_words(const SimultaneousContactResult& contact) {
  std::string text = fmt::format("{:.5g}", contact.normal_impulse);
  if (!contact.impulse_unique) text += "~";
  if (!contact.inside_cone) text += " slips";
  return text;
}

// The march gives one answer, and beside its normal impulse that of friction.
std::string render_contacts(const Terminal& terminal, const TogetherReport& report) {
  TextTable table({{30, Align::left}, {10, Align::left}, {9}, {13}, {13}});
  const std::vector<NamedAnswer> answers = answers_of(*report.answers);
  const bool march = report.answers->rule == SimultaneousRule::together;
  std::vector<Cell> heading{{"contact", Tone::strong}, {answers[0].label, Tone::strong}, {"v_n⁻", Tone::strong}};
  for (const NamedAnswer& answer : answers) heading.push_back({fmt::format("λ {}", answer.label), Tone::strong});
  if (march) heading.push_back({"λ_t", Tone::strong});
  table.add_row(std::move(heading));
  table.add_rule();
  double speed = 0, impulse = 0;
  for (const SimultaneousContactResult& contact : answers[0].result->contacts) {
    speed = std::max(speed, std::abs(contact.approach));
    impulse = std::max(impulse, contact.normal_impulse);
  }
  for (std::size_t k = 0; k < report.contacts.size(); ++k) {
    const SimultaneousContactResult& first = answers[0].result->contacts[k];
    std::vector<Cell> row{{report.contacts[k]}, {name(first.role)}, {number(first.approach, speed)}};
    for (const NamedAnswer& answer : answers) row.push_back({impulse_words(answer.result->contacts[k])});
    if (march) row.push_back({number(first.tangential_impulse.norm(), impulse)});
    table.add_row(std::move(row));
  }
  return table.render(terminal);
}

std::string render_velocities(const Terminal& terminal, const TogetherReport& report) {
  TextTable table({{30, Align::left}, {10}, {9}, {13}, {13}});
  double scale = 0;
  for (const NamedAnswer& answer : answers_of(*report.answers))
    scale = std::max(scale, answer.result->velocity.cwiseAbs().maxCoeff());
  for (std::size_t dof = 0; dof < report.velocities.size(); ++dof) {
    std::vector<Cell> row{{"v⁺ " + report.velocities[dof]}, {}, {}};
    for (const NamedAnswer& answer : answers_of(*report.answers))
      row.push_back({number(answer.result->velocity[static_cast<Eigen::Index>(dof)], scale)});
    table.add_row(std::move(row));
  }
  std::vector<Cell> energy{{"ΔT [J]"}, {}, {}}, ratio{{"T⁺/T⁻"}, {}, {}};
  for (const NamedAnswer& answer : answers_of(*report.answers)) {
    energy.push_back(
        {fmt::format("{:.5g}", answer.result->energy_change), answer.result->consistent ? Tone::plain : Tone::bad});
    ratio.push_back({fmt::format("{:.5g}", answer.result->ratio)});
  }
  table.add_rule();
  table.add_row(std::move(energy));
  table.add_row(std::move(ratio));
  return table.render(terminal);
}

// What a run does at each contact, and beside it every law, at most 80 columns.
std::string render_run(const Terminal& terminal, const TogetherReport& report) {
  const SimultaneousResult& run = report.answers->run->result;
  if (!usable(run.status)) return wrapped(terminal, fmt::format("a run has no answer: {}.", explain(run.status)));
  TextTable table({{24, Align::left}, {9}, {9}, {7}, {9}, {8}, {8}});
  table.add_heading({"contact", "v_n⁻", "v_n⁺", "e", "v_t⁺", "λ_n", "λ_t"});
  const Eigen::MatrixXd slip = report.answers->slip(run);
  double speed = 0, impulse = 0;
  for (const SimultaneousContactResult& contact : run.contacts) {
    speed = std::max(speed, std::abs(contact.approach));
    impulse = std::max(impulse, contact.normal_impulse);
  }
  const auto cell = [](double value, double scale) {
    return Cell{std::abs(value) <= tolerances::shown_zero_relative * scale ? "0" : fmt::format("{:.4g}", value)};
  };
  for (std::size_t k = 0; k < run.contacts.size(); ++k) {
    const SimultaneousContactResult& contact = run.contacts[k];
    table.add_row({{report.contacts[k]},
                   cell(contact.approach, speed),
                   cell(contact.departure, speed),
                   contact.role == ContactRole::strikes ? cell(contact.restitution, 0) : Cell{"–", Tone::faint},
                   cell(slip.col(static_cast<Eigen::Index>(k)).norm(), speed),
                   cell(contact.normal_impulse, impulse),
                   cell(contact.tangential_impulse.norm(), impulse)});
  }
  return table.render(terminal);
}

// λ_n of each contact, energy and, unless they are many, q̇⁺, by a run and by each law.
std::string render_laws(const Terminal& terminal, const TogetherReport& report) {
  const std::vector<NamedAnswer> answers = answers_of(*report.answers);
  std::vector<Column> columns{{24, Align::left}};
  columns.resize(1 + answers.size(), Column{10});
  TextTable table(columns);
  std::vector<std::string> heading{"λ_n [N s]"};
  for (const NamedAnswer& answer : answers) heading.push_back(answer.label);
  table.add_heading(heading);
  const auto add_row = [&](const std::string& label, const auto& value) {
    std::vector<Cell> row{{label}};
    for (const NamedAnswer& answer : answers)
      row.push_back(usable(answer.result->status) ? Cell{value(*answer.result)} : Cell{"none", Tone::caution});
    table.add_row(std::move(row));
  };
  double speed = 0;
  for (const NamedAnswer& answer : answers) speed = std::max(speed, answer.result->velocity.cwiseAbs().maxCoeff());
  for (std::size_t k = 0; k < report.contacts.size(); ++k)
    add_row(report.contacts[k], [&](const SimultaneousResult& result) {
      const SimultaneousContactResult& contact = result.contacts[k];
      return fmt::format("{:.4g}{}{}", contact.normal_impulse, contact.impulse_unique ? "" : "~",
                         contact.inside_cone ? "" : "*");
    });
  table.add_rule();
  add_row("ΔT [J]", [](const SimultaneousResult& result) { return fmt::format("{:.4g}", result.energy_change); });
  add_row("T⁺/T⁻", [](const SimultaneousResult& result) { return fmt::format("{:.4g}", result.ratio); });
  const bool shown = report.detail == Detail::all || report.velocities.size() <= tolerances::shown_velocities_brief;
  if (shown) {
    table.add_rule();
    for (std::size_t dof = 0; dof < report.velocities.size(); ++dof)
      add_row("v⁺ " + report.velocities[dof], [&](const SimultaneousResult& result) {
        return number(result.velocity[static_cast<Eigen::Index>(dof)], speed);
      });
  }
  std::string text = table.render(terminal);
  if (!shown) text += wrapped(terminal, fmt::format("--all shows the {} velocities, too.", report.velocities.size()));
  return text;
}

// The table of a run and its laws, and what the labels mean.
std::string render_run_beside_laws(const Terminal& terminal, const TogetherReport& report) {
  const RunAnswer& run = *report.answers->run;
  const auto count = std::count(run.rules.begin(), run.rules.end(), SimultaneousRule::together);
  std::string text = render_run(terminal, report);
  if (usable(run.result.status) && run.result.status != SimultaneousStatus::no_impact)
    text += wrapped(terminal, count == 0 ? "A run takes Newton's rule by projection here: inside every cone."
                              : count == static_cast<std::ptrdiff_t>(run.rules.size())
                                  ? "A run advances them together through slip and stick here."
                                  : "A run takes contacts that do not act on one another by themselves here: some by "
                                    "projection, some together through slip and stick.");
  text += "\n" + render_laws(terminal, report);
  text += wrapped(terminal,
                  "smooth, sticking: Newton's rule by projection, without friction and without slip; the others "
                  "through slip and stick, each law for all contacts.");
  return text;
}

void add_sentences(const NamedAnswer& answer, std::vector<std::string>& out) {
  const SimultaneousResult& r = *answer.result;
  if (r.status != SimultaneousStatus::ok) out.push_back(fmt::format("{}: {}.", answer.label, explain(r.status)));
  if (!usable(r.status)) return;
  double residual = 0;
  bool slips = false, unique = true;
  for (const SimultaneousContactResult& contact : r.contacts) {
    residual = std::max(residual, std::abs(contact.residual));
    slips = slips || !contact.inside_cone;
    unique = unique && contact.impulse_unique;
  }
  if (residual > tolerances::shown_residual_min)
    out.push_back(
        fmt::format("{}: the contacts cannot all have their restitution together; the largest departure from it is "
                    "{:.3g} m/s.",
                    answer.label, residual));
  if (!unique)
    out.push_back(
        fmt::format("{}: rank {} of {} rows; impulses marked ~ are not unique.", answer.label, r.rank, r.rows));
  if (slips)
    out.push_back(fmt::format("{}: some impulses leave the friction cone; those contacts would slip.", answer.label));
}

}  // namespace

std::string render(const Terminal& terminal, const TogetherReport& report) {
  std::string text = paint(terminal, Tone::strong, encode(terminal, report.title)) + "\n" +
                     (report.answers->run ? render_run_beside_laws(terminal, report)
                                          : render_contacts(terminal, report) + render_velocities(terminal, report));
  std::vector<std::string> sentences;
  for (const NamedAnswer& answer : answers_of(*report.answers)) add_sentences(answer, sentences);
  for (const std::string& sentence : sentences) text += wrapped(terminal, sentence);
  if (const auto& frictional = report.answers->frictional; frictional && report.detail == Detail::all)
    text += "\n" + render(terminal, "with friction, e = 0: Signorini and Coulomb on the true cone", frictional->file,
                          frictional->answer);
  return text;
}

}  // namespace routh
