#include <fmt/format.h>

#include <algorithm>

#include "predict_command.h"
#include "table.h"

namespace routh {

namespace {

constexpr std::size_t shown_throws = 20;

// Of a question that is answered by yes or no the probability of the one.
std::string most_likely(const Forecast& one, std::size_t t) {
  if (one.outcomes.size() == 2) return fmt::format("{:.2f}", one.probability[t][0]);
  const std::vector<double>& p = one.probability[t];
  const auto best = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
  return fmt::format("{} {:.2f}", printable(one.outcomes[best]), p[best]);
}

std::string happened(const Forecast& one, std::size_t t) {
  return one.happened[t] < 0 ? "" : printable(one.outcomes[static_cast<std::size_t>(one.happened[t])]);
}

std::string scores(const Terminal& terminal, const PredictReport& report) {
  TextTable table({{12, Align::left}, {8}, {10}, {10}, {24, Align::left}});
  table.add_heading({"forecast", "scored", "log score", "base rate", "better by"});
  bool any = false;
  for (const Forecast& each : report.forecasts) {
    if (each.scored == 0) continue;
    any = true;
    table.add_row({{each.name},
                   {fmt::format("{}", each.scored)},
                   {fmt::format("{:.3f}", each.score)},
                   {fmt::format("{:.3f}", each.base)},
                   {fmt::format("{:.0f} % [{:.0f}, {:.0f}]", 100 * each.better(), 100 * each.low, 100 * each.high)}});
  }
  return any ? table.render(terminal) + "\n" : "";
}

std::string reliability(const Terminal& terminal, const Forecast& one) {
  if (one.scored == 0) return "";
  TextTable table({{24, Align::left}, {10}, {10}, {10}});
  table.add_heading({fmt::format("reliability of {}", one.name), "forecast", "came true", "of"});
  const auto bins = static_cast<double>(one.bins.size());
  for (std::size_t k = 0; k < one.bins.size(); ++k) {
    const Forecast::Bin& bin = one.bins[k];
    if (bin.count == 0) continue;
    table.add_row({{fmt::format("{:.1f} to {:.1f}", static_cast<double>(k) / bins, static_cast<double>(k + 1) / bins)},
                   {fmt::format("{:.3f}", bin.forecast)},
                   {fmt::format("{:.3f}", bin.came_true)},
                   {fmt::format("{}", bin.count)}});
  }
  return table.render(terminal) + "\n";
}

}  // namespace

std::string predict_table(const Terminal& terminal, const PredictReport& report) {
  std::string text = fmt::format("{} throws, {} draws of each\n\n", report.throws.size(), report.draws);
  text += scores(terminal, report) + reliability(terminal, report.forecasts.front());
  std::vector<Column> columns = {{20, Align::left}};
  std::vector<std::string> heading = {"most likely"};
  for (const Forecast& each : report.forecasts) {
    columns.push_back({16, Align::left});
    heading.push_back(each.outcomes.size() == 2 ? each.outcomes[0] : each.name);
    if (each.scored == 0) continue;
    columns.push_back({10, Align::left});
    heading.push_back("measured");
  }
  TextTable table(columns);
  table.add_heading(heading);
  for (std::size_t t = 0; t < std::min(report.throws.size(), shown_throws); ++t) {
    std::vector<Cell> row = {{printable(report.throws[t].name)}};
    for (const Forecast& each : report.forecasts) {
      row.push_back({most_likely(each, t)});
      if (each.scored > 0) row.push_back({happened(each, t)});
    }
    table.add_row(row);
  }
  text += table.render(terminal);
  if (report.throws.size() > shown_throws)
    text += fmt::format("and {} more: --json, --csv\n", report.throws.size() - shown_throws);
  return text + list_of(terminal, report.remarks);
}

}  // namespace routh
