// The section `state`: where the machine is and how it moves.
#pragma once

#include "routh/dynamics/constrained.h"
#include "routh/robot/robot.h"
#include "routh/scene/values.h"

namespace routh::internal {

// The state of the root node's section `state`; what it does not name is as `start` says, zero, or no rotation. Loops
// are not closed yet. `given` says what it names.
State read_state(const Node& root, const Model& model, std::span<const RobotStart> start, AssemblyOptions& given);

// Puts the joints that `starts` names where it says.
void take_start(std::span<const RobotStart> starts, const Model& model, State& state);

// Throws InputError when a coordinate lies outside the limits of its joint by more than `tolerance`; at its place in
// the document if `root` is given, else at the joint's.
void check_limits(const Node* root, const Model& model, const State& state, double tolerance);

}  // namespace routh::internal
