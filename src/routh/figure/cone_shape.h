// A cone as the points of its rim, and its view on the page.
#pragma once

#include <vector>

#include "routh/figure/drawing.h"
#include "routh/impact/problem.h"

namespace routh::internal {

// The cone over the points D (1, μ cos φ, μ sin φ), the farthest of them at the distance `reach` from the apex. In
// space the rim is a closed ellipse (the first point is not repeated), in the plane an arc from edge to edge, all of it
// at that distance. Points of size zero, of a singular D, are left out.
std::vector<ContactVector> cone_rim(const ContactInertia& inertia, double friction, double reach);

// The points with n < 0, and those where the rim crosses n = 0.
std::vector<ContactVector> rim_below_plane(const std::vector<ContactVector>& rim, Dimension dimension);

// The vector with that length; zero for a vector of size zero or one that is not finite.
ContactVector with_length(const ContactVector& v, double length);

// A view: along t2 in the plane, else from above and aside. `origin` is where the apex lies on the page.
class ConeView {
 public:
  ConeView(Dimension dimension, PagePoint origin, double unit);
  PagePoint map(const ContactVector& v) const;

 private:
  double turn_ = 0, tilt_ = 0;  // radians
  PagePoint origin_;
  double unit_;
};

// The convex hull of points, in order.
std::vector<PagePoint> convex_hull(std::vector<PagePoint> points);

}  // namespace routh::internal
