#include "simulate_report.h"
#include "routh/math/elementary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/error.h"
#include "table.h"
#include "tolerances.h"

namespace routh {

namespace {

constexpr std::size_t default_columns = 80;  // where nobody tells how wide the terminal is

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "not finite"; }
std::string joules(double value, int digits = 6) {
  return std::isfinite(value) ? fmt::format("{:.{}g} J", value, digits) : number(value);
}

// "3: 2 impact, 1 stick"
template <std::size_t size, class Name>
std::string listed(const std::array<long, size>& counts, Name name_of, std::size_t first) {
  long all = 0;
  std::vector<std::string> parts;
  for (std::size_t k = first; k < size; ++k) {
    all += counts[k];
    if (counts[k] > 0) parts.push_back(fmt::format("{} {}", counts[k], name_of(k)));
  }
  return all == 0 ? "none" : fmt::format("{}: {}", all, fmt::join(parts, ", "));
}

bool gains(const Event& event) { return !event.energy.consistent; }
Warning warning_at(std::size_t k) { return static_cast<Warning>(1u << k); }

// "plastic_end 3, friction_changed 1"; empty: none were taken.
std::string shortcuts(const WarningCounts& counts) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (is_shortcut(warning_at(k)) && counts[k] > 0)
      parts.push_back(fmt::format("{} {}", name(warning_at(k)), counts[k]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// A letter for each kind of warning among the events, in the order of the kinds.
class Footnotes {
 public:
  explicit Footnotes(const std::vector<Event>& events) {
    for (const Event& event : events) count_warnings(event, counts_);
  }
  // "*ab"; empty for an event without warnings.
  std::string mark(const Event& event) const {
    std::string letters;
    for (std::size_t k = 0; k < counts_.size(); ++k)
      if (event.has(warning_at(k))) letters += letter(k);
    return letters.empty() ? "" : "*" + letters;
  }
  std::string render(const Terminal& terminal) const {
    const std::size_t width = std::min(terminal.columns == 0 ? default_columns : terminal.columns, default_columns);
    TextTable table({{3, Align::left}, {std::max<std::size_t>(width, 24) - 4, Align::left}});
    for (std::size_t k = 0; k < counts_.size(); ++k)
      if (counts_[k] > 0)
        table.add_row({{fmt::format("*{}", letter(k)), Tone::caution},
                       {fmt::format("{}: {}", name(warning_at(k)), explain(warning_at(k)))}});
    return table.render(terminal);
  }

 private:
  char letter(std::size_t kind) const {
    const auto before = std::count_if(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(kind),
                                      [](long count) { return count > 0; });
    return static_cast<char>('a' + before);
  }

  WarningCounts counts_{};
};
static_assert(warning_count <= 26, "letters for warnings");

std::string by(const Event& event) {
  if (event.rule == ImpactRule::none) return "";
  return event.rule == ImpactRule::single ? name(event.law) : name(event.rule);
}

// How much of an event a row has room for.
struct RowStyle {
  int decimals = 9;  // of the time
  int digits = 3;    // of the other numbers
  std::size_t longest_name = 40;
  bool law = true;      // by which law
  bool impulse = true;  // the normal one
  bool slip = true;
};
// From the full one to the least, of which the first is taken that there is room for.
constexpr RowStyle styles[] = {{},
                               {7, 3, 40, false},
                               {6, 2, 40, false},
                               {6, 2, 40, false, true, false},
                               {6, 2, 40, false, false, false},
                               {6, 2, 20, false, false, false},
                               {6, 2, 12, false, false, false}};

// What is below rounding beside the largest number of its column is nothing.
struct EventScales {
  double speed = 0, impulse = 0, energy = 0;

  explicit EventScales(const std::vector<Event>& events) {
    for (const Event& event : events) {
      take(energy, event.energy.change);
      for (const EventContact& contact : event.contacts) {
        take(impulse, contact.impulse.n);
        for (const ContactVector& v : {contact.velocity_before, contact.velocity_after}) {
          take(speed, v.n);
          take(speed, v.t1);
          take(speed, v.t2);
        }
      }
    }
  }
  static void take(double& scale, double value) { scale = std::max(scale, std::abs(value)); }
};
double shown_of(double value, double scale) {
  return std::abs(value) <= tolerances::shown_zero_relative * scale ? 0 : value;
}

// `at its upper limit` and the like take more room than the joint's name.
std::string short_name(std::string name) {
  constexpr std::string_view at = " at its ";
  if (const std::size_t found = name.find(at); found != std::string::npos) name.replace(found, at.size(), ", ");
  return name;
}

std::vector<std::string> heading(const RowStyle& style) {
  std::vector<std::string> cells{"time [s]", "event", "contact"};
  if (style.law) cells.emplace_back("by");
  cells.emplace_back("v_n [m/s]");
  if (style.slip) cells.emplace_back("|v_t| [m/s]");
  if (style.impulse) cells.emplace_back("Λ_n [N s]");
  cells.emplace_back("ΔE [J]");
  return cells;
}

// An event and how it is written; the cells that tell of the event stand in the row of its first contact.
class EventRows {
 public:
  EventRows(const RowStyle& style, const Footnotes& notes, const EventScales& scales)
      : style_(style), notes_(notes), scales_(scales) {}

  void add(const Event& event, std::vector<std::vector<std::string>>& rows) const {
    const std::vector<const EventContact*> told = told_of(event);
    if (told.empty()) {
      rows.push_back(row(event, nullptr, true));
      return;
    }
    for (const EventContact* contact : told) rows.push_back(row(event, contact, contact == told.front()));
  }
  // Those that took part: what only touches where others strike has no impulse.
  static std::vector<const EventContact*> told_of(const Event& event) {
    std::vector<const EventContact*> told;
    for (const EventContact& contact : event.contacts)
      if (event.rule == ImpactRule::none || contact.impulse.n != 0 || contact.impulse.t1 != 0 ||
          contact.impulse.t2 != 0)
        told.push_back(&contact);
    if (told.empty() && !event.contacts.empty()) told.push_back(&event.contacts.front());
    return told;
  }

 private:
  std::string number(double value, double scale) const {
    return fmt::format("{:.{}g}", shown_of(value, scale) + 0.0, style_.digits);
  }
  std::string change(double before, double after) const {
    const std::string first = number(before, scales_.speed), second = number(after, scales_.speed);
    return first == second ? first : first + " → " + second;
  }
  std::vector<std::string> row(const Event& event, const EventContact* contact, bool first) const {
    const bool full = style_.law;
    const std::string kind = !full && event.kind == EventKind::tangential_impact ? "tangential" : name(event.kind);
    std::vector<std::string> cells(2);
    if (first) cells = {fmt::format("{:.{}f}", event.time, style_.decimals), kind + notes_.mark(event)};
    cells.push_back(printable(contact ? short_name(contact->name) : event.label, style_.longest_name));
    if (style_.law) cells.push_back(first ? by(event) : "");
    const auto speed = [](const ContactVector& v) { return elementary::hypot(v.t1, v.t2); };
    cells.push_back(contact ? change(contact->velocity_before.n, contact->velocity_after.n) : "");
    if (style_.slip)
      cells.push_back(contact ? change(speed(contact->velocity_before), speed(contact->velocity_after)) : "");
    const bool jumps =
        event.rule != ImpactRule::none || event.kind == EventKind::crowd || event.kind == EventKind::impulse;
    if (style_.impulse) cells.push_back(contact && jumps ? number(contact->impulse.n, scales_.impulse) : "");
    cells.push_back(first && jumps ? number(event.energy.change, scales_.energy) : "");
    return cells;
  }

  const RowStyle& style_;
  const Footnotes& notes_;
  const EventScales& scales_;
};

using Rows = std::vector<std::vector<std::string>>;

Rows event_rows(const std::vector<Event>& events, const RowStyle& style, const Footnotes& notes) {
  const EventScales scales(events);
  const EventRows writer(style, notes, scales);
  Rows rows{heading(style)};
  for (const Event& event : events) writer.add(event, rows);
  return rows;
}

std::vector<Column> columns_of(const Terminal& terminal, const Rows& rows) {
  std::vector<Column> columns(rows[0].size(), {0, Align::left});
  for (const std::vector<std::string>& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k)
      columns[k].width = std::max(columns[k].width, display_width(encode(terminal, row[k])));
  columns.front().align = columns.back().align = Align::right;
  if (rows[0][rows[0].size() - 2].starts_with("Λ")) columns[columns.size() - 2].align = Align::right;
  return columns;
}

bool fits(const Terminal& terminal, const std::vector<Column>& columns) {
  std::size_t width = columns.size() - 1;
  for (const Column& column : columns) width += column.width;
  return width <= (terminal.columns == 0 ? default_columns : terminal.columns);
}

}  // namespace

void EventCounts::add(const Event& event) {
  ++kinds[static_cast<std::size_t>(event.kind)];
  ++rules[static_cast<std::size_t>(event.rule)];
  count_warnings(event, warnings);
  if (!gains(event)) return;
  ++gaining;
  if (std::find(gained_by.begin(), gained_by.end(), by(event)) == gained_by.end()) gained_by.push_back(by(event));
}

long EventCounts::impacts() const {
  long all = 0;
  for (std::size_t k = 1; k < rules.size(); ++k) all += rules[k];
  return all;
}

std::string render(const Terminal& terminal, const SimulationReport& report) {
  const RunOutcome& outcome = *report.outcome;
  const EnergyAccount& energy = outcome.energy;
  const SimulationStatistics& statistics = outcome.statistics;
  const bool bad = failed(outcome.status);
  const double rounding = tolerances::shown_rounding_relative *
                          std::max({std::abs(energy.initial), std::abs(energy.total()), std::abs(energy.dissipated),
                                    std::abs(energy.supplied), std::abs(energy.kinetic)});
  const auto beyond_rounding = [&](double value) { return std::abs(value) <= rounding ? 0.0 : value; };
  TextTable table({{16, Align::left}, {63, Align::left}});
  table.add_row({{"status"},
                 {fmt::format("{}: {}", name(outcome.status), explain(outcome.status)),
                  bad                                           ? Tone::bad
                  : outcome.status == SimulationStatus::stopped ? Tone::caution
                                                                : Tone::good}});
  table.add_row({{"time"}, {fmt::format("{} → {:.9g} s", number(report.start), outcome.time)}});
  table.add_row({{"events"},
                 {listed(
                     report.counts->kinds, [](std::size_t k) { return name(static_cast<EventKind>(k)); }, 0)}});
  table.add_row({{"impacts"},
                 {listed(
                     report.counts->rules, [](std::size_t k) { return name(static_cast<ImpactRule>(k)); }, 1)}});
  table.add_row({{"energy at start"}, {joules(energy.initial)}});
  table.add_row({{"energy at end"}, {joules(energy.total())}});
  table.add_row({{"dissipated"}, {joules(energy.dissipated)}});
  table.add_row({{"supplied"}, {joules(energy.supplied)}});
  table.add_row({{"corrected"}, {joules(beyond_rounding(energy.corrected)) + " by projections and bounces given up"}});
  const bool gained = report.counts->gaining > 0;
  table.add_row(
      {{"gained"},
       {gained ? joules(energy.gained) + ", against the second law" : "nothing", gained ? Tone::bad : Tone::plain}});
  table.add_row({{"balance"},
                 {fmt::format("{} (end − start + dissipated − supplied − corrected)",
                              joules(beyond_rounding(energy.balance()), 3))}});
  if (report.engine == EngineKind::stepping || statistics.crowds > 0)
    table.add_row({{"error of steps"},
                   {fmt::format("{} lost, {} gained, not by contacts", joules(statistics.steps_lost, 3),
                                joules(statistics.steps_gained, 3))}});
  if (const std::string taken = shortcuts(report.counts->warnings); !taken.empty())
    table.add_row({{"shortcuts"}, {taken, Tone::caution}});
  if (report.engine == EngineKind::stepping) {
    table.add_row({{"steps"}, {fmt::format("{} of fixed length", statistics.steps)}});
    const long unsolved = statistics.unsolved_steps;
    const std::string residual = number(statistics.largest_residual);
    table.add_row({{"contact problems"},
                   {unsolved == 0 ? "solved to a residual of " + residual
                                  : fmt::format("not solved in {} steps, residuals of up to {}", unsolved, residual),
                    unsolved == 0 ? Tone::plain : Tone::caution}});
    table.add_row({{"deepest overlap"}, {number(statistics.largest_gap) + " m, before it was projected out"}});
  } else {
    table.add_row({{"steps"},
                   {fmt::format("{}, of them {} implicit; {} rejected", statistics.steps, statistics.implicit_steps,
                                statistics.rejected)}});
    table.add_row({{"evaluations"}, {fmt::format("{}", statistics.evaluations)}});
    table.add_row({{"largest gap"}, {number(statistics.largest_gap) + " of closed contacts"}});
  }
  if (statistics.crowds > 0)
    table.add_row({{"crowds"},
                   {fmt::format("{}: {} s in fixed steps, {} dissipated there", statistics.crowds,
                                number(statistics.crowd_time), joules(statistics.crowd_energy))}});
  table.add_row({{"largest drift"}, {number(statistics.largest_loop) + " of loops"}});
  if (!report.file.empty())
    table.add_row({{"run file"}, {fmt::format("{}, {} samples", printable(report.file, 40), report.samples)}});
  return paint(terminal, Tone::strong, encode(terminal, report.title)) + "\n" + table.render(terminal);
}

std::string render_events(const Terminal& terminal, const std::vector<Event>& events) {
  if (events.empty()) return "no events\n";
  const Footnotes notes(events);
  Rows rows;
  std::vector<Column> columns;
  for (const RowStyle& style : styles) {
    rows = event_rows(events, style, notes);
    columns = columns_of(terminal, rows);
    if (fits(terminal, columns)) break;
  }
  TextTable table(columns);
  table.add_heading(rows.front());
  std::size_t r = 1;
  for (const Event& event : events) {
    const std::size_t end = r + std::max<std::size_t>(1, EventRows::told_of(event).size());
    for (bool first = true; r < end; ++r, first = false) {
      std::vector<Cell> cells;
      for (std::string& text : rows[r]) cells.push_back({std::move(text)});
      if (first && gains(event)) cells.back().tone = Tone::bad;
      if (first && event.warnings != 0) cells[1].tone = Tone::caution;
      table.add_row(std::move(cells));
    }
  }
  return table.render(terminal) + notes.render(terminal);
}

std::string gain_warning(const EventCounts& counts, const EnergyAccount& energy) {
  if (counts.gaining == 0) return "";
  return fmt::format("warning: {} of {} impacts gained energy, {} in all, by: {}", counts.gaining, counts.impacts(),
                     joules(energy.gained), fmt::join(counts.gained_by, ", "));
}

std::vector<std::string> warnings_of(const EventCounts& counts, const RunOutcome& outcome,
                                     const SimulationOptions& options) {
  const EngineKind engine = judged_engine(options.engine, outcome.statistics);
  const double tolerance = account_tolerance(engine, options.tolerance);
  std::vector<std::string> lines;
  if (counts.gaining > 0) lines.push_back(gain_warning(counts, outcome.energy));
  for (const std::string& sentence :
       {correction_sentence(outcome.energy, tolerance, engine), balance_sentence(outcome.energy, tolerance),
        unsolved_sentence(outcome.statistics)})
    if (!sentence.empty()) lines.push_back("warning: " + sentence);
  for (std::size_t k = 0; k < counts.warnings.size(); ++k)
    if (is_shortcut(warning_at(k)) && counts.warnings[k] > 0)
      lines.push_back("warning: " + count_sentence(warning_at(k), counts.warnings[k]));
  return lines;
}

}  // namespace routh
