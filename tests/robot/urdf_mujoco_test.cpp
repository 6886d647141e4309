// What the reader makes of URDF files against MuJoCo's own model of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "mjcf_agreement.h"
#include "mjcf_case.h"
#include "mjcf_reference.h"

namespace {

using mjcf_reference::Mujoco;
using testing_support::Random;

// MuJoCo merges links that cannot move unless it is told otherwise, knows no capsules in URDF and wants every mesh.
std::string for_mujoco(std::string text) {
  for (const auto& [begin, end] :
       {std::pair{"<visual>", "</visual>"}, std::pair{"<collision><geometry><capsule", "</collision>"}})
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin))
      text.erase(at, text.find(end, at) + std::strlen(end) - at);
  const std::size_t end = text.rfind("</robot>");
  return text.insert(end, "<mujoco><compiler fusestatic=\"false\" discardvisual=\"true\"/></mujoco>");
}

TEST(UrdfAgainstMujoco, MassesFramesMassMatrixAndGravity) {
  const std::string text = mjcf_case::read_text("arm.urdf");
  ASSERT_FALSE(text.empty());
  const auto peer = Mujoco::load(for_mujoco(text));
  if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
  const routh::RobotFile robot = routh::read_robot_text(text, "arm.urdf");
  const routh::Model model = routh::build_model(robot.description);
  ASSERT_EQ(model.velocities, peer->velocities());
  constexpr std::uint64_t seed = 8301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  mjcf_agreement::expect_mujocos_machine(robot, model, *peer, seed, testing_support::scaled(20, 3));
}

// Axes of any length, frames of any turn, inertias of any axes.
class RandomRobot {
 public:
  explicit RandomRobot(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string out = "<robot name='random'><link name='root'/>";
    const int count = 1 + random_.below(7);
    for (int i = 0; i < count; ++i) out += link(i) + joint(i);
    return out + "<mujoco><compiler fusestatic='false'/></mujoco></robot>";
  }

 private:
  std::string numbers(int count, double size) {
    std::string out;
    for (int i = 0; i < count; ++i) out += fmt::format("{}{:.4f}", i > 0 ? " " : "", random_.uniform(-size, size));
    return out;
  }
  std::string origin() {
    if (random_.chance(0.2)) return "";
    return fmt::format("<origin xyz='{}' rpy='{}'/>", numbers(3, 0.5), numbers(3, 3));
  }

  std::string link(int i) {
    std::string out = fmt::format("<link name=\"l{}\">", i);
    const double mass = random_.uniform(0.1, 5), a = random_.uniform(0.01, 0.2), b = random_.uniform(0.01, 0.2);
    const double c = random_.chance(0.2) ? a + b : random_.uniform(std::abs(a - b) + 1e-3, a + b);
    const double off = random_.chance(0.5) ? 0 : 0.1 * std::min({a + b - c, a + c - b, b + c - a});
    out += fmt::format("<inertial>{}<mass value='{}'/><inertia ixx='{}' iyy='{}' izz='{}' ixy='{}' ixz='{}' iyz='{}'/>",
                       origin(), mass, a, b, c, off, -off, off / 2);
    out += "</inertial>";
    for (int k = random_.below(3); k > 0; --k)
      out += fmt::format("<collision>{}<geometry><box size='0.1 0.2 0.3'/></geometry></collision>", origin());
    return out + "</link>";
  }

  std::string joint(int i) {
    const char* const kinds[] = {"revolute", "continuous", "prismatic", "fixed"};
    const char* const kind = i == 0 ? "revolute" : kinds[random_.below(4)];
    const std::string parent = i == 0 ? "root" : fmt::format("l{}", random_.below(i));
    std::string out =
        fmt::format("<joint name='j{0}' type='{1}'><parent link='{2}'/><child link='l{0}'/>", i, kind, parent);
    out += origin();
    if (random_.chance(0.8)) out += fmt::format("<axis xyz='{}'/>", numbers(3, 2));
    if (random_.chance(0.5)) out += "<limit lower='-4' upper='4' effort='1' velocity='1'/>";
    if (random_.chance(0.3)) out += "<dynamics damping='0.1' friction='0'/>";
    return out + "</joint>";
  }

  Random random_;
};

TEST(UrdfAgainstMujoco, RandomRobotsAreTheSame) {
  constexpr std::uint64_t seed = 27'900;
  for (int k = 0; k < testing_support::scaled(100, 10) && !HasFailure(); ++k) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
    const std::string text = RandomRobot(own).text();
    SCOPED_TRACE(testing::Message() << "seed " << own << "\n" << text);
    const auto peer = Mujoco::load(text);
    if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
    const routh::RobotFile robot = routh::read_robot_text(text, "robot.urdf");
    const routh::Model model = routh::build_model(robot.description);
    ASSERT_EQ(model.coordinates, peer->coordinates());
    mjcf_agreement::expect_mujocos_machine(robot, model, *peer, own, 2);
  }
}

// Where files say what no machine can be, MuJoCo and the reader mend it in ways of their own. By the rules of URDF a
// link without <inertial> has no mass, whatever its shapes; MuJoCo fills them with water. Moments that no body has
// MuJoCo refuses, or makes all three their mean; the nearest ones that a body can have change the mass matrix less.
TEST(UrdfAgainstMujoco, DifferWhereTheFileIsNotAMachine) {
  const std::string link =
      "<robot name='r'><link name='root'/><link name=\"a\"><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.2' "
      "izz='0.5' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='hand'><collision><geometry><box size='0.1 0.1 "
      "0.1'/></geometry></collision></link><joint name='j' type='revolute'><parent link='root'/><child link='a'/><axis "
      "xyz='0 0 1'/></joint><joint name='k' type='fixed'><parent link='a'/><child link='hand'/></joint>"
      "<mujoco><compiler fusestatic='false' balanceinertia='true'/></mujoco></robot>";
  const routh::RobotFile robot = routh::read_robot_text(link, "robot.urdf");
  const auto body = [&](const std::string& name) {
    return *std::find_if(robot.description.bodies.begin(), robot.description.bodies.end(),
                         [&](const auto& each) { return each.name == name; });
  };
  EXPECT_EQ(body("hand").mass, 0);
  EXPECT_NEAR(body("a").inertia.xx, 0.2, 1e-12);
  EXPECT_NEAR(body("a").inertia.yy, 0.3, 1e-12);
  EXPECT_NEAR(body("a").inertia.zz, 0.5, 1e-12);
  const auto peer = Mujoco::load(link);
  if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
  EXPECT_NEAR(peer->body_mass("hand"), 1, 1e-12);
  EXPECT_NEAR(peer->inertia("a")(2, 2), 0.8 / 3, 1e-12);
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
