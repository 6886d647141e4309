// Problems of few contacts, decided whatever D and the surfaces are.
//
// A case says of each contact what it does (`CaseMode`). What the laws then leave is linear, A x = b with x ≥ 0:
// multiples of the edges of cones, and slacks. The residual of its least squares is zero, or Farkas' proof that nothing
// obeys it. A case that something obeys is divided by what the contact does that breaks its law most, until no law is
// broken or every case is refuted: a solution, or the proof that there is none.
//
// In the plane, and of contacts that are smooth or whose slip is given, cones have edges and the laws are the case. In
// space slip has a sector of directions, halved where that helps; cones, and the part of one that opposes a sector, lie
// within pyramids: what refutes those refutes them. Such a tree refutes, or meets solutions by Newton's method from
// where it is; it does not list them all.
#pragma once

#include <functional>
#include <vector>

#include "routh/contacts/contact_system.h"

namespace routh::internal {

// y by blocks: y·v⁺ < 0 for all impulses of the case, where its contacts want y·v⁺ ≥ 0.
struct RefutedCase {
  std::vector<CaseMode> modes;
  std::vector<SlipSector> sectors;
  std::vector<Vector3> y;
};

enum class ModeTreeEnd {
  accepted,   // a solution was accepted
  complete,   // every case was refuted, or all solutions that it has were offered
  undecided,  // too many cases, or one that rounding does not let decide
};

struct ModeTreeResult {
  ModeTreeEnd end = ModeTreeEnd::undecided;
  int offered = 0;                   // solutions; none of a tree that is complete: there is none, by `refuted`
  std::vector<RefutedCase> refuted;  // where impulses in the cones alone contradict, one case of anything
};

// What is to be done with an impulse that obeys the laws but for rounding.
enum class Offer { accepted, seen, rejected };

// Whether the contacts are few; whether the cones have edges, too, so that no direction of slip need be divided.
bool can_search_sectors(const ContactSystem& system);
bool can_search_modes(const ContactSystem& system);
ModeTreeResult search_modes(const ContactSystem& system,
                            const std::function<Offer(const std::vector<Vector3>& impulse)>& offer);

}  // namespace routh::internal
