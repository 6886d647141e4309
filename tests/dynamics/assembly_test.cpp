// Closing loops: from near, from far, and not at all; and a four-bar linkage by its one coordinate.
#include "case.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"

namespace {

using reference::Case;
using reference::Real;
using testing_support::Random;
using testing_support::random_vector;
using testing_support::scaled;

// Ground 4, crank 1, coupler 3.5, rocker 2.5: the crank turns all the way round. Uniform rods; the coupler hangs from
// the crank, and its end is joined to the rocker's.
constexpr double ground = 4, crank = 1, coupler = 3.5, rocker = 2.5;

void add_rod(routh::ModelDescription& description, const char* name, const char* parent, double at, double length) {
  routh::BodyDescription body;
  body.name = name;
  body.mass = length;
  body.com = {length / 2, 0, 0};
  body.inertia = {0, 0, length * length * length / 12, 0, 0, 0};
  routh::JointDescription joint;
  joint.name = name;
  joint.kind = routh::JointKind::revolute;
  joint.parent = parent;
  joint.child = name;
  joint.at.position = {at, 0, 0};
  description.bodies.push_back(body);
  description.joints.push_back(joint);
}

routh::ModelDescription four_bar() {
  routh::ModelDescription description;
  description.name = "four-bar";
  description.dimension = routh::Dimension::planar;
  description.gravity = {0, -9.81, 0};
  add_rod(description, "crank", "world", 0, crank);
  add_rod(description, "coupler", "crank", crank, coupler);
  add_rod(description, "rocker", "world", ground, rocker);
  routh::LoopDescription loop;
  loop.name = "pin";
  loop.kind = routh::LoopKind::point;
  loop.body_a = "coupler";
  loop.body_b = "rocker";
  loop.at_a.position = {coupler, 0, 0};
  loop.at_b.position = {rocker, 0, 0};
  description.loops.push_back(loop);
  return description;
}

// Absolute angles of crank, coupler and rocker, by the two circles that meet above.
struct Angles {
  Real crank, coupler, rocker;
};
Angles closed_form(Real theta) {
  const Real x = ground - crank * cosl(theta), y = -crank * sinl(theta);
  const Real d = hypotl(x, y);
  const Real phi = atan2l(y, x) + acosl((d * d + Real(coupler) * coupler - Real(rocker) * rocker) / (2 * coupler * d));
  const Real px = crank * cosl(theta) + coupler * cosl(phi), py = crank * sinl(theta) + coupler * sinl(phi);
  return {theta, phi, atan2l(py, px - ground)};
}

routh::State state_at(const Case& c, Real theta, Real rate) {
  const Angles at = closed_form(theta);
  const auto angle = [](Real Angles::*which) { return [which](Real t) { return closed_form(t).*which; }; };
  const Real h = 1e-2L;
  const auto slope = [&](Real Angles::*which) {
    return reference::rate([&](Real t) { return angle(which)(theta + t); }, h);
  };
  routh::State state = rest_state(c.model);
  state.q << static_cast<double>(at.crank), static_cast<double>(at.coupler - at.crank), static_cast<double>(at.rocker);
  state.v << static_cast<double>(rate), static_cast<double>(rate * (slope(&Angles::coupler) - 1)),
      static_cast<double>(rate * slope(&Angles::rocker));
  return state;
}

// T = J(θ) θ̇²/2 and V(θ) of the linkage as a machine with one coordinate.
struct OneCoordinate {
  Real inertia, potential;
};
OneCoordinate one_coordinate(Real theta) {
  const Angles at = closed_form(theta);
  const Real h = 1e-2L;
  const Real phi = reference::rate([&](Real t) { return closed_form(theta + t).coupler; }, h);
  const Real psi = reference::rate([&](Real t) { return closed_form(theta + t).rocker; }, h);
  const Real third = Real(1) / 3;
  // The coupler's middle moves with the crank's end and about it.
  const Real across = crank * coupler / 2 * cosl(at.crank - at.coupler) * phi;
  const Real inertia = third * crank * crank * crank + third * rocker * rocker * rocker * psi * psi +
                       coupler * (crank * crank + 2 * across) + third * coupler * coupler * coupler * phi * phi;
  const Real g = 9.81;
  const Real potential = g * (crank * crank / 2 * sinl(at.crank) + rocker * rocker / 2 * sinl(at.rocker) +
                              coupler * (crank * sinl(at.crank) + coupler / 2 * sinl(at.coupler)));
  return {inertia, potential};
}

TEST(FourBar, MovesAsTheMachineWithOneCoordinate) {
  Case c(four_bar());
  routh::ConstrainedDynamics dynamics(c.model);
  for (int k = 0; k < 24; ++k) {
    const Real theta = 2 * 3.14159265358979323846L * k / 24 + 0.1L, rate = 0.3L * k - 2;
    SCOPED_TRACE(testing::Message() << "crank at " << static_cast<double>(theta));
    c.set(state_at(c, theta, rate));
    const auto slope = [&](Real OneCoordinate::*which) {
      return reference::rate([&](Real t) { return one_coordinate(theta + t).*which; }, 1e-2L);
    };
    const Real expected = -(slope(&OneCoordinate::inertia) * rate * rate / 2 + slope(&OneCoordinate::potential)) /
                          one_coordinate(theta).inertia;
    const routh::ConstrainedMotion& motion = dynamics.compute(c.model, c.state, c.workspace);
    ASSERT_EQ(motion.rank, 2);
    EXPECT_NEAR(motion.acceleration[0], static_cast<double>(expected),
                1e-9 * (1 + std::abs(static_cast<double>(expected))));
  }
}

TEST(Assembly, ClosesFromNearby) {
  constexpr std::uint64_t seed = 3701;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Case c(four_bar());
  for (int k = 0; k < scaled(100, 10); ++k) {
    routh::State state = state_at(c, random.uniform(0, 6.28), 1);
    state.q += 0.1 * random_vector(random, 3);
    state.v += random_vector(random, 3);
    const routh::AssemblyReport report = assemble(c.model, state, c.workspace);
    ASSERT_TRUE(report.closed);
    EXPECT_LE(report.residual, 1e-11);
    EXPECT_LT(report.moved, 0.5);
    // The coupler's and the rocker's end by the lengths and angles.
    const Eigen::Vector3d q = state.q, v = state.v;
    const double phi = q[0] + q[1], phi_rate = v[0] + v[1];
    EXPECT_NEAR(crank * std::cos(q[0]) + coupler * std::cos(phi), ground + rocker * std::cos(q[2]), 1e-11);
    EXPECT_NEAR(crank * std::sin(q[0]) + coupler * std::sin(phi), rocker * std::sin(q[2]), 1e-11);
    EXPECT_NEAR(crank * std::sin(q[0]) * v[0] + coupler * std::sin(phi) * phi_rate, rocker * std::sin(q[2]) * v[2],
                1e-10);
    EXPECT_NEAR(crank * std::cos(q[0]) * v[0] + coupler * std::cos(phi) * phi_rate, rocker * std::cos(q[2]) * v[2],
                1e-10);
  }
}

TEST(Assembly, KeepsWhatWasGiven) {
  Case c(four_bar());
  routh::State state = state_at(c, 0.7L, 2);
  const double crank_angle = state.q[0], crank_rate = state.v[0];
  state.q[1] += 0.2;
  state.q[2] -= 0.15;
  state.v[1] = state.v[2] = 0;
  routh::AssemblyOptions options;
  options.given_position = options.given_velocity = {true, false, false};
  const routh::AssemblyReport report = assemble(c.model, state, c.workspace, options);
  ASSERT_TRUE(report.closed);
  const routh::State expected = state_at(c, 0.7L, 2);
  EXPECT_EQ(state.q[0], crank_angle);
  EXPECT_EQ(state.v[0], crank_rate);
  EXPECT_TRUE(reference::near(state.q, expected.q, 1e-11));
  EXPECT_TRUE(reference::near(state.v, expected.v, 1e-10));
}

TEST(Assembly, MovesWhatWasGivenOnlyWhenItMust) {
  Case c(four_bar());
  routh::State state = state_at(c, 0.7L, 0);
  state.q[0] += 0.05;
  routh::AssemblyOptions options;
  options.given_position = {true, true, true};
  const routh::AssemblyReport report = assemble(c.model, state, c.workspace, options);
  EXPECT_TRUE(report.closed);
  EXPECT_LE(report.residual, 1e-11);
}

TEST(Assembly, LeavesTheStateWhenItCannotClose) {
  routh::ModelDescription description = four_bar();
  description.loops[0].at_a.position = {0.5, 0, 0};  // 1 + 0.5 < 4 − 0.2: out of reach
  description.loops[0].at_b.position = {0.2, 0, 0};
  routh::LoopDescription other;
  other.name = "gear";
  other.kind = routh::LoopKind::coupling;
  other.terms = {{"crank", 0, 1, {}}, {"rocker", 0, -2, {}}};
  description.loops.push_back(other);
  Case c(description);
  routh::State state = rest_state(c.model);
  state.q << 0.3, -0.2, 1.1;
  state.v << 1, 2, 3;
  state.time = 4;
  const routh::State before = state;
  const routh::AssemblyReport report = assemble(c.model, state, c.workspace);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(state.q, before.q);
  EXPECT_EQ(state.v, before.v);
  EXPECT_EQ(state.time, before.time);
  ASSERT_EQ(report.loop_residuals.size(), 2u);
  // The gap that is left cannot be smaller than the reach that is missing, in one of its two rows.
  EXPECT_GE(report.residual, (4 - 0.2 - 1.5) / std::sqrt(2.0) * 0.9);
  EXPECT_EQ(report.residual, std::max(report.loop_residuals[0], report.loop_residuals[1]));
}

// Quaternions are normalised and turned; loops of every kind close in space as well.
TEST(Assembly, ClosesInSpace) {
  constexpr std::uint64_t seed = 3702;
  Random random(seed);
  using routh::LoopKind;
  for (int k = 0; k < scaled(80, 12); ++k) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", machine " << k);
    testing_support::MachineOptions options;
    options.bodies = 5;
    options.kinds = {routh::JointKind::spherical};
    options.order = testing_support::TreeOrder::depth_first;
    Case tree(random_machine(random, options));
    tree.set(random_state(random, tree.model));
    compute_kinematics(tree.model, tree.state.q, tree.workspace);
    routh::ModelDescription description = tree.description;
    const LoopKind kind = std::array{LoopKind::point, LoopKind::hinge, LoopKind::weld, LoopKind::distance}[k % 4];
    description.loops.push_back(random_loop(random, routh::Dimension::spatial, kind,
                                            {"b5", body_pose(tree.model, tree.workspace, *tree.model.find_body("b5"))},
                                            {"world", {}}));
    Case c(description);
    routh::State state = tree.state;
    integrate(c.model, state.q, random_vector(random, c.n()), 0.02, state.q);
    for (const routh::Joint& joint : c.model.joints) state.q.segment<4>(joint.q) *= 1.0000001;
    ASSERT_TRUE(assemble(c.model, state, c.workspace).closed);
    for (const routh::Joint& joint : c.model.joints) EXPECT_NEAR(state.q.segment<4>(joint.q).norm(), 1, 1e-15);
    // By the reference: the frames meet.
    const routh::LoopDescription& loop = description.loops.front();
    const auto places = c.machine.places(reference::wide(state.q));
    const auto& body = places[static_cast<std::size_t>(*c.model.find_body("b5"))];
    const reference::Vec3 gap = body.position(reference::vec(loop.at_a.position)) - reference::vec(loop.at_b.position);
    const reference::Mat3 turn =
        (body.rotation() * reference::mat(loop.at_a.rotation)).transpose() * reference::mat(loop.at_b.rotation);
    const double meets = kind == LoopKind::distance ? loop.distance : 0;
    EXPECT_NEAR(static_cast<double>(gap.norm()), meets, 1e-11);
    const bool axis_held = kind == LoopKind::hinge || kind == LoopKind::weld;
    EXPECT_TRUE(!axis_held || std::abs(turn(2, 2) - 1) < 1e-11L);
    EXPECT_TRUE(kind != LoopKind::weld || std::abs(turn.trace() - 3) < 1e-11L);
  }
}

}  // namespace
