// The impact of one contact as an event. Private to the module.
#pragma once

#include "routh/simulation/event.h"

namespace routh::internal {

// Rule, ledger, warnings, and all that the event's one contact tells of how it was solved.
void describe_single_impact(const ImpactProblem& problem, const ImpactResult& result, Event& event);

}  // namespace routh::internal
