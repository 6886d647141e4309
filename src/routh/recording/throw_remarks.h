// What an identification says beside its numbers: what the data cannot tell, and what is wrong in them.
#pragma once

#include "routh/recording/identify.h"

namespace routh::internal {

std::vector<std::string> identify_remarks(const Scene& scene, const Recordings& recordings,
                                          const std::vector<Throw>& throws, const std::vector<SoughtParameter>& sought,
                                          const IdentifyReport& report);

// The gap that bodies at rest keep from what they rest on, the median over the recordings: an offset of the poses.
// Nothing where fewer than half end at rest.
struct RestingGap {
  double median = 0;
  std::size_t throws = 0;
};
std::optional<RestingGap> resting_gap(const std::vector<Recording>& recordings, const Model& model);

// Sentences about the recordings alone, and about the gap at rest.
std::vector<std::string> data_remarks(const Recordings& recordings, const Model& model);

}  // namespace routh::internal
