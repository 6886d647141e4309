#include "mjcf_agreement.h"

#include <gtest/gtest.h>

#include "mjcf_case.h"

namespace mjcf_agreement {

using testing_support::Random;

double scale_of(const Eigen::MatrixXd& m) { return 1 + m.cwiseAbs().maxCoeff(); }

void expect_mujocos_machine(const routh::RobotFile& robot, const routh::Model& model, mjcf_reference::Mujoco& peer,
                            std::uint64_t seed, int postures) {
  Random random(seed);
  routh::Workspace workspace(model);
  int compared = 0;
  for (const routh::BodyDescription& body : robot.description.bodies) {
    if (!peer.has_body(body.name)) continue;
    ++compared;
    EXPECT_NEAR(body.mass, peer.body_mass(body.name), agreement) << body.name;
    const routh::Symmetric3& s = body.inertia;
    Eigen::Matrix3d ours;
    ours << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
    EXPECT_LE((ours - peer.inertia(body.name)).cwiseAbs().maxCoeff(), 1e-6 * ours.trace()) << body.name;
    peer.set_inertia(body.name, ours);
  }
  EXPECT_GT(compared, 0);
  for (int k = 0; k < postures; ++k) {
    const Eigen::VectorXd q = mjcf_case::random_posture(model, random);
    peer.set(q);
    compute_mass_matrix(model, q, workspace);
    const Eigen::MatrixXd M = peer.mass_matrix();
    EXPECT_LT((workspace.mass_matrix - M).cwiseAbs().maxCoeff(), agreement * scale_of(M));
    compute_gravity_force(model, q, workspace);
    const Eigen::VectorXd h = peer.gravity_force();
    EXPECT_LT((workspace.force - h).cwiseAbs().maxCoeff(), agreement * scale_of(h));
    compute_kinematics(model, q, workspace);
    for (std::size_t i = 1; i < model.bodies.size(); ++i) {
      const std::string& name = model.bodies[i].name;
      if (!peer.has_body(name)) continue;
      const Eigen::VectorXd ours = mjcf_case::frame_of(body_pose(model, workspace, static_cast<int>(i)));
      EXPECT_LT((ours - peer.body_frame(name)).cwiseAbs().maxCoeff(), agreement) << name;
    }
    for (const routh::Shape& shape : model.shapes) {
      if (!peer.has_geom(shape.name)) continue;
      const Eigen::VectorXd ours = mjcf_case::frame_of(body_pose(model, workspace, shape.body) * shape.at);
      EXPECT_LT((ours - peer.geom_frame(shape.name)).cwiseAbs().maxCoeff(), agreement) << shape.name;
    }
  }
}

}  // namespace mjcf_agreement
