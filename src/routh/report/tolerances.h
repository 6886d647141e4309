// Tolerances of what a page shows: each with what it bounds, its unit or scale, and its users. What a caller may set
// stays with RunReportLimits.
#pragma once

#include <cstddef>

namespace routh::internal::tolerances {

// Decimation: stretches are chosen so that this share of the samples wanted is kept, at least so many samples for each
// stretch, until nine tenths are. decimate.
inline constexpr double decimation_share = 0.97;
inline constexpr double samples_per_stretch_min = 1e-3;
// Segments of a drawing shorter than this, of 1 m + their ends' distance from the origin, are left out.
// machine_drawing.
inline constexpr double drawn_segment_min = 1e-9;
// Numbers of all samples that a page holds, so that it stays below some 20 MB. run_document.
inline constexpr std::size_t page_numbers_max = 4'000'000;

}  // namespace routh::internal::tolerances
