#include "reports.h"

#include <fmt/format.h>

#include "routh/impact/result.h"
#include "table.h"

namespace routh {

namespace {

std::string estimate(const FittedParameter& it) {
  switch (it.determination) {
    case Determination::at_least:
      return fmt::format("≥ {:.4g}", it.low);
    case Determination::nothing:
      return "not determined";
    case Determination::interval:
    case Determination::at_most:
      break;
  }
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", it.value, it.low, it.high);
}

std::string words_of(const std::string& parameter) {
  if (parameter == "tangential_compliance") return "tangents yield by η²:";
  if (parameter == "slip_loss") return "e falls with slip by:";
  return "tangential restitution:";
}

}  // namespace

std::string fit_table(const Terminal& terminal, const FitReport& report, double confidence) {
  std::vector<Column> columns = {{9, Align::left}, {23, Align::left}, {23, Align::left}, {8}, {6}, {6}};
  TextTable table(columns);
  table.add_heading({"law", "friction", "restitution", "rms", "ΔAICc", "left"});
  for (const LawFit& law : report.laws) {
    table.add_row({{name(law.law)},
                   {estimate(law.fit.parameters[0])},
                   {estimate(law.fit.parameters[1])},
                   {fmt::format("{:.3g}", law.rms)},
                   {fmt::format("{:.1f}", law.behind)},
                   {fmt::format("{:.1f} %", 100 * law.held_out.value_or(law.unexplained))}});
    for (std::size_t j = 2; j < law.names.size(); ++j)
      table.add_row({{""}, {words_of(law.names[j])}, {estimate(law.fit.parameters[j])}});
    if (law.unanswered > 0)
      table.add_row({{""}, {fmt::format("no answer for {} of {}", law.unanswered, report.impacts), Tone::caution}});
  }
  std::string text = fmt::format("{} impacts, {} measurements; in brackets {:g} % intervals\n\n", report.impacts,
                                 report.measurements, 100 * confidence);
  text += table.render(terminal) + "\n";
  if (report.least)
    text += encode(terminal, fmt::format("The best impulse at the contact leaves {:.1f} % of the change.\n\n",
                                         100 * *report.least));
  for (const std::string& remark : report.remarks) {
    bool first = true;
    for (const std::string& line : wrap(remark, 77)) {
      text += (first ? "- " : "  ") + encode(terminal, line) + "\n";
      first = false;
    }
  }
  return text;
}

}  // namespace routh
