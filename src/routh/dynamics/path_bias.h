// The bias of steps of finite length, which move along another velocity than that of their momentum.
#pragma once

#include "routh/dynamics/state.h"

namespace routh::internal {

// Σ J_pᵀ m_p (J̇_p(w) v − g) over all masses, but for moments that do no work: what the momentum of each, at the
// velocities v, gains along the path w → force. With w = v it is h(q, v); its power v·τ is that of ½ vᵀ (∂_w M) v and
// of gravity, whatever w.
void compute_path_bias(const Model& model, const ConstVector& q, const ConstVector& v, const ConstVector& w,
                       Workspace& workspace);

}  // namespace routh::internal
