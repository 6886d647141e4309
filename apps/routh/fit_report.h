// A fit as a table.
#pragma once

#include <string>

#include "routh/study/fit.h"
#include "terminal.h"

namespace routh {

std::string fit_table(const Terminal& terminal, const FitReport& report, double confidence);

}  // namespace routh
