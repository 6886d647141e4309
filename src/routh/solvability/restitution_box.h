// How far every restitution may be changed at once before some choice gains energy.
#pragma once

#include <chrono>

#include "routh/solvability/struck_form.h"

namespace routh::internal {

enum class BoxProof {
  exact,           // by the corners of the box
  inner_too_many,  // a lower bound by norms: more than ten contacts act on one another
  inner_no_time,   // a lower bound by norms: the time was over
};

struct RestitutionBox {
  double half_width = 0;  // 1: every choice in [0, 1] is consistent
  BoxProof proof = BoxProof::exact;
};

// Around a consistent E. {E : ‖T(E)‖ ≤ 1} is convex, so a box lies in it as soon as its corners do. Contacts that do
// not act on one another (orthogonal in the mass metric) are looked at by themselves.
RestitutionBox restitution_box(const StruckForm& form, const Eigen::VectorXd& e,
                               std::chrono::steady_clock::time_point deadline);

}  // namespace routh::internal
