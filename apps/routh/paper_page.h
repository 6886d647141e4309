// A compared paper and its figures as part of a page.
#pragma once

#include <vector>

#include "paper.h"
#include "paper_evaluator.h"
#include "routh/report/documents.h"

namespace routh {

// `files` may hold a README.md, whose first paragraph is the reference.
PaperPart paper_part(const PaperFiles& files, const ComparedPaper& paper, const std::vector<PaperFigure>& figures);

}  // namespace routh
