// A hull of few corners in place of one of many, and how far that leaves the many outside.
#pragma once

#include <memory>

#include "routh/mesh/hull.h"

namespace routh::internal {

// Of the corners of the whole hull those that quickhull takes first, always the one farthest outside what there is: a
// hull within the whole one but for the flatness of its faces, with the number of corners and the error set in it. The
// whole hull itself where it has no more than `max_corners`, and where so few make no hull.
std::shared_ptr<const Polyhedron> reduced_hull(const std::shared_ptr<const Polyhedron>& whole, int max_corners,
                                               double flatness);

// Distance of a point from a polyhedron; 0 within.
double distance_outside(const Polyhedron& polyhedron, const Vector3& point);

}  // namespace routh::internal
