// A study over the ranks of MPI: rank 0 gives out blocks to whoever is free, computes some itself, and joins all.
#pragma once

#include <functional>

#include "routh/study/keeper.h"

namespace routh {

enum class Ended { complete, stopped };

// On rank 0. `stop` ends the study early; what was given out is still taken.
Ended lead(const Study& study, StudyKeeper& keeper, const std::function<bool()>& stop,
           const std::function<void(const StudyTotals&)>& progress);
// On every other rank, until rank 0 says it is over.
void follow(const Study& study);

}  // namespace routh
