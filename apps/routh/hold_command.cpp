#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/base/number.h"
#include "routh/scene/hold_writer.h"
#include "scene_source.h"
#include "table.h"
#include "tolerances.h"

namespace routh {

namespace {

// Contacts whose rates are shown; --json has all.
constexpr std::size_t contacts_shown = 4;

double read_number(const char* option, const std::string& text, const std::string& whole) {
  const ParsedNumber parsed = parse_number(text);
  if (parsed.fault != NumberFault::none)
    throw UsageError(
        fmt::format("error: {}: '{}': '{}' {}", option, printable(whole), printable(text), explain(parsed.fault)));
  return parsed.value;
}

// NAME and what follows `=`.
std::pair<std::string, std::string> split(const char* option, const std::string& text, const char* form) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw UsageError(fmt::format("error: {}: found '{}' where {} is expected", option, printable(text), form));
  return {text.substr(0, at), text.substr(at + 1)};
}

EffortTerms& terms_of(HoldOptions& question, const std::string& name) {
  for (EffortTerms& terms : question.terms)
    if (terms.name == name) return terms;
  question.terms.push_back({.name = name});
  return question.terms.back();
}

void read_limits(const HoldCommandOptions& options, HoldOptions& question) {
  constexpr const char* form = "NAME=LOW:HIGH";
  for (const std::string& text : options.limits) {
    const auto [name, range] = split("--limit", text, form);
    const std::size_t colon = range.find(':');
    if (colon == std::string::npos)
      throw UsageError(fmt::format("error: --limit: found '{}' where {} is expected", printable(text), form));
    EffortTerms& terms = terms_of(question, name);
    const std::string low = range.substr(0, colon), high = range.substr(colon + 1);
    if (!low.empty()) terms.lower = read_number("--limit", low, text);
    if (!high.empty()) terms.upper = read_number("--limit", high, text);
    if (terms.lower > terms.upper)
      throw UsageError(fmt::format("error: --limit: '{}': the lower limit must not exceed the upper", printable(text)));
  }
}

void read_prices(const HoldCommandOptions& options, HoldOptions& question) {
  for (const std::string& text : options.prices) {
    const auto [name, price] = split("--price", text, "NAME=PRICE");
    EffortTerms& terms = terms_of(question, name);
    terms.price = read_number("--price", price, text);
    if (!(terms.price > 0))
      throw UsageError(fmt::format("error: --price: '{}': prices are greater than 0", printable(text)));
  }
}

std::string bound(const EffortRange& range, double value) {
  if (!range.exists) return "-";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  return fmt::format("{:.5g}", value + 0.0);
}

std::string change(const EffortCure& cure, Eigen::Index k) {
  const bool advised = cure.outcome == EffortOutcome::needless || cure.outcome == EffortOutcome::found ||
                       cure.outcome == EffortOutcome::limited;
  if (!advised || !cure.answer.exists) return "-";
  // What the solver leaves of a change that is not needed.
  const double value = cure.answer.effort[k], largest = cure.answer.effort.lpNorm<Eigen::Infinity>();
  return fmt::format("{:.5g}", std::abs(value) <= tolerances::shown_effort_relative * largest ? 0 : value);
}

std::string render_changes(const Terminal& terminal, const SceneHold& hold) {
  TextTable table({{22, Align::left}, {5, Align::left}, {11}, {11}, {11}, {12}});
  table.add_heading({"change of", "", "to hold", "alone from", "to", "to let go"});
  for (std::size_t k = 0; k < hold.efforts.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const EffortRange& alone = hold.report.hold.alone[k];
    table.add_row({{printable(hold.efforts[k])},
                   {hold.units[k].empty() ? "times" : hold.units[k]},
                   {change(hold.report.hold, i)},
                   {bound(alone, alone.low)},
                   {bound(alone, alone.high)},
                   {change(hold.report.let_go, i)}});
  }
  return table.render(terminal);
}

// Per unit of each effort, at one contact.
std::string render_rates(const Terminal& terminal, const SceneHold& hold, std::size_t c) {
  const EffortReport& report = hold.report;
  const Eigen::Index row = static_cast<Eigen::Index>(c) * hold.problem.contacts.rows();
  const auto contact = static_cast<Eigen::Index>(c);
  std::string heading = hold.names[c];
  if (!report.modes.empty())
    heading += fmt::format(": {}, λ_n = {:.5g} N", name(report.modes[c]), report.force[row] + 0.0);
  if (report.friction_demand[contact] >= 0)
    heading += fmt::format(", needs friction {:.4g} of {:.4g}", report.friction_demand[contact],
                           hold.problem.contacts.friction[c].static_coefficient);
  TextTable table({{22, Align::left}, {5, Align::left}, {16}, {16}, {16}});
  table.add_heading({"per unit of", "", "B [m/s²]", "λ_n [N]", "‖λ_t‖/λ_n"});
  for (std::size_t k = 0; k < hold.efforts.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    table.add_row(
        {{printable(hold.efforts[k])},
         {hold.units[k].empty() ? "times" : hold.units[k]},
         {fmt::format("{:.5g}", report.acceleration_rates(row, i) + 0.0)},
         {report.force_rates ? fmt::format("{:.5g}", report.force_rates->force(row, i) + 0.0) : "-"},
         {report.friction_demand[contact] >= 0 ? fmt::format("{:.5g}", report.friction_rates(contact, i) + 0.0)
                                               : "-"}});
  }
  return "\n" + wrapped(terminal, heading, 80, Tone::strong) + table.render(terminal);
}

std::string hold_text(const Terminal& terminal, const SceneHold& hold, const std::string& title) {
  std::string text =
      paint(terminal, Tone::strong, encode(terminal, fmt::format("{}, t = {:.9g} s", title, hold.state.time))) + "\n";
  for (const std::string& sentence : hold_words(hold)) text += wrapped(terminal, sentence);
  if (hold.contacts.empty()) return text;
  text += wrapped(terminal, fmt::format("Kept in reserve: {:.4g} N of normal force at each contact, {:.4g} % of static "
                                        "friction (--normal-force, --reserve).",
                                        hold.problem.normal_force, 100 * hold.problem.reserve));
  text += "\n" + render_changes(terminal, hold);
  const std::size_t shown = std::min(hold.contacts.size(), contacts_shown);
  for (std::size_t c = 0; c < shown; ++c) text += render_rates(terminal, hold, c);
  if (shown < hold.contacts.size())
    text += fmt::format("\n{} more contacts: see --json\n", hold.contacts.size() - shown);
  return text;
}

}  // namespace

ExitCode run_hold(const HoldCommandOptions& options, const Terminal& terminal) {
  HoldOptions question;
  question.efforts = options.efforts;
  question.normal_force = options.normal_force;
  question.reserve = options.reserve;
  read_limits(options, question);
  read_prices(options, question);
  OpenedFile file = open_file(options.file);
  require_scene(file, "efforts act on a machine: put `routh: 1` at the top of a scene");
  const Scene scene = take_checked_scene(file, options.verbosity);
  Workspace workspace(scene.model);
  const SceneHold hold = hold_scene(scene.model, scene.state, scene.touch, question, workspace);
  write_stdout(options.format == OutputFormat::json
                   ? hold_json(scene, hold) + "\n"
                   : hold_text(terminal, hold, title_of(scene.model.name, options.file.path)));
  return ExitCode::ok;
}

}  // namespace routh
