// Tolerances and limits of reading and examining scenes: each with what it bounds, its unit or scale, and its users.
// The ranges of what a user may set stand in simulation_settings.h; how many things a file may hold, with the
// readers.
#pragma once

namespace routh::internal::tolerances {

// --- Reading

// Rounding that products of rotations lose, of a matrix: it stays as it is, digit by digit. rotations.
inline constexpr double rotation_rounding = 1e-14;
// | |v|² − 1 | of a direction that is a unit vector already and stays as written. values.
inline constexpr double unit_vector_rounding = 1e-15;
// [m, rad and per second] A coordinate or velocity moved by assembly by more is reported. scene, robot_start.
inline constexpr double assembly_motion_reported = 1e-9;

// --- Bodies set down (set_down)

// Gap that is left, of the reach of what moves: some ten times its rounding.
inline constexpr double set_down_gap_relative = 1e-14;
// Way down, of the first gap and the reach together, beyond which a body has missed: slopes up to 89 degrees.
inline constexpr double set_down_way_max = 60;
// Steps: on a slope of 89 degrees each leaves 0.983 of the gap.
inline constexpr int set_down_steps_max = 2000;
// Share of gravity along the plane of a planar joint from which there is a way down.
inline constexpr double set_down_slope_min = 1e-3;

// --- Robots put into a scene (robot_lift, robot_overlaps)

// A base is lifted out of the floor by at most this [m], or by this share of the robot's size, whichever is more:
// beyond, the file is wrong.
inline constexpr double lift_max = 0.1;
inline constexpr double lift_max_share = 0.25;
inline constexpr int lifts_max = 100;               // of all bases together; corners need several each
inline constexpr double lift_slide_cosine = 0.999;  // between a slide and the normal it may lift along
inline constexpr double foundation_share = 0.25;    // of the reach: overlaps this near the base are its foundation

// --- Examining

inline constexpr int posture_search_steps = 48;  // along the range of a coordinate. posture_search, rest_problem
inline constexpr int posture_bisections = 50;    // of one of these steps. posture_search, rest_problem
// Degrees of freedom up to which loads and postures of several contacts are searched along each. diagnosis,
// rest_problem.
inline constexpr int hold_loads_max = 12;
// Of the force scale of the machine: the normal force that is kept unless another is asked for. On the border itself
// rounding would decide whether the contact holds; a hundredth of the weight is seen in any printed answer. hold.
inline constexpr double hold_normal_force_share = 0.01;
inline constexpr int cone_generators = 24;   // of a friction cone in configuration space. diagnosis
inline constexpr double flow_rate_max = 10;  // [rad/s] or [m/s] box of the flow of slip. diagnosis
inline constexpr int flow_cells = 100;       // of its grid, in each direction. diagnosis
// Slides from so many states on an ellipse about each singular point, half axes of this share of the box; long enough
// to leave the neighbourhood [s]; at most about so many points of each are shown. diagnosis
inline constexpr int slide_ring = 16;
inline constexpr double slide_ring_share = 1.0 / 80;
inline constexpr double slide_duration = 2;
inline constexpr std::size_t slide_points_most = 80;
// JSON has no infinity: a bound larger than this is written as none. simulation_settings.
inline constexpr double written_bound_max = 1e300;

}  // namespace routh::internal::tolerances
