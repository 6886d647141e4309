// How two surfaces meet.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "routh/model/draft.h"

namespace routh::internal {

// The rule for a pair of shapes, in this order:
//   an override for their two surfaces
//   the same surface on both, or a surface on one only: that one; on neither: frictionless, e = 0
//   friction √(μ₁μ₂), static and kinetic each (0 when one is 0); restitution min(e₁, e₂) and min(e_t₁, e_t₂): what
//   either material loses is lost; the law that is named
// Two different laws, or a restitution that depends on the speed, cannot be combined: InputError.
class SurfaceRule {
 public:
  // Checks the overrides.
  explicit SurfaceRule(const ModelDraft& draft);
  SurfaceProperties of(int first_shape, int second_shape) const;

 private:
  SurfaceProperties combined(int first_shape, int second_shape) const;

  const ModelDraft& draft_;
  std::unordered_map<std::uint64_t, SurfaceProperties> overrides_;
};

}  // namespace routh::internal
