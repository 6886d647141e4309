// Tolerances of what a description may leave inexact: each with what it bounds, its unit or scale, and its users. They
// allow for digits lost in writing, not for mistakes. Limits of size (bodies, shapes, pairs) stand in draft.h.
#pragma once

namespace routh::internal::tolerances {

// Products of the rows of a rotation matrix, and the length of a quaternion, from their values. checks;
// scene/rotations. The messages of both say 1e-6.
inline constexpr double rotation_defect = 1e-6;
// Cosine between the two axes of a universal joint. build_tree; scene/joint_reader.
inline constexpr double joint_axes_cosine = 1e-6;
// Component of a unit vector or rotation out of the plane of a planar machine: rotations written as matrix or
// quaternion leave it by rounding. build_tree, checks.
inline constexpr double out_of_plane_component = 1e-9;
// Component of a belt's velocity along the normal of its surface, of its speed: what a rotated frame may cost.
// build_surfaces.
inline constexpr double belt_normal_relative = 1e-9;
// Principal moments below zero, or violating the triangle inequality, of the trace: what printed digits and a rotation
// may cost. check_properties; robot/robot_inertia, mjcf_inertia.
inline constexpr double inertia_relative = 1e-9;
// Rounding of an articulated inertia, of its diagonal: some fifty units in the last digit. inertia_check.
inline constexpr double inertia_rounding = 1e-14;
// Postures in which the inertia of every degree of freedom is looked for. inertia_check.
inline constexpr int inertia_postures = 3;

// A machine's unit of time, of its T = √(L/g): with it a machine of a metre under its weight is computed in metres and
// seconds, the units in which the tolerances of runs were found. in_units.
inline constexpr double own_time_share = 4;
// Binary exponent of a machine's own units, at most: energies, of degree five in them, stay far within the range of
// numbers. in_units.
inline constexpr int unit_exponent_max = 100;

}  // namespace routh::internal::tolerances
