// Where a loop is closed: its two frames in the world, and the axes it holds at right angles. Private to the module.
#pragma once

#include "routh/dynamics/dynamics.h"

namespace routh::internal {

struct LoopFrames {
  Pose a, b;
};
inline LoopFrames loop_frames(const Model& model, const Workspace& workspace, const Loop& loop) {
  return {body_pose(model, workspace, loop.body_a) * loop.at_a, body_pose(model, workspace, loop.body_b) * loop.at_b};
}

// Conditions s·u = 0 between an axis u fixed in a and an axis s fixed in b.
struct LoopAxes {
  struct Pair {
    Vector3 u, s;
  };
  int count = 0;
  Pair pairs[3];
};
LoopAxes loop_axes(const Loop& loop, const LoopFrames& at, Dimension dimension);

// Rows that hold the origins of the frames together.
inline int loop_point_rows(const Loop& loop, Dimension dimension) {
  if (loop.kind == LoopKind::distance || loop.kind == LoopKind::coupling) return 0;
  return dimension == Dimension::planar ? 2 : 3;
}

// Sets rows of A to zero that tell next to nothing of the motion: whose entries are below this share of those that rows
// of their kind have in the loop.
void forget_faint_rows(const Model& model, double share, Eigen::Ref<Eigen::MatrixXd> A);

}  // namespace routh::internal
