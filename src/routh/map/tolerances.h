// Tolerances and limits of maps: each with what it bounds, its unit or scale, and its users. What a caller may set
// stays with MapOptions (verdict_map.h).
#pragma once

#include <cstddef>

namespace routh::internal::tolerances {

// Halvings of a cell or crossing, whatever the tolerance of the curves. map_curves.
inline constexpr int curve_bisections_max = 60;
// A crossing guessed from its neighbours is first looked for within this many tolerances of the guess: less than one,
// so that two of them bracket it to the tolerance. map_curves.
inline constexpr double curve_guess_reach = 0.99;
// Shares of the work after which curves begin, and of the curves after which knots do; for `progress`. verdict_map,
// map_curves.
inline constexpr double curves_begin_share = 0.6;
inline constexpr double knots_begin_share = 0.75;
// map_workers: threads, items worth a thread (fewer are done at once by the caller), and progress worth a report.
inline constexpr std::size_t map_threads_max = 256;
inline constexpr std::size_t thread_items_min = 16;
inline constexpr double progress_share_min = 1.0 / 256;
// Threads that can be asked for, of maps, sweeps and arrays of impacts; points of a map along an axis. The program and
// Python.
inline constexpr int threads_max = 1024;
inline constexpr int map_points_min = 2, map_points_max = 5000;

// The least number of a map: local minima of the grid that are followed; steps of each; and how small they get, in
// steps of the grid. map_extreme.
inline constexpr std::size_t extreme_starts = 16;
inline constexpr int extreme_steps_max = 400;
inline constexpr double extreme_step_least = 1e-7;

}  // namespace routh::internal::tolerances
