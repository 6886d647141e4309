// Tolerances and limits of the numerical methods: each with what it bounds, its unit or scale, and its users. ε is the
// unit in the last place of one, 2⁻⁵².
//
// OdeTolerance::relative (ode.h) is the caller's, as are the bounds of the stability interval there; tableaux, nodes
// and polynomials stay with their methods.
#pragma once

#include <limits>

namespace routh::internal::tolerances {

// --- Rank

// A column or row that keeps less than this of its length after projection depends on the others. column_space;
// simultaneous impacts.
inline constexpr double projection_rank_relative = 1e-11;
// Of columns with at least this share of the longest remainder the first is the pivot, so that rounding seldom decides;
// of squared shares in gram_factor. column_space.
inline constexpr double pivot_share = 0.5;
inline constexpr double pivot_squared_share = 0.25;
// Squared shares of a column's length that are left in a Gram matrix: above the first it is a direction of its own,
// below the second it is none; between them a QR must decide. gram_factor.
inline constexpr double gram_independent = 1e-9;
inline constexpr double gram_dependent = 1e-13;

// --- Complementarity and least distance

inline constexpr double lemke_pivot_relative = 1e-10;   // of the entering column, at least 1. complementarity
inline constexpr double lemke_pivot_renewed = 1e-13;    // the same where the tableau is renewed. complementarity
inline constexpr double lemke_tie = 1e-12;              // ratios closer are equal: lexicographic rule. complementarity
inline constexpr int lemke_pivots_per_row = 30;         // and `lemke_pivots_more`; then it has failed. complementarity
inline constexpr int lemke_pivots_renewed = 3;          // the same where the tableau is renewed. complementarity
inline constexpr int lemke_pivots_more = 100;           // complementarity
inline constexpr double gradient_relative = 1e-13;      // of ‖b‖: column can reduce the residual. least_distance
inline constexpr int active_set_rounds_per_column = 3;  // and `active_set_rounds_more`. least_distance
inline constexpr int active_set_rounds_more = 20;       // least_distance
inline constexpr double infeasible_residual =
    1e-13;                                        // last entry of a unit residual: no feasible point. least_distance
inline constexpr double inequality_slack = 1e-9;  // of 1 + ‖z‖. least_distance

// --- Roots

inline constexpr int bracketed_newton_steps_max = 200;          // a step leaves the bracket: halved. bracket
inline constexpr double leading_coefficient_relative = 1e-300;  // of the largest: degree is lower. small_roots
// Value at a turning point that is zero, of the sum of its terms: a double root. small_roots.
inline constexpr double double_root_relative = 64 * std::numeric_limits<double>::epsilon();
inline constexpr int crossing_steps_max = 60;      // panel_crossing
inline constexpr double crossing_step = 1e-15;     // of a panel [−1, 1]: Newton's last step. panel_crossing
inline constexpr double crossing_bracket = 4e-16;  // of a panel: width. panel_crossing
// θ/2 below which sin(θ/2)/θ is taken from its series: exact to θ⁴/1920 [rad]. spatial.
inline constexpr double half_angle_series = 1e-4;

// --- Step control of differential equations [Hairer, Nørsett and Wanner 1993, II.4; Hairer and Wanner 1996, IV.8]

inline constexpr double step_safety = 0.9;       // dormand_prince, radau
inline constexpr double step_shrink_max = 0.2;   // least factor of a step. dormand_prince, radau
inline constexpr double step_growth_max = 8;     // greatest factor of a step. dormand_prince, radau
inline constexpr double step_error_min = 1e-30;  // so that an error of zero has a factor. dormand_prince, radau
// Least error that the controller remembers: a lucky small one must not hold back the steps after it.
inline constexpr double remembered_error_explicit = 1e-4;  // dormand_prince
inline constexpr double remembered_error_implicit = 1e-2;  // radau
inline constexpr double error_scale_min = 1e-290;          // keeps 1/scale finite for an entry without a floor. ode.h
// Rates at the end of a step, relative to the largest change of its stages: the two sets agree; further stages are of
// the same kind; changes below the third, of the tolerance, are ignored. dormand_prince (dense output).
inline constexpr double end_rates_agreement = 1e-2;
inline constexpr double stage_change_ratio_max = 4;
inline constexpr double stage_change_ignored = 1e-6;
// Newton's method of the implicit stepper (radau).
inline constexpr int radau_iterations_max = 10;
inline constexpr double radau_rate_keeps_jacobian = 0.05;  // rate below which the Jacobian serves the next step too
inline constexpr double radau_rate_diverges = 0.99;
inline constexpr double radau_error_share_max = 0.03;  // of the step's tolerance that the iteration may leave
inline constexpr double radau_rounding = 10 * std::numeric_limits<double>::epsilon();
inline constexpr double radau_kept_step_factor = 1.2;  // a growth up to this is not worth new factorisations
inline constexpr int spectral_radius_warm_up = 6;  // multiplications of the power method before, and while, it counts
inline constexpr int spectral_radius_counted = 6;

}  // namespace routh::internal::tolerances
