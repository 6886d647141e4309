// Several contacts that strike at once: one impulse for all, by Newton's rule and oblique projection [Aghili 2019],
// each with its own restitution; loops, contacts at rest and redundant contacts included.
//
//   M (q̇⁺ − q̇⁻) = i_u + A_bᵀλ_b + A_uᵀλ       A_b q̇⁺ = 0       φ̇ = A_u q̇
//   strikes (φ̇⁻ < 0)   φ̇⁺ = −e φ̇⁻, λ ≥ 0      rests (φ̇⁻ = 0)  φ̇⁺ = 0, λ ≥ 0      released  λ = 0, φ̇⁺ ≥ −e φ̇⁻ or 0
//
// For independent rows this is the complementarity problem w = D λ + (I + E) φ̇⁻ ≥ 0, λ ≥ 0, wᵀλ = 0, whose q̇⁺ is unique
// (a separating contact, φ̇⁻ > 0, takes part with φ̇⁺ ≥ 0); with one e for all and everything acting it is (27).
// Restitution refers to φ̇⁻ before i_u acts, as in (27).
//
// Where redundancy makes the rules of the striking contacts unattainable together, bilateral and resting rows hold
// exactly and the striking ones in the sense of least squares among the φ̇⁺ ≥ 0, rows scaled by √(a M_b⁺aᵀ) (their
// inverse mass with the loops closed), equal rows with equal restitution counted once: the answer does not depend on
// units, order, duplicates or the choice of coordinates. A contact that would pull is released. Several sets of acting
// contacts can then reproduce themselves; all act at first, and those that would pull are released together.
//
// Energy: with λ ≥ 0 and the rules met, contacts gain nothing, whatever their restitutions: their work is
// Σ ½ λ (1 − e) φ̇⁻ ≤ 0. A gain, reported with its amount, has one of three causes: rules met only in the sense of least
// squares, a separating contact that others press together again, or sticking (e above the bound e*).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "routh/impact/surface.h"

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
const char* name(ContactRole role);

struct SimultaneousContactResult {
  ContactRole role = ContactRole::separates;  // released: it would have pulled
  double approach = 0;                        // φ̇⁻
  double departure = 0;                       // φ̇⁺
  double restitution = 0;                     // e used
  double residual = 0;        // φ̇⁺ + e φ̇⁻ of a contact that struck: zero unless redundancy forbids it
  double normal_impulse = 0;  // λ
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
const char* name(SimultaneousStatus status);

struct SimultaneousResult {
  SimultaneousStatus status = SimultaneousStatus::no_impact;
  Eigen::VectorXd velocity;           // q̇⁺
  Eigen::VectorXd impulse;            // generalised, of contacts and bilateral rows: i_f
  Eigen::VectorXd bilateral_impulse;  // λ_b, of least norm after the contacts' share
  std::vector<SimultaneousContactResult> contacts;
  int rank = 0;  // of all acting rows
  int rows = 0;
  int rounds = 0;            // until the set of acting contacts reproduced itself
  double energy_change = 0;  // K⁺ − K⁻
  double supplied = 0;       // by i_u: i_uᵀ(q̇⁺ + q̇⁻)/2
  double ratio = 1;          // γ = K⁺/K⁻; infinite from rest
  bool consistent = true;    // K⁺ − K⁻ − supplied ≤ 0 within rounding
};

SimultaneousResult solve_simultaneous(const SimultaneousProblem& problem);

}  // namespace routh
