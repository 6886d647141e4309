// A compared paper as Markdown, as JSON and as a page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "papers/evaluator.h"
#include "papers/paper.h"
#include "routh/report/documents.h"

namespace routh {

// "82 values: 81 agree, 1 documented misprint, 0 mismatches"
std::string summary(const ComparedPaper& paper);
// "ok", "MISMATCH", or why it is a misprint.
std::string verdict_text(const ComparedValue& value);

std::string to_markdown(const ComparedPaper& paper);
std::string to_json(std::span<const ComparedPaper> papers);
// `files` may hold a README.md, whose first paragraph is the reference.
struct ShownPaper {
  PaperFiles files;
  ComparedPaper compared;
  std::vector<PaperFigure> figures;
};
// What a page draws.
std::string papers_document(const DocumentHead& head, const std::vector<ShownPaper>& papers);

}  // namespace routh
