// Which friction and restitution there can be: the one set of rules. Whoever reads a surface adds place and remedy.
#pragma once

#include <cstddef>

#include "routh/impact/problem.h"

namespace routh::internal {

enum class SurfaceQuantity {
  static_friction,
  kinetic_friction,
  restitution,  // the constant coefficient
  tangential_restitution,
  alpha,
  table,  // as a whole
  table_speed,
  table_coefficient,
};

// `rule` is null when none is broken.
struct SurfaceViolation {
  SurfaceQuantity quantity = SurfaceQuantity::static_friction;
  double value = 0;
  const char* rule = nullptr;
  std::size_t point = 0;  // of a table
};

SurfaceViolation check_friction(const Friction& friction);
SurfaceViolation check_restitution(const Restitution& restitution);
SurfaceViolation check_restitution(double constant);

// How users know it: `friction.static`, `restitution.table`.
const char* name(SurfaceQuantity quantity);
// Its key in the map that friction or restitution may be written as: `static`, `table`.
const char* key(SurfaceQuantity quantity);
// What to do about it; empty where the rule says all.
const char* remedy(SurfaceQuantity quantity);

}  // namespace routh::internal
