#include "simulate_report.h"
#include "routh/math/elementary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/error.h"
#include "table.h"

namespace routh {

namespace {

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
    const std::size_t width = terminal.columns == 0 ? 80 : std::min<std::size_t>(terminal.columns, 80);
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
  std::size_t longest_name = 28;
  bool law = true;  // by which law
};
// From the full one to the least, of which the first is taken that the terminal has room for.
constexpr RowStyle styles[] = {{}, {7, 2, 28, true}, {7, 2, 18, true}, {7, 2, 18, false}, {6, 2, 12, false}};

std::string change(double before, double after, const RowStyle& style) {
  return fmt::format("{:.{}g} → {:.{}g}", before + 0.0, style.digits, after + 0.0, style.digits);
}

std::vector<std::string> heading(const RowStyle& style) {
  std::vector<std::string> cells{"time [s]", "event", "contact", "by", "v_n [m/s]", "|v_t| [m/s]", "ΔE [J]"};
  if (!style.law) cells.erase(cells.begin() + 3);
  return cells;
}

std::vector<std::string> event_cells(const Event& event, const RowStyle& style, const Footnotes& notes) {
  const bool full = style.digits == RowStyle{}.digits;
  const std::string kind = !full && event.kind == EventKind::tangential_impact ? "tangential" : name(event.kind);
  std::vector<std::string> cells{fmt::format("{:.{}f}", event.time, style.decimals), kind + notes.mark(event)};
  std::string contact = printable(event.label, style.longest_name), normal, slip;
  if (!event.contacts.empty()) {
    const EventContact& first = event.contacts.front();
    const std::string more = event.contacts.size() > 1 ? fmt::format(" +{}", event.contacts.size() - 1) : "";
    const auto speed = [](const ContactVector& v) { return elementary::hypot(v.t1, v.t2); };
    contact = printable(first.name, style.longest_name) + more;
    normal = change(first.velocity_before.n, first.velocity_after.n, style);
    slip = change(speed(first.velocity_before), speed(first.velocity_after), style);
  }
  cells.push_back(contact);
  if (style.law) cells.push_back(by(event));
  cells.insert(cells.end(), {normal, slip});
  const bool changes = event.rule != ImpactRule::none || event.kind == EventKind::crowd;
  cells.push_back(changes ? fmt::format("{:.{}g}", event.energy.change + 0.0, style.digits) : "");
  return cells;
}

using Rows = std::vector<std::vector<std::string>>;

Rows event_rows(const std::vector<Event>& events, const RowStyle& style, const Footnotes& notes) {
  Rows rows{heading(style)};
  for (const Event& event : events) rows.push_back(event_cells(event, style, notes));
  return rows;
}

std::vector<Column> columns_of(const Terminal& terminal, const Rows& rows) {
  std::vector<Column> columns(rows[0].size(), {0, Align::left});
  for (const std::vector<std::string>& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k)
      columns[k].width = std::max(columns[k].width, display_width(encode(terminal, row[k])));
  columns.front().align = columns.back().align = Align::right;
  return columns;
}

bool fits(const Terminal& terminal, const std::vector<Column>& columns) {
  std::size_t width = columns.size() - 1;
  for (const Column& column : columns) width += column.width;
  return terminal.columns == 0 || width <= terminal.columns;
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
  table.add_row({{"corrected"}, {joules(energy.corrected) + " by projections and bounces given up"}});
  const bool gained = report.counts->gaining > 0;
  table.add_row(
      {{"gained"},
       {gained ? joules(energy.gained) + ", against the second law" : "nothing", gained ? Tone::bad : Tone::plain}});
  table.add_row({{"balance"},
                 {fmt::format("{} (end − start + dissipated − supplied − corrected)", joules(energy.balance(), 3))}});
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
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<Cell> cells;
    const bool bad = r > 0 && gains(events[r - 1]);
    for (std::string& text : rows[r]) cells.push_back({std::move(text), r == 0 ? Tone::strong : Tone::plain});
    if (bad) cells.back().tone = Tone::bad;
    if (r > 0 && events[r - 1].warnings != 0) cells[1].tone = Tone::caution;
    table.add_row(std::move(cells));
    if (r == 0) table.add_rule();
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
