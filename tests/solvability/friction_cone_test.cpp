// The cone in velocity space against sampled forces.
#include "routh/solvability/single_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::scaled;

Eigen::Matrix3d matrix(const ContactInertia& d) {
  Eigen::Matrix3d D;
  D << d.a, d.c1, d.c2, d.c1, d.b11, d.b12, d.c2, d.b12, d.b22;
  return D;
}

TEST(FrictionCone, HoldsExactlyWhatForcesCanDo) {
  Random random(421);
  int dips = 0, stays = 0;
  for (int k = 0; k < scaled(300, 60); ++k) {
    const ImpactProblem problem = testing_support::random_spatial(random);
    const double mu = 0.05 + problem.friction.kinetic_coefficient;
    const FrictionCone cone = friction_cone(problem.inertia, mu);
    if (!cone.form) continue;
    const Eigen::Matrix3d D = matrix(problem.inertia);
    const double size = cone.form->norm() * D.squaredNorm() * (1 + mu * mu);
    bool below = false;
    for (int s = 0; s < 720; ++s) {
      const double phi = std::numbers::pi * s / 360, share = random.uniform(0, 1.5);
      const Eigen::Vector3d edge(1, mu * std::cos(phi), mu * std::sin(phi));
      const Eigen::Vector3d force(1, share * edge[1], share * edge[2]);
      const Eigen::Vector3d on = D * edge, inside = D * force;
      EXPECT_NEAR(on.dot(*cone.form * on), 0, 1e-9 * size);
      // The form is the force's own distance from Coulomb's cone.
      EXPECT_NEAR(inside.dot(*cone.form * inside), mu * mu * (share * share - 1), 1e-9 * size);
      below = below || on[0] < 0;
      // Slip along −t makes this force: it jams when δu_n < 0.
      const double off = std::acos(std::clamp(-(cone.jam.t1 * std::cos(phi) + cone.jam.t2 * std::sin(phi)), -1.0, 1.0));
      if (cone.dips && std::abs(off - cone.half_angle) > 1e-6) {
        EXPECT_EQ(on[0] < 0, off < cone.half_angle);
      }
    }
    if (std::abs(mu / cone.jamming_friction - 1) > 1e-3) {
      EXPECT_EQ(below, cone.dips);
    }
    (cone.dips ? dips : stays)++;
    for (const ContactVector& ray : cone.level_rays) {
      const Eigen::Vector3d u(ray.n, ray.t1, ray.t2);
      EXPECT_EQ(ray.n, 0);
      EXPECT_NEAR(u.dot(*cone.form * u), 0, 1e-8 * size);
    }
    EXPECT_EQ(cone.level_rays.size(), cone.dips ? 2u : 0u);
  }
  EXPECT_GT(dips, 3);
  EXPECT_GT(stays, 3);
}

// [Peiret, Fig. 1]: a rod at 45° with μ = 2, pressed and pulled.
TEST(FrictionCone, PeiretsRod) {
  // Mass 1, length 2, centre up and to the right of the contact.
  const ContactInertia rod = planar_inertia(1 + 1.5, -1.5, 1 + 1.5);
  const FrictionCone cone = friction_cone(rod, 2);
  EXPECT_NEAR(cone.jamming_friction, 5.0 / 3, 1e-15);
  EXPECT_TRUE(cone.dips);
  EXPECT_EQ(cone.jam.t1, -1);  // sliding with the contact ahead, towards −t
  EXPECT_EQ(cone_verdict(judge_slip(rod, 2, cone.jam, {-9.81, 0, 0})), ConeVerdict::wedging);
  EXPECT_EQ(cone_verdict(judge_slip(rod, 2, cone.jam, {9.81, 0, 0})), ConeVerdict::false_cohesion);
  EXPECT_EQ(cone_verdict(judge_slip(rod, 1.6, cone.jam, {-9.81, 0, 0})), ConeVerdict::sound);
  EXPECT_EQ(cone_verdict(judge_slip(rod, 2, {1, 0}, {-9.81, 0, 0})), ConeVerdict::sound);
  const std::vector<ContactVector> edges = cone_generators(rod, 2, 12);
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_NEAR(edges[0].n, 2.5 - 3, 1e-15);
  EXPECT_NEAR(edges[0].t1, -1.5 + 5, 1e-15);
  EXPECT_NEAR(edges[1].n, 2.5 + 3, 1e-15);
}

TEST(FrictionCone, SingularInertiaHasNoForm) {
  const FrictionCone cone = friction_cone(spatial_inertia(1, 1, 0, 1, 0, 1), 2);
  EXPECT_FALSE(cone.form.has_value());
  EXPECT_TRUE(cone.dips);
  EXPECT_NEAR(cone.half_angle, std::acos(0.5), 1e-15);
}

TEST(FrictionCone, ConfigurationSpace) {
  // A particle pushed at its own centre: M⁻¹Jᵀ = I/m with (n, t1, t2) = (z, x, y).
  Eigen::MatrixXd response = Eigen::MatrixXd::Zero(3, 3);
  response(2, 0) = response(0, 1) = response(1, 2) = 0.5;
  const Eigen::MatrixXd generators = configuration_generators(response, 0.8, 4);
  ASSERT_EQ(generators.cols(), 4);
  EXPECT_TRUE(generators.row(2).isApproxToConstant(0.5));
  EXPECT_NEAR(generators(0, 0), 0.4, 1e-15);
  EXPECT_NEAR(generators(1, 1), 0.4, 1e-15);
  EXPECT_NEAR(generators(0, 2), -0.4, 1e-15);
}

}  // namespace
}  // namespace routh
