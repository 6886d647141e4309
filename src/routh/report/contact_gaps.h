// The gaps of a run's contacts at its samples, open ones included; the run file keeps those that are closed.
#pragma once

#include <vector>

#include "routh/record/run_file.h"

namespace routh::internal {

// As `export_run` takes them. Empty where the run's scene cannot be made again.
std::vector<double> contact_gaps(const RunData& run);

}  // namespace routh::internal
