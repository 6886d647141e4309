// Tolerances of the data that figures show: each with what it bounds, its scale, and its users. Measures of the page in
// pixels stay with the figures.
#pragma once

namespace routh::internal::tolerances {

// Width of an axis, of its values: a narrower one cannot carry distinct tick labels and is widened. axes, map_plan.
inline constexpr double axis_width_relative = 1e-6;
// Ticks outside the range by this part of a step are drawn; also of the decimals of their labels. axes.
inline constexpr double tick_slack = 1e-9;
// Axes with a largest value in this range need no power of ten. axes.
inline constexpr double plain_axis_min = 1e-2;
inline constexpr double plain_axis_max = 1e4;
// A force of the cone that D shortens to less than this makes no acceleration to draw. cone_shape.
inline constexpr double cone_rim_relative = 1e-9;
// Invariant directions: samples of a turn, offset of the first [rad], which keeps the grid off the axes where symmetric
// problems have their roots, and turning, of D, below which every direction is invariant. invariant_rays.
inline constexpr int ray_samples = 1440;
inline constexpr double ray_sample_offset = 1.2345e-3;
inline constexpr double ray_turning_relative = 1e-12;
// [pixel] A side this much longer than a whole number of pixels is not rounded up. cairo_page.
inline constexpr double pixel_rounding = 1e-6;
// [pixels] Coordinates further away than this are cut: they only have to stay numbers that viewers can read. axes.
inline constexpr double page_reach_max = 1e6;

}  // namespace routh::internal::tolerances
