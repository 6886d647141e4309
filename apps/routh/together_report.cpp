#include "reports.h"

#include <fmt/format.h>

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
                     render_contacts(terminal, report) + render_velocities(terminal, report);
  std::vector<std::string> sentences;
  for (const NamedAnswer& answer : answers_of(*report.answers)) add_sentences(answer, sentences);
  for (const std::string& sentence : sentences) text += wrapped(terminal, sentence);
  if (const auto& frictional = report.answers->frictional)
    text += "\n" + render(terminal, "with friction, e = 0: Signorini and Coulomb on the true cone", frictional->file,
                          frictional->answer);
  return text;
}

}  // namespace routh
