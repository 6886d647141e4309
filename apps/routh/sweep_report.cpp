#include "sweep_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "output.h"
#include "routh/study/writer.h"
#include "table.h"

namespace routh {

namespace {

constexpr std::size_t most_bins = 24;  // shown of a histogram
constexpr int bar_width = 20;

std::string heading(const Study& study, const StudyResult& result) {
  std::string out = title_of(study.title, study.path) + "\n";
  out += fmt::format("{} samples ({}), {} {}\n", result.samples, name(study.method), study.parameters.size(),
                     study.parameters.size() == 1 ? "parameter" : "parameters");
  return out;
}

// A histogram as bars; of many bins only as many as fit.
void add_bars(const std::vector<Statistic>& bins, TextTable& table) {
  double most = 0, total = 0;
  for (const Statistic& s : bins) {
    most = std::max(most, s.value.value_or(0));
    total += s.value.value_or(0);
  }
  if (bins.size() > most_bins) {
    table.add_row({{}, {"histogram"}, {fmt::format("{} bins", bins.size())}, {"in the files"}});
    return;
  }
  for (const Statistic& s : bins) {
    if (s.value.value_or(0) == 0 && s.name != "count") continue;
    const double count = s.value.value_or(0);
    const int length = most > 0 ? static_cast<int>(bar_width * count / most + 0.5) : 0;
    table.add_row({{},
                   {s.label()},
                   {fmt::format("{:.4g} %", total > 0 ? 100 * count / total : 0)},
                   {std::string(static_cast<std::size_t>(length), '#')}});
  }
}

void add_measure(const StudyMeasure& measure, const MeasureResult& result, TextTable& table) {
  std::vector<Statistic> bins;
  bool first = true;
  const auto label = [&] {
    const Cell cell{first ? measure.name : std::string(), Tone::strong};
    first = false;
    return cell;
  };
  for (const Statistic& s : statistics(measure, result)) switch (s.shape) {
      case Statistic::Shape::number:
      case Statistic::Shape::quantile:
        table.add_row({label(), {s.label()}, {shown(s.value)}, {s.sample ? fmt::format("sample {}", *s.sample) : ""}});
        break;
      case Statistic::Shape::bin:
        bins.push_back(s);
        break;
    }
  if (first) table.add_row({label(), {fmt::format("{} values", result.moments.count)}});
  if (result.moments.missing > 0)
    table.add_row({{}, {"missing"}, {fmt::format("{}", result.moments.missing)}, {"no such value"}});
  add_bars(bins, table);
}

void add_failures(const StudyResult& result, const Terminal& terminal, std::string& out) {
  if (result.failed() == 0) return;
  std::string kinds;
  for (std::size_t k = 1; k < fault_count; ++k)
    if (result.faults[k] > 0)
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", result.faults[k], all_names<Fault>[k]);
  out += paint(terminal, Tone::caution, fmt::format("{} samples failed", result.failed())) + ": " + kinds + "\n";
  if (!result.failures.empty()) {
    const Failure& failure = result.failures.front();
    for (const std::string& line :
         wrap(fmt::format("the first, sample {}: {}", failure.sample, printable(failure.reason, 300)), 78))
      out += "  " + line + "\n";
  }
}

}  // namespace

std::string render(const Terminal& terminal, const Study& study, const StudyResult& result) {
  std::string out = heading(study, result);
  add_failures(result, terminal, out);
  std::size_t widest = 8;
  for (const StudyMeasure& measure : study.measures) widest = std::max(widest, measure.name.size());
  TextTable table({{std::min<std::size_t>(widest, 20), Align::left},
                   {23, Align::left},
                   {13, Align::right},
                   {bar_width, Align::left}});
  table.add_rule();
  for (std::size_t m = 0; m < study.measures.size(); ++m) add_measure(study.measures[m], result.measures[m], table);
  return out + encode(terminal, table.render(terminal));
}

}  // namespace routh
