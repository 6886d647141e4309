// Mistakes that recordings are prone to: gaps, jumps, swapped, mirrored and scaled columns, other units, other axes.
#pragma once

#include <string>
#include <vector>

#include "routh/recording/recording.h"

namespace routh::internal {

// Throws InputError at a row before which samples are missing, or to which the body cannot have come: a free body has
// no speed beyond what its energy allows.
void refuse_impossible_motion(const Recording& recording, const Model& model);

// What the recordings as a whole say against the columns, in sentences: velocities that are not the rates of the poses,
// a flight that falls otherwise than gravity makes it.
std::vector<std::string> hygiene_remarks(const std::vector<Recording>& throws, const Model& model);

}  // namespace routh::internal
