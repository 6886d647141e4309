// Of all impulses in the cones that give one velocity, the one of least norm.
//
// What each contact does is known: an open one carries nothing, a sliding one lies on a ray, a sticking one in its
// cone. Then min ½‖p‖² subject to D p = b is found by augmented Lagrangians: b is raised by what D p lacks and
//   min ½ pᵀ(D + εI) p − bᵀp over the cones
// solved anew by Newton's method on the natural map, until D p = b [Bertsekas 1982; Yin, Osher, Goldfarb and Darbon
// 2008].
#pragma once

#include "routh/contacts/newton.h"

namespace routh::internal {

enum class ContactDuty { open, slides, sticks, holds };  // `holds`: bilateral

struct AdmissibleImpulse {
  std::vector<Vector3> impulse;
  double lack = 0;  // ‖D p − b‖ of ‖b‖: where it does not vanish, no impulse in the cones gives b
};

class LeastNorm {
 public:
  // `direction` of sliding contacts: p = p_n direction. `change` is b, `impulse` where to begin.
  void run(const ContactSystem& system, BlockFactor& factor, const std::vector<ContactDuty>& duty,
           const std::vector<Vector3>& direction, const std::vector<Vector3>& change, AdmissibleImpulse& result);

 private:
  double evaluate(const ContactSystem& system, const std::vector<Vector3>& p, bool with_slope);

  void descend(const ContactSystem& system, std::vector<Vector3>& p) const;

  const std::vector<ContactDuty>* duty_ = nullptr;
  const std::vector<Vector3>* direction_ = nullptr;
  double lift_ = 0;  // ε, of the mean mobility
  DiagonalBlocks slope_;
  std::vector<Vector3> raised_, value_, step_, trial_, image_;
};

}  // namespace routh::internal
