#include "reports.h"

#include <fmt/format.h>

#include "papers/writer.h"
#include "table.h"

namespace routh {

namespace {

Tone tone(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return Tone::good;
    case Verdict::misprint:
      return Tone::caution;
    case Verdict::mismatch:
      return Tone::bad;
  }
  return Tone::plain;
}

std::string format_difference(const ComparedValue& value) {
  if (!value.ours.word.empty()) return {};
  return fmt::format("{:.1e}", value.difference);
}

// Printed words are longer than numbers: they get two lines of the column.
constexpr std::size_t value_width = 13;

}  // namespace

std::string render(const Terminal& terminal, const ComparedPaper& paper) {
  const std::vector<Column> columns{{11, Align::left}, {value_width},    {value_width}, {10},
                                    {9, Align::left},  {19, Align::left}};
  std::string out = wrapped(terminal, paper.title, 80, Tone::strong);
  TextTable head(columns);
  head.add_row({{"quantity"}, {"printed"}, {"ours"}, {"difference"}, {"unit"}, {"verdict"}});
  head.add_rule();
  out += "\n" + head.render(terminal);
  for (const ComparedGroup& group : paper.groups) {
    TextTable table(columns);
    for (const ComparedValue& value : group.values)
      table.add_row({{value.printed.quantity},
                     {format_printed(value)},
                     {format_ours(value)},
                     {format_difference(value)},
                     {value.printed.unit},
                     {verdict_text(value), tone(value.verdict)}});
    out += paint(terminal, Tone::strong, encode(terminal, group.printed.title)) + "\n" + table.render(terminal) + "\n";
  }
  return out + summary(paper) + "\n";
}

}  // namespace routh
