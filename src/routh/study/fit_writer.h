// What a fit found, as JSON, as CSV and as a picture.
#pragma once

#include <string>

#include "routh/figure/picture.h"
#include "routh/study/fit.h"

namespace routh::internal {

// {"schema": 1, "impacts": …, "measured": […], "laws": [{"law": …, "parameters": {…}, …}], "remarks": […]}
std::string fit_json(const FitReport& report, const FitData& data, double confidence);
// row,measured,law…: residuals, each divided by its deviation.
std::string fit_residuals_csv(const FitReport& report, const FitData& data);
// Residuals over the number of the measurement, a panel for each law.
Picture fit_picture(const FitReport& report, const FitData& data);

}  // namespace routh::internal
