// Tolerances and limits of finding contacts: each with what it bounds, its unit or scale, and its users in this module.
//
// Lengths are relative: the "size of the pair" is the sum of the bounding radii of the two shapes, or the larger of a
// brick's extents where a file says so. Angles are in rad; below 1e-2 sine and angle are the same to the digits that
// matter. Defaults that a user may set stay with their options (TouchOptions::tolerance in contact.h).
#pragma once

#include <cstddef>

namespace routh::internal::tolerances {

// --- Points and gaps, of the size of the pair

// Contacts of one pair whose middles are closer are one contact; of the size of the pair, or of the radius or length of
// the feature they lie on. brick, brick_pairs, convex_pairs, hull_pairs, hull_patch, hull_round_pairs.
inline constexpr double same_contact_relative = 1e-9;
// A contact attains the separation of the pair when its gap exceeds it by no more: rounding. brick_pairs, hull_pairs.
inline constexpr double gap_attained_relative = 1e-13;
// A manifold whose least gap exceeds the separation by more misses it: the deepest point is added. Above
// gap_attained_relative because overlapping shapes attain it to what the features' own rounding leaves.
// brick_pairs, hull_pairs, convex_pairs, hull_round_pairs.
inline constexpr double gap_missed_relative = 1e-9;
// Bricks separated by more than −this count as apart although no axis separates them: segments in one line.
// brick_pairs.
inline constexpr double in_line_separation_relative = 1e-12;
// Points closer than this give no direction of their own: the rounding of their difference would turn it by 1e-6 and
// more. brick_pairs, hull_patch, posed_hull.
inline constexpr double direction_distance_relative = 1e-10;
// Measures of two contacts of a pool closer than this, of their size, are equal, and the name decides. hull_patch.
inline constexpr double equal_measure_relative = 1e-9;
// Points of bodies closer than this, of 1 m + their distance from the world's origin, coincide. rolling.h.
inline constexpr double meeting_points_distance = 1e-12;
// Sizes that cancel in a bounding test, so that rounding never parts shapes that touch. far_apart.
inline constexpr double bounding_box_relative = 1e-12;

// --- Broad phase (contact_search, box_tree)

// By this much every sum of ways and gaps is rounded to the safe side: a few roundings of double precision.
inline constexpr double way_rounding_relative = 1e-14;
// Turning by less is rounding of the rotation matrices [rad]; as much is added to every turn.
inline constexpr double turn_rounding = 1e-15;
// Skin about the box of a moving shape: of its bounding radius, beside the margin. Thin skins list fewer pairs, thick
// ones last longer; times of piles of spheres and of robots change by less than a fifth between 0.05 and 0.2.
inline constexpr double skin_relative = 0.1;
// The skin lasts for so many steps like the last one, and for reaches twice as wide; but all this makes it thicker by
// so much of the bounding radius at most, or by the reach: the pairs listed in a crowd grow with the cube of the skin,
// while a tree costs less than a step of its contacts.
inline constexpr double skin_steps = 16;
inline constexpr double skin_most_relative = 1;
// Up to so many pairs find_contacts asks each; beyond, it builds a tree for the one call: some ms. find_contacts.
inline constexpr std::size_t pairs_asked_one_by_one = 100'000;
// Boxes in a leaf of the tree, at most.
inline constexpr int box_tree_leaf_max = 4;
// Gaps of hulls are found to this far beyond the margin, of the radii of the two: the farther a pair is known to be
// apart, the longer it is left alone.
inline constexpr double gap_horizon_share = 0.1;
// Bounding spheres apart by this share of their radii beyond the margin are a good enough bound; else boxes are asked.
inline constexpr double sphere_bound_share = 0.25;

// --- Borders of faces, caps and strips

// A strip ends at so many times the distance and the radius of the other shape: what lies farther is no nearest point,
// nor the end of an edge that passes below it. strip.
inline constexpr double strip_reach = 4;
// A point this near to the plane of a strip, of the other shape's radius and its distance from the world's origin,
// passes the border without a step: what integration and rounding make of a flush floor. geometry.cpp.
inline constexpr double flush_height_relative = 1e-9;
// An edge that passes the border so is met from the side: sine of the normal's angle to the plane. geometry.cpp.
inline constexpr double flush_normal_sine = 1e-3;

// What lies outside a border by less is on it: rounding of a foot. Of the radius or extent of the face; in hull_patch
// of the size of the pair. geometry.h, hull_patch, hull_round_pairs.
inline constexpr double border_relative = 1e-12;
// The same for a contact that is known already, which integration may have moved past the border: shapes that stand
// flush beside each other keep their contacts. find_contacts.
inline constexpr double known_border_relative = 1e-9;
// An end of an axis within this of its half length is reached. convex_pairs.
inline constexpr double axis_end_relative = 1e-9;

// --- Directions [rad or sine]

// Contacts besides the nearest belong to the manifold when their own normals lie within this angle of it [rad], and its
// cosine. brick, brick_pairs, convex_pairs, hull_patch, hull_round_pairs, planes, rim.
inline constexpr double manifold_angle = 0.05;
inline constexpr double manifold_cosine = 0.99875026;
// Tangent of that angle and a little more: before features are compared, those far from each other across the normal
// are left out. hull_patch.
inline constexpr double facing_slant = 0.0501;
// Faces of so many sides have circles within and about them, which tell most points on them from those beside them; the
// outer one is larger by this factor than the corners need, far beyond what borders allow. hull_patch.
inline constexpr int round_face_sides = 8;
inline constexpr double circle_slack = 1.001;
// Below this tilt a face, cap or side counts as flat against the other shape [rad]. hull_round, rim, smooth_pair,
// support_points.
inline constexpr double flat_angle = 1e-9;
// Lines with a smaller sine of the angle between them are parallel: their common normal is rounding. brick,
// brick_pairs, hull_axes, posed_hull, rolling.
inline constexpr double parallel_lines_sine = 1e-8;
// Sides of round shapes with a smaller sine touch along a stretch, at both of its ends. convex_pairs.
inline constexpr double parallel_sides_sine = 1e-7;
// Straight parts of smooth surfaces with a smaller sine run along each other. smooth_pair.
inline constexpr double along_straight_sine = 1e-6;
// Curves that run along each other but for a smaller sine do not cross. rim.
inline constexpr double crossing_curves_sine = 0.02;
// Axes of bounding boxes with a smaller sine give no axis across both worth trying; the test only saves time.
// far_apart.
inline constexpr double box_axes_sine = 1e-3;
// A component of a normal below this: the tangents are built from x, else from y. Far from the normals that machines
// have, along axes (0, 1) and halfway between them (0.71), where rounding would turn the frame. find_contacts.
inline constexpr double frame_axis_component = 0.83;

// --- Separating axes, of the size of the pair

// An axis across two edges must separate better than a face by this. brick_pairs, hull_axes.
inline constexpr double better_axis_relative = 1e-14;
// An axis may be left out when a bound says that it is deeper than one that is known by more: above what the point
// within both hulls, from which bounds are taken, may lie outside (direction_distance_relative). hull_axes.
inline constexpr double known_depth_relative = 1e-9;
// A direction must separate better than the best so far by this; among equals the first counts. hull_round,
// support_sum.
inline constexpr double better_direction_relative = 1e-15;

// --- Distance of hulls: Gilbert, Johnson and Keerthi

inline constexpr int gjk_steps_max = 100;  // posed_hull, separation_search
// Steps without a nearer simplex or a better bound before it ends: between faces that are parallel but for rounding
// corners of equal height take turns without end. posed_hull.
inline constexpr int gjk_stalled_steps_max = 6;
inline constexpr double gjk_gap_relative = 1e-16;       // duality gap at which the distance is known. posed_hull
inline constexpr double gjk_progress_relative = 1e-15;  // rounding of a distance, of the size. posed_hull
inline constexpr double gjk_equal_distance = 1e-9;      // of the distance: as near as the best so far. posed_hull
// Directions of the simplex and of the features that differ by more (1 − cosine) and stand farther apart (of the size):
// the features were named wrongly. posed_hull.
inline constexpr double feature_normal_mismatch = 1e-6;
inline constexpr double feature_distance_relative = 1e-6;
// Corners that span less are dependent: square of a triangle's area, volume of a tetrahedron, of their edges.
// simplex.h.
inline constexpr double simplex_area_squared = 1e-28;
inline constexpr double simplex_volume = 1e-14;

// --- Greatest separation with a bound from above (separation_search), of the size of the pair

// How near the bound comes to the best separation that was found: well within the tolerances with which simulations
// touch. Shapes that overlap alike in a whole range of directions, as balls about one centre, would need a triangle of
// the sphere's for each error of the square root: after so many halvings the next, wider gap is tried.
inline constexpr double separation_gaps_relative[] = {1e-9, 1e-7, 1e-5, 1e-3};
inline constexpr int separation_splits_max = 4000;
// A foot is known when two bounds of its distance agree to this.
inline constexpr double foot_gap_relative = 1e-11;
// Of a point behind a plane that touches both: its foot is found to more digits from farther, and is the foot of the
// maximum next to the plane from nearby.
inline constexpr double foot_distance_relative = 0.1;
inline constexpr int climb_steps_max = 30;

// --- Hulls and round shapes

// How often the corners about the best normal are looked at anew: after the search one round changes them. hull_round.
inline constexpr int corner_rounds_max = 4;
// First step along an arc [rad], doubled while the separation grows. hull_round.
inline constexpr double arc_step_first = 1e-3;
// Bisection along the arc between two faces' normals [rad]. hull_round.
inline constexpr int arc_bisections_max = 60;
inline constexpr double arc_width_min = 1e-17;
// Alternating projections onto two flat features, of the bounding radius. hull_round.
inline constexpr int projections_max = 50;
inline constexpr double projection_settled_relative = 1e-15;
// A hull of no more vertices touches a plane with any of them. hull_planes.
inline constexpr int plane_vertices_all = 20;

// --- Newton's iterations on curves and surfaces

inline constexpr int ellipsoid_steps_max = 200;          // bracketed: for the worst case. nearest_point
inline constexpr double ellipsoid_pole_relative = 1e-6;  // closer to the pole the point leaves the plane. nearest_point
inline constexpr int curve_newton_steps_max = 30;        // cross_curves in rim
inline constexpr double curve_determinant_min = 1e-12;   // of the speeds along the curves. rim
inline constexpr double curve_step_settled = 1e-9;       // last step, of 1 m + the way along the curve. rim
inline constexpr double curve_way_max = 1e6;             // [m] from the start: diverged. rim
inline constexpr double concentric_relative = 1e-9;      // of the radius: circles that do not cross. rim
inline constexpr int surface_newton_steps_max = 30;      // smooth_pair
inline constexpr double surface_step_max = 0.5;  // [rad] longest step of the normal: else another place. smooth_pair
inline constexpr double surface_step_settled = 1e-9;  // [rad] its square is rounding. smooth_pair
// A crossing of two curves is the contact that was found when normal and point agree to this (rad; bounding radius).
// smooth_pair.
inline constexpr double same_crossing_relative = 1e-6;

// --- Maximum of the separation over directions (support_sum)

// Continuation: smoothing of the discs' kinks, of their size, from first to last, by a tenth.
inline constexpr double smoothing_first = 0.1;
inline constexpr double smoothing_last = 1e-6;
inline constexpr int ascent_steps_max = 60;            // smoothed
inline constexpr int ascent_steps_on_kink_max = 20;    // unsmoothed: begins at its goal, or has nothing to find
inline constexpr double line_search_scale_min = 1e-9;  // smoothed
inline constexpr double line_search_scale_on_kink = 1e-3;
inline constexpr double turn_max = 0.5;                  // [rad] longest step
inline constexpr double turn_expected = 0.1;             // [rad] against which the first short step is measured
inline constexpr double turn_unjudged = 1e-6;            // [rad] shorter steps change s by rounding only
inline constexpr double gain_unjudged_relative = 1e-14;  // of the size: as much
inline constexpr double curvature_floor_relative = 1e-12;
inline constexpr double disc_edge_on_relative = 1e-15;  // of the disc: seen edge-on it has no gradient
inline constexpr double direction_length_min = 1e-12;   // of a cross product of unit vectors; also centres, of the size
inline constexpr double kink_near = 0.1;                // cosine to a disc's axis: its great circle is tried as well
inline constexpr double smoothed_gain_relative = 1e-11;  // found by the smoothed problem alone
// Shift of a normal matrix, of its trace, in solving for weights of least norm. support_points.
inline constexpr double normal_matrix_shift = 1e-10;

// --- Machines in touch

// Posture at which a contact touches and loops close. touching. Steps, halvings, rank and rates are those of the
// assembly of loops, dynamics/tolerances.h.
inline constexpr double touching_step_max = 0.3;    // [rad] or [m]: stays on the branch it was sought from
inline constexpr double touching_walk_step = 0.25;  // [rad] or [m] of a walk towards the posture
inline constexpr double touching_walk_steps_max = 1000;
inline constexpr double touching_closed = 1e-12;  // residual, of 1 + the largest coordinate or velocity
// Normal velocity that is rounding of Σ |J_k v_k|: the contact rests. touches.
inline constexpr double resting_speed_relative = 1e-13;
// [m] Where nothing touches, the nearest contact within the horizon is named; it is sought within the first distance,
// then ten times as far, and so on. touches.
inline constexpr double nearest_contact_first = 1e-2;
inline constexpr double nearest_contact_horizon = 10;

// --- Drift of a contact: second derivative of its gap by central differences (contact_drift)

inline constexpr double drift_rate_min = 1e-100;  // [1/s] slower motion has no drift, and its step would overflow
inline constexpr double drift_step_first = 2e-3;  // of 1/rate: steps from first down to last, by an eighth
inline constexpr double drift_step_last = 1e-7;   // of 1/rate

}  // namespace routh::internal::tolerances
