// Tolerances of the comparison with papers: each with what it bounds, its scale, and its users.
#pragma once

namespace routh::internal::tolerances {

// A printed number is a decimal: its rounding to binary, of the tolerance it gives. paper.
inline constexpr double printed_rounding = 1e-9;
// Two evaluations of one formula agree to this share of it: where a value is least is known to the root of rounding
// only. paper.
inline constexpr double formula_relative = 1e-7;
// Singular values that count as zero, of the largest. aghili-projection.
inline constexpr double pseudo_inverse_rank = 1e-10;
// What counts as zero beside the paper's numbers, which are near one: rates of loops, departures from the restitution
// asked for, eigenvalues. aghili-projection.
inline constexpr double loop_rate_zero = 1e-12, restitution_departure_zero = 1e-9, eigenvalue_zero = 1e-9;
// Points of boundaries that lie on a line of the map, of the width of its axis. liu-2007/figures.
inline constexpr double line_nearness = 1e-5;
// Tolerance of the steps in runs of which only the end is told in words: 1e-10 tells the same. liu-2007/runs.
inline constexpr double told_run_tolerance = 1e-7;
// [rad] About a singular point that was found: where the root of (13) is sought. liu-2007/evaluator.
inline constexpr double singularity_search = 1e-3;
inline constexpr double run_sample_interval = 0.005;  // [s] liu-2007/runs
// [N m/rad] Springs that expected.yaml can ask for. liu-2007/runs.
inline constexpr double asked_stiffness_max = 1e6;

}  // namespace routh::internal::tolerances
