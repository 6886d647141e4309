// What touches at a state.
#pragma once

#include <optional>

#include "routh/contact/contact.h"
#include "routh/dynamics/state.h"

namespace routh {

struct TouchOptions {
  double tolerance = 1e-6;  // [m] or [rad]: a gap of at most this touches; an overlap beyond it is refused
};

enum class TouchKind { approaching, resting, separating };
const char* name(TouchKind kind);

// A contact that touches, and its normal velocity relative to the surfaces. Resting: |v_n| within rounding of zero.
struct Touch {
  Contact contact;
  TouchKind kind = TouchKind::resting;
  double normal_velocity = 0;
};

struct TouchReport {
  std::vector<Touch> touches;      // ordered by id
  std::vector<Contact> overlaps;   // deeper than the tolerance
  std::optional<Contact> nearest;  // when nothing touches: the smallest gap of all within 10 m, if any
};

// What touches at a state. Computes velocities.
TouchReport find_touches(const Model& model, const State& state, const TouchOptions& options, Workspace& workspace);

}  // namespace routh
