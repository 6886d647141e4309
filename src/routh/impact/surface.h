// What a pair of surfaces is like: friction, restitution, and the law of impact.
#pragma once

#include <span>

namespace routh {

// Coulomb friction; 0 ≤ kinetic ≤ static. Infinity is allowed and means the limit of large friction: slip halts at
// once.
struct Friction {
  double static_coefficient = 0;
  double kinetic_coefficient = 0;
};

struct RestitutionPoint {
  double speed = 0;        // w [m/s], increasing along a table
  double coefficient = 0;  // in [0, 1]
};

enum class RestitutionKind { constant, linear, table };

// Coefficient of restitution, constant or a function of the speed w that compression reaches: the greatest |v_n| while
// the bodies approach. w = |v_n⁻| unless slip jams, which raises it; a tangential impact begins with v_n = 0.
//   constant  e = normal
//   linear    e = 1 − α w, valid while α w ≤ 1 (e = 0 and a warning beyond); α = 2c/(3k) for a contact of stiffness k
//             and damping c (Hunt and Crossley)
//   table     linear interpolation; the end values, and a warning, outside
struct Restitution {
  RestitutionKind kind = RestitutionKind::constant;
  double normal = 0;                        // constant coefficient, in [0, 1]
  double tangential = 0;                    // e_t, in [−1, 1]; only the unified law has it
  double alpha = 0;                         // [s/m], ≥ 0
  std::span<const RestitutionPoint> table;  // not owned; at least one point
};

enum class Law {
  newton,     // Routh's increment, ends at v_n = −e v_n⁻
  poisson,    // Routh's increment, ends at I_n = (1 + e) I_nc
  energetic,  // Routh's increment, ends when W_r = −e² W_c (Stronge)
  unified,    // Aghili's stick/slip map, friction along the mean slip velocity
  classical,  // the textbook: friction along the final slip velocity
};
inline constexpr int law_count = 5;
inline constexpr Law all_laws[law_count] = {Law::energetic, Law::poisson, Law::newton, Law::unified, Law::classical};

}  // namespace routh
