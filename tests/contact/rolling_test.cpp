// The tangential drift of contacts that roll: differences of the slip velocity along the motion, and closed values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "contact/random_shape.h"
#include "contact/shape_oracle.h"
#include "routh/contact/contact.h"
#include "routh/model/builder.h"

namespace {

using namespace routh;
using namespace testing_support;

struct Pair {
  ShapeKind a, b;
  Dimension dimension;
  double tolerance;
};

// The first body flies free, the second hangs from an arm, so that its angular velocity changes when q̈ = 0.
Model machine_of(const Pair& pair, Random& random) {
  ModelBuilder machine(pair.dimension);
  if (pair.dimension == Dimension::planar) {
    machine.body("one").mass(1).inertia(1).planar();
    machine.body("arm").mass(1).inertia(1).revolute().at(0.3, -0.2);
    machine.body("two").mass(1).inertia(1).revolute("arm").at(0.1, 0.4);
  } else {
    machine.body("one").mass(1).inertia(1, 1, 1).free();
    machine.body("arm").mass(1).inertia(1, 1, 1).spherical().at(0.3, -0.2, 0.1);
    machine.body("two").mass(1).inertia(1, 1, 1).cylindrical("arm").at(0.1, 0.4, 0.2).axis(0.6, 0, 0.8);
  }
  const auto shape = [&](const char* name, const char* body, ShapeKind kind) {
    write_shape(machine.shape(name).on(body).at(random_pose(random, pair.dimension, 0.3)), kind, pair.dimension,
                random);
  };
  shape("a", "one", pair.a);
  shape("b", "two", pair.b);
  return machine.build();
}

// Moves the first body, its place first in q, along the normal of the nearest contact until that has this gap.
bool move_to_gap(const Model& model, State& state, double gap, std::vector<Contact>& contacts) {
  Workspace workspace(model);
  for (int round = 0; round < 20; ++round) {
    compute_velocities(model, state.q, state.v, workspace);
    find_contacts(model, workspace, state.q, 100, contacts);
    if (contacts.empty()) return false;
    const auto nearest = std::min_element(contacts.begin(), contacts.end(),
                                          [](const Contact& x, const Contact& y) { return x.gap < y.gap; });
    if (std::abs(nearest->gap - gap) < 1e-11) return true;
    const Vector3 move = (gap - nearest->gap) * nearest->normal;
    state.q[0] += move.x, state.q[1] += move.y;
    if (model.dimension == Dimension::spatial) state.q[2] += move.z;
  }
  return false;
}

bool is_sharp(ShapeKind kind) { return kind == ShapeKind::box || kind == ShapeKind::cylinder; }

// Pins stay in their holes, shapes over strips. Two sharp shapes start from an overlap, of which they come free with
// faces and edges; from apart two corners would meet. Most others start apart.
State random_state(const Model& model, const Pair& pair, Random& random) {
  State state = rest_state(model);
  Eigen::VectorXd move(model.velocities);
  for (int i = 0; i < model.velocities; ++i) move[i] = random.uniform(-1, 1), state.v[i] = random.normal();
  integrate(model, state.q, move, 1, state.q);
  const Vector3 away = column_x(random_pose(random, pair.dimension, 1).rotation);
  const bool strip = pair.a == ShapeKind::strip || pair.b == ShapeKind::strip;
  const bool pin = touching(pair.a) == Touching::pin || touching(pair.b) == Touching::pin;
  const bool within = pin || strip || (is_sharp(pair.a) && is_sharp(pair.b));
  const double far = within ? 0 : 1.2;
  state.q[0] += far * away.x, state.q[1] += far * away.y;
  if (model.dimension == Dimension::spatial) state.q[2] += far * away.z;
  return state;
}

// The slip velocity in world coordinates along the motion of constant q̇.
class Slip {
 public:
  Slip(const Model& model, const State& state) : model_(model), state_(state), workspace_(model), q_(state.q) {}

  std::optional<Vector3> at(const ContactId& id, double h) {
    integrate(model_, state_.q, state_.v, h, q_);
    compute_velocities(model_, q_, state_.v, workspace_);
    const auto contact = find_contact(model_, workspace_, q_, id);
    if (!contact) return std::nullopt;
    const ContactVector v = contact_velocity(model_, workspace_, state_.v, *contact);
    return v.n * contact->normal + v.t1 * contact->tangent1 + v.t2 * contact->tangent2;
  }

  // Central difference of fourth order.
  std::optional<Vector3> slope(const ContactId& id, double h) {
    const auto p = at(id, h), m = at(id, -h), p2 = at(id, 2 * h), m2 = at(id, -2 * h);
    if (!p || !m || !p2 || !m2) return std::nullopt;
    return (1 / (12 * h)) * (8.0 * (*p - *m) - (*p2 - *m2));
  }

