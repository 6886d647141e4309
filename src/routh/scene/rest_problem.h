// Resting contacts of a machine as one problem, and postures at which they can or cannot rest.
#pragma once

#include <vector>

#include "routh/scene/diagnosis.h"

namespace routh::internal {

// After builder.prepare_forces. Slip that is rounding counts as none.
ModesProblem rest_problem(const Model& model, const std::vector<Contact>& resting, ContactProblemBuilder& builder,
                          const Workspace& workspace);

// Along every coordinate that moves one of the contacts, to both sides, the nearest value at which rest of all of them
// ceases to be possible, or becomes possible. The other coordinates give way so that all keep touching; where they
// cannot, the search ends. A quarter turn or one metre is searched, or the joint's range.
std::vector<RestPosture> search_rest(const Model& model, const SceneDiagnosis& diagnosis, Workspace& workspace);

}  // namespace routh::internal
