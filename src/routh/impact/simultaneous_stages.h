// The strike of a simultaneous impact, and the closing that follows where it leaves a contact approaching.
#pragma once

#include <vector>

#include "routh/impact/simultaneous_set.h"

namespace routh::internal {

struct SimultaneousStage {
  SimultaneousRows rows;  // with the velocity before this stage
  ActingState state;
};

// One stage or two; the last one may be unsettled.
std::vector<SimultaneousStage> run_stages(const SimultaneousRows& rows, int most_searched);

// Both together: impulses added, whoever acted in either, the velocity of the last.
ActingState total_of(const std::vector<SimultaneousStage>& stages);

// The works, the change of energy and the verdict of `result`.
void fill_energy(const std::vector<SimultaneousStage>& stages, SimultaneousResult& result);

}  // namespace routh::internal
