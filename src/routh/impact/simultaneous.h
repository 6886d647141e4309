// Several contacts that strike at once: one impulse for all, by Newton's rule and oblique projection [Aghili 2019],
// each with its own restitution; loops, contacts at rest and redundant contacts included.
//
//   M (q̇⁺ − q̇⁻) = i_u + A_bᵀλ_b + A_uᵀλ       A_b q̇⁺ = 0       φ̇ = A_u q̇       λ ≥ 0
//
//   strike      φ̇ ≥ −e φ̇⁻ where it strikes (φ̇⁻ < 0), φ̇ ≥ 0 where it rests, φ̇ ≥ −φ̇⁻ where it separates (φ̇⁻ > 0);
//               λ acts only where equality holds
//   closing     φ̇⁺ ≥ 0 for all, where the strike leaves a contact approaching; λ acts only where φ̇⁺ = 0
//
// Each is a complementarity problem whose q̇ is unique: the velocity nearest to q̇⁻ + M_b⁺ i_u (to that after the strike)
// in the kinetic metric. With one e for all and everything acting the strike is (27); without a separating contact
// nothing is left to close. A contact that separates offers no rebound of its own; pressed by others it takes up to
// what turns its velocity round, for which it neither gains nor loses, and then stops. So the answer does not jump as
// φ̇⁻ passes through zero. Restitution refers to φ̇⁻ before i_u acts, as in (27).
//
// Where redundancy makes the rules of the striking contacts unattainable together, bilateral and resting rows hold
// exactly and the striking ones in the sense of least squares among the φ̇ ≥ 0, rows scaled by √(a M_b⁺aᵀ) (their
// inverse mass with the loops closed), equal rows with equal restitution counted once: the answer does not depend on
// units, order, duplicates or the choice of coordinates. A contact that would pull is released. Several sets of acting
// contacts can then reproduce themselves; all act at first, and those that would pull are released together. Should no
// set, each asks for its own rule and no more, which q̇ = −q̇⁻ shows to be possible.
//
// Energy: with the rules met, contacts gain nothing, whatever their restitutions and i_u: the strike does the work
// Σ ½ λ (1 − e) φ̇⁻ ≤ 0, summed over what struck, and closing is a projection onto a cone, which only takes. One e for
// all can always be met. A gain, reported with its amount, has one of three causes: rules met only in the sense of
// least squares, sticking (e above the bound e*), or loops that were open before.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "routh/base/names.h"
#include "routh/impact/result.h"

