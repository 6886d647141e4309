// Tolerances and limits of one impact and of simultaneous impacts: each with what it bounds, its unit or scale, and its
// users. The compliant march of several contacts (together*) still keeps its own.
//
// Within an impact everything is relative: to entries of D, to the speed of approach, to the energy that passed. A user
// sets none of these; ImpactBounds, SimultaneousProblem::most_searched and the capacity ImpactResult::max_phases stay
// with their types.
#pragma once

#include <limits>

#include "routh/math/tolerances.h"

namespace routh::internal::tolerances {

// --- Input

// Entries m_ij and m_ji of a mass matrix differ by no more than this of the larger of |m_ij| and √(m_ii m_jj): the
// digits of a file. simultaneous; problem/rules, scene/description_reader, the Python package. Of the largest entry in
// solvability/restitution_set, of |m_ij| + |m_ji| in capi.
inline constexpr double symmetry_relative = 1e-9;
// A minor of D may be negative by this factor of the product it is the difference of. check.
inline constexpr double minor_ratio_max = 1 + 1e-10;
// The sticking slope may be negative by this of a, or by twice its own rounding. check.
inline constexpr double negative_stick_slope_relative = 1e-9;
// Velocity before the impact violates the bilateral rows or loops by more than a simulation's drift: a warning
// (reduction, contact/contact_problem; of ‖A‖‖q̇‖) or a contradiction (simultaneous; of ‖a‖_{M⁻¹} √(2K)).
inline constexpr double bilateral_velocity_relative = 1e-9;
// Magnitudes between 1/this and this are solved as they are; others are first scaled by powers of two. solve.
inline constexpr double unscaled_magnitude_max = 1e60;
// Entries of D further apart than this ratio leave no digits to work with. solve.
inline constexpr double inertia_ratio_max = 1e150;

// --- Rank and zero of the contact inertia D, of a or b

// Sticking slope a − cᵀb⁺c that counts as zero, of a: D is singular along the sticking direction (locked). inertia,
// planar, spatial, solve.
inline constexpr double locked_slope_relative = 1e-14;
// Second pivot of b that counts as zero, of the first. inertia.
inline constexpr double tangential_rank_relative = 1e-14;
// Slip that turns by less than this, of the rates that turn it, keeps its direction. inertia.
inline constexpr double straight_slip_relative = 1e-14;
// A direction closer to an invariant one than this is taken as lying on it [rad]. spatial, swerving_slip. The same
// value as straight_slip_relative, but of an angle.
inline constexpr double invariant_direction_angle = 1e-14;
// x − pq/r below this of x is computed again without cancellation: extended precision has three digits to spare.
// inertia.
inline constexpr long double extended_cancellation = 1e-3L;
// Below this ratio of the eigenvalues of b the principal axes are computed in extended precision. principal_axes.
inline constexpr double extended_axes_ratio = 1e-2;
// Coupling below this, of the entries of D, is none: it would send the search for invariant directions into denormals.
// principal_axes.
inline constexpr double coupling_relative = 1e-40;
// Rounding of a − μcᵀσ, of its terms: slope exactly zero. inertia.h (slip_slope).
inline constexpr double slip_slope_rounding = 8 * std::numeric_limits<double>::epsilon();
// Change of velocity that no impulse makes, of its size: along the locked direction, and what is left after solving.
// inertia (impulse_for_change).
inline constexpr double locked_change_relative = 1e-10;
inline constexpr double unreached_change_relative = 1e-9;
// A column L⁻ᵀJᵀ that keeps less than this of its length is zero: the loops, or its fellow, take all of it.
// contact_projection.
inline constexpr double projected_column_relative = 1e-13;
// Velocity, of the approach, with which a locked contact counts as stopped. normal_motion.h.
inline constexpr double locked_speed_relative = 1e-10;

// --- Events of an impact

// Events closer than this, of their impulse, are one event: the answer does not depend on their order. planar, spatial.
inline constexpr double coincident_events_relative = 8 * std::numeric_limits<double>::epsilon();
// Stretches of constant mode in one impact: four are possible in the plane, three between two changes of contact in
// space; more is a bug. planar, spatial.
inline constexpr int stretches_max = 8;
// A mean slip along σ counts as positive above this, of the slip's terms. average_slip.
inline constexpr double mean_slip_relative = 1e-12;

// --- Energy

// Gain of energy that is rounding, of the energy that passed: result is consistent. solve, simultaneous_energy.
inline constexpr double energy_gain_relative = 1e-12;
// Works along the path and ½ iᵀ(v + v⁺) agree to this of the energy that passed, or D is too nearly singular for its
// digits: D i is not the change of velocity. solve.
inline constexpr double ledger_mismatch_relative = 1e-9;
// Minors of G − EGE may be negative by this of its entries. bounds.
inline constexpr double gain_minor_relative = 1e-14;
// Halvings of the interval of restitution bounds: 2⁻⁶⁰. bounds.
inline constexpr int bound_bisections = 60;

// --- Invariant directions: roots of the secular equation (invariant_directions)

inline constexpr int secular_steps_max = 60;              // of Newton's method, which converges from one side
inline constexpr double secular_step_relative = 1e-6;     // last step; convergence is quadratic and a polish follows
inline constexpr double inner_root_residual = 4e-16;      // of the left side, which is 1
inline constexpr double inner_root_step_relative = 1e-9;  // last step, of the root
inline constexpr double polish_turn_max = 1e-3;           // [rad] a longer turn: directions coalesce, h' is no guide

// --- Slip that swerves: Chebyshev panels along the hodograph (swerving_slip, slip_curve)

// Slip slower than this, of its first speed, is halted.
inline constexpr double halted_slip_relative = 1e-15;
// Where slip could grow again on its way, this is enough, and it is reported as ill-conditioned: whether it truly halts
// depends on digits the input does not have.
inline constexpr double dipping_slip_relative = 1e-12;
// Error of a panel, of the impact's speed and energy: at which it is accepted; at which it is tried again if it is no
// narrower than `panel_refused_width` [of ln ζ]; beyond `panel_failed_error` there is no answer.
inline constexpr double panel_error = 5e-12;
inline constexpr double panel_refused_width = 1e-3;
inline constexpr double panel_failed_error = 1e-6;
inline constexpr double panel_error_floor = 1e-20;  // so that the next width is finite
inline constexpr double panel_safety = 0.85;        // of the next width
inline constexpr double panel_shrink_max = 0.2, panel_growth_max = 2.0;
inline constexpr int panels_max = 400;  // accepted or not, along one slip
// A panel over which v_n grows by more than this of the approach would lose a faint approach in its rounding: a quarter
// of it is tried, down to the shortest width.
inline constexpr double panel_approach_growth = 32;
inline constexpr double panel_width_min = 1e-9;
inline constexpr double width_to_end_min = 1e-12;          // [of ln ζ] the direction cannot change any more
inline constexpr double boundary_beyond_relative = 1e-12;  // the next sign change of the slope lies beyond ζ by this
inline constexpr int decay_samples = 64;                   // even in 1/ζ
inline constexpr double decay_far = 1e6;                   // times ζ: stands for the end

// --- The last part of a slip as a series (slip_tail, slip_curve, swerving_slip)

inline constexpr double tail_convergence_ratio = 0.4;    // |y / y_singular| below which the series is tried
inline constexpr double tail_resonance_distance = 1e-4;  // closer, more than four digits would cancel
// A series ends with two terms in a row (symmetry may make every other one vanish) below this part of its sum.
inline constexpr double tail_term_relative = 1e-15;
inline constexpr int tail_newton_steps_max = 16;
inline constexpr double tail_newton_settled = 1e-8;       // [of ln ζ]; convergence is quadratic
inline constexpr double tail_path_speed_relative = 1e-4;  // faster slip keeps its panels where a path is drawn
inline constexpr double tail_work_ratio_max = 100;        // |W_t| / |W_n|: W_n is known as a difference

// --- What is recorded of a path (swerve)

inline constexpr double recorded_path_relative = 1.0 / 200;  // of the largest speed: what a picture shows
inline constexpr double drawn_turn_relative =
    1e-9;  // slip that turns by less, of the rates that turn it, is drawn straight

// --- Simultaneous impacts: velocities and impulses scaled to order one

// What remains of a unit column after projection counts as zero below this, and so does a pivot of a factorisation.
// simultaneous, simultaneous_attainable, _impulse, _rows, _set.
inline constexpr double simultaneous_rank = projection_rank_relative;
// Equality of velocities and impulses. simultaneous, simultaneous_attainable, _energy, _impulse, _rows, _set, _stages.
inline constexpr double simultaneous_equal = 1e-11;
// A solution of least squares met to this is good. simultaneous_rows, _set.
inline constexpr double simultaneous_fit = 0.1 * simultaneous_equal;
// An inequality of the answer violated by more fails. simultaneous_impulse, _set.
inline constexpr double simultaneous_violation = 1e3 * simultaneous_equal;
// A contact rests while |φ̇⁻| is below this part of what the kinetic energy allows, ‖a‖_{M⁻¹} √(2K). simultaneous_rows.
inline constexpr double resting_contact_relative = 1e-12;
// Damping δ of ‖Av − b‖² + δ²‖v‖², which makes dependent columns independent. simultaneous_rows.
inline constexpr double simultaneous_damping = 1e-7;
// Two rows are the same row, or two coefficients the same coefficient, within this. simultaneous_attainable.
inline constexpr double same_row = 1e-12;
// A row of the orthonormal null space shorter than this is zero: the multiplier is unique. simultaneous_impulse.
inline constexpr double unique_multiplier_row = 1e-9;
// Pivot² of a factor of M, of its diagonal and for each coordinate, below which M is singular. simultaneous.
inline constexpr double mass_pivot_relative = 1e-15;
// An impulse may leave its friction cone by this part. simultaneous.
inline constexpr double cone_excess_relative = 1e-12;
// Stands for infinite kinetic friction, in units of the normal mobility over the tangential one, if that is more than
// one: within rounding of the limit. solve.
inline constexpr double infinite_friction_ratio = 1e13;
// |A q̈ + Ȧ q̇| of its terms that dependent rows may leave: beyond, they ask for different accelerations. projection.
inline constexpr double projection_drift_relative = 1e-9;
// Times the way to where slip counts as straight: how far the end of a stage is sought. swerving_slip.
inline constexpr double stage_search_reach = 1.001;

// --- Derivatives (impact_derivatives)

// What a condition moves by, of the terms that it is the difference of: below this the place where it holds has lost
// half the digits, and so have the derivatives. average_slip_variation, spatial_variation.
inline constexpr double lost_variation_relative = 1e-8;
// Both ways to the variation of v_t may differ by this of its terms, which is the error that is promised; the sum that
// is used is the better one. slip_variation.
inline constexpr double variation_left_over = 1e-8;
// Error of a panel of slip, of the magnitudes of the impact. Derivatives lose two or three digits of it.
// slip_variation.
inline constexpr double variation_panel_error = 1e-12;
// ζ up to which the direction of v_t still tells it to nine digits. slip_variation.
inline constexpr double slip_place_max = 1e7;
// ζ beyond which slip is straight to nine digits. slip_variation.
inline constexpr double straight_slip_place = 1e9;
// Slip on its way to a halt is straight from where s/s₀ is below this times ζ: what is left of it then weighs 1e-10.
// slip_variation.
inline constexpr double straight_rest_share = 1e-10;
// Below this x, (e^x − 1)/x and ln(1 + x)/x are summed as series of a few terms. slip_variation.
inline constexpr double short_exponent = 1e-4;
// A direction that neither attracts nor repels, of the rates that would turn slip. slip_variation.
inline constexpr double neutral_direction_relative = 1e-9;

// --- Contact force laws (compliance)

// Contact radius over that of the body up to which it counts as a paraboloid: a sphere departs from one by a²/(4R²), 1
// % of its height. compliance_plastic.
inline constexpr double contact_radius_max = 0.2;
// E* a/(Y R) from which the plastic zone is no longer contained, and the mean pressure there, over Y [Johnson 1985,
// §6.3]. compliance_plastic.
inline constexpr double plastic_strain_ratio = 30;
inline constexpr double plastic_pressure_ratio = 3;
// Exponents n of F = k δⁿ beyond this are no contact that anyone measured. compliance.
inline constexpr double force_exponent_max = 10;
// Relative error of a step of the integrated laws: e to some twelve digits. compliance_viscous.
inline constexpr double compliance_integration = 1e-13;
// First step, of the time L/v of the impact; the stepper finds the next ones. compliance_viscous.
inline constexpr double compliance_first_step = 1e-2;
// Steps of one such integration; usual are 20 to 100. compliance_viscous.
inline constexpr int compliance_steps_max = 100000;
// Halvings that leave one unit in the last place of an interval. compliance_viscous, compliance_plastic.
inline constexpr int compliance_bisections = 60;
// |x| below which x − ln(1 + x) is summed as a series, to the term that is below the rounding. compliance_viscous.
inline constexpr double excess_series_max = 0.1;
inline constexpr int excess_series_terms = 18;
// Error of e between two points of a table, and halvings that reach it with room to spare. compliance.
inline constexpr double table_restitution_error = 2e-6;
inline constexpr int table_halvings_max = 20;
// Loss numbers (λ v, or what stands for it) where a table leaves e = 1, by 1e-6 or less, and where it ends: e is below
// 0.02 there, and its end value stands for the rest. compliance.
inline constexpr double table_first_loss = 1e-6;
inline constexpr double table_last_loss = 100;
// Of two such numbers at most, whose fifth power is a ratio of speeds. compliance.
inline constexpr double table_ratio_max = 1e40;

}  // namespace routh::internal::tolerances
