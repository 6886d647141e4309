// The result of a study for a terminal.
#pragma once

#include <string>

#include "routh/study/totals.h"
#include "terminal.h"

namespace routh {

std::string render(const Terminal& terminal, const Study& study, const StudyResult& result);

}  // namespace routh
