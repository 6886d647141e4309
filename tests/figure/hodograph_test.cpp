// The picture of an impact: its bytes are reproducible, its marks are where the solution says.
#include "routh/figure/hodograph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "routh/figure/invariant_rays.h"
#include "routh/figure/marks.h"
#include "routh/impact/solve.h"

namespace routh {
namespace {

// Kane's double pendulum: slip reverses in restitution.
ImpactProblem kane() {
  ImpactProblem problem;
  problem.inertia = planar_inertia(0.3365200968346962, 0.5071028860035925, 0.8134460152321032);
  problem.velocity = {-0.26840402866513374, -0.5343486856709572, 0};
  problem.friction = {0.51, 0.5};
  problem.restitution.normal = 0.7;
  return problem;
}

ImpactProblem swerving() {
  ImpactProblem problem;
  problem.inertia = spatial_inertia(1.6, 0.5, -0.3, 3.0, 0.4, 1.5);
  problem.velocity = {-1, 0.4, 0.9};
  problem.friction = {0.4, 0.4};
  problem.restitution.normal = 0.5;
  return problem;
}

// Of all laws.
Picture all_laws_of(const ImpactProblem& problem, const std::string& title) {
  std::vector<ImpactResult> results;
  for (const Law law : all_laws) results.push_back(solve_impact(problem, law));
  return hodograph_picture(problem, results, title);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Hodograph, TheSameProblemGivesTheSameBytes) {
  EXPECT_EQ(to_svg(all_laws_of(kane(), "Kane")), to_svg(all_laws_of(kane(), "Kane")));
}

TEST(Hodograph, DrawsEveryLawInBothPanels) {
  const std::string svg = to_svg(all_laws_of(kane(), "Kane"));
  for (const Law law : all_laws) {
    EXPECT_NE(svg.find(std::string(">") + name(law) + "</text>"), std::string::npos) << name(law);
    EXPECT_EQ(count(svg, "stroke-linecap=\"butt\" fill=\"none\" stroke=\"" + law_colour(law) + "\""), 2u) << name(law);
  }
}

TEST(Hodograph, MarksTheHaltOfKanesPendulumAndOnlyWhereThereIsOne) {
  EXPECT_NE(to_svg(all_laws_of(kane(), "Kane")).find(">slip halts</text>"), std::string::npos);
  ImpactProblem sliding = kane();
  sliding.velocity.t1 *= 100;
  EXPECT_EQ(to_svg(all_laws_of(sliding, "sliding")).find(">slip halts</text>"), std::string::npos);
}

TEST(Hodograph, NamesTheLawThatLeavesTheFrame) {
  // The classical answer ends at 5.4995 N s, the energetic one at 0.867 N s.
  EXPECT_NE(to_svg(all_laws_of(kane(), "Kane")).find("= 5.5 "), std::string::npos);
}

TEST(Hodograph, EscapesItsTitle) {
  const std::string svg = to_svg(all_laws_of(kane(), "<script>&_{x}"));
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_NE(svg.find(">&lt;script&gt;&amp;_{x}</text>"), std::string::npos);
}

TEST(Hodograph, SpatialShowsTheInvariantDirections) {
  EXPECT_NE(to_svg(all_laws_of(swerving(), "swerve")).find("invariant direction"), std::string::npos);
  EXPECT_EQ(to_svg(all_laws_of(kane(), "Kane")).find("invariant direction"), std::string::npos);
}

TEST(Hodograph, HoldsNoNumberThatIsNotFinite) {
  for (const double scale : {1e-150, 1.0, 1e150}) {
    ImpactProblem problem = swerving();
    problem.velocity = {-scale, 0.4 * scale, 0.9 * scale};
    const std::string svg = to_svg(all_laws_of(problem, "scaled"));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf\""), std::string::npos);
    EXPECT_LT(svg.size(), 200'000u);
  }
}

TEST(Hodograph, ASeparatingContactStillGivesAPicture) {
  ImpactProblem problem = kane();
  problem.velocity.n = 1;
  const std::string svg = to_svg(all_laws_of(problem, "apart"));
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(InvariantRays, SatisfyTheirEquation) {
  const ImpactProblem problem = swerving();
  const ContactInertia& d = problem.inertia;
  const double mu = problem.friction.kinetic_coefficient;
  const std::vector<InvariantRay> rays = invariant_rays(d, mu);
  ASSERT_TRUE(rays.size() == 2 || rays.size() == 4) << rays.size();
  for (const InvariantRay& ray : rays) {
    const double w1 = d.c1 - mu * (d.b11 * ray.t1 + d.b12 * ray.t2);
    const double w2 = d.c2 - mu * (d.b12 * ray.t1 + d.b22 * ray.t2);
    EXPECT_NEAR(ray.t1 * w2 - ray.t2 * w1, 0, 1e-9);
    EXPECT_EQ(ray.grows, ray.t1 * w1 + ray.t2 * w2 > 0);
    EXPECT_NEAR(std::hypot(ray.t1, ray.t2), 1, 1e-12);
  }
}

TEST(InvariantRays, NoneWhenEveryDirectionIsInvariant) {
  EXPECT_TRUE(invariant_rays(spatial_inertia(1, 0, 0, 2, 0, 2), 0.3).empty());
}

}  // namespace
}  // namespace routh
