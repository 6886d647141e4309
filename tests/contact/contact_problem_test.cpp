// The bridge from a machine to an impact and back: against dense algebra, closed forms, and conservation of momentum.
#include "routh/contact/contact_problem.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "routh/contact/contact.h"
#include "routh/contact/contact_rows.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/impact/solve.h"
#include "routh/model/builder.h"
#include "support/machines.h"

namespace {

using namespace routh;
using testing_support::Random;

// A contact between two given points of bodies, without shapes: the bridge needs no geometry.
Contact contact_at(const Model& model, int body_a, int body_b, const Vector3& point, const Vector3& normal) {
  Contact contact;
  contact.body_a = body_a;
  contact.body_b = body_b;
  contact.point = contact.point_a = contact.point_b = point;
  set_normal(contact, normal, model.dimension);
  return contact;
}

struct Bench {
  explicit Bench(Model made) : model(std::move(made)), workspace(model), builder(model) {}
  Model model;
  Workspace workspace;
  ContactProblemBuilder builder;
};

// A machine of random bodies with one pair of shapes, so that the contact has friction and restitution.
ModelDescription with_shapes(ModelDescription description, const std::string& body) {
  SurfaceDescription any;
  any.name = "any";
  any.properties.friction = {0.4, 0.3};
  any.properties.restitution.normal = 0.6;
  description.surfaces.push_back(any);
  ShapeDescription a;
  a.name = "a";
  a.body = body;
  a.kind = ShapeKind::sphere;
  a.radius = 0.1;
  a.surface = "any";
  ShapeDescription b = a;
  b.name = "b";
  b.body = world_name;
  description.shapes = {a, b};
  description.filters.push_back({FilterDescription::Rule::include, "a", "b", {}});
  return description;
}

TEST(ContactProblem, InertiaAndJumpAgreeWithDenseAlgebraUnderLoops) {
  Random random(11);
  for (int k = 0; k < testing_support::scaled(150, 20); ++k) {
    SCOPED_TRACE("seed 11, machine " + std::to_string(k));
    testing_support::MachineOptions options;
    options.dimension = k % 3 == 0 ? Dimension::planar : Dimension::spatial;
    options.bodies = 2 + k % 6;
    ModelDescription description = testing_support::random_machine(random, options);
    const Model tree = build_model(description);
    if (tree.velocities < 4 || tree.bodies.back().link < 0) continue;
    const State state = testing_support::random_state(random, tree);
    Workspace poses(tree);
    compute_kinematics(tree, state.q, poses);
    const int last = static_cast<int>(tree.bodies.size()) - 1;
    if (k % 2 == 0 && tree.bodies[static_cast<std::size_t>(last)].link > 0)
      description.loops.push_back(testing_support::random_loop(
          random, options.dimension, LoopKind::distance,
          {tree.bodies[static_cast<std::size_t>(last)].name, body_pose(tree, poses, last)}, {world_name, {}}));
    Bench bench(build_model(with_shapes(description, tree.bodies[static_cast<std::size_t>(last)].name)));
    const Model& model = bench.model;
    const int body = *model.find_body(tree.bodies[static_cast<std::size_t>(last)].name);
    if (model.pairs.empty()) continue;
    ASSERT_EQ(bench.builder.prepare(model, state, bench.workspace), -1);
    const Vector3 normal = options.dimension == Dimension::planar ? Vector3{0.6, 0.8, 0} : Vector3{0.36, 0.48, 0.8};
    Contact contact = contact_at(model, body, 0, testing_support::random_point(random, options.dimension), normal);
    contact.id = {0, 0};

    const ImpactProblem problem = bench.builder.impact_problem(model, bench.workspace, contact);
    const int n = model.velocities, rows = contact_rows(model);
    Eigen::MatrixXd J(rows, n);
    contact_jacobian(model, bench.workspace, contact, J);
    Eigen::MatrixXd A(model.loop_rows, n);
    loop_jacobian(model, bench.workspace, A);
    // KKT: [M Aᵀ; A 0] [Δv; −λ] = [Jᵀ i; 0].
    Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + model.loop_rows, n + model.loop_rows);
    compute_mass_matrix(model, state.q, bench.workspace);
    kkt.topLeftCorner(n, n) = bench.workspace.mass_matrix;
    kkt.topRightCorner(n, model.loop_rows) = A.transpose();
    kkt.bottomLeftCorner(model.loop_rows, n) = A;
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n + model.loop_rows, rows);
    right.topRows(n) = J.transpose();
    const Eigen::MatrixXd solved = kkt.fullPivLu().solve(right);
    const Eigen::MatrixXd D = J * solved.topRows(n);
    const double scale = (J * bench.workspace.mass_matrix.llt().solve(J.transpose())).norm();
    EXPECT_NEAR(problem.inertia.a, D(0, 0), 1e-10 * scale);
    EXPECT_NEAR(problem.inertia.c1, D(0, 1), 1e-10 * scale);
    EXPECT_NEAR(problem.inertia.b11, D(1, 1), 1e-10 * scale);
    if (rows == 3) {
      EXPECT_NEAR(problem.inertia.c2, D(0, 2), 1e-10 * scale);
      EXPECT_NEAR(problem.inertia.b12, D(1, 2), 1e-10 * scale);
      EXPECT_NEAR(problem.inertia.b22, D(2, 2), 1e-10 * scale);
    }
    EXPECT_NEAR(problem.velocity.n, J.row(0).dot(state.v), 1e-12 * (1 + state.v.norm()));

