// A run as the document of a report page (viewer/FORMAT.md).
#pragma once

#include <string>
#include <vector>

#include "routh/contact/contact.h"
#include "routh/report/decimate.h"
#include "routh/report/event_table.h"
#include "routh/scene/scene.h"

namespace routh::internal {

struct RunReportLimits {
  DecimationLimits samples;
  std::size_t paths = 1500;  // of impacts, those with the largest impulses
};

// JSON that may stand in a <script> element: see make_page. Poses, gaps and slip are computed from the scene that the
// run holds, paths of impacts are those it recorded. What is left out stands in `warnings`, after what
// is wrong with the run itself. Throws InputError when the scene cannot be read or does not fit the run.
std::string run_document(const RunData& run, const RunReportLimits& limits = {});

// A scene in its posture as a document of the same kind, with `still`: what touches and what overlaps, in words and in
// colour. `info` holds its text.
std::string still_document(const Scene& scene, const TouchReport& touches, const RunInfo& info);
// A sentence for each contact that touches or overlaps and each joint at a limit; what is nearest where nothing does.
std::vector<std::string> touch_sentences(const Model& model, const TouchReport& touches);

}  // namespace routh::internal
