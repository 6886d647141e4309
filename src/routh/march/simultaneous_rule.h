// The rules for several contacts of a machine that strike at once, by the names that events have for them, and the
// second of them in the form of the first: the compliant march (together.h) between M, J and q̇⁺.
//
//   D = J M_b⁺ Jᵀ      v = J q̇⁻ − v_s      Δq̇ = M_b⁺ Jᵀ i         M_b⁺: the inverse mass with the loops closed
#pragma once

#include <string>

#include "routh/impact/problem.h"
#include "routh/impact/simultaneous.h"
#include "routh/march/together.h"

namespace routh::internal {

enum class SimultaneousRule {
  simultaneous,  // Newton's rule and oblique projection, without friction and without slip (simultaneous.h)
  together,      // the compliant march: slip, stick and each contact's own restitution
  run,           // whichever of them a run takes (run_rule.h)
};
constexpr auto names_of(SimultaneousRule) {
  return name_table<SimultaneousRule>({{SimultaneousRule::simultaneous, "simultaneous"},
                                       {SimultaneousRule::together, "together"},
                                       {SimultaneousRule::run, "run"}});
}

// Whether a user may ask for a law under the rule.
constexpr bool knows(SimultaneousRule rule, Law law) {
  switch (rule) {
    case SimultaneousRule::simultaneous:
      return law == Law::newton;
    case SimultaneousRule::together:
    case SimultaneousRule::run:
      return marches(law);
  }
  return false;
}
std::string known_laws();  // of each rule, as a sentence

struct MarchSettings {
  std::vector<Law> laws;               // of each contact; one that does not march is replaced, and warned of
  Eigen::VectorXd surface_velocity;    // v_s, contact after contact, normal first [m/s]; empty: at rest
  Load load = Load::unknown;           // of all contacts
  std::vector<double> stiffness = {};  // of each contact's spring beside the others'; empty: all equal
};

// The machine needs tangential rows and frictions; an external impulse is `invalid`. In the result `residual` is zero,
// since restitution is not Newton's, and the shares of contacts in the normal impulse are those of equal springs.
// `path`: where the way through it is to be kept.
SimultaneousResult solve_march(SimultaneousProblem machine, const MarchSettings& settings,
                               std::vector<MarchPoint>* path = nullptr);

}  // namespace routh::internal
