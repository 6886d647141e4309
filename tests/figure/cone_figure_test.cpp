// The cone of velocity changes: its rim against sampled forces, and what the picture says.
#include "routh/figure/cone_figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "routh/figure/cone_shape.h"
#include "support/random_problems.h"

namespace routh {
namespace {

// [Peiret, Fig. 1]: the rod at 45°, half length one, mass one.
const ContactInertia rod = planar_inertia(2.5, 1.5, 2.5);

TEST(ConeShape, ThePlanarEdgesAreTheImagesOfTheEdges) {
  const std::vector<ContactVector> rim = cone_rim(rod, 2, 1);
  // D (1, ∓2): (2.5 ∓ 3, 1.5 ∓ 5).
  const auto direction = [](const ContactVector& v) { return std::atan2(v.t1, v.n); };
  EXPECT_NEAR(direction(rim.front()), std::atan2(-3.5, -0.5), 1e-12);
  EXPECT_NEAR(direction(rim.back()), std::atan2(6.5, 5.5), 1e-12);
  for (const ContactVector& p : rim) EXPECT_NEAR(std::hypot(p.n, p.t1), 1, 1e-12);
}

TEST(ConeShape, TheRimIsWhatForcesOnTheConeDo) {
  // D is undone by solving the 3×3 system with Cramer's rule: each point must come from a force with ‖λ_t‖ = μ λ_n.
  testing_support::Random random(9);
  for (int k = 0; k < testing_support::scaled(40, 5); ++k) {
    const double c1 = random.uniform(-0.6, 0.6), c2 = random.uniform(-0.6, 0.6), b12 = random.uniform(-0.5, 0.5);
    const double a = 1.5, b11 = 2, b22 = 1.2, mu = random.uniform(0.1, 2);
    const auto det = [](double m11, double m12, double m13, double m21, double m22, double m23, double m31, double m32,
                        double m33) {
      return m11 * (m22 * m33 - m23 * m32) - m12 * (m21 * m33 - m23 * m31) + m13 * (m21 * m32 - m22 * m31);
    };
    const double whole = det(a, c1, c2, c1, b11, b12, c2, b12, b22);
    double farthest = 0;
    for (const ContactVector& p : cone_rim(spatial_inertia(a, c1, c2, b11, b12, b22), mu, 1)) {
      const double n = det(p.n, c1, c2, p.t1, b11, b12, p.t2, b12, b22) / whole;
      const double t1 = det(a, p.n, c2, c1, p.t1, b12, c2, p.t2, b22) / whole;
      const double t2 = det(a, c1, p.n, c1, b11, p.t1, c2, b12, p.t2) / whole;
      EXPECT_GT(n, 0);
      EXPECT_NEAR(std::hypot(t1, t2), mu * n, 1e-9);
      farthest = std::max(farthest, std::hypot(p.n, p.t1, p.t2));
    }
    EXPECT_NEAR(farthest, 1, 1e-12);
  }
}

TEST(ConeShape, ItDipsBelowThePlaneExactlyAboveTheJammingFriction) {
  // Planar: a − μ |c| < 0, μ_jam = 2.5 / 1.5.
  EXPECT_TRUE(rim_below_plane(cone_rim(rod, 1.66, 1), Dimension::planar).empty());
  const std::vector<ContactVector> below = rim_below_plane(cone_rim(rod, 1.68, 1), Dimension::planar);
  ASSERT_FALSE(below.empty());
  for (const ContactVector& p : below) EXPECT_LE(p.n, 0);
  // In space: a − μ ‖c‖ < 0.
  const ContactInertia spatial = spatial_inertia(1, 0.6, 0.8, 3, 0, 3);
  EXPECT_TRUE(rim_below_plane(cone_rim(spatial, 0.99, 1), Dimension::spatial).empty());
  EXPECT_FALSE(rim_below_plane(cone_rim(spatial, 1.02, 1), Dimension::spatial).empty());
}

TEST(ConeShape, TheHullIsConvexAndHoldsItsPoints) {
  testing_support::Random random(4);
  std::vector<PagePoint> points;
  for (int i = 0; i < 200; ++i) points.push_back({random.normal(), random.normal()});
  points.push_back(points.front());
  const std::vector<PagePoint> hull = convex_hull(points);
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const PagePoint &a = hull[i], &b = hull[(i + 1) % hull.size()];
    for (const PagePoint& p : points) EXPECT_GE((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x), -1e-12);
  }
  EXPECT_EQ(convex_hull({{1, 1}, {1, 1}}).size(), 1u);
}

TEST(ConeFigure, SaysWhatItShows) {
  const std::string jams = to_svg(cone_picture({"rod", rod, 2, {-1, 0.2, 0}}));
  EXPECT_NE(jams.find("those with δu"), std::string::npos);
  EXPECT_NE(jams.find(": all other forces"), std::string::npos);
  const std::string free = to_svg(cone_picture({"rod", rod, 1, {}}));
  EXPECT_EQ(free.find("those with δu"), std::string::npos);
  EXPECT_EQ(free.find(": all other forces"), std::string::npos);
  EXPECT_EQ(jams, to_svg(cone_picture({"rod", rod, 2, {-1, 0.2, 0}})));
}

TEST(ConeFigure, HoldsNoNumberThatIsNotFinite) {
  for (const double size : {1e-200, 1.0, 1e200})
    for (const double mu : {0.0, 0.5, 1e5, HUGE_VAL, std::nan("")})
      for (const ContactInertia& d :
           {planar_inertia(size, 0.5 * size, size), spatial_inertia(size, size, 0, size, 0, 0),
            spatial_inertia(2 * size, 0.5 * size, 0.1 * size, size, 0.2 * size, size)}) {
        const std::string svg = to_svg(cone_picture({"<script>", d, mu, {-size, size, size}}));
        EXPECT_EQ(svg.find("nan"), std::string::npos);
        EXPECT_EQ(svg.find("inf\""), std::string::npos);
        EXPECT_EQ(svg.find("<script"), std::string::npos);
      }
}

}  // namespace
}  // namespace routh
