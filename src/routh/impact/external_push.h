// An external impulse i_u beside the contact's: what it changes of the impact.
//
//   p = J M_o⁺ i_u      v⁻ → v⁻ + p + D i      ρ = e max(0, −v_n⁻)
//
// Restitution belongs to the approach v_n⁻ before i_u acts: the contact leaves with v_n⁺ = ρ, or faster where i_u alone
// gives more [Aghili 2019, eq. 27, for one contact]. A contact that rests or leaves has ρ = 0: i_u may press it, it
// does not rebound.
//
// The laws that follow the impulse, or count its work, also need to know when i_u acts. Its tangential part, and what
// presses (p_n < 0), act before the contact's impulse. What separates (p_n > 0) takes the place of restitution first,
// and acts after the contact's impulse; what exceeds ρ takes the place of compression, and acts before it:
//
//   p_after = clamp(p_n, 0, ρ)      u = v⁻ + p − p_after n      e' = (ρ − p_after)/(−u_n), never above e
//
// so every law solves an ordinary impact from u with e' in place of e. What it may gain or not is what it may gain
// without i_u; i_u supplies T(q̇⁻ + M_o⁺ i_u) − T(q̇⁻) + p_after i_n.
#pragma once

#include <algorithm>

#include "routh/impact/restitution.h"

namespace routh::internal {

struct PushedStart {
  ContactVector velocity;  // u, relative to the surface
  double after = 0;        // p_after
  double approach = 0;     // max(0, −v_n⁻)
  bool changed = false;

  // e' of an impact from u; e itself where i_u changes nothing.
  RestitutionRule rule(const Restitution& restitution) const {
    if (!changed || !(velocity.n < 0)) return {.model = &restitution};
    return {.model = &restitution, .approach = approach, .start = -velocity.n, .after = after};
  }
};

// `relative`: v⁻ relative to the surface; e: the coefficient at its approach speed.
inline PushedStart pushed_start(const ContactVector& relative, const ContactVector& push, double e) {
  PushedStart start;
  start.changed = push.n != 0 || push.t1 != 0 || push.t2 != 0;
  start.approach = std::max(0.0, -relative.n);
  start.after = std::clamp(push.n, 0.0, e * start.approach);
  start.velocity = {relative.n + (push.n - start.after), relative.t1 + push.t1, relative.t2 + push.t2};
  return start;
}

}  // namespace routh::internal
