#include "paper_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "routh/impact/result.h"
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

std::string verdict_text(const ComparedValue& value) {
  return value.verdict == Verdict::misprint ? "misprint: " + value.printed.misprint : name(value.verdict);
}

const char* verdict_key(Verdict verdict) { return verdict == Verdict::mismatch ? "mismatch" : name(verdict); }

// Printed words are longer than numbers: they get two lines of the column.
constexpr std::size_t value_width = 13;

}  // namespace

std::string summary(const ComparedPaper& paper) {
  const int misprints = paper.count(Verdict::misprint);
  const int mismatches = paper.count(Verdict::mismatch);
  return fmt::format("{} values: {} agree, {} documented misprint{}, {} mismatch{}", paper.size(),
                     paper.count(Verdict::ok), misprints, misprints == 1 ? "" : "s", mismatches,
                     mismatches == 1 ? "" : "es");
}

std::string render(const Terminal& terminal, const ComparedPaper& paper) {
  const std::vector<Column> columns{{11, Align::left}, {value_width},    {value_width}, {10},
                                    {9, Align::left},  {19, Align::left}};
  std::string out;
  for (const std::string& line : wrap(paper.title, 80))
    out += paint(terminal, Tone::strong, encode(terminal, line)) + "\n";
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
    out += paint(terminal, Tone::strong, encode(terminal, group.title)) + "\n" + table.render(terminal) + "\n";
  }
  return out + summary(paper) + "\n";
}

std::string to_markdown(const ComparedPaper& paper) {
  std::string out =
      fmt::format("# {}\n\nWritten by `routh papers --output`; do not edit. {}.\n", paper.title, summary(paper));
  for (const ComparedGroup& group : paper.groups) {
    out += fmt::format("\n## {}\n\n| quantity | printed | ours | unit | verdict |\n|---|---:|---:|---|---|\n",
                       group.title);
    for (const ComparedValue& value : group.values)
      out += fmt::format("| `{}` | {} | {} | {} | {} |\n", value.printed.quantity, format_printed(value),
                         format_ours(value), value.printed.unit, verdict_text(value));
  }
  return out;
}

std::string to_json(std::span<const ComparedPaper> papers) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const ComparedPaper& paper : papers) {
    Json values = Json::array();
    for (const ComparedGroup& group : paper.groups) {
      for (const ComparedValue& value : group.values) {
        Json entry{{"group", group.title}, {"quantity", value.printed.quantity}};
        if (group.law) entry["law"] = name(*group.law);
        if (group.restitution) entry["restitution"] = *group.restitution;
        if (group.friction) entry["friction"] = *group.friction;
        entry["unit"] = value.printed.unit;
        if (value.printed.formula.empty()) {
          entry["printed"] = value.printed.printed;
        } else {
          entry["formula"] = value.printed.formula;
          entry["formula_value"] = value.ours.formula.value_or(0);
        }
        if (value.ours.word.empty()) {
          entry["ours"] = value.ours.number;
          entry["difference"] = value.difference;
          entry["tolerance"] = value.tolerance;
        } else {
          entry["ours"] = value.ours.word;
        }
        entry["verdict"] = verdict_key(value.verdict);
        if (!value.printed.misprint.empty()) {
          entry["computed"] = value.printed.computed;
          entry["misprint"] = value.printed.misprint;
        }
        values.push_back(std::move(entry));
      }
    }
    list.push_back({{"name", paper.name},
                    {"title", paper.title},
                    {"mismatches", paper.count(Verdict::mismatch)},
                    {"misprints", paper.count(Verdict::misprint)},
                    {"values", std::move(values)}});
  }
  const Json document{{"schema", "routh-papers-1"}, {"papers", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace routh
