// One function for each combination of cores, listed in geometry.cpp. Each adds the contacts of a against b between
// the cores.
#pragma once

#include "routh/contact/geometry.h"

namespace routh::internal {

void point_on_point(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void point_on_segment(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void point_on_box(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void point_on_cylinder(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void point_on_ellipsoid(const PosedShape& a, const PosedShape& b, Manifold& manifold);

// Segments and boxes against each other.
void brick_on_brick(const PosedShape& a, const PosedShape& b, Manifold& manifold);

// Against a half-space or strip b, whose borders are elsewhere.
void point_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void brick_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void cylinder_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void ellipsoid_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold);

// Cylinders and ellipsoids against each other and against segments and boxes.
void convex_on_convex(const PosedShape& a, const PosedShape& b, Manifold& manifold);

// Meshes, by their hulls, against points, segments, boxes and each other; against half-spaces and strips; against
// cylinders and ellipsoids.
void hull_on_hull(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void hull_on_plane(const PosedShape& a, const PosedShape& b, Manifold& manifold);
void hull_on_round(const PosedShape& a, const PosedShape& b, Manifold& manifold);

void pin_in_hole(const PosedShape& a, const PosedShape& b, Manifold& manifold);

}  // namespace routh::internal
