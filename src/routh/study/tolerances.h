// Tolerances and limits of studies and fits: each with what it bounds, its unit or scale, and its users. What a caller
// may set stays with FitOptions; how many things a study may hold, with the readers.
#pragma once

#include <cstddef>

namespace routh::internal::tolerances {

// --- Least squares over a box (valley_search): lengths of the range of each parameter

inline constexpr double slope_difference = 1e-6;               // of the central differences
inline constexpr double valleys_apart = 1e-3;                  // closer minima are one
inline constexpr std::size_t valley_starts_max = 8;            // descents from the best places of the grid
inline constexpr int descent_steps_max = 40;                   // Levenberg and Marquardt
inline constexpr int level_steps_max = 6;                      // of them, over a level of a parameter that saturates
inline constexpr int damping_attempts_max = 8;                 // of one step
inline constexpr double damping_first = 1e-3;                  // of the diagonal of JᵀJ
inline constexpr double damping_min = 1e-12;                   // after a good step
inline constexpr double damping_raised_min = 1e-9;             // after a bad one
inline constexpr double damping_fall = 0.2, damping_rise = 8;  // factors after a good and a bad step
inline constexpr double gain_relative = 1e-12;                 // of the sum: a step that gains less ends the descent
inline constexpr int pattern_steps_max = 60;                   // search by trying all directions
inline constexpr double pattern_reach_first = 0.02;            // first step
inline constexpr double pattern_reach_last = 1e-6;             // last step: the minimum is known
inline constexpr double pattern_reach_fall = 0.3;              // factor after a round that gains nothing

// --- Intervals of confidence (least_squares)

inline constexpr int restarts_max = 20;             // from a lower place that a profile found
inline constexpr double lower_sum_relative = 1e-9;  // of threshold − least: such a place
inline constexpr int profile_steps_max = 30;        // of closing in on one end
inline constexpr double profile_width_relative =
    1e-4;                                           // of the interval's half: its end is known; also the first reach
inline constexpr double profile_share_min = 0.001;  // of the bracket, from either end
inline constexpr double profile_nudge = 2e-5;       // of the interval's half, so that both ends close in
inline constexpr int profile_reaches_max = 40;      // doublings of the reach
inline constexpr double correlation_shift = 1e-13;  // of a unit diagonal, so that a singular matrix factorises

// --- Verdicts of a fit (fit)

// Differences of AICc below the first mean nothing, above the second nearly everything [Burnham and Anderson
// 2002, 2.6].
inline constexpr double aicc_indistinct = 2;
inline constexpr double aicc_decisive = 10;
inline constexpr double unexplained_share = 0.5;         // of the measured changes: a fit says little
inline constexpr double correlated_parameters = 0.99;    // two parameters stand for one
inline constexpr double residual_noise_relative = 1e-9;  // of the largest measurement in deviations
inline constexpr double residual_noise_min = 1e-300;     // so that it is not zero
// η² = k_n/k_t at which a search begins: less can hardly be told from rigid tangents, which are fitted anyway, and
// costs more the less it is. fit
inline constexpr double tangent_compliance_least = 0.01;
inline constexpr double residual_max = 1e140;  // its square, summed over all there can be, is a number. fit_data
// A column of gains of which so little is left by those before it adds no impulse of its own. fit_checks.
inline constexpr double dependent_gain = 1e-9;
inline constexpr double exact_share = 1e-9;    // of a change: what an impulse leaves below it is rounding. fit_checks
inline constexpr double doubtful_share = 0.6;  // of what is left: a sign or unit that leaves less is said. fit_checks
inline constexpr std::size_t named_rows = 10;  // that are unlike the rest. fit_checks
inline constexpr std::size_t trend_impacts = 20;  // fewer show no trend. fit_checks
inline constexpr double trend_told = 0.2;         // of rank correlations: weaker ones explain 4 % at most. fit_checks
inline constexpr int fit_folds = 5;               // of the impacts, each predicted from the others. fit
// Impacts that a fit is held against others from: with fewer a fold has hardly any. fit.
inline constexpr std::size_t held_out_impacts = 20;
// Where the search for a quantile of Student's distribution ends, in standard deviations. least_squares.
inline constexpr double student_quantile_max = 1e12;
// Confidence of intervals that can be asked for: FitOptions of the program and Python.
inline constexpr double confidence_min = 0.5, confidence_max = 0.9999;

// --- Pictures of what a study found (study_plots, page, sweep_command)

inline constexpr std::size_t curve_bins = 40;       // of a parameter in a curve
inline constexpr std::size_t map_cells = 40;        // of each parameter in a map
inline constexpr std::size_t levels_drawn = 200;    // a parameter with no more levels has no bins, but these
inline constexpr std::size_t parameters_drawn = 8;  // panels of a picture: more are unreadable
// Samples whose rows a page keeps in memory by itself: some 50 MB for ten numbers each.
inline constexpr std::uint64_t rows_for_page_max = 500'000;

// --- Gradients (gradient)

inline constexpr double gradient_step = 0x1p-11;        // of differences of fourth order of expressions and energies
inline constexpr double gradient_kink = 0.05;           // relative: one-sided slopes that differ by more
inline constexpr double gradient_difference = 0x1p-17;  // of a number, in differences of runs shown beside

}  // namespace routh::internal::tolerances
