// The result of a study as one HTML file that needs nothing else: tables, and pictures of its distributions.
#pragma once

#include <string>

#include "routh/study/totals.h"

namespace routh::internal {

std::string study_page(const Study& study, const StudyResult& result);

}  // namespace routh::internal
