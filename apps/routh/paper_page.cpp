#include "paper_page.h"

#include <fmt/format.h>

#include <limits>
#include <sstream>

namespace routh {

namespace {

const char* status_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "agrees";
    case Verdict::misprint:
      return "misprint";
    case Verdict::mismatch:
      return "mismatch";
  }
  return "";
}

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
  row.group = group.title;
  row.name = printed.quantity;
  row.where = printed.formula;
  row.unit = printed.unit;
  row.source = printed.formula.empty() ? "printed" : "formula";
  row.printed = printed.formula.empty() ? printed.printed : fmt::format("{:.6g}", value.ours.formula.value_or(0));
  row.ours = value.ours.word;
  row.ours_number = value.ours.number;
  row.difference = value.ours.word.empty() ? value.difference : std::numeric_limits<double>::quiet_NaN();
  row.status = status_word(value.verdict);
  row.follows = printed.computed;
  row.note = printed.misprint;
  return row;
}

}  // namespace

PaperPart paper_part(const PaperFiles& files, const ComparedPaper& paper, const std::vector<PaperFigure>& figures) {
  PaperPart part{paper.name, paper.title, reference_of(files), {}, {}};
  for (const ComparedGroup& group : paper.groups)
    for (const ComparedValue& value : group.values) part.values.push_back(value_row(group, value));
  for (const PaperFigure& figure : figures)
    part.figures.push_back({figure.name, figure.picture.title, to_svg(figure.picture)});
  return part;
}

}  // namespace routh
