// A fit as a table, as JSON, as CSV of its residuals and as a picture of them.
#pragma once

#include <string>

#include "routh/study/fit.h"
#include "terminal.h"

namespace routh {

std::string fit_table(const Terminal& terminal, const FitReport& report, double confidence);
std::string fit_json(const FitReport& report, const FitData& data, double confidence);
std::string fit_residuals_csv(const FitReport& report, const FitData& data);
std::string fit_svg(const FitReport& report, const FitData& data);

}  // namespace routh
