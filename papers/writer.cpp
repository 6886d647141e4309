#include "papers/writer.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "routh/impact/result.h"

namespace routh {

namespace {

const char* verdict_key(Verdict verdict) { return verdict == Verdict::mismatch ? "mismatch" : name(verdict); }

// The first paragraph below the heading, without Markdown's emphasis.
std::string reference_of(const PaperFiles& files) {
  const auto found = files.files.find("README.md");
  if (found == files.files.end()) return {};
  std::istringstream lines(found->second.text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#") || (line.empty() && out.empty())) continue;
    if (line.empty()) break;
    out += (out.empty() ? "" : " ") + line;
  }
  std::erase(out, '*');
  return out;
}

PaperValueRow value_row(const ComparedGroup& group, const ComparedValue& value) {
  const PrintedValue& printed = value.printed;
  PaperValueRow row;
  row.group = group.printed.title;
  row.name = printed.quantity;
  row.where = printed.formula;
  row.unit = printed.unit;
  row.source = printed.formula.empty() ? "printed" : "formula";
  row.printed = printed.formula.empty() ? printed.printed : fmt::format("{:.6g}", value.ours.formula.value_or(0));
  row.ours = value.ours.word;
  row.ours_number = value.ours.number;
  row.difference = value.ours.word.empty() ? value.difference : std::numeric_limits<double>::quiet_NaN();
  row.status = value.verdict == Verdict::ok ? "agrees" : verdict_key(value.verdict);
  row.follows = printed.computed;
  row.note = printed.misprint;
  return row;
}

}  // namespace

std::string verdict_text(const ComparedValue& value) {
  return value.verdict == Verdict::misprint ? "misprint: " + value.printed.misprint : name(value.verdict);
}

std::string summary(const ComparedPaper& paper) {
  const int misprints = paper.count(Verdict::misprint);
  const int mismatches = paper.count(Verdict::mismatch);
  return fmt::format("{} values: {} agree, {} documented misprint{}, {} mismatch{}", paper.size(),
                     paper.count(Verdict::ok), misprints, misprints == 1 ? "" : "s", mismatches,
                     mismatches == 1 ? "" : "es");
}

PaperPart paper_part(const PaperFiles& files, const ComparedPaper& paper, const std::vector<PaperFigure>& figures) {
  PaperPart part{paper.name, paper.title, reference_of(files), {}, {}};
  for (const ComparedGroup& group : paper.groups)
    for (const ComparedValue& value : group.values) part.values.push_back(value_row(group, value));
  for (const PaperFigure& figure : figures)
    part.figures.push_back({figure.name, figure.picture.title, to_svg(figure.picture)});
  return part;
}

std::string to_markdown(const ComparedPaper& paper) {
  std::string out =
      fmt::format("# {}\n\nWritten by `routh papers --output`; do not edit. {}.\n", paper.title, summary(paper));
  for (const ComparedGroup& group : paper.groups) {
    out += fmt::format("\n## {}\n\n| quantity | printed | ours | unit | verdict |\n|---|---:|---:|---|---|\n",
                       group.printed.title);
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
        Json entry{{"group", group.printed.title}, {"quantity", value.printed.quantity}};
        if (group.printed.law) entry["law"] = name(*group.printed.law);
        if (group.printed.restitution) entry["restitution"] = *group.printed.restitution;
        if (group.printed.friction) entry["friction"] = *group.printed.friction;
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