    ImpactResult result;
    result.impulse = {1.3, -0.4, rows == 3 ? 0.7 : 0};
    bench.builder.apply(result);
    Eigen::VectorXd i(rows);
    i << result.impulse.n, result.impulse.t1, Eigen::VectorXd::Constant(rows - 2, result.impulse.t2);
    const Eigen::VectorXd jump = solved.topRows(n) * i;
    EXPECT_LE((bench.builder.velocity_after() - state.v - jump).norm(), 1e-9 * (1 + jump.norm()));
    EXPECT_LE((bench.builder.loop_multipliers() + solved.bottomRows(model.loop_rows) * i).norm(),
              1e-8 * (1 + jump.norm()));
    const Eigen::VectorXd after = bench.builder.velocity_after();
    const double change =
        0.5 * after.dot(bench.workspace.mass_matrix * after) - 0.5 * state.v.dot(bench.workspace.mass_matrix * state.v);
    EXPECT_NEAR(result.energy.change, change, 1e-10 * (1 + std::abs(change)));
  }
}

// Two discs of different mass collide head on and off centre: momentum is kept, and the normal velocities are the
// textbook's when friction is absent.
TEST(ContactProblem, TwoFreeBodiesKeepTheirMomentum) {
  ModelBuilder builder(Dimension::spatial);
  builder.gravity(0, 0, 0);
  builder.surface("any").friction(0.3).restitution(0.8);
  builder.body("a").mass(2).inertia(0.3, 0.4, 0.5).free();
  builder.body("b").mass(3).inertia(0.6, 0.5, 0.7).free();
  builder.shape("ball").on("a").sphere(0.5).surface("any");
  builder.shape("box").on("b").box(1, 1, 1).surface("any");
  Bench bench(builder.build());
  State state = rest_state(bench.model);
  state.q.segment<3>(0) << 0.1, -0.2, 1;
  state.v << 0.3, -0.4, -2, 0.5, 1, -0.7, -0.2, 0.1, 0.4, 0.3, -0.6, 0.2;
  const TouchReport touch = find_touches(bench.model, state, {}, bench.workspace);
  ASSERT_EQ(touch.touches.size(), 1u);
  EXPECT_EQ(touch.touches[0].kind, TouchKind::approaching);
  EXPECT_NEAR(touch.touches[0].contact.normal.z, 1, 1e-15);
  ASSERT_EQ(bench.builder.prepare(bench.model, state, bench.workspace), -1);
  const ImpactProblem problem = bench.builder.impact_problem(bench.model, bench.workspace, touch.touches[0].contact);
  // a = Σ 1/m + (r × n)ᵀ I⁻¹ (r × n): the ball's arm is along the normal, the box's is (0.1, −0.2, 0.5).
  EXPECT_NEAR(problem.inertia.a, 1.0 / 2 + 1.0 / 3 + 0.04 / 0.6 + 0.01 / 0.5, 1e-14);
  for (const Law law : all_laws) {
    SCOPED_TRACE(name(law));
    ImpactResult result = solve_impact(problem, law);
    ASSERT_EQ(result.status, ImpactStatus::ok);
    bench.builder.apply(result);
    const Momentum before = compute_momentum(bench.model, state.q, state.v, bench.workspace);
    const Momentum after = compute_momentum(bench.model, state.q, bench.builder.velocity_after(), bench.workspace);
    EXPECT_LE(norm(after.linear - before.linear), 1e-13);
    EXPECT_LE(norm(after.angular - before.angular), 1e-13);
    EXPECT_NEAR(result.energy.change, result.energy.normal_work + result.energy.tangential_work, 1e-12);
    std::vector<Wrench> impulses(bench.model.joints.size());
    bench.builder.joint_impulses(bench.model, bench.workspace, touch.touches[0].contact, result, impulses);
    for (const Wrench& impulse : impulses) {  // a free joint carries nothing
      EXPECT_LE(norm(impulse.force), 1e-13);
      EXPECT_LE(norm(impulse.moment), 1e-13);
    }
  }
}

