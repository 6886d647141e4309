// Tolerances of reading robot files: each with what it bounds, its unit or scale, and its users. How many things a file
// may hold stands with the readers.
#pragma once

namespace routh::internal::tolerances {

// Length of a direction, or half of a segment, that counts as zero [as written]; MuJoCo's own bound. mjcf_compiler,
// mjcf_geoms, mjcf_joints.
inline constexpr double mjcf_length_min = 1e-14;
// Sine of the angle to z below which a rotation from z takes the x axis. mjcf_compiler.
inline constexpr double mjcf_parallel_sine = 1e-10;
// [m, rad] A keyframe outside the limits of its joint by more is reported: keyframes are written with so many digits.
// mjcf_keyframe.
inline constexpr double keyframe_motion_reported = 1e-6;
// Joints that mimic one that mimics in turn, as deep as this; beyond, closing the loops does it. urdf_joint.
inline constexpr int mimic_chain_max = 4;
// [m] Size of a geom from which its volume is no number any more. mjcf_geoms.
inline constexpr double mjcf_size_max = 1e100;
// Frictions of MuJoCo's geoms and pairs that a file leaves out. mjcf_geoms, mjcf_contacts.
inline constexpr double mjcf_torsional_friction = 0.005, mjcf_rolling_friction = 0.0001;

}  // namespace routh::internal::tolerances
