#include "papers/evaluator.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace routh {

namespace {

struct Entry {
  std::string_view folder;
  std::unique_ptr<PaperEvaluator> (*make)(const PaperFiles&);
};

constexpr std::array<Entry, 5> entries = {{
    {"aghili-2020", aghili_evaluator},
    {"aghili-projection", projection_evaluator},
    {"elkaranshawy-2025", elkaranshawy_evaluator},
    {"liu-2007", liu_evaluator},
    {"peiret-2017", peiret_evaluator},
}};

}  // namespace

std::optional<OurValue> TabulatedPaper::value(const PrintedGroup&, const std::string& quantity) {
  const auto found = values_.find(quantity);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::unique_ptr<PaperEvaluator> make_evaluator(const PaperFiles& files) {
  std::string known;
  for (const Entry& entry : entries) {
    if (entry.folder == files.folder) return entry.make(files);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.folder);
  }
  throw InputError({files.folder}, "the program cannot compute the values of this paper",
                   fmt::format("name the folder as one of: {}", known));
}

ComparedPaper compare_paper(const PaperFiles& files, PaperEvaluator& evaluator) {
  const Paper paper = read_paper(files);
  ComparedPaper out{files.folder, paper.title, {}};
  for (const PrintedGroup& group : paper.groups) {
    ComparedGroup compared{group, {}};
    for (const PrintedValue& value : group.values) {
      const std::optional<OurValue> ours = evaluator.value(group, value.quantity);
      if (!ours) throw InputError(value.where, fmt::format("unknown quantity '{}'", printable(value.quantity)));
      compared.values.push_back(compare(value, *ours));
    }
    out.groups.push_back(std::move(compared));
  }
  return out;
}

}  // namespace routh
