// A run as the document of a report page (viewer/FORMAT.md).
#pragma once

#include <string>

#include "routh/report/decimate.h"
#include "routh/report/event_table.h"

namespace routh::internal {

struct RunReportLimits {
  DecimationLimits samples;
  std::size_t paths = 1500;  // of impacts, those with the largest impulses
};

// JSON that may stand in a <script> element: see make_page. Poses, gaps and slip are computed from the scene that the
// run holds, paths of impacts are those it recorded. What is left out stands in `warnings`, after what
// is wrong with the run itself. Throws InputError when the scene cannot be read or does not fit the run.
std::string run_document(const RunData& run, const RunReportLimits& limits = {});

}  // namespace routh::internal
