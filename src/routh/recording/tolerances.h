// Tolerances and limits of recordings: each with what it bounds, its unit or scale, and its users.
#pragma once

#include <cstddef>
#include <cstdint>

namespace routh::internal::tolerances {

// --- Hygiene

// A measured quaternion may be rounded in the file, or be the mean of some; beyond this it is none. recording.
inline constexpr double quaternion_length_error = 0.01;
// Of the median distance in time: a step longer than this lacks samples. hygiene.
inline constexpr double gap_steps = 2.5;
// Of the speed that the energy of the recording allows: noise of differentiation stays below, lost markers are far
// above. hygiene.
inline constexpr double impossible_speed = 3;
// Velocities given beside the poses: a share of the variance that another column, sign or unit must explain more before
// it is said; and the correlation it must have. hygiene.
inline constexpr double column_correlation = 0.8;
// Of a ratio to one, before units are doubted: twice the error of a bad calibration. hygiene.
inline constexpr double scale_doubt = 0.1;
// Samples of flight that an acceleration is judged from at least, in all recordings. hygiene.
inline constexpr std::size_t flight_samples_min = 6;

// --- Flight

inline constexpr std::size_t approach_samples = 3;  // of the window, before the body can touch
inline constexpr int turning_rounds = 3;            // of the fit of an angular velocity
inline constexpr int start_lifts_max = 4;           // out of what the start overlaps

// --- Replay

// Error of a step where the scene says none: measured poses are known to four digits at best. replay.
inline constexpr double replay_tolerance = 1e-6;

// --- Identification

inline constexpr int design_points = 4;          // for each coefficient of the surrogate, in the first round
inline constexpr int refining_points = 2;        // the same, in each further one
inline constexpr int rounds_max = 24;            // of refining
inline constexpr double border_share = 0.1;      // of bootstrapped minima, that may stand at a border of the box
inline constexpr double box_shrink_blind = 0.5;  // in one round, where the surrogate does not say where to look
inline constexpr double box_settled = 0.6;       // of its half width: a box that would shrink less stays
inline constexpr double scale_step = 0.25;       // of the scale of the robust loss, from round to round
inline constexpr int scattered_rounds = 2;       // that end the search
// Of the variance of the loss over the box: a surrogate that explains this much says where the minimum lies.
inline constexpr double surrogate_trust = 0.9;
// The box ends to shrink when its half width is at most so many standard errors of the estimate: finer than the data.
inline constexpr double box_deviations = 4;
inline constexpr double box_inner = 0.9;          // of its half width: a minimum farther out is not in it
inline constexpr double box_shrink_most = 0.125;  // in one round
inline constexpr double box_border = 1e-9;        // of its half width: rounding of the points at it
inline constexpr int bootstrap_draws = 1000;
inline constexpr int bootstrap_draws_search = 100;  // where only a width is sought
inline constexpr long freedom_normal = 1'000'000;   // of Student's distribution, that is as good as normal
inline constexpr std::size_t sought_max = 8;        // parameters: the design of more takes thousands of runs
// Of the number of points: pivots of the normal equations below it say that the points do not span the quadratic.
inline constexpr double surrogate_pivot_min = 1e-8;
// Of the mean loss: what a parameter changes less, over its whole range, no number of throws would tell. surrogate.
inline constexpr double flat_share = 1e-6;
inline constexpr int surrogate_sweeps_max = 200;      // of the descent by coordinates
inline constexpr double surrogate_step_min = 1e-9;    // of the half width of the box
inline constexpr double told_correlation = 0.95;      // of two estimates: said
inline constexpr double rest_speed = 0.02;            // [m/s]: a body that moves no faster rests. resting_gap
inline constexpr int folds = 5;                       // of the cross-validation
inline constexpr double range_end = 0.02;             // of the range: an interval so near its end has no end there
inline constexpr double loss_floor = 1e-12;           // [m or rad²]: errors below are rounding
inline constexpr std::size_t throws_min = 5;          // fewer have no spread to speak of
inline constexpr std::uint64_t mirrored_points = 12;  // of the ranges, at which throws and their mirrors are run
inline constexpr std::size_t mirrored_throws = 20;    // that are run in a mirror
inline constexpr double mirrored_share = 0.6;         // of the error: below it the mirror is said
inline constexpr double offset_told = 2e-4;           // [m], of the height of bodies at rest

// --- Validation

inline constexpr double bounce_speed = 0.1;      // [m/s], of an upward reversal of the centre
inline constexpr std::size_t worst_throws = 10;  // that are named, and drawn on the page
inline constexpr std::size_t bounce_bins = 7;    // of histograms: 0 to 5, and more. validate, predict

// --- Prediction

inline constexpr std::size_t reliability_bins = 10;  // of probabilities
inline constexpr double band_share = 0.05;           // below and above the band of heights
inline constexpr double score_confidence = 0.95;     // of the interval of what is gained on the base rate
// A probability below which what happened is named: five in a hundred of throws whose forecasts are right.
inline constexpr double surprise = 0.05;
inline constexpr double correlation_rounding = 1e-9;              // beyond ±1, of an estimate that is read
inline constexpr int draws_max = 100'000;                         // of one throw
inline constexpr double widen_max = 1e6;                          // a factor: beyond it nothing of the start is left
inline constexpr double duration_min = 1e-6, duration_max = 1e4;  // [s]

}  // namespace routh::internal::tolerances
