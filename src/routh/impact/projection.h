// The oblique projection of a constrained machine, from its matrices [Aghili 2019].
//
//   M q̈ = g + Aᵀλ      A q̈ + d = 0      A = [A_b; A_u], of any rank; g = u − h, d = Ȧ q̇
//
//   P = I − A⁺A                        onto the velocities that the constraints allow
//   M_o = P M P,  M_c = M_o + ν(I − P) (8), with its best condition for λ_min(M_o) ≤ ν ≤ λ_max(M_o), both not zero (9f)
//   S = I − M_c⁻¹P M                   (11), the part of a velocity that an impact takes; S² = S
//   R = I − 2 S                        reflection: R² = I (28)
//   f = −Sᵀ(g + M(q̈_⊥ …)) = Aᵀλ        the constraint force; λ = (Aᵀ)⁺ f the multipliers of least norm
//   q̇⁺ = (I − (1 + e) S) q̇⁻ + M_o⁺ i_u (27), or with a restitution for each row (I − S(I + A⁺E A)) q̇⁻ + M_o⁺ i_u (49)
//
// S, q̇⁺, f and the energies do not depend on ν nor on coordinates; P, M_c and their condition do, as pseudo-inverses do
// when coordinates have different units. Where rows depend on one another and their restitutions differ, (49) is the
// answer of least squares over all rows, the paper's; solve_simultaneous (simultaneous.h) holds bilateral rows exactly
// and lets no contact pull. Deviations from the printed equations: (26) has P i_u, not M_c⁻¹P i_u.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "routh/base/names.h"

namespace routh {

struct ProjectionProblem {
  Eigen::MatrixXd mass_matrix;  // n×n, symmetric, positive definite
  Eigen::MatrixXd bilateral;    // A_b; may have no rows
  Eigen::MatrixXd unilateral;   // A_u: the active unilateral rows; may have no rows
  // Optional, empty: zero.
  Eigen::VectorXd velocity;          // q̇⁻
  Eigen::VectorXd force;             // g = u − h: all forces but those of the constraints, gyroscopic ones included
  Eigen::VectorXd drift;             // d = Ȧ q̇, of all rows, bilateral ones first
  Eigen::VectorXd external_impulse;  // i_u
  Eigen::VectorXd restitution;       // e of each unilateral row
  std::optional<double> nu;          // > 0; absent: tr M_o / tr P, which lies in the best range
};

enum class ProjectionStatus { ok, invalid, mass_matrix_indefinite, contradiction, overflow };
constexpr auto names_of(ProjectionStatus) {
  return name_table<ProjectionStatus>(
      {{ProjectionStatus::ok, "ok", "solved"},
       {ProjectionStatus::invalid, "invalid",
        "shapes do not fit, numbers are not finite, or nu or a restitution is out of range"},
       {ProjectionStatus::mass_matrix_indefinite, "mass_matrix_indefinite", "the mass matrix is not positive definite"},
       {ProjectionStatus::contradiction, "contradiction",
        "the drift contradicts itself: rows that depend on one another ask for different accelerations"},
       {ProjectionStatus::overflow, "overflow", "numbers leave the range of a double"}});
}

struct Projection {
  ProjectionStatus status = ProjectionStatus::ok;
  int rank = 0, rows = 0;
  Eigen::MatrixXd P, S, R, M_o, M_c, M_o_inverse;  // the last is M_o⁺
  double nu = 1, nu_low = 0, nu_high = 0;  // used; the best range, zeros where A has rank 0 or n: any ν is best
  double condition = 1;                    // of M_c with ν
  double best_condition = 1;               // within the range
  // Forces: q̈, f = Aᵀλ, and λ of least norm, bilateral rows first.
  Eigen::VectorXd acceleration, constraint_force, multipliers;
  bool multipliers_unique = true;  // the rows are independent
  // The impact: q̇⁺, i_f = M(q̇⁺ − q̇⁻) − i_u, and i_λ of least norm.
  Eigen::VectorXd velocity_after, impulse, impulse_multipliers;
  double energy_before = 0, energy_after = 0;  // K⁻, K⁺ [J]
  double ratio = 1;                            // γ = K⁺/K⁻; infinite from rest
  double residual = 0;          // largest |A q̇⁺ + E A q̇⁻| that redundant rows and i_u leave [m/s]
  double projected_energy = 0;  // ½ q̇⁻ᵀSᵀM S q̇⁻ of (32): what e = 0 would lose [J]
};

Projection project(const ProjectionProblem& problem);

}  // namespace routh
