// What the planar and the spatial increment share in telling their story: phases, path, names of modes. Internal.
#pragma once

#include <limits>

#include "routh/impact/laws.h"

namespace routh::internal {

// Events closer than this, relative to their impulse, are one event: the answer does not depend on their order.
inline constexpr double coincident = 8 * std::numeric_limits<double>::epsilon();

// Rows of Elkaranshawy's Table 1, by where slip halted.
inline Mode mode_of_stick(Stage halt) {
  return halt == Stage::compression ? Mode::stick_in_compression : Mode::stick_in_restitution;
}
inline Mode mode_of_reversal(Stage halt) {
  return halt == Stage::compression ? Mode::reverse_in_compression : Mode::reverse_in_restitution;
}

inline void record_restitution(ImpactResult& out, const RestitutionValue& e) {
  out.restitution = e.of_surface;
  if (!e.in_range) out.warn(Warning::restitution_out_of_range);
}

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

}  // namespace routh::internal
