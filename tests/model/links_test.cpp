// The tree of links against the definitions of the joints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/machines.h"

namespace routh {
namespace {

using Eigen::Isometry3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::Random;
using testing_support::random_tree;
using testing_support::Reference;
using testing_support::scaled;
using testing_support::to_eigen;
using testing_support::TreeOptions;

// Composes the links: each is turned about, or slid along, its own z axis.
std::vector<Isometry3d> link_poses(const Model& model, const VectorXd& q) {
  std::vector<Isometry3d> poses;
  for (const Link& link : model.links) {
    Isometry3d pose = to_eigen(Pose{link.rotation, link.offset});
    if (link.parent >= 0) pose = poses.at(static_cast<std::size_t>(link.parent)) * pose;
    switch (link.kind) {
      case LinkKind::turn:
        pose.rotate(Eigen::AngleAxisd(q(link.q), Vector3d::UnitZ()));
        break;
      case LinkKind::slide:
        pose.translate(Vector3d(0, 0, q(link.q)));
        break;
      case LinkKind::ball:
        pose.rotate(Eigen::Quaterniond(q(link.q), q(link.q + 1), q(link.q + 2), q(link.q + 3)));
        break;
      case LinkKind::floating:
        pose.translate(Vector3d(q.segment<3>(link.q)));
        pose.rotate(Eigen::Quaterniond(q(link.q + 3), q(link.q + 4), q(link.q + 5), q(link.q + 6)));
        break;
    }
    poses.push_back(pose);
  }
  return poses;
}

void for_random_machines(const std::function<void(Random&, const ModelDescription&)>& test) {
  const int count = scaled(150, 30);
  for (int i = 0; i < count; ++i) {
    const auto seed = static_cast<std::uint64_t>(1000 + i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TreeOptions options;
    options.dimension = i % 3 == 0 ? Dimension::planar : Dimension::spatial;
    options.bodies = 1 + random.below(10);
    test(random, random_tree(random, options));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Links, CarryBodiesWhereTheirJointsSay) {
  for_random_machines([](Random& random, const ModelDescription& description) {
    const Model model = build_model(description);
    const Reference reference(description);
    ASSERT_EQ(model.coordinates, reference.coordinates());
    ASSERT_EQ(model.velocities, reference.velocities());
    const VectorXd q = reference.random_posture(random);
    const auto poses = link_poses(model, q);
    for (const Body& body : model.bodies) {
      Isometry3d pose = to_eigen(body.in_link);
      if (body.link >= 0) pose = poses[static_cast<std::size_t>(body.link)] * pose;
      const Isometry3d expected = reference.pose(body.name, q);
      EXPECT_LT((pose.matrix() - expected.matrix()).norm(), 1e-12 * (1 + expected.translation().norm())) << body.name;
    }
  });
}

// All mass of a link, about the world's origin: from its lumped numbers, and from the bodies one by one.
TEST(Links, LumpWhatTheyCarry) {
  for_random_machines([](Random& random, const ModelDescription& description) {
    const Model model = build_model(description);
    const Reference reference(description);
    const VectorXd q = reference.random_posture(random);
    const auto poses = link_poses(model, q);
    const auto spread = [](double m, const Vector3d& c) {
      return Eigen::Matrix3d(m * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose()));
    };
    for (std::size_t i = 0; i < model.links.size(); ++i) {
      double mass = 0;
      Vector3d moment = Vector3d::Zero();
      Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
      for (const Body& body : model.bodies) {
        if (body.link != static_cast<int>(i)) continue;
        const Isometry3d pose = reference.pose(body.name, q);
        const Vector3d com = pose * to_eigen(body.com);
        mass += body.mass;
        moment += body.mass * com;
        inertia += pose.linear() * to_eigen(body.inertia) * pose.linear().transpose() + spread(body.mass, com);
      }
      const Link& link = model.links[i];
      ASSERT_NEAR(link.mass, mass, 1e-14 * (1 + mass));
      const Eigen::Matrix3d R = poses[i].linear();
      const Vector3d p = poses[i].translation();
      EXPECT_LT((R * to_eigen(link.moment) + mass * p - moment).norm(), 1e-12 * (1 + mass * p.norm() + moment.norm()));
      // About the centre of mass, from there to the world's origin.
      const Vector3d c = mass > 0 ? Vector3d(to_eigen(link.moment) / mass) : Vector3d(Vector3d::Zero());
      const Eigen::Matrix3d central = to_eigen(link.inertia) - spread(mass, c);
      const Eigen::Matrix3d about_origin = R * central * R.transpose() + spread(mass, R * c + p);
      EXPECT_LT((about_origin - inertia).norm(), 1e-11 * (1 + inertia.norm() + mass * p.squaredNorm()));
    }
  });
}

// Columns (velocity of the link's origin; turning) in world axes, along the degrees of freedom that Dof::parent names.
MatrixXd link_jacobian(const Model& model, const std::vector<Isometry3d>& poses, int of) {
  MatrixXd J = MatrixXd::Zero(6, model.velocities);
  int last = -1;
  for (int v = 0; v < model.velocities; ++v)
    if (model.dofs[v].link == of) last = v;
  for (int v = last; v >= 0; v = model.dofs[v].parent) {
    const Link& link = model.links[model.dofs[v].link];
    const Isometry3d& pose = poses[model.dofs[v].link];
    const int k = v - link.v;
    const auto turn = [&](const Vector3d& axis) {
      J.col(v) << axis.cross(poses[of].translation() - pose.translation()), axis;
    };
    switch (link.kind) {
      case LinkKind::turn:
        turn(pose.linear().col(2));
        break;
      case LinkKind::slide:
        J.col(v).head<3>() = pose.linear().col(2);
        break;
      case LinkKind::ball:
        turn(pose.linear().col(k));
        break;
      case LinkKind::floating:
        if (k < 3)
          J.col(v)(k) = 1;
        else
          turn(pose.linear().col(k - 3));
        break;
    }
  }
  return J;
}

// The kinetic energy of links that move by their own definition is that of the bodies: M from both is the same.
TEST(Links, HaveTheMassMatrixOfTheBodies) {
  for_random_machines([](Random& random, const ModelDescription& description) {
    const Model model = build_model(description);
    const Reference reference(description);
    const VectorXd q = reference.random_posture(random);
    const auto poses = link_poses(model, q);
    MatrixXd M = MatrixXd::Zero(model.velocities, model.velocities);
    for (std::size_t i = 0; i < model.links.size(); ++i) {
      const Link& link = model.links[i];
      const Eigen::Matrix3d R = poses[i].linear();
      const Vector3d h = R * to_eigen(link.moment);
      Eigen::Matrix3d H;
      H << 0, -h.z(), h.y(), h.z(), 0, -h.x(), -h.y(), h.x(), 0;
      Eigen::Matrix<double, 6, 6> I;
      I << link.mass * Eigen::Matrix3d::Identity(), -H, H, R * to_eigen(link.inertia) * R.transpose();
      const MatrixXd J = link_jacobian(model, poses, static_cast<int>(i));
      M += J.transpose() * I * J;
    }
    const MatrixXd expected = reference.mass_matrix(q);
    EXPECT_LT((M - expected).norm(), 1e-11 * (1 + expected.norm()));
  });
}

TEST(Links, IndexJointsDofsAndCoordinates) {
  for_random_machines([](Random&, const ModelDescription& description) {
    const Model model = build_model(description);
    ASSERT_EQ(model.bodies.size(), description.bodies.size() + 1);
    ASSERT_EQ(model.joints.size(), description.bodies.size());
    ASSERT_EQ(static_cast<int>(model.dofs.size()), model.velocities);
    int q = 0, v = 0, link = 0;
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
      const Joint& joint = model.joints[i];
      EXPECT_EQ(joint.child, static_cast<int>(i) + 1);
      EXPECT_LT(joint.parent, joint.child);
      EXPECT_EQ(model.bodies[i + 1].joint, static_cast<int>(i));
      EXPECT_EQ(joint.q, q);
      EXPECT_EQ(joint.v, v);
      EXPECT_EQ(joint.q_count, coordinate_count(joint.kind));
      EXPECT_EQ(joint.v_count, velocity_count(joint.kind));
      q += joint.q_count;
      v += joint.v_count;
      if (joint.kind == JointKind::fixed) {
        EXPECT_EQ(joint.first_link, -1);
        EXPECT_EQ(model.bodies[i + 1].link, model.bodies[joint.parent].link);
        continue;
      }
      EXPECT_EQ(joint.first_link, link);
      link = joint.last_link + 1;
      EXPECT_EQ(model.bodies[i + 1].link, joint.last_link);
      EXPECT_EQ(model.links[joint.first_link].parent, model.bodies[joint.parent].link);
      for (int l = joint.first_link; l <= joint.last_link; ++l) {
        EXPECT_EQ(model.links[l].body, joint.child);
        EXPECT_LT(model.links[l].parent, l);
        if (l < joint.last_link) {
          EXPECT_EQ(model.links[l].mass, 0);
          EXPECT_EQ(norm(model.links[l].moment), 0);
        }
      }
      for (int k = 0; k < joint.v_count; ++k) {
        const Dof& dof = model.dofs[joint.v + k];
        EXPECT_EQ(dof.joint, static_cast<int>(i));
        const bool quaternion = joint.kind == JointKind::spherical || (joint.kind == JointKind::free && k >= 3);
        EXPECT_EQ(dof.coordinate, quaternion ? -1 : joint.q + k);
        if (k > 0) {
          EXPECT_EQ(dof.parent, joint.v + k - 1);
        } else if (model.bodies[joint.parent].link < 0) {
          EXPECT_EQ(dof.parent, -1);
        } else {
          EXPECT_EQ(model.dofs[dof.parent].link, model.bodies[joint.parent].link);
        }
      }
    }
    EXPECT_EQ(q, model.coordinates);
    EXPECT_EQ(v, model.velocities);
  });
}

}  // namespace
}  // namespace routh
