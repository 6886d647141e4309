// What the reader makes of URDF files against MuJoCo's own model of them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "mjcf_case.h"
#include "mjcf_reference.h"

namespace {

using mjcf_reference::Mujoco;
using testing_support::Random;

constexpr double agreement = 1e-9;

// MuJoCo merges links that cannot move unless it is told otherwise, knows no capsules in URDF and wants every mesh.
std::string for_mujoco(std::string text) {
  for (const auto& [begin, end] :
       {std::pair{"<visual>", "</visual>"}, std::pair{"<collision><geometry><capsule", "</collision>"}})
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin))
      text.erase(at, text.find(end, at) + std::strlen(end) - at);
  const std::size_t end = text.rfind("</robot>");
  return text.insert(end, "<mujoco><compiler fusestatic=\"false\" discardvisual=\"true\"/></mujoco>");
}

double scale_of(const Eigen::MatrixXd& m) { return 1 + m.cwiseAbs().maxCoeff(); }

TEST(UrdfAgainstMujoco, MassesFramesMassMatrixAndGravity) {
  const std::string text = mjcf_case::read_text("arm.urdf");
  ASSERT_FALSE(text.empty());
  const auto peer = Mujoco::load(for_mujoco(text));
  if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
  const routh::RobotFile robot = routh::read_robot_text(text, "arm.urdf");
  const routh::Model model = routh::build_model(robot.description);
  ASSERT_EQ(model.velocities, peer->velocities());
  for (const routh::BodyDescription& body : robot.description.bodies) {
    if (body.mass == 0 || body.name == "base") continue;
    EXPECT_NEAR(body.mass, peer->body_mass(body.name), agreement) << body.name;
    const routh::Symmetric3& s = body.inertia;
    Eigen::Matrix3d ours;
    ours << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
    EXPECT_LT((ours - peer->inertia(body.name)).cwiseAbs().maxCoeff(), 1e-6 * ours.trace()) << body.name;
    peer->set_inertia(body.name, ours);
  }
  constexpr std::uint64_t seed = 8301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  routh::Workspace workspace(model);
  for (int k = 0; k < testing_support::scaled(20, 3); ++k) {
    const Eigen::VectorXd q = mjcf_case::random_posture(model, random);
    peer->set(q);
    compute_mass_matrix(model, q, workspace);
    const Eigen::MatrixXd M = peer->mass_matrix();
    EXPECT_LT((workspace.mass_matrix - M).cwiseAbs().maxCoeff(), agreement * scale_of(M));
    compute_gravity_force(model, q, workspace);
    const Eigen::VectorXd h = peer->gravity_force();
    EXPECT_LT((workspace.force - h).cwiseAbs().maxCoeff(), agreement * scale_of(h));
    compute_kinematics(model, q, workspace);
    for (std::size_t i = 2; i < model.bodies.size(); ++i) {
      const Eigen::VectorXd ours = mjcf_case::frame_of(body_pose(model, workspace, static_cast<int>(i)));
      EXPECT_LT((ours - peer->body_frame(model.bodies[i].name)).cwiseAbs().maxCoeff(), agreement)
          << model.bodies[i].name;
    }
  }
}

// The same numbers by another way than the dynamics': kinetic energy by differences of where masses are, and the
// derivative of the height of all mass. Bodies as eight masses whose second moments are those of their inertia.
struct PointMass {
  std::size_t body;
  routh::Vector3 at;
  double mass;
};

std::vector<PointMass> point_masses(const routh::Model& model) {
  std::vector<PointMass> points;
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const routh::Body& body = model.bodies[i];
    if (body.mass == 0) continue;
    // ∫ r rᵀ dm = tr(I)/2 − I = L Lᵀ; masses m/6 at c ± √3 · column of L/√m have it, and add up to m.
    const routh::Symmetric3& s = body.inertia;
    const double half = (s.xx + s.yy + s.zz) / 2;
    const double xx = half - s.xx, yy = half - s.yy, zz = half - s.zz;
    const double l11 = std::sqrt(xx), l21 = -s.xy / l11, l31 = -s.xz / l11, l22 = std::sqrt(yy - l21 * l21),
                 l32 = (-s.yz - l31 * l21) / l22, l33 = std::sqrt(zz - l31 * l31 - l32 * l32);
    const double scale = std::sqrt(3 / body.mass);
    for (const routh::Vector3& column :
         {routh::Vector3{l11, l21, l31}, routh::Vector3{0, l22, l32}, routh::Vector3{0, 0, l33}})
      for (const double sign : {-scale, scale}) points.push_back({i, body.com + sign * column, body.mass / 6});
  }
  return points;
}

std::vector<routh::Vector3> places(const routh::Model& model, const std::vector<PointMass>& points,
                                   const Eigen::VectorXd& q) {
  routh::Workspace workspace(model);
  compute_kinematics(model, q, workspace);
  std::vector<routh::Vector3> out;
  for (const PointMass& point : points)
    out.push_back(body_pose(model, workspace, static_cast<int>(point.body)) * point.at);
  return out;
}

TEST(Urdf, MassMatrixAndGravityByDifferences) {
  const routh::Model model = routh::build_model(routh::read_robot_file(ROUTH_TEST_DATA "/robots/arm.urdf").description);
  const std::vector<PointMass> points = point_masses(model);
  Random random(8302);
  routh::Workspace workspace(model);
  constexpr double h = 1e-3;
  for (int k = 0; k < testing_support::scaled(5, 2); ++k) {
    const Eigen::VectorXd q = mjcf_case::random_posture(model, random);
    std::vector<std::vector<routh::Vector3>> columns;  // of the Jacobian, by differences of fourth order
    for (int j = 0; j < model.velocities; ++j) {
      std::vector<std::vector<routh::Vector3>> at;
      for (const double step : {-2 * h, -h, h, 2 * h})
        at.push_back(places(model, points, q + step * Eigen::VectorXd::Unit(model.velocities, j)));
      std::vector<routh::Vector3> column;
      for (std::size_t i = 0; i < points.size(); ++i)
        column.push_back(1 / (12 * h) * (at[0][i] - at[3][i] + 8.0 * (at[2][i] - at[1][i])));
      columns.push_back(std::move(column));
    }
    compute_mass_matrix(model, q, workspace);
    const Eigen::MatrixXd M = workspace.mass_matrix;
    compute_gravity_force(model, q, workspace);
    for (int r = 0; r < model.velocities; ++r) {
      double weight = 0;
      for (std::size_t i = 0; i < points.size(); ++i) weight += points[i].mass * 9.81 * columns[r][i].z;
      EXPECT_NEAR(workspace.force[r], weight, 1e-9);
      for (int c = 0; c < model.velocities; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < points.size(); ++i) sum += points[i].mass * dot(columns[r][i], columns[c][i]);
        EXPECT_NEAR(M(r, c), sum, 1e-9) << r << " " << c;
      }
    }
  }
}

}  // namespace
