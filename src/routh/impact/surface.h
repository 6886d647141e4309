// What a pair of surfaces is like: friction, restitution, and the law of impact.
#pragma once

#include <algorithm>
#include <span>

#include "routh/base/names.h"

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
// The keys under which files and Python give them.
constexpr auto names_of(RestitutionKind) {
  return name_table<RestitutionKind>(
      {{RestitutionKind::constant, "normal"}, {RestitutionKind::linear, "alpha"}, {RestitutionKind::table, "table"}});
}

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
constexpr auto names_of(Law) {
  return name_table<Law>({
      {Law::newton, "newton"},
      {Law::poisson, "poisson"},
      {Law::energetic, "energetic"},
      {Law::unified, "unified"},
      {Law::classical, "classical"},
  });
}
inline constexpr int law_count = static_cast<int>(count_of<Law>);
// In the order in which they are shown.
inline constexpr Law all_laws[law_count] = {Law::energetic, Law::poisson, Law::newton, Law::unified, Law::classical};
static_assert(std::all_of(all_values<Law>.begin(), all_values<Law>.end(),
                          [](Law law) { return std::count(all_laws, all_laws + law_count, law) == 1; }));

// Routh's increment; the others map the velocity before to the velocity after.
constexpr bool is_incremental(Law law) {
  switch (law) {
    case Law::newton:
    case Law::poisson:
    case Law::energetic:
      return true;
    case Law::unified:
    case Law::classical:
      return false;
  }
  return false;
}
// Whether it has an answer for an impact that begins with v_n = 0, as a jam does. Newton's law has none, and maps have
// no phases.
constexpr bool has_tangential_impact(Law law) {
  switch (law) {
    case Law::poisson:
    case Law::energetic:
      return true;
    case Law::newton:
    case Law::unified:
    case Law::classical:
      return false;
  }
  return false;
}
// Whether the march of several contacts through one impulse (march/together.h) follows it; of others it takes the
// energetic law.
constexpr bool marches(Law law) {
  switch (law) {
    case Law::poisson:
    case Law::energetic:
      return true;
    case Law::newton:
    case Law::unified:
    case Law::classical:
      return false;
  }
  return false;
}

}  // namespace routh