// A rod on a pivot is struck at its centre of percussion: the bearing feels nothing. Elsewhere it does, by the change
// of the rod's momentum less the blow.
TEST(ContactProblem, BearingFeelsNothingAtTheCentreOfPercussion) {
  for (const double height : {2.0 / 3, 1.0}) {
    ModelBuilder builder(Dimension::planar);
    builder.gravity(0, 0);
    builder.body("rod").mass(3).com(0, -0.5).inertia(3.0 / 12).revolute("world");
    builder.shape("spot").on("rod").point().at(0, -height);
    builder.shape("wall").half_space().normal(-1, 0);
    builder.include("spot", "wall");
    Bench bench(builder.build());
    State state = rest_state(bench.model);
    state.v << 2;
    const TouchReport touch = find_touches(bench.model, state, {}, bench.workspace);
    ASSERT_EQ(touch.touches.size(), 1u);
    ASSERT_EQ(bench.builder.prepare(bench.model, state, bench.workspace), -1);
    ImpactResult result =
        solve_impact(bench.builder.impact_problem(bench.model, bench.workspace, touch.touches[0].contact));
    bench.builder.apply(result);
    EXPECT_NEAR(bench.builder.velocity_after()[0], 0, 1e-15);  // e = 0: it stops
    EXPECT_NEAR(result.impulse.n, 2 * (3.0 / 3) / height, 1e-14);
    Wrench bearing;
    bench.builder.joint_impulses(bench.model, bench.workspace, touch.touches[0].contact, result, {&bearing, 1});
    // Momentum 3 · 0.5 · 2 to the right is lost; the wall takes i_n of it to the left.
    EXPECT_NEAR(bearing.force.x, -3.0 + result.impulse.n, 1e-14);
    EXPECT_NEAR(bearing.force.y, 0, 1e-15);
  }
}

TEST(ContactProblem, SeveralContactsOfAFreeBody) {
  ModelBuilder builder(Dimension::spatial);
  builder.body("crate").mass(4).inertia(0.2, 0.3, 0.4).free();
  builder.shape("crate").on("crate").box(1, 0.8, 0.6);
  builder.shape("floor").half_space();
  Bench bench(builder.build());
  State state = rest_state(bench.model);
  state.q[2] = 0.3;
  state.v << 0.1, 0.2, 0, 0, 0, 0.3;  // slides and spins: the corners stay on the floor
  const TouchReport touch = find_touches(bench.model, state, {}, bench.workspace);
  ASSERT_EQ(touch.touches.size(), 4u);
  ASSERT_EQ(bench.builder.prepare_forces(bench.model, state, bench.workspace), -1);
  std::vector<Contact> contacts;
  for (const Touch& each : touch.touches) contacts.push_back(each.contact);
  const ContactRows& system = bench.builder.force_rows(bench.model, bench.workspace, contacts);
  const Eigen::MatrixXd& D = system.inertia;
  ASSERT_EQ(D.rows(), 12);
  // The crate is a free body: v = v_c + ω × r, and f = g + ω × (ω × r). Its axes are the world's.
  const Eigen::Vector3d turning(0, 0, 0.3);
  const Eigen::Matrix3d inverse_inertia = Eigen::Vector3d(1 / 0.2, 1 / 0.3, 1 / 0.4).asDiagonal();
  const auto arm = [&](const Contact& contact) {
    Eigen::Matrix3d cross_matrix;
    const Vector3 r = contact.point - Vector3{0, 0, 0.3};
    cross_matrix << 0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0;
    return cross_matrix;
  };
  const auto frame = [](const Contact& contact) {
    Eigen::Matrix3d rows;
    rows << contact.normal.x, contact.normal.y, contact.normal.z, contact.tangent1.x, contact.tangent1.y,
        contact.tangent1.z, contact.tangent2.x, contact.tangent2.y, contact.tangent2.z;
    return rows;
  };
  for (int i = 0; i < 4; ++i) {
    const Contact& contact = contacts[static_cast<std::size_t>(i)];
    const Eigen::Vector3d r(contact.point.x, contact.point.y, contact.point.z - 0.3);
    const Eigen::Vector3d velocity = Eigen::Vector3d(0.1, 0.2, 0) + turning.cross(r);
    const Eigen::Vector3d f = Eigen::Vector3d(0, 0, -9.81) + turning.cross(turning.cross(r));
    EXPECT_LE((system.velocity.segment<3>(3 * i) - frame(contact) * velocity).norm(), 1e-14);
    EXPECT_LE((system.free_acceleration.segment<3>(3 * i) - frame(contact) * f).norm(), 1e-13);
    for (int j = 0; j < 4; ++j) {
      const Contact& a = contacts[static_cast<std::size_t>(i)];
      const Contact& b = contacts[static_cast<std::size_t>(j)];
      const Eigen::Matrix3d expected =
          frame(a) * (Eigen::Matrix3d::Identity() / 4 - arm(a) * inverse_inertia * arm(b)) * frame(b).transpose();
      EXPECT_LE((D.block<3, 3>(3 * i, 3 * j) - expected).norm(), 1e-13);
    }
  }
}

