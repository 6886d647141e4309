// Alart and Curnier's equations of one contact, F(p, v) = 0, and a generalised derivative [Alart and Curnier 1991]:
//
//   F_n = p_n − max(0, p_n − ρ v_n)            F_t = p_t − P(p_t − ρ v_t), P onto the disc of radius μ max(0, p_n − ρ
//   v_n)
//
// With v = D p + v_free, dF = A dp + B dv, so that Newton's matrix is A + B D by blocks. Unlike the natural map they
// keep their scale for large μ.
#pragma once

#include "routh/contacts/contact_system.h"

namespace routh::internal {

struct AlartCurnier {
  Vector3 value;  // F, in units of impulse
};
struct AlartCurnierSlope {
  Matrix3 impulse;   // A
  Matrix3 velocity;  // B
};

AlartCurnier alart_curnier(const ContactSystem& system, int contact, const Vector3& p, const Vector3& v, double rho,
                           AlartCurnierSlope* slope = nullptr);

}  // namespace routh::internal
