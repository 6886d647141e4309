// Tolerances and limits of meshes and hulls: each with what it bounds, its unit or scale, and its users. The "extent"
// is the largest side of the box around the points.
//
// What a caller may set stays with HullOptions (hull.h). How large a file may be stands in mesh_file.h, and
// max_hull_vertices, for which names of features have room, in hull.h.
#pragma once

#include <cstddef>

namespace routh::internal::tolerances {

// --- Input

// Flatness of faces of mesh files, of the extent: they hold numbers of single precision, and coordinates far from the
// origin lose more. mesh_hull.
inline constexpr double mesh_file_flatness = 1e-6;
// Corners of the hull of a mesh file, unless a scene says otherwise; of more those are kept that reach farthest. Of
// smooth bodies of 2000 corners 128 leave points outside by 1.7 % of the extent (a ball), 0.4 % (a capsule), 0.3 % (a
// box with rounded edges); 64 about twice and 256 about half as much. Cylinders of up to 64 sides stay whole.
// mesh_hull.
inline constexpr int mesh_corners_max = 128;
// Volume by which a hull may exceed its mesh before a note says so: less is what single precision and a coarse mesh of
// a round body bring. mesh_hull.
inline constexpr double hull_volume_excess = 0.01;
// [m] Beyond these the fifth power, which an inertia is for a density of 1, leaves the range of numbers: farther points
// count as none, closer ones as one. triangle_hull.
inline constexpr double point_reach_max = 1e60;
inline constexpr double points_extent_min = 1e-60;

// --- Triangles of a hull, on an integer grid (triangle_hull)

// A sum of products below this of its terms is computed again, exactly.
inline constexpr double exact_sign_relative = 1e-14;
// Points thinner than this, of the extent, are in one place, line or plane.
inline constexpr double thin_extent_relative = 1e-9;

// --- Faces (hull, hull_faces)

// Where triangles do not merge to the tolerance asked for, these are tried, of the extent: slivers. hull.
inline constexpr double merge_flatness_fine = 1e-9;
inline constexpr double merge_flatness_coarse = 1e-7;
// Points given to this flatness or better stay where they are: faces are not flattened. hull.
inline constexpr double exact_points_flatness = 1e-9;
// A triangle joins a face when its normal has this cosine with the face's, or its height is within this of the
// tolerance: a sliver has no normal. hull_faces.
inline constexpr double merged_normal_cosine = 0.9;
inline constexpr double sliver_height = 8;
// Vertices may stand above a merged face by this many tolerances, or by this of the extent. hull_faces.
inline constexpr double merge_slack_tolerances = 10;
inline constexpr double merge_slack_relative = 1e-9;

// --- Making faces flat (flatten)

inline constexpr int flatten_rounds_max = 20;            // of moving vertices onto their planes
inline constexpr double flat_face_relative = 4e-16;      // roughness at which it ends, of the radius
inline constexpr double flatten_move_max = 8;            // tolerances by which a vertex may move
inline constexpr double same_plane_sine_squared = 1e-6;  // two planes that a vertex cannot tell apart
inline constexpr double plane_determinant_min = 1e-9;    // planes that all but share a line

// --- The farthest vertex (polyhedron)

inline constexpr std::size_t vertices_all_tried = 32;  // up to so many one by one; beyond by walking
inline constexpr int walk_start_grid = 8;              // directions of starts on each side of a cube

}  // namespace routh::internal::tolerances
