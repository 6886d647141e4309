// Bounds of how links and gaps move, against motions given beforehand and looked at in a thousand places.
#include "routh/simulation/motion_bound.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routh/contact/posed_shape.h"
#include "simulation/trial.h"
#include "support/random_problems.h"

namespace {

using namespace routh;
using namespace routh::internal;

// A plate that turns on a cart, with an arm that slides in it, and a box that flies.
constexpr const char* machine = R"(
bodies:
  cart: {mass: 1, inertia: [1, 1, 1], joint: {kind: prismatic, axis: [1, 0, 0]}}
  plate: {mass: 1, inertia: [1, 1, 1], joint: {kind: revolute, axis: [0, 1, 0], parent: cart, at: [0, 0, 0.3]},
    shapes: {top: {kind: half_space}}}
  arm: {mass: 1, inertia: [1, 1, 1], joint: {kind: prismatic, axis: [1, 0, 1], parent: plate, at: [0.2, 0, 0]}}
  hand: {mass: 1, inertia: [1, 1, 1], joint: {kind: spherical, parent: arm},
    shapes: {fist: {kind: box, size: [0.1, 0.2, 0.3], at: [0.1, 0, 0.2]}}}
  flier: {mass: 1, inertia: [1, 1, 1], joint: {kind: free}, shapes: {crate: {kind: box, size: [0.2, 0.3, 0.1]}}}
)";

struct Height {
  double value = 0, rate = 0;
};

TEST(MotionBound, HoldsOnGivenMotions) {
  const testing_support::Trial trial(machine);
  const Model& model = trial.scene.model;
  Workspace workspace(model);
  MotionBound bound(model);
  const auto shape = [&](const std::string& name) {
    for (std::size_t i = 0; i < model.shapes.size(); ++i)
      if (model.shapes[i].name == name) return static_cast<int>(i);
    return -1;
  };
  const int top = shape("top"), crate = shape("crate"), fist = shape("fist");
  ASSERT_TRUE(top >= 0 && crate >= 0 && fist >= 0);
  testing_support::Random random(5);
  double closest = 0;  // of what was seen, over the bound
  for (int trial_index = 0; trial_index < 200; ++trial_index) {
    const double h = std::pow(10, random.uniform(-3, 0));
    Eigen::VectorXd v0(model.velocities), a(model.velocities);
    for (Eigen::Index i = 0; i < v0.size(); ++i) v0[i] = 2 * random.normal(), a[i] = 3 * random.normal();
    // Coordinates by many small steps of the rates, which a quaternion needs.
    constexpr int parts = 1000;
    State state = trial.scene.state;
    const auto height = [&](int of, int over, const Vector3& local) {
      const PosedShape solid = posed_shape(model, workspace, of), plane = posed_shape(model, workspace, over);
      const Vector3 p = solid.pose * local, n = up_axis(plane);
      const auto twist_of = [&](int index) {
        return workspace.link_twists[static_cast<std::size_t>(model.shapes[static_cast<std::size_t>(index)].link)];
      };
      const auto origin = [&](int index) {
        return workspace.link_poses[static_cast<std::size_t>(model.shapes[static_cast<std::size_t>(index)].link)]
            .position;
      };
      const auto velocity = [&](int index) {
        return twist_of(index).linear + cross(twist_of(index).angular, p - origin(index));
      };
      return Height{dot(n, p - plane.pose.position), dot(n, velocity(of) - velocity(over))};
    };
    const Vector3 corner = {0.1, 0.15, 0.05};
    compute_twists(model, state.q, v0, workspace);
    bound.begin(workspace, v0);
    std::vector<Height> heights;
    for (int k = 0; k <= parts; ++k) {
      state.v = v0 + (h * k / parts) * a;
      compute_twists(model, state.q, state.v, workspace);
      heights.push_back(height(crate, top, corner));
      if (k == parts) break;
      // By the rate half-way.
      const Eigen::VectorXd middle = v0 + (h * (k + 0.5) / parts) * a;
      const Eigen::VectorXd q = state.q;
      integrate(model, q, middle, h / parts, state.q);
    }
    bound.end(workspace, state.v, a.cwiseAbs(), h);
    const MotionBound::Pair pair = bound.pair(crate, top);
    for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
      const double step = h / parts;
      EXPECT_LE(std::abs(heights[k].rate), pair.speed * (1 + 1e-9));
      const double acceleration = std::abs(heights[k + 1].rate - heights[k].rate) / step;
      EXPECT_LE(acceleration, pair.acceleration * (1 + 1e-6) + 1e-6);
      closest = std::max(closest, acceleration / pair.acceleration);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(closest, 0.1);  // not so wide that they mean nothing
}

}  // namespace
