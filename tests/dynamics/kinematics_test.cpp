// Poses, velocities and Jacobians against the composition of homogeneous matrices; motion along a velocity.
#include "routh/dynamics/dynamics.h"

#include "case.h"

namespace {

using reference::Case;
using reference::for_random_machines;
using reference::largest;
using reference::mat;
using reference::near;
using reference::vec;
using testing_support::Random;
using testing_support::random_point;
using testing_support::random_vector;
using testing_support::scaled;

constexpr double tolerance = 1e-13;

TEST(Kinematics, PosesAreComposed) {
  for_random_machines(3101, scaled(300, 30), {}, [](Case& c, Random&) {
    compute_kinematics(c.model, c.state.q, c.workspace);
    const auto places = c.machine.places(c.q());
    for (int body = 0; body < c.body_count(); ++body) {
      const routh::Pose pose = body_pose(c.model, c.workspace, body);
      const auto& place = places[static_cast<std::size_t>(body)];
      ASSERT_TRUE(near(mat(pose.rotation), place.rotation(), tolerance)) << c.model.bodies[body].name;
      ASSERT_TRUE(near(vec(pose.position), place.position(reference::Vec3::Zero()), tolerance));
    }
  });
}

TEST(Kinematics, VelocitiesJacobiansAndDrift) {
  for_random_machines(3102, scaled(300, 30), {}, [](Case& c, Random& random) {
    compute_velocities(c.model, c.state.q, c.state.v, c.workspace);
    const auto motions = c.machine.motions(c.q(), c.v(), reference::Vector::Zero(c.n()));
    const reference::Partials partials = c.machine.partials(c.q());
    routh::Jacobian3 J(3, c.n()), turning(3, c.n()), own(3, c.n());
    for (int body = 0; body < c.body_count(); ++body) {
      const auto& motion = motions[static_cast<std::size_t>(body)];
      const routh::Vector3 local = random_point(random, c.model.dimension);
      const routh::Vector3 point = body_pose(c.model, c.workspace, body) * local;
      ASSERT_TRUE(near(vec(point_velocity(c.model, c.workspace, body, point)), motion.velocity(vec(local)), tolerance));
      ASSERT_TRUE(near(vec(angular_velocity(c.model, c.workspace, body)), motion.omega(), tolerance));
      const routh::Drift drift = point_drift(c.model, c.workspace, body, point);
      ASSERT_TRUE(near(vec(drift.linear), motion.acceleration(vec(local)), 10 * tolerance));
      ASSERT_TRUE(near(vec(drift.angular), motion.alpha(), 10 * tolerance));

      point_jacobian(c.model, c.workspace, body, point, J);
      angular_jacobian(c.model, c.workspace, body, turning);
      ASSERT_TRUE(near(J, point_jacobian(partials, body, vec(local)), tolerance));
      ASSERT_TRUE(near(turning, angular_jacobian(partials, body), tolerance));
      routh::Workspace fresh(c.model);
      own.setConstant(7);
      compute_point_jacobian(c.model, c.state.q, body, local, fresh, own);
      ASSERT_TRUE(near(own, J, tolerance));
    }
  });
}

// τ of a wrench is Jᵀ f + J_ωᵀ n: its power is the wrench's at any velocity.
TEST(Kinematics, PointForcesHaveTheirPower) {
  for_random_machines(3103, scaled(200, 20), {}, [](Case& c, Random& random) {
    compute_kinematics(c.model, c.state.q, c.workspace);
    const auto motions = c.machine.motions(c.q(), c.v(), reference::Vector::Zero(c.n()));
    const int body = random.below(c.body_count());
    const routh::Vector3 local = random_point(random, c.model.dimension);
    const routh::Wrench wrench = {random_point(random, c.model.dimension), {0, 0, random.normal()}};
    const Eigen::VectorXd before = random_vector(random, c.n());
    Eigen::VectorXd tau = before;
    add_point_force(c.model, c.workspace, body, body_pose(c.model, c.workspace, body) * local, wrench, tau);
    const auto& motion = motions[static_cast<std::size_t>(body)];
    const long double power =
        motion.velocity(vec(local)).dot(vec(wrench.force)) + motion.omega().dot(vec(wrench.moment));
    EXPECT_NEAR((tau - before).dot(c.state.v), static_cast<double>(power), 1e-12 * (1 + tau.norm()));
  });
}

TEST(State, RestIsZeroAndUnitQuaternions) {
  for_random_machines(3104, scaled(50, 10), {}, [](Case& c, Random&) {
    const routh::State rest = rest_state(c.model);
    ASSERT_EQ(rest.q.size(), c.model.coordinates);
    EXPECT_TRUE(rest.v.isZero(0) && rest.v.size() == c.n() && rest.time == 0);
    // At rest every joint's frames coincide.
    const auto places = c.machine.places(reference::wide(rest.q));
    for (std::size_t j = 0; j < c.model.joints.size(); ++j) {
      const auto& joint = c.machine.joint(static_cast<int>(j));
      const auto& parent = places[static_cast<std::size_t>(c.model.joints[j].parent)];
      const auto& child = places[j + 1];
      EXPECT_TRUE(near(parent.position(vec(joint.at.position)), child.position(vec(joint.in_child.position)), 1e-14));
      EXPECT_TRUE(
          near(parent.rotation() * mat(joint.at.rotation), child.rotation() * mat(joint.in_child.rotation), 1e-14));
    }
  });
}

TEST(State, IntegrateMovesAlongTheSphere) {
  for_random_machines(3105, scaled(200, 20), {}, [](Case& c, Random& random) {
    const double h = random.uniform(-1, 1);
    Eigen::VectorXd next(c.model.coordinates);
    integrate(c.model, c.state.q, c.state.v, h, next);
    ASSERT_TRUE(near(next, reference::advanced(c.model, c.q(), c.v(), h), 1e-14));
    // In place, and in two halves.
    Eigen::VectorXd halves = c.state.q;
    integrate(c.model, halves, c.state.v, h / 2, halves);
    integrate(c.model, halves, c.state.v, h / 2, halves);
    ASSERT_TRUE(near(halves, next, 1e-14));
    for (const routh::Joint& joint : c.model.joints)
      if (joint.q_count > joint.v_count) {
        EXPECT_NEAR(next.segment<4>(joint.q + joint.q_count - 4).norm(), 1, 4e-16);
      }
  });
}

TEST(State, DifferenceUndoesIntegrate) {
  for_random_machines(3106, scaled(200, 20), {}, [](Case& c, Random& random) {
    // Down to turns whose sine underflows in part; never half a turn.
    const double size = random.chance(0.3) ? std::pow(10, random.uniform(-12, -1)) : 0.9;
    const Eigen::VectorXd step = size * c.state.v.cwiseMax(-1).cwiseMin(1);
    Eigen::VectorXd next(c.model.coordinates), back(c.n());
    integrate(c.model, c.state.q, step, 1, next);
    difference(c.model, c.state.q, next, back);
    ASSERT_LE(largest(reference::wide(back - step)), 1e-14) << (back - step).transpose();
    // The other sign of a quaternion is the same rotation.
    for (const routh::Joint& joint : c.model.joints)
      if (joint.q_count > joint.v_count) next.segment<4>(joint.q + joint.q_count - 4) *= -1;
    difference(c.model, c.state.q, next, back);
    ASSERT_LE(largest(reference::wide(back - step)), 1e-14);
  });
}

TEST(State, NormaliseKeepsDirections) {
  for_random_machines(3107, scaled(50, 10), {}, [](Case& c, Random& random) {
    Eigen::VectorXd q = c.state.q;
    for (const routh::Joint& joint : c.model.joints)
      if (joint.q_count > joint.v_count) q.segment<4>(joint.q + joint.q_count - 4) *= random.uniform(0.1, 10);
    // A quaternion off unit length turns by the same rotation.
    compute_kinematics(c.model, q, c.workspace);
    const int last = c.body_count() - 1;
    const routh::Pose pose = body_pose(c.model, c.workspace, last);
    EXPECT_TRUE(near(mat(pose.rotation), c.machine.places(c.q())[static_cast<std::size_t>(last)].rotation(), 1e-14));
    normalise(c.model, q);
    EXPECT_TRUE(near(q, c.state.q, 1e-15));
  });
}

// The definition of q̇: poses at q ⊕ h v change at the rate that v means.
TEST(State, VelocityIsTheRateOfThePose) {
  for_random_machines(3108, scaled(100, 10), {}, [](Case& c, Random& random) {
    const int body = random.below(c.body_count());
    const routh::Vector3 local = random_point(random, c.model.dimension);
    const auto position = [&](long double t) {
      Eigen::VectorXd q(c.model.coordinates);
      integrate(c.model, c.state.q, c.state.v, static_cast<double>(t), q);
      compute_kinematics(c.model, q, c.workspace);
      return vec(body_pose(c.model, c.workspace, body) * local);
    };
    const reference::Vec3 velocity = reference::rate(position, 2e-2L);
    compute_velocities(c.model, c.state.q, c.state.v, c.workspace);
    const routh::Vector3 point = body_pose(c.model, c.workspace, body) * local;
    EXPECT_TRUE(near(vec(point_velocity(c.model, c.workspace, body, point)), velocity, 1e-9));
  });
}

}  // namespace