namespace routh {

struct SimultaneousProblem {
  Eigen::MatrixXd mass_matrix;           // n×n
  Eigen::VectorXd velocity;              // q̇⁻
  Eigen::MatrixXd bilateral;             // A_b, 0×n or m×n; rows may depend on one another
  Eigen::MatrixXd normal;                // A_u: one row for each contact
  std::vector<Restitution> restitution;  // one for each; each may depend on its own approach speed
  Eigen::VectorXd external_impulse;      // i_u; empty: none
  // Optional: pressed contacts stick, E_t = 0: their tangential rows hold exactly. `tangential` has the same number of
  // rows for each contact (1 or 2).
  Eigen::MatrixXd tangential;
  std::vector<Friction> friction;  // of each contact, to check the impulses; may be empty
  // Where releasing what is not pressed does not end, every set of sticking contacts is tried, if they are no more than
  // this: 2ⁿ sets. Whoever has another rule to turn to asks for less.
  int most_searched = 8;
};

enum class ContactRole { strikes, rests, separates, released };
constexpr auto names_of(ContactRole) {
  return name_table<ContactRole>({{ContactRole::strikes, "strikes"},
                                  {ContactRole::rests, "rests"},
                                  {ContactRole::separates, "separates"},
                                  {ContactRole::released, "released"}});
}

struct SimultaneousContactResult {
  ContactRole role = ContactRole::separates;  // released: it would have pulled
  double approach = 0;                        // φ̇⁻
  double departure = 0;                       // φ̇⁺
  double restitution = 0;                     // e used
  double residual = 0;  // φ̇⁺ + e φ̇⁻ of a contact that struck: zero unless redundancy, or closing, forbids it
  double normal_impulse = 0;  // λ, of strike and closing
  Eigen::Vector2d tangential_impulse = Eigen::Vector2d::Zero();
  bool acts = false;           // φ̇⁺ is what its rule, or the nearest attainable one, asks for; λ may be positive
  bool impulse_unique = true;  // λ is the same in every solution
  bool tangential_unique = true;
  bool inside_cone = true;  // ‖λ_t‖ ≤ μ_s λ; false: it would slip
};

enum class SimultaneousStatus {
  ok,
  no_impact,  // nothing strikes, and i_u = 0
  invalid,    // shapes do not fit, or numbers are not finite
  mass_matrix_indefinite,
  contradiction,  // bilateral rows already violated beyond rounding: A_b q̇⁻ ≠ 0 (the answer closes them)
  not_converged,  // no set of acting contacts was found that reproduces itself; the velocity is the one before. With
                  // tangential rows there may be none: a contact that sticks only while it pulls
};
constexpr auto names_of(SimultaneousStatus) {
  return name_table<SimultaneousStatus>({
      {SimultaneousStatus::ok, "ok", "solved"},
      {SimultaneousStatus::no_impact, "no_impact", "nothing strikes: no impulse"},
      {SimultaneousStatus::invalid, "invalid", "shapes do not fit, or numbers are not finite"},
      {SimultaneousStatus::mass_matrix_indefinite, "mass_matrix_indefinite",
       "the mass matrix is not positive definite"},
      {SimultaneousStatus::contradiction, "contradiction",
       "the velocity before the impact violates the bilateral rows; the answer closes them"},
      {SimultaneousStatus::not_converged, "not_converged",
       "no set of sticking contacts was found that reproduces itself; one may stick only while it pulls, or be closed "
       "in on by surfaces"},
  });
}
// True when the result can be used as an answer: ok, no_impact, and contradiction (the loops are closed).
bool usable(SimultaneousStatus status);

struct SimultaneousResult {
  SimultaneousStatus status = SimultaneousStatus::no_impact;
  Eigen::VectorXd velocity;           // q̇⁺
  Eigen::VectorXd impulse;            // generalised, of contacts and bilateral rows: i_f
  Eigen::VectorXd bilateral_impulse;  // λ_b, of least norm after the contacts' share
  std::vector<SimultaneousContactResult> contacts;
  int rank = 0;  // of all acting rows
  int rows = 0;
  int rounds = 0;  // until the set of acting contacts reproduced itself
  // K⁺ − K⁻ = W_n + W_t + W_b + supplied; the change is measured in q̇ and M, the others are sums over impulses: of
  // each, times the mean of its velocities before and after the strike, and before and after closing.
  double energy_change = 0;    // K⁺ − K⁻ [J]
  double normal_work = 0;      // W_n [J]
  double tangential_work = 0;  // W_t [J]
  double bilateral_work = 0;   // W_b [J]: not zero only if the loops were open before
  double supplied = 0;         // by i_u, which acts with the strike: i_uᵀ(q̇ + q̇⁻)/2, q̇ after the strike [J]
  double ratio = 1;            // γ = K⁺/K⁻; infinite from rest
  double gain = 0;             // what contacts and loops gained: W_n + W_t + W_b where that is positive, else zero [J]
  bool consistent = true;      // nothing gained, within rounding
  std::uint32_t warnings = 0;  // bits of Warning: energy_gain, restitution_out_of_range, bilateral_velocity

  bool has(Warning w) const { return (warnings & static_cast<std::uint32_t>(w)) != 0; }
};

SimultaneousResult solve_simultaneous(const SimultaneousProblem& problem);

}  // namespace routh
