#include "impact_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/impact/bound_words.h"
#include "routh/report/kinds.h"
#include "table.h"
#include "tolerances.h"

namespace routh {

namespace {

constexpr std::size_t label_width = 14;
constexpr std::size_t value_width = 12;

// Five significant digits; rounding noise beside `scale` is zero.
std::string number(double value, double scale) {
  if (std::abs(value) <= tolerances::shown_zero_relative * scale || value == 0) return "0";
  return fmt::format("{:#.5g}", value);
}

std::string plain_number(double value) { return fmt::format("{:.5g}", value); }

bool is_spatial(const ImpactReport& report) { return report.problem->inertia.dimension == Dimension::spatial; }

double size(const ContactVector& v) { return std::max({std::abs(v.n), std::abs(v.t1), std::abs(v.t2)}); }

// Scales beside which a value is rounding noise.
double velocity_scale(const ImpactReport& report) {
  double scale = size(report.problem->velocity);
  for (const ImpactResult& result : report.results) scale = std::max(scale, size(result.velocity));
  return scale;
}

double impulse_scale(const ImpactReport& report) {
  double scale = 0;
  for (const ImpactResult& result : report.results) scale = std::max(scale, size(result.impulse));
  return scale;
}

double energy_scale(const ImpactResult& result) {
  const EnergyLedger& energy = result.energy;
  return std::max({std::abs(energy.normal_work), std::abs(energy.tangential_work), std::abs(energy.change)});
}

std::string status_words(const ImpactResult& result, Dimension dimension) {
  std::string status = name(result.status);
  std::replace(status.begin(), status.end(), '_', ' ');
  return result.status != ImpactStatus::ok
             ? status
             : mode_words(result.mode, dimension == Dimension::planar ? "reverses" : "restarts");
}

// What the certificate W_n + W_t ≤ 0 says, and by how much.
struct EnergyVerdict {
  Cell word;
  Cell amount;
};

EnergyVerdict energy_verdict(const ImpactResult& result) {
  const double balance = result.energy.normal_work + result.energy.tangential_work;
  const std::string amount = fmt::format("{:.3g} J", std::abs(balance));
  if (!result.energy.consistent) return {{"GAINS", Tone::bad}, {amount, Tone::bad}};
  if (number(balance, energy_scale(result)) == "0") return {{"keeps"}, {""}};
  return {{"loses", Tone::good}, {amount, Tone::good}};
}

// A row with one cell per law; laws without an answer get a dash.
template <class Format>
void add_value_row(TextTable& table, const ImpactReport& report, const std::string& label, Format format) {
  std::vector<Cell> row{{label, Tone::plain}};
  for (std::size_t i = 0; i < report.results.size(); ++i)
    row.push_back(usable(report.results[i].status) ? format(i) : Cell{"–", Tone::faint});
  table.add_row(std::move(row));
}

using Component = double ContactVector::*;

void add_vector_rows(TextTable& table, const ImpactReport& report, ContactVector ImpactResult::*vector,
                     const std::vector<std::string>& labels, double scale) {
  const Component components[] = {&ContactVector::n, &ContactVector::t1, &ContactVector::t2};
  for (std::size_t k = 0; k < labels.size(); ++k)
    add_value_row(table, report, labels[k],
                  [&](std::size_t i) { return Cell{number(report.results[i].*vector.*components[k], scale)}; });
}

void add_energy_rows(TextTable& table, const ImpactReport& report) {
  const auto row = [&](const char* label, double EnergyLedger::*entry) {
    add_value_row(table, report, label, [&](std::size_t i) {
      return Cell{number(report.results[i].energy.*entry, energy_scale(report.results[i]))};
    });
  };
  row("ΔT [J]", &EnergyLedger::change);
  row("W_n [J]", &EnergyLedger::normal_work);
  row("W_t [J]", &EnergyLedger::tangential_work);
  row("supplied [J]", &EnergyLedger::supplied);
  add_value_row(table, report, "energy", [&](std::size_t i) { return energy_verdict(report.results[i]).word; });
  add_value_row(table, report, "", [&](std::size_t i) { return energy_verdict(report.results[i]).amount; });
}

std::string fitted(const std::string& label) {
  if (display_width(label) <= label_width) return label;
  return label.substr(0, label_width - 1) + "…";
}

void add_section(TextTable& table, const ImpactReport& report, const ReportSection& section) {
  if (section.labels.empty()) return;
  table.add_rule();
  if (!section.title.empty()) table.add_row({{section.title, Tone::faint}});
  double scale = 0;
  for (const std::vector<double>& column : section.values)
    for (const double entry : column) scale = std::max(scale, std::abs(entry));
  for (std::size_t k = 0; k < section.labels.size(); ++k)
    add_value_row(table, report, fitted(section.labels[k]),
                  [&](std::size_t i) { return Cell{number(section.values[i][k], scale)}; });
}

std::string render_laws(const Terminal& terminal, const ImpactReport& report) {
  std::vector<Column> columns{{label_width, Align::left}};
  columns.resize(1 + report.results.size(), Column{value_width, Align::right});
  TextTable table(columns);
  std::vector<Cell> head{{""}};
  for (const ImpactResult& result : report.results) head.push_back({name(result.law), Tone::strong});
  table.add_row(std::move(head));
  table.add_rule();
  std::vector<Cell> modes{{"mode"}};
  for (const ImpactResult& result : report.results)
    modes.push_back(
        {status_words(result, report.problem->inertia.dimension), usable(result.status) ? Tone::plain : Tone::caution});
  table.add_row(std::move(modes));
  const bool spatial = is_spatial(report);
  add_vector_rows(table, report, &ImpactResult::velocity,
                  spatial ? std::vector<std::string>{"v_n⁺ [m/s]", "v_t1⁺ [m/s]", "v_t2⁺ [m/s]"}
                          : std::vector<std::string>{"v_n⁺ [m/s]", "v_t⁺ [m/s]"},
                  velocity_scale(report));
  add_vector_rows(table, report, &ImpactResult::impulse,
                  spatial ? std::vector<std::string>{"I_n [N s]", "I_t1 [N s]", "I_t2 [N s]"}
                          : std::vector<std::string>{"I_n [N s]", "I_t [N s]"},
                  impulse_scale(report));
  table.add_rule();
  add_energy_rows(table, report);
  for (const ReportSection& section : report.sections) add_section(table, report, section);
  return table.render(terminal);
}

// How a phase came to its end, seen from the one after it.
std::string phase_end(const Phase& phase, const Phase* next) {
  const bool slips = phase.kind == PhaseKind::slip || phase.kind == PhaseKind::jam;
  if (next == nullptr) return "impact ends";
  if (slips && (next->kind == PhaseKind::stick || next->kind == PhaseKind::reversal)) return "slip halts";
  if (next->stage != phase.stage) return next->stage == Stage::restitution ? "compression ends" : "recompression";
  if (phase.kind == PhaseKind::jam) return "jam ends";
  return next->kind == PhaseKind::jam ? "jam begins" : "slip changes";
}

std::string render_path(const Terminal& terminal, const ImpactReport& report) {
  const ImpactResult& result = report.results.front();
  if (result.phase_count == 0) return {};
  const bool spatial = is_spatial(report);
  const double speed = velocity_scale(report);
  TextTable table({{10, Align::left}, {17, Align::left}, {12}, {12}, {12}, {12}});
  std::vector<Cell> head{{"phase"}, {"until"}, {"I_n [N s]"}, {"v_n [m/s]"}, {spatial ? "v_t1 [m/s]" : "v_t [m/s]"}};
  if (spatial) head.push_back({"v_t2 [m/s]"});
  table.add_row(std::move(head));
  for (const Phase* phase = result.begin(); phase != result.end(); ++phase) {
    const Phase* next = phase + 1 == result.end() ? nullptr : phase + 1;
    std::vector<Cell> row{{name(phase->kind)},
                          {phase_end(*phase, next)},
                          {number(phase->normal_impulse, 0)},
                          {number(phase->velocity.n, speed)},
                          {number(phase->velocity.t1, speed)}};
    if (spatial) row.push_back({number(phase->velocity.t2, speed)});
    table.add_row(std::move(row));
  }
  return paint(terminal, Tone::strong, fmt::format("Path of the {} law", name(result.law))) + "\n" +
         table.render(terminal);
}

std::string render_thresholds(const Terminal& terminal, const ImpactReport& report) {
  const ImpactBounds& bounds = report.bounds;
  TextTable table({{6, Align::left}, {10}, {9, Align::left}, {52, Align::left}});
  const auto row = [&](const char* symbol, double value, const char* word, const BoundWords& words) {
    const bool finite = std::isfinite(value);
    table.add_row({{symbol}, {finite ? plain_number(value) : "none"}, {word}, {finite ? words.meaning : words.none}});
  };
  row("μ_c", bounds.stick_friction, "stick", stick_friction_words);
  row("μ_cr", bounds.impact_friction, "impact", impact_friction_words);
  row("μ*", bounds.jamming_friction, "jamming", jamming_friction_words);
  row("e*(v)", bounds.restitution_bound, "energy", restitution_bound_words);
  row("e*", bounds.restitution_bound_any, "energy", restitution_bound_any_words);
  if (bounds.condition > tolerances::shown_condition_min && std::isfinite(bounds.condition))
    row("cond", bounds.condition, "digits", condition_words);
  return paint(terminal, Tone::strong, "Thresholds") + "\n" + table.render(terminal);
}

std::string vector_text(const ContactVector& v, Dimension dimension) {
  if (dimension == Dimension::planar)
    return fmt::format("v_n = {}, v_t = {} m/s", plain_number(v.n), plain_number(v.t1));
  return fmt::format("v_n = {}, v_t1 = {}, v_t2 = {} m/s", plain_number(v.n), plain_number(v.t1), plain_number(v.t2));
}

std::string render_header(const Terminal& terminal, const ImpactReport& report) {
  const ImpactProblem& problem = *report.problem;
  const Dimension dimension = problem.inertia.dimension;
  const Friction& friction = problem.friction;
  std::string surface = fmt::format("e = {}, μ = {}", plain_number(report.results.front().restitution),
                                    plain_number(friction.kinetic_coefficient));
  if (friction.static_coefficient != friction.kinetic_coefficient)
    surface += fmt::format(" (static {})", plain_number(friction.static_coefficient));
  std::string out = paint(terminal, Tone::strong, encode(terminal, report.title)) + "\n";
  out += encode(terminal, fmt::format("{} impact, {}\n", is_spatial(report) ? "spatial" : "planar", surface));
  out += "before: " + vector_text(problem.velocity, dimension) + "\n";
  if (size(problem.surface_velocity) > 0) out += "surface: " + vector_text(problem.surface_velocity, dimension) + "\n";
  return out;
}

}  // namespace

std::string render(const Terminal& terminal, const ImpactReport& report) {
  std::string out = render_header(terminal, report) + "\n" + render_laws(terminal, report);
  const std::string path = render_path(terminal, report);
  if (!path.empty()) out += "\n" + path;
  return out + "\n" + render_thresholds(terminal, report);
}

std::vector<std::string> warning_sentences(std::span<const ImpactResult> results) {
  std::vector<std::string> sentences;
  for (int bit = 0; bit < warning_count; ++bit) {
    const auto warning = static_cast<Warning>(1u << bit);
    std::string laws;
    for (const ImpactResult& result : results)
      if (result.has(warning)) laws += (laws.empty() ? "" : ", ") + std::string(name(result.law));
    if (!laws.empty()) sentences.push_back(fmt::format("{}: {}", laws, explain(warning)));
  }
  for (std::size_t i = 1; i < results.size(); ++i)
    if (!usable(results[i].status))
      sentences.push_back(fmt::format("{}: {}", name(results[i].law), explain(results[i].status)));
  return sentences;
}

}  // namespace routh
