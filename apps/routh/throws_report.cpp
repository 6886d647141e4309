#include <fmt/format.h>

#include <numbers>

#include "table.h"
#include "throws_command.h"

namespace routh {

namespace {

std::string shown_estimate(const FittedParameter& it) {
  switch (it.determination) {
    case Determination::at_least:
      return fmt::format("{:.4g} (≥ {:.4g})", it.value, it.low);
    case Determination::at_most:
      return fmt::format("{:.4g} (≤ {:.4g})", it.value, it.high);
    case Determination::nothing:
      return "not determined";
    case Determination::interval:
      break;
  }
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", it.value, it.low, it.high);
}

std::string summary_line(const ThrowSummary& summary, double length) {
  return fmt::format("mean {:.4g}, median {:.4g}; {:.2f} mm ({:.1f} % of the width), {:.1f} degrees", summary.mean,
                     summary.median, 1000 * summary.position, 50 * summary.position / length,
                     summary.rotation * 180 / std::numbers::pi);
}

}  // namespace

std::string list_of(const Terminal& terminal, const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) {
    bool first = true;
    for (const std::string& line : wrap(remark, 77)) {
      text += (first ? "- " : "  ") + encode(terminal, line) + "\n";
      first = false;
    }
  }
  return text;
}

std::string identify_table(const Terminal& terminal, const IdentifyReport& report, double confidence) {
  std::string text = fmt::format("{} throws; in brackets {:g} % intervals\n\n", report.throws, 100 * confidence);
  TextTable table({{44, Align::left}, {34, Align::left}});
  for (const IdentifiedLaw& law : report.laws) {
    table.add_heading({law.law ? std::string(name(*law.law)) : "as the scene says", ""});
    for (std::size_t j = 0; j < report.names.size(); ++j)
      table.add_row({{printable(report.names[j], 200)}, {shown_estimate(law.parameters[j])}});
    table.add_row(
        {{"mean error, of throws held out"}, {fmt::format("{:.4g}, {:.4g}", law.error.mean, law.held_out_mean)}});
    if (report.laws.size() > 1)
      table.add_row({{"loss of throws held out, behind the best"},
                     {fmt::format("{:.4g}, {:.3g} ± {:.2g}", law.held_out_loss, law.behind, law.behind_deviation)}});
  }
  text += table.render(terminal) + "\n";
  text += encode(terminal, summary_line(report.laws.front().error, report.length)) + "\n";
  return text + list_of(terminal, report.remarks);
}

std::string validate_table(const Terminal& terminal, const ValidateReport& report, double confidence) {
  const std::size_t n = report.throws.size();
  std::string text = fmt::format("{} throws; in brackets a {:g} % interval\n\n", n, 100 * confidence);
  TextTable table({{30, Align::left}, {40, Align::left}});
  const ThrowSummary& s = report.summary;
  table.add_row({{"mean error"}, {fmt::format("{:.4g} [{:.4g}, {:.4g}]", s.mean, report.low, report.high)}});
  table.add_row({{"median error"}, {fmt::format("{:.4g}", s.median)}});
  table.add_row(
      {{"position"},
       {fmt::format("{:.2f} mm, {:.1f} % of the width", 1000 * s.position, 50 * s.position / report.length)}});
  table.add_row({{"rotation"}, {fmt::format("{:.1f} degrees", s.rotation * 180 / std::numbers::pi)}});
  table.add_row({{"same face up in the end"}, {fmt::format("{} of {}", report.same_face, n)}});
  table.add_row({{"runs that ended early"}, {fmt::format("{}", s.failed)}});
  text += table.render(terminal) + "\n";
  TextTable bounces({{30, Align::left}, {6}, {6}, {6}, {6}, {6}, {6}, {6}});
  bounces.add_heading({"bounces in a throw", "0", "1", "2", "3", "4", "5", "more"});
  std::vector<Cell> measured = {{"measured"}}, run = {{"run"}};
  for (std::size_t k = 0; k < report.bounces.size(); ++k) {
    measured.push_back({fmt::format("{}", report.measured_bounces[k])});
    run.push_back({fmt::format("{}", report.bounces[k])});
  }
  bounces.add_row(measured);
  bounces.add_row(run);
  text += bounces.render(terminal);
  text += encode(terminal, fmt::format("χ² {:.1f} of {} degrees of freedom\n\n", report.chi_square, report.freedom));
  TextTable worst({{30, Align::left}, {10}, {10}, {10}});
  worst.add_heading({"missed most", "error", "mm", "degrees"});
  for (const std::size_t k : report.worst) {
    const ValidatedThrow& one = report.throws[k];
    worst.add_row({{printable(one.name)},
                   {fmt::format("{:.3g}", one.error.mean)},
                   {fmt::format("{:.1f}", 1000 * one.error.position)},
                   {fmt::format("{:.1f}", one.error.rotation * 180 / std::numbers::pi)}});
  }
  return text + worst.render(terminal) + list_of(terminal, report.remarks);
}

}  // namespace routh
