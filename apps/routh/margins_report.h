// Margins of a run, `routh simulate --margins`: a table, and as JSON.
#pragma once

#include <string>

#include "routh/simulation/margins.h"
#include "terminal.h"

namespace routh {

std::string render_margins(const Terminal& terminal, const std::vector<ContactMargins>& contacts);
// `[{"contact": …, "least": {…}, "time": […], "slip": […], "normal_force": […], "jam": […]}, …]`
std::string margins_json(const std::vector<ContactMargins>& contacts);

}  // namespace routh
