// What the reader makes of a file against MuJoCo's own model of it.
#include <gtest/gtest.h>

#include "mjcf_agreement.h"
#include "mjcf_case.h"
#include "mjcf_reference.h"
#include "routh/dynamics/constrained.h"

namespace {

using mjcf_reference::Mujoco;
using testing_support::Random;

using mjcf_agreement::agreement;
using mjcf_agreement::scale_of;

class AgainstMujoco : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    text_ = mjcf_case::read_text(GetParam());
    ASSERT_FALSE(text_.empty());
    peer_ = Mujoco::load(text_);
    if (!peer_) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
    robot_ = mjcf_case::read(text_);
    model_ = routh::build_model(robot_.description);
    ASSERT_EQ(model_.coordinates, peer_->coordinates());
    ASSERT_EQ(model_.velocities, peer_->velocities());
  }

  std::string text_;
  std::unique_ptr<Mujoco> peer_;
  routh::RobotFile robot_;
  routh::Model model_;
};

TEST_P(AgainstMujoco, MassesFramesMassMatrixAndGravity) {
  constexpr std::uint64_t seed = 8202;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  mjcf_agreement::expect_mujocos_machine(robot_, model_, *peer_, seed, testing_support::scaled(20, 3));
}

TEST_P(AgainstMujoco, StartIsTheKeyframeOrTheReferencePosture) {
  Eigen::VectorXd expected = peer_->key().size() > 0 ? peer_->key() : peer_->reference();
  routh::normalise(model_, expected);
  const Eigen::VectorXd ours = mjcf_case::start_of(model_, robot_);
  for (int i = 0; i < expected.size(); ++i) EXPECT_NEAR(ours[i], expected[i], agreement) << i;
}

// Loops are closed where MuJoCo's are, and open by as much elsewhere.
TEST_P(AgainstMujoco, LoopsCloseInTheReferencePosture) {
  if (model_.loop_rows == 0) return;
  routh::Workspace workspace(model_);
  Eigen::VectorXd q = peer_->reference(), phi(model_.loop_rows);
  compute_kinematics(model_, q, workspace);
  loop_residual(model_, workspace, q, phi);
  peer_->set(q);
  const Eigen::VectorXd peers = peer_->equality_residual();
  ASSERT_GT(peers.size(), 0);
  // A coupling with a constant is open there.
  for (const routh::Loop& loop : model_.loops) {
    if (loop.kind == routh::LoopKind::coupling) continue;
    EXPECT_LT(phi.segment(loop.row, loop.row_count).cwiseAbs().maxCoeff(), agreement) << loop.name;
  }
  EXPECT_NEAR(phi.norm(), peers.norm(), agreement);
  // Distances of points and couplings are the same in any posture.
  Random random(8203);
  for (int k = 0; k < testing_support::scaled(20, 3); ++k) {
    q = mjcf_case::random_posture(model_, random);
    compute_kinematics(model_, q, workspace);
    loop_residual(model_, workspace, q, phi);
    peer_->set(q);
    const Eigen::VectorXd theirs = peer_->equality_residual();
    int row = 0;
    for (const routh::Loop& loop : model_.loops) {
      const int count = std::min(loop.row_count, loop.kind == routh::LoopKind::weld ? 3 : loop.row_count);
      EXPECT_NEAR(phi.segment(loop.row, count).norm(), theirs.segment(row, count).norm(), agreement) << loop.name;
      row += loop.row_count;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, AgainstMujoco, testing::Values("mjcf_zoo.xml", "mjcf_linkage.xml", "mjcf_global.xml"),
                         [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(5, name.find('.') - 5);
                         });

// Springs, dampers and drives: the forces that act at random states with the controls of the keyframe.
TEST(MjcfActuators, ExertMujocosForces) {
  const std::string text = mjcf_case::read_text("mjcf_zoo.xml");
  const auto peer = Mujoco::load(text);
  if (!peer) GTEST_SKIP() << "MuJoCo is not installed; install libmujoco-dev to compare with it";
  const routh::RobotFile robot = mjcf_case::read(text);
  const routh::Model model = routh::build_model(robot.description);
  routh::Workspace workspace(model);
  Eigen::VectorXd controls(5);
  controls << 0.4, 1, 0.3, 0.2, 1;
  Random random(8204);
  for (int k = 0; k < testing_support::scaled(20, 3); ++k) {
    routh::State state = routh::rest_state(model);
    state.q = mjcf_case::random_posture(model, random);
    for (int i = 0; i < model.velocities; ++i) state.v[i] = random.uniform(-1, 1);
    compute_applied_force(model, state, workspace);
    peer->set(state.q);
    const Eigen::VectorXd theirs = peer->applied_force(state.v, controls);
    EXPECT_LT((workspace.applied - theirs).cwiseAbs().maxCoeff(), agreement * scale_of(theirs));
  }
}

}  // namespace
