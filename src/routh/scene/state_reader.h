// The section `state`: where the machine is and how it moves.
#pragma once

#include "routh/scene/scene.h"
#include "routh/scene/values.h"

namespace routh::internal {

// `draft.state`, from the root node's section `state`; what it does not name is as `draft.start` says, zero, or no
// rotation. Loops are not closed yet. `draft.given` says what it names.
void read_state(const Node& root, const Model& model, SceneDraft& draft);

// Puts the joints that `starts` names where it says.
void take_start(std::span<const RobotStart> starts, const Model& model, State& state);
// The other way: where all joints that move are.
std::vector<RobotStart> starts_of(const Model& model, const State& state);

// Of the degrees of freedom that were given, the one that closing the loops changed most; nothing where no change is
// worth a word.
std::optional<int> most_changed(const Eigen::VectorXd& change, const std::vector<bool>& given);
// `file:line:col: warning: …`
std::string warning_at(const Location& where, const std::string& message);

// Throws InputError when a coordinate lies outside the limits of its joint by more than `tolerance`; at its place in
// the document if `root` is given, else at the joint's.
void check_limits(const Node* root, const Model& model, const State& state, double tolerance);

}  // namespace routh::internal
