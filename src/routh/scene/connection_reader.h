// What joins or pushes bodies besides their joints: loops, springs and forces.
#pragma once

#include <span>

#include "routh/scene/values.h"

namespace routh::internal {

// Couplings name joints, which must have been read before.
std::vector<LoopDescription> read_loops(const Node& node, std::span<const JointDescription> joints,
                                        Dimension dimension);
std::vector<SpringDescription> read_springs(const Node& node, Dimension dimension);
std::vector<ForceDescription> read_forces(const Node& node, Dimension dimension);

}  // namespace routh::internal