TEST(ContactProblem, JointLimitIsStruckAlongItsDegreeOfFreedom) {
  ModelBuilder builder(Dimension::planar);
  builder.gravity(0, 0);
  builder.body("slider").mass(2).inertia(1).prismatic("world").axis(1, 0).limits(-1, 0.5, 0.25);
  Bench bench(builder.build());
  State state = rest_state(bench.model);
  state.q << 0.5;
  state.v << 3;
  const TouchReport touch = find_touches(bench.model, state, {}, bench.workspace);
  ASSERT_EQ(touch.touches.size(), 1u);
  EXPECT_EQ(touch.touches[0].kind, TouchKind::approaching);
  EXPECT_EQ(contact_name(bench.model, touch.touches[0].contact), "slider at its upper limit");
  ASSERT_EQ(bench.builder.prepare(bench.model, state, bench.workspace), -1);
  for (const Law law : {Law::energetic, Law::poisson, Law::newton}) {
    ImpactResult result =
        solve_impact(bench.builder.impact_problem(bench.model, bench.workspace, touch.touches[0].contact), law);
    ASSERT_TRUE(usable(result.status)) << name(result.status);
    bench.builder.apply(result);
    EXPECT_NEAR(bench.builder.velocity_after()[0], -0.75, 1e-14);
    Wrench passed;
    bench.builder.joint_impulses(bench.model, bench.workspace, touch.touches[0].contact, result, {&passed, 1});
    EXPECT_NEAR(passed.force.x, 2 * (-0.75 - 3), 1e-13);
  }
}

TEST(ContactProblem, TouchesAreSortedByTheirMotion) {
  ModelBuilder builder(Dimension::planar);
  builder.body("ball").mass(1).inertia(0.1).planar("world");
  builder.shape("ball").on("ball").sphere(0.5);
  builder.shape("floor").half_space();
  Bench bench(builder.build());
  State state = rest_state(bench.model);
  state.q[1] = 0.5;
  const auto kind = [&](double speed) {
    state.v[1] = speed;
    return find_touches(bench.model, state, {}, bench.workspace).touches.at(0).kind;
  };
  EXPECT_EQ(kind(-1e-9), TouchKind::approaching);
  EXPECT_EQ(kind(0), TouchKind::resting);
  EXPECT_EQ(kind(1e-9), TouchKind::separating);
  state.q[1] = 0.49;
  EXPECT_EQ(find_touches(bench.model, state, {}, bench.workspace).overlaps.size(), 1u);
  state.q[1] = 2;
  const TouchReport apart = find_touches(bench.model, state, {}, bench.workspace);
  EXPECT_TRUE(apart.touches.empty());
  ASSERT_TRUE(apart.nearest.has_value());
  EXPECT_NEAR(apart.nearest->gap, 1.5, 1e-15);
}

}  // namespace
