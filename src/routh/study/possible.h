// Whether a study can have a sample at all: values that no problem or scene takes are refused before anything is
// computed, by the rules that the samples themselves are held to. Internal to the module.
#pragma once

#include "routh/study/study.h"

namespace routh::internal {

// A parameter that varies, in the order of the sampler's.
struct VaryingParameter {
  StudyPath path;
  Location where;  // of what it varies over
};

// Throws InputError at the value of `set`, or at the way of varying, which alone makes every sample fail. Values that
// break a rule only together, and ranges that lie in part outside, are left to the samples, which are counted.
void refuse_impossible(const Study& study, std::span<const GivenValue> settings,
                       std::span<const VaryingParameter> varying);

}  // namespace routh::internal
