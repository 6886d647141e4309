// A robot from MJCF with its state, for tests.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "routh/dynamics/dynamics.h"
#include "routh/model/model.h"
#include "routh/robot/mjcf.h"
#include "support/random_problems.h"

namespace mjcf_case {

inline std::string read_text(const std::string& name) {
  std::ifstream in(ROUTH_TEST_DATA "/robots/" + name, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

inline routh::RobotFile read(const std::string& text, const routh::RobotOptions& options = {}) {
  return routh::read_mjcf(routh::parse_xml(text, "robot.xml"), options);
}

// A body and what is in it, below <worldbody>.
inline routh::RobotFile read_in_world(const std::string& text, const std::string& before = {}) {
  return read("<mujoco>" + before + "<worldbody>" + text + "</worldbody></mujoco>");
}

inline Eigen::VectorXd start_of(const routh::Model& model, const routh::RobotFile& robot) {
  Eigen::VectorXd q = routh::rest_state(model).q;
  for (const routh::RobotStart& start : robot.start) {
    const routh::Joint& joint = model.joints[static_cast<std::size_t>(model.find_joint(start.joint).value())];
    for (int i = 0; i < joint.q_count; ++i) q[joint.q + i] = start.position[static_cast<std::size_t>(i)];
  }
  return q;
}

// Numbers in [−1, 1], quaternions of any direction.
inline Eigen::VectorXd random_posture(const routh::Model& model, testing_support::Random& random) {
  Eigen::VectorXd q(model.coordinates);
  for (int i = 0; i < q.size(); ++i) q[i] = random.uniform(-1, 1);
  routh::normalise(model, q);
  return q;
}

inline Eigen::VectorXd frame_of(const routh::Pose& pose) {
  const routh::Matrix3& R = pose.rotation;
  const routh::Vector3& p = pose.position;
  Eigen::VectorXd out(12);
  out << p.x, p.y, p.z, R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z;
  return out;
}

}  // namespace mjcf_case
