// Tolerances and limits of the dynamics: each with what it bounds, its unit or scale, and its users.
#pragma once

namespace routh::internal::tolerances {

// A pivot of M = LᵀL below this of the diagonal of M: M is not positive definite. mass_factor.
inline constexpr double mass_factor_pivot_relative = 1e-14;

// Of the entries that rows of their kind have in the loop: a row that rounding leaves where a linkage moves in a plane
// which is none of the axes. Nothing is closed by it. loops.
inline constexpr double loop_row_rounding = 1e-11;
// The same of a row, or of what the others leave of it, that forces and impulses do not follow: the square root of
// 1e-14, to which loops are closed. Where a linkage lies flat its loop's row vanishes with the angle δ, and what is
// left open of it is divided by δ in positions and by δ² in velocities. constrained.
inline constexpr double loop_rank_relative = 1e-7;

// --- Assembly: Gauss–Newton with steps of least norm (constrained; contact/touching shares the first four)

inline constexpr int assembly_steps_max = 100;                // of Gauss and Newton
inline constexpr int assembly_halvings_max = 30;              // of one step
inline constexpr double assembly_rank_relative = 1e-10;       // of the rows that may move, of the largest pivot
inline constexpr double assembly_rate_relative = 1e-15;       // of rows times velocities: closed already
inline constexpr double assembly_residual_relative = 1e-13;   // of the size of the loops, times the next
inline constexpr double assembly_residual_factor = 20;        // what loops are closed to
inline constexpr double assembly_rate_left_relative = 1e-12;  // of rows times velocities, after the step

}  // namespace routh::internal::tolerances
