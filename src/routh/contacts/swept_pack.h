// Contacts of sweeps (sweeps.h) between bodies that move freely, four at a time, one to each lane: those of one colour
// have no body in common, so that none waits for the other. The same bits with and without AVX2 (math/lanes.h).
#pragma once

#include <cstddef>
#include <span>

#include "routh/math/lanes.h"

namespace routh::internal {

// Rows of a body that moves freely.
inline constexpr int free_body = 6;

struct alignas(32) SweptPack {
  using Four = Lanes<4>;

  Four column[2][3 * free_body];  // Y by bodies: `free_body` numbers for the normal, then as many for each tangent
  Four velocity[3];               // v
  Four impulse[3], last[3];
  Four friction;
  Four normal, tangential;  // 1/a and 1/c of diag(a, c, c) ≥ D_ii
  Four mobility;
  int place[2][4];         // of the bodies' first rows in z; −1: there is no contact, or no such body
  int number[4];           // of the contacts in the problem; −1: none
  int bodies;              // 2; 1 where all these contacts are with the world
  int idle;                // sweeps for which they are left alone
  double changed;          // by the last sweep: the square, in units of velocity
  double natural, scaled;  // squares of their residuals
};

SweptPack no_contacts();

// Gives each contact the impulse of Coulomb's law where the others keep theirs, D_ii taken for diag(a, c, c).
void sweep_packs(std::span<SweptPack> packs, double* z);
// A share of the way from the last sweep's end to this one's once more.
void carry_on_packs(std::span<SweptPack> packs, double share);
// Their parts of ‖p − P_K(p − û)‖², in the units of the problem and in those of velocity.
void find_residuals(std::span<SweptPack> packs, const double* z);

}  // namespace routh::internal
