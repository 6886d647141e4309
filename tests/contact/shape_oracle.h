// Shapes as sets of points in extended precision: membership and support functions from their definitions, and the
// greatest separation of two by search. Shares no code with the library but the description of a posed shape.
#pragma once

#include <string>

#include "routh/contact/geometry.h"
#include "support/random_problems.h"

namespace testing_support {

using Long = long double;

struct LongVector {
  Long x = 0, y = 0, z = 0;
};

// How far the shape reaches along n, from the world's origin: max of n·x over its points.
Long support(const routh::PosedShape& shape, const LongVector& n);
// How far the point lies outside the shape, by a bound that is zero on and within it: the largest violation of the
// inequalities that define it.
Long excess(const routh::PosedShape& shape, const routh::Vector3& point);
// min over a of n·a − max over b of n·b
Long separation(const routh::PosedShape& a, const routh::PosedShape& b, const LongVector& n);
// The greatest over all directions, from below: dense samples, refined at random.
Long greatest_separation(const routh::PosedShape& a, const routh::PosedShape& b, Random& random);

LongVector widened(const routh::Vector3& v);

routh::Pose random_pose(Random& random, routh::Dimension dimension, double reach);
routh::PosedShape random_shape(Random& random, routh::ShapeKind kind, routh::Dimension dimension);
// Kept until the end of the tests.
const routh::Polyhedron* random_hull(Random& random);
// Moves b until the greatest separation of the two is about `gap`.
void move_to_gap(const routh::PosedShape& a, routh::PosedShape& b, double gap, Random& random);

// The contacts of the pair with gaps up to `margin`.
std::vector<routh::PairContact> contacts_of(const routh::PosedShape& a, const routh::PosedShape& b,
                                            double margin = routh::unlimited);
const routh::PairContact& nearest(const std::vector<routh::PairContact>& contacts);

std::string describe(const routh::PosedShape& shape);

}  // namespace testing_support
