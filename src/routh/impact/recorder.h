// Writes phases into a result and points onto a path. Internal.
#pragma once

#include "routh/impact/laws.h"

namespace routh {

inline void record_phase(ImpactResult& out, const Phase& phase) {
  if (out.phase_count == ImpactResult::max_phases) {
    out.phase_storage[ImpactResult::max_phases - 1] = phase;  // the last phase always tells the end
    return;
  }
  out.phase_storage[static_cast<unsigned>(out.phase_count++)] = phase;
}

// The impulse never falls along a path, not even by rounding.
inline void record_point(Path* path, double impulse, const ContactVector& velocity, Stage stage) {
  if (!path) return;
  const double last = path->empty() ? 0 : path->back().normal_impulse;
  path->push_back({impulse > last ? impulse : last, velocity, stage});
}

}  // namespace routh
