// Whether a run can go on from the checkpoint of a file: each of its fields against the model, before any is used.
#pragma once

#include <string>

#include "routh/record/run_file.h"

namespace routh::internal {

// Why not; empty: it can.
std::string checkpoint_fault(const Model& model, const RunData& run);

}  // namespace routh::internal
