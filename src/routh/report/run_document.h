// A run as the document of a report page (viewer/FORMAT.md).
#pragma once

#include <string>

#include "routh/report/decimate.h"
#include "routh/report/event_table.h"

namespace routh::internal {

struct RunReportLimits {
  DecimationLimits samples;
  PathLimits paths;
};

// JSON that may stand in a <script> element: see make_page. Poses, gaps and slip are computed from the scene that the
// run holds; impacts of one contact are solved again for their paths. What is left out stands in `warnings`, after what
// is wrong with the run itself. Throws InputError when the scene cannot be read or does not fit the run.
std::string run_document(const RunData& run, const RunReportLimits& limits = {});

}  // namespace routh::internal
