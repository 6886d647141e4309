// A contact without slip: does it stick, begin to slip, or let go? All solutions of
//
//   v̇ = D λ + f,   λ_n ≥ 0,  v̇_n ≥ 0,  λ_n v̇_n = 0,
//   sticks   v̇ = 0, ‖λ_t‖ ≤ μ_s λ_n
//   slips    λ_t = −μ_k λ_n σ and v̇_t = κ σ with κ > 0
//
// In space the direction σ of a beginning slip is a root of σ⊥ᵀ(A f_t − f_n C) = 0, a quartic in tan(φ/2).
#pragma once

#include <array>

#include "routh/base/names.h"
#include "routh/solvability/slip_verdict.h"

namespace routh {

enum class RestMode { detaches, sticks, slips };
constexpr auto names_of(RestMode) {
  return name_table<RestMode>(
      {{RestMode::detaches, "detaches"}, {RestMode::sticks, "sticks"}, {RestMode::slips, "slips"}});
}

struct RestSolution {
  RestMode mode = RestMode::detaches;
  SlipDirection direction;  // of a beginning slip
  ContactVector force;
  ContactVector acceleration;
};

enum class RestAnswer { none, unique, several };

struct RestVerdict {
  // Several: more than one acceleration is possible. A stick that friction between μ_k and μ_s could also let slip
  // counts once: what sticks goes on sticking.
  RestAnswer answer = RestAnswer::none;
  int count = 0;
  std::array<RestSolution, 6> solutions;  // in the order of the rule: detaches, sticks, slips; the first is taken

  // The force that would keep the contact at rest, whether friction allows it or not.
  bool stick_exists = false;  // false when D is singular in the direction that must be held
  ContactVector stick_force;
  double friction_demand = 0;   // ‖λ_t‖/λ_n of it; infinite when λ_n ≤ 0
  bool stick_feasible = false;  // λ_n ≥ 0 and within μ_s

  const RestSolution& chosen() const { return solutions[0]; }
};

RestVerdict judge_rest(const ContactInertia& inertia, const Friction& friction, const ContactVector& free_acceleration);

}  // namespace routh