  // Nothing when the features change on the way or the difference has not converged.
  std::optional<Vector3> derivative(const ContactId& id, double tolerance) {
    const double h = 8e-4;
    const auto coarse = slope(id, h), fine = slope(id, h / 3);
    if (!coarse || !fine || norm(*coarse - *fine) > tolerance * (1 + norm(*fine))) return std::nullopt;
    return fine;
  }

  const Workspace& present() {
    compute_velocities(model_, state_.q, state_.v, workspace_);
    return workspace_;
  }

 private:
  const Model& model_;
  const State& state_;
  Workspace workspace_;
  Eigen::VectorXd q_;
};

class Rolling : public testing::TestWithParam<Pair> {};

TEST_P(Rolling, DriftIsTheDerivativeOfTheSlip) {
  const Pair& pair = GetParam();
  const std::uint64_t seed = 61;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const double gaps[] = {0, 1e-3, -1e-3, 0.05};
  int seen = 0, compared = 0, crossings = 0;
  for (int i = 0; i < scaled(100, 25); ++i) {
    const Model model = machine_of(pair, random);
    State state = random_state(model, pair, random);
    std::vector<Contact> contacts;
    if (!move_to_gap(model, state, gaps[i % 4], contacts)) continue;
    Slip slip(model, state);
    for (const Contact& contact : contacts) {
      if (contact.gap > gaps[i % 4] + 0.3) continue;
      ++seen;
      const auto expected = slip.derivative(contact.id, pair.tolerance / 2);
      if (!expected) continue;
      ++compared;
      const auto [feature_a, feature_b] = features_of(contact.id.feature);
      crossings += feature_a.kind == FeatureKind::edge && feature_b.kind == FeatureKind::edge;
      const ContactVector drift = contact_drift(model, slip.present(), state.v, contact);
      const double tolerance = pair.tolerance * (1 + norm(*expected));
      ASSERT_NEAR(drift.t1, dot(contact.tangent1, *expected), tolerance)
          << contact_name(model, contact) << " feature " << contact.id.feature << " gap " << contact.gap;
      if (pair.dimension == Dimension::planar)
        ASSERT_EQ(drift.t2, 0);
      else
        ASSERT_NEAR(drift.t2, dot(contact.tangent2, *expected), tolerance)
            << contact_name(model, contact) << " feature " << contact.id.feature << " gap " << contact.gap;
    }
  }
  EXPECT_GE(seen, 8);
  // Of boxes that touch, edges that pass each other come and go.
  EXPECT_GE(compared, 0.5 * seen);
  const bool boxes = pair.a == ShapeKind::box && pair.b == ShapeKind::box && pair.dimension == Dimension::spatial;
  EXPECT_GE(crossings, boxes ? 3 : 0);
}

// Both ways round. The closed forms reach the accuracy of the difference.
std::vector<Pair> rolling_pairs() {
  using enum ShapeKind;
  const double closed = 1e-8, numerical = 1e-6;
  const Pair spatial[] = {
      {sphere, half_space, Dimension::spatial, closed},
      {sphere, sphere, Dimension::spatial, closed},
      {sphere, capsule, Dimension::spatial, closed},
      {sphere, box, Dimension::spatial, closed},
      {sphere, cylinder, Dimension::spatial, numerical},
      {sphere, ellipsoid, Dimension::spatial, numerical},
      {point, sphere, Dimension::spatial, closed},
      {point, ellipsoid, Dimension::spatial, numerical},
      {capsule, half_space, Dimension::spatial, closed},
      {capsule, strip, Dimension::spatial, closed},
      {capsule, capsule, Dimension::spatial, closed},
      {capsule, box, Dimension::spatial, closed},
      {capsule, ellipsoid, Dimension::spatial, numerical},
      {box, half_space, Dimension::spatial, closed},
      {box, box, Dimension::spatial, closed},
      {box, cylinder, Dimension::spatial, numerical},
      {cylinder, half_space, Dimension::spatial, closed},
      {cylinder, cylinder, Dimension::spatial, numerical},
      {ellipsoid, half_space, Dimension::spatial, closed},
      {ellipsoid, box, Dimension::spatial, numerical},
      {ellipsoid, ellipsoid, Dimension::spatial, numerical},
      {pin, hole, Dimension::spatial, closed},
  };
  const Pair planar[] = {
      {sphere, half_space, Dimension::planar, closed},
      {sphere, sphere, Dimension::planar, closed},
      {sphere, box, Dimension::planar, closed},
      {capsule, box, Dimension::planar, closed},
      {box, box, Dimension::planar, closed},
      {ellipsoid, half_space, Dimension::planar, closed},
      {ellipsoid, ellipsoid, Dimension::planar, numerical},
      {pin, hole, Dimension::planar, closed},
  };
  std::vector<Pair> all;
  const auto add = [&](const Pair& pair) {
    all.push_back(pair);
    if (pair.a != pair.b) all.push_back({pair.b, pair.a, pair.dimension, pair.tolerance});
  };
  for (const Pair& pair : spatial) add(pair);
  for (const Pair& pair : planar) add(pair);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Pairs, Rolling, testing::ValuesIn(rolling_pairs()),
                         [](const testing::TestParamInfo<Pair>& it) {
                           return std::string(name(it.param.a)) + "_" + name(it.param.b) +
                                  (it.param.dimension == Dimension::planar ? "_planar" : "");
                         });

// The tangential drift, in world coordinates, of a ball of radius 0.4 that rolls with this angular velocity on top of
// what lies below the origin.
Vector3 drift_of_ball(ModelBuilder& machine, const Vector3& turning) {
  machine.body("one").mass(1).inertia(1, 1, 1).free();
  machine.shape("ball").on("one").sphere(0.4);
  const Model model = machine.build();
  State state = rest_state(model);
  state.q[2] = 0.4;
  const Vector3 v = cross(turning, {0, 0, 0.4});
  state.v << v.x, v.y, v.z, turning.x, turning.y, turning.z;
  Workspace workspace(model);
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  EXPECT_EQ(contacts.size(), 1u);
  const Contact& contact = contacts.at(0);
  const ContactVector slip = contact_velocity(model, workspace, state.v, contact);
  EXPECT_NEAR(std::hypot(slip.n, slip.t1, slip.t2), 0, 1e-15);
  // Whether the ball is a or b.
  const double sign = contact.normal.z > 0 ? 1 : -1;
  const ContactVector drift = contact_drift(model, workspace, state.v, contact);
  return sign * (drift.t1 * contact.tangent1 + drift.t2 * contact.tangent2);
}

TEST(RollingBall, SpinsOnAPlaneWithoutDrift) {
  ModelBuilder machine(Dimension::spatial);
  machine.shape("floor").half_space();
  EXPECT_NEAR(norm(drift_of_ball(machine, {0.7, -1.3, 5})), 0, 1e-14);
}

// The normal turns by ṅ = v/(R + ρ): drift −ρ ω × ṅ.
TEST(RollingBall, SpinsOnABall) {
  ModelBuilder machine(Dimension::spatial);
  machine.shape("hill").sphere(1.2).at(0, 0, -1.2);
  const Vector3 drift = drift_of_ball(machine, {0, 2, 3});
  EXPECT_NEAR(norm(drift - Vector3{0, -0.4 * 0.4 * 2 * 3 / (1.2 + 0.4), 0}), 0, 1e-14);
}

// A centred pin, or balls one inside the other, have no direction; parallel edges no crossing.
TEST(RollingWithoutDirection, IsFinite) {
  struct Case {
    const char* what;
    void (*write)(ModelBuilder& machine);
  };
  const Case cases[] = {
      {"pin", [](ModelBuilder& m) { m.shape("a").on("one").pin(0.1), m.shape("b").hole(0.2); }},
      {"balls", [](ModelBuilder& m) { m.shape("a").on("one").sphere(0.1), m.shape("b").sphere(0.2); }},
      {"capsules", [](ModelBuilder& m) { m.shape("a").on("one").capsule(0.1, 1), m.shape("b").capsule(0.2, 1); }},
      {"boxes", [](ModelBuilder& m) { m.shape("a").on("one").box(1, 1, 1), m.shape("b").box(1, 1, 1); }},
      {"cylinder", [](ModelBuilder& m) { m.shape("a").on("one").cylinder(1, 1), m.shape("b").half_space(); }},
  };
  for (const Case& it : cases) {
    SCOPED_TRACE(it.what);
    ModelBuilder machine(Dimension::spatial);
    machine.body("one").mass(1).inertia(1, 1, 1).free();
    it.write(machine);
    const Model model = machine.build();
    State state = rest_state(model);
    state.v << 0.3, -0.5, 0.2, 1, 2, 3;
    Workspace workspace(model);
    compute_velocities(model, state.q, state.v, workspace);
    std::vector<Contact> contacts;
    find_contacts(model, workspace, state.q, 10, contacts);
    ASSERT_FALSE(contacts.empty());
    for (const Contact& contact : contacts) {
      const ContactVector drift = contact_drift(model, workspace, state.v, contact);
      EXPECT_LT(std::hypot(drift.n, drift.t1, drift.t2), 100) << contact_name(model, contact);
    }
  }
}

}  // namespace
