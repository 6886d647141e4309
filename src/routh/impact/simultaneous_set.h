// Which contacts of a simultaneous impact act, and the velocity that follows.
//
// Every contact asks for φ̇⁺ ≥ g, the `wanted` of its row. The velocity after is the one of these that is nearest to
// y⁻ + L⁻¹i_u in the kinetic metric, with the bilateral rows and the tangential rows of acting contacts at zero: its
// conditions of optimality are  λ ≥ 0, φ̇⁺ − g ≥ 0, λ(φ̇⁺ − g) = 0, the complementarity problem of the impact. Where the
// g of the acting contacts are not attainable together, those of the striking ones are first replaced by the nearest
// attainable ones; as that depends on who acts, and so do the tangential rows, the set is iterated until it reproduces
// itself.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "routh/impact/simultaneous_rows.h"

namespace routh::internal {

// One entry for each contact.
struct ActingSet {
  std::vector<char> normal;      // φ̇⁺ = g
  std::vector<char> tangential;  // sticks: pressed with a positive impulse
  bool operator==(const ActingSet&) const = default;
};

struct ActingState {
  bool settled = false;
  int rounds = 0;
  ActingSet set;
  Eigen::VectorXd velocity;  // y⁺
  Eigen::VectorXd impulse;   // of the contacts, off the loops
  Eigen::VectorXd normal;    // multipliers of the unit columns
  Eigen::VectorXd tangential;
  std::vector<char> normal_unique;
  std::vector<char> tangential_unique;  // of each contact
};

// `held`, one for each contact or empty: contacts that stick whether they are pressed or not.
ActingState settle_acting_set(const SimultaneousRows& rows, int most_searched, const std::vector<char>& held = {});

// g of every contact when those of `set` act: the nearest attainable ones for the striking among them.
Eigen::VectorXd attainable_departure(const SimultaneousRows& rows, const ActingSet& set);

// Columns of `rows.tangential` of the contacts that stick.
Eigen::MatrixXd sticking_columns(const SimultaneousRows& rows, const ActingSet& set);

// Fills the multipliers of `state` from its impulse and set. `support`: non-negative multipliers of the normals known
// to do, for the case that rounding hides better ones.
void share_impulse(const SimultaneousRows& rows, const Eigen::VectorXd& support, ActingState& state);

}  // namespace routh::internal
