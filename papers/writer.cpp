#include "papers/writer.h"

#include <fmt/format.h>

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

void write_value(const ComparedGroup& group, const ComparedValue& value, JsonWriter& json) {
  const PrintedValue& printed = value.printed;
  const OurValue& ours = value.ours;
  const bool formula = !printed.formula.empty();
  json.begin_object();
  json.text("group", group.printed.title);
  json.text("name", printed.quantity);
  json.text("where", printed.formula);
  json.text("unit", printed.unit);
  json.text("source", formula ? "formula" : "printed");
  json.text("printed", formula ? fmt::format("{:.6g}", ours.formula.value_or(0)) : printed.printed);
  if (ours.word.empty()) {
    json.number("ours", ours.number);
    json.number("difference", value.difference);
  } else {
    json.text("ours", ours.word);
    json.null("difference");
  }
  json.text("status", value.verdict == Verdict::ok ? "agrees" : verdict_key(value.verdict));
  json.text_or_null("follows", printed.computed);
  json.text_or_null("note", printed.misprint);
  json.end_object();
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

std::string papers_document(const DocumentHead& head, const std::vector<ShownPaper>& papers) {
  JsonWriter json;
  begin_document(head, "papers", json);
  json.objects("papers", papers, [&](const ShownPaper& paper) {
    json.text("name", paper.compared.name);
    json.text("title", paper.compared.title);
    json.text("reference", reference_of(paper.files));
    json.begin_list("values");
    for (const ComparedGroup& group : paper.compared.groups)
      for (const ComparedValue& value : group.values) write_value(group, value, json);
    json.end_list();
    json.objects("figures", paper.figures, [&](const PaperFigure& figure) {
      json.text("name", figure.name);
      json.text("caption", figure.picture.title);
      json.text("svg", to_svg(figure.picture));
    });
  });
  const auto count = [&](const char* key, Verdict verdict) {
    long long found = 0;
    for (const ShownPaper& paper : papers) found += paper.compared.count(verdict);
    json.integer(key, found);
  };
  json.begin_object("summary");
  count("agrees", Verdict::ok);
  count("misprints", Verdict::misprint);
  count("mismatches", Verdict::mismatch);
  json.end_object();
  json.end_object();
  return json.result();
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
