// Contacts of machines: the rows of J against differences of the gap, the drift against differences of its rate.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "contact/shape_oracle.h"
#include "routh/contact/contact.h"
#include "routh/model/builder.h"

namespace {

using namespace routh;
using namespace testing_support;

void write_shape(ShapeWriter writer, ShapeKind kind, Dimension dimension, Random& random) {
  const auto size = [&] { return random.uniform(0.3, 0.8); };
  const double depth = dimension == Dimension::planar ? 0 : size();
  switch (kind) {
    case ShapeKind::point:
      writer.point();
      return;
    case ShapeKind::sphere:
      writer.sphere(size());
      return;
    case ShapeKind::capsule:
      writer.capsule(size(), size());
      return;
    case ShapeKind::box:
      writer.box(size(), size(), depth);
      return;
    case ShapeKind::cylinder:
      writer.cylinder(size(), size());
      return;
    case ShapeKind::ellipsoid:
      writer.ellipsoid(size(), size(), depth);
      return;
    case ShapeKind::half_space:
      writer.half_space();
      return;
    case ShapeKind::strip:
      writer.strip(1.5);
      return;
    case ShapeKind::pin:
      writer.pin(0.2);
      return;
    case ShapeKind::hole:
      writer.hole(0.9);
      return;
  }
}

// Two bodies with a shape each: one flies free, the other hangs from a turning and sliding arm.
Model machine_of(ShapeKind a, ShapeKind b, Dimension dimension, Random& random) {
  const bool planar = dimension == Dimension::planar;
  ModelBuilder machine(dimension);
  const auto body = [&](const char* name) {
    BodyWriter writer = machine.body(name);
    writer.mass(1);
    if (planar)
      writer.inertia(1);
    else
      writer.inertia(1, 1, 1);
    return writer;
  };
  if (planar) {
    body("one").planar();
    body("arm").revolute().at(0.3, -0.2);
    body("two").prismatic("arm").at(0.1, 0.4).axis(0.6, 0.8);
  } else {
    body("one").free();
    body("arm").spherical().at(0.3, -0.2, 0.1);
    body("two").cylindrical("arm").at(0.1, 0.4, 0.2).axis(0.6, 0, 0.8);
  }
  write_shape(machine.shape("a").on("one").at(random_pose(random, dimension, 0.3)), a, dimension, random);
  write_shape(machine.shape("b").on("two").at(random_pose(random, dimension, 0.3)), b, dimension, random);
  return machine.build();
}

State random_state(const Model& model, Random& random) {
  State state = rest_state(model);
  Eigen::VectorXd move(model.velocities);
  for (int i = 0; i < model.velocities; ++i) move[i] = random.uniform(-0.8, 0.8), state.v[i] = random.normal();
  integrate(model, state.q, move, 1, state.q);
  return state;
}

std::optional<Contact> find(const std::vector<Contact>& contacts, const ContactId& id) {
  for (const Contact& contact : contacts)
    if (contact.id == id) return contact;
  return std::nullopt;
}

// Looks at contacts along the motion of constant q̇.
class Path {
 public:
  Path(const Model& model, const State& state) : model_(model), state_(state), workspace_(model), q_(state.q) {}

  const std::vector<Contact>& at(double h) {
    integrate(model_, state_.q, state_.v, h, q_);
    compute_velocities(model_, q_, state_.v, workspace_);
    find_contacts(model_, workspace_, q_, 2, contacts_);
    return contacts_;
  }
  const Workspace& workspace() const { return workspace_; }

  std::optional<double> gap(const ContactId& id, double h) {
    const auto contact = find(at(h), id);
    return contact ? std::optional(contact->gap) : std::nullopt;
  }
  std::optional<double> rate(const ContactId& id, double h) {
    const auto contact = find(at(h), id);
    if (!contact) return std::nullopt;
    return contact_velocity(model_, workspace_, state_.v, *contact).n;
  }

 private:
  const Model& model_;
  const State& state_;
  Workspace workspace_;
  Eigen::VectorXd q_;
  std::vector<Contact> contacts_;
};

// (f(h) − f(−h))/2h improved by its half step.
template <class F>
std::optional<double> central_difference(const F& f, double h) {
  const auto p = f(h), m = f(-h), p2 = f(h / 2), m2 = f(-h / 2);
  if (!p || !m || !p2 || !m2) return std::nullopt;
  return (4 * (*p2 - *m2) / h - (*p - *m) / (2 * h)) / 3;
}

// Nothing when the contact changes its features on the way, or the difference has not converged: there is a switch
// between curved parts within the step, where the gap has no second derivative.
template <class F>
std::optional<double> difference_of(const F& f, double h, double tolerance) {
  const auto coarse = central_difference(f, h), fine = central_difference(f, h / 3);
  if (!coarse || !fine || std::abs(*coarse - *fine) > tolerance * (1 + std::abs(*fine))) return std::nullopt;
  return fine;
}

bool is_solid(ShapeKind kind) { return kind < ShapeKind::half_space; }

struct Kinds {
  ShapeKind a, b;
  Dimension dimension;
};

class Machines : public testing::TestWithParam<Kinds> {};

TEST_P(Machines, RowsAndDriftAreDerivativesOfTheGap) {
  const auto [a, b, dimension] = GetParam();
  const std::uint64_t seed = 51;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int rates = 0, drifts = 0;
  for (int i = 0; i < scaled(25, 10); ++i) {
    const Model model = machine_of(a, b, dimension, random);
    ASSERT_EQ(model.pairs.size(), 1u);
    const State state = random_state(model, random);
    Path path(model, state);
    const std::vector<Contact> contacts = path.at(0);
    Eigen::MatrixXd J(contact_rows(model), model.velocities);
    for (const Contact& contact : contacts) {
      // Deep inside a solid the direction of least depth may switch at any time.
      if (contact.gap < -0.1 && is_solid(a) && is_solid(b)) continue;
      path.at(0);
      contact_jacobian(model, path.workspace(), contact, J);
      const ContactVector v = contact_velocity(model, path.workspace(), state.v, contact);
      const Eigen::VectorXd Jv = J * state.v;
      ASSERT_NEAR(Jv[0], v.n, 1e-13);
      ASSERT_NEAR(Jv[1], v.t1, 1e-13);
      ASSERT_NEAR(dimension == Dimension::spatial ? Jv[2] : 0, v.t2, 1e-13);
      const ContactVector drift = contact_drift(model, path.workspace(), state.v, contact);

      const auto rate = difference_of([&](double h) { return path.gap(contact.id, h); }, 3e-4, 1e-9);
      if (rate) {
        ++rates;
        ASSERT_NEAR(*rate, v.n, 1e-8 * (1 + std::abs(v.n))) << contact_name(model, contact) << " gap " << contact.gap;
      }
      // Sharp corners that all but meet turn about each other too fast for differences.
      if (std::abs(contact.gap) < 0.02) continue;
      const auto second = difference_of([&](double h) { return path.rate(contact.id, h); }, 6e-4, 1e-6);
      if (second) {
        ++drifts;
        ASSERT_NEAR(*second, drift.n, 2e-6 * (1 + std::abs(drift.n)))
            << contact_name(model, contact) << " gap " << contact.gap;
      }
    }
  }
  EXPECT_GT(rates, 5);
  EXPECT_GT(drifts, 4);
}

std::vector<Kinds> touching_kinds() {
  std::vector<Kinds> all;
  const auto is_plane = [](ShapeKind kind) { return kind == ShapeKind::half_space || kind == ShapeKind::strip; };
  for (int i = 0; i < shape_kind_count; ++i)
    for (int j = 0; j < shape_kind_count; ++j) {
      const auto a = static_cast<ShapeKind>(i), b = static_cast<ShapeKind>(j);
      const bool pin = (a == ShapeKind::pin && b == ShapeKind::hole) || (a == ShapeKind::hole && b == ShapeKind::pin);
      if ((a >= ShapeKind::pin || b >= ShapeKind::pin) && !pin) continue;
      if ((is_plane(a) && is_plane(b)) || (a == ShapeKind::point && b == ShapeKind::point)) continue;
      all.push_back({a, b, Dimension::spatial});
      if (a != ShapeKind::cylinder && b != ShapeKind::cylinder) all.push_back({a, b, Dimension::planar});
    }
  return all;
}

INSTANTIATE_TEST_SUITE_P(EveryPair, Machines, testing::ValuesIn(touching_kinds()),
                         [](const testing::TestParamInfo<Kinds>& it) {
                           return std::string(name(it.param.a)) + "_" + name(it.param.b) +
                                  (it.param.dimension == Dimension::planar ? "_planar" : "");
                         });

// Contacts of shapes that lie flat: the whole manifold, not the nearest alone, has true rates.
TEST(FlatContacts, RatesOfTheWholeManifold) {
  struct Case {
    const char* what;
    void (*write)(ModelBuilder& machine);
    double height;
    std::size_t count;
  };
  const Pose lying = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}, {}};
  static const Pose on_side = lying;
  const Case cases[] = {
      {"box on box", [](ModelBuilder& m) { m.shape("a").on("one").box(2, 0.4, 0.4), m.shape("b").box(1, 1, 1); }, 0.7,
       4},
      {"box on strip",
       [](ModelBuilder& m) { m.shape("a").on("one").box(2, 0.4, 0.4), m.shape("b").strip(1).at(0, 0, 0.5); }, 0.7, 4},
      {"capsule on box",
       [](ModelBuilder& m) { m.shape("a").on("one").capsule(0.2, 2).at(on_side), m.shape("b").box(1, 1, 1); }, 0.7, 2},
      {"cylinder on its cap",
       [](ModelBuilder& m) { m.shape("a").on("one").cylinder(0.2, 0.4), m.shape("b").box(1, 1, 1); }, 0.7, 4},
      {"cylinder on its side",
       [](ModelBuilder& m) { m.shape("a").on("one").cylinder(0.2, 2).at(on_side), m.shape("b").box(1, 1, 1); }, 0.7, 2},
      {"caps", [](ModelBuilder& m) { m.shape("a").on("one").cylinder(0.2, 0.4), m.shape("b").cylinder(0.5, 1); }, 0.7,
       4},
  };
  Random random(52);
  for (const Case& it : cases) {
    SCOPED_TRACE(it.what);
    ModelBuilder machine(Dimension::spatial);
    machine.body("one").mass(1).inertia(1, 1, 1).free();
    it.write(machine);
    const Model model = machine.build();
    State state = rest_state(model);
    state.q[2] = it.height;
    for (int i = 0; i < 6; ++i) state.v[i] = random.normal();
    Path path(model, state);
    std::vector<Contact> contacts = path.at(0);
    std::erase_if(contacts, [](const Contact& contact) { return contact.gap > 1e-6; });
    ASSERT_EQ(contacts.size(), it.count);
    for (const Contact& contact : contacts) {
      path.at(0);
      const double rate = contact_velocity(model, path.workspace(), state.v, contact).n;
      // One-sided where the features leave on one side.
      const double h = 1e-7;
      const auto after = path.gap(contact.id, h), before = path.gap(contact.id, -h);
      if (!after && !before) continue;
      const double slope = after ? (*after - contact.gap) / h : (contact.gap - *before) / h;
      EXPECT_NEAR(slope, rate, 1e-5) << contact_name(model, contact);
    }
  }
}

TEST(Limits, AreContactsWithANormalOnly) {
  ModelBuilder machine(Dimension::planar);
  machine.body("upper").mass(1).inertia(1).revolute().name("knee").limits(-0.5, 0.25, 0.3);
  machine.body("lower").mass(1).inertia(1).prismatic("upper").axis(1, 0).limits(0.1, unlimited);
  const Model model = machine.build();
  State state = rest_state(model);
  state.q << 0.2, 0.1;
  state.v << 2, -3;
  Workspace workspace(model);
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 0.1, contacts);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contact_name(model, contacts[0]), "lower at its lower limit");
  EXPECT_EQ(contact_name(model, contacts[1]), "knee at its upper limit");
  EXPECT_LT(contacts[0].id, contacts[1].id);
  EXPECT_NEAR(contacts[0].gap, 0, 1e-15);
  EXPECT_NEAR(contacts[1].gap, 0.05, 1e-15);
  EXPECT_EQ(contact_velocity(model, workspace, state.v, contacts[0]).n, -3);
  EXPECT_EQ(contact_velocity(model, workspace, state.v, contacts[1]).n, -2);
  Eigen::MatrixXd J(2, 2), expected(2, 2);
  contact_jacobian(model, workspace, contacts[1], J);
  expected << -1, 0, 0, 0;
  EXPECT_EQ(J, expected);
  EXPECT_EQ(contact_friction(model, contacts[1]).static_coefficient, 0);
  EXPECT_EQ(contact_restitution(model, contacts[1]).normal, 0.3);
  EXPECT_EQ(contact_law(model, contacts[1]), Law::energetic);
  EXPECT_EQ(contact_drift(model, workspace, state.v, contacts[1]).n, 0);
  find_contacts(model, workspace, state.q, 10, contacts);
  EXPECT_EQ(contacts.size(), 3u);
  for (const Contact& contact : contacts) EXPECT_GE(contact.gap, 0);
}

TEST(Belts, MoveTheSurfaceUnderWhatLiesOnIt) {
  ModelBuilder machine(Dimension::spatial);
  machine.body("crate").mass(1).inertia(1, 1, 1).free();
  machine.shape("foot").on("crate").sphere(0.1);
  machine.shape("belt").strip(4).belt({0.2, 0.1, 0}, Profile{{{0, 1}, {2, 3}}});
  const Model model = machine.build();
  State state = rest_state(model);
  state.q[2] = 0.1;
  state.v[0] = 1;
  Workspace workspace(model);
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  ASSERT_EQ(contacts.size(), 1u);
  const Contact& contact = contacts[0];
  const ContactVector run = surface_velocity(model, workspace, contact, 1);
  const Vector3 world = run.n * contact.normal + run.t1 * contact.tangent1 + run.t2 * contact.tangent2;
  EXPECT_NEAR(norm(world - Vector3{0.4, 0.2, 0}), 0, 1e-15);
  // The sphere slips forward over a belt that runs slower.
  const ContactVector v = contact_velocity(model, workspace, state.v, contact);
  const Vector3 slip = (v.t1 - run.t1) * contact.tangent1 + (v.t2 - run.t2) * contact.tangent2;
  EXPECT_NEAR(norm(slip - Vector3{0.6, -0.2, 0}), 0, 1e-15);
}

// A belt on the first shape of the pair counts the other way round.
TEST(Belts, RunAgainstTheNormalsOrder) {
  ModelBuilder machine(Dimension::planar);
  machine.body("crate").mass(1).inertia(1).planar();
  machine.shape("belt").half_space().belt({0.5, 0, 0});
  machine.shape("foot").on("crate").point();
  const Model model = machine.build();
  const State state = rest_state(model);
  Workspace workspace(model);
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].normal.y, -1);
  EXPECT_EQ(contact_name(model, contacts[0]), "foot on belt");
  const ContactVector run = surface_velocity(model, workspace, contacts[0], 0);
  EXPECT_NEAR(run.t1 * contacts[0].tangent1.x, -0.5, 1e-15);
  EXPECT_EQ(run.n, 0);
}

TEST(Frames, AreRightHanded) {
  Random random(53);
  for (int i = 0; i < 200; ++i) {
    Contact contact;
    const Vector3 n = column_z(random_pose(random, Dimension::spatial, 1).rotation);
    set_normal(contact, n, Dimension::spatial);
    EXPECT_LT(norm(cross(contact.normal, contact.tangent1) - contact.tangent2), 1e-14);
    const Vector3 flat = column_x(random_pose(random, Dimension::planar, 1).rotation);
    set_normal(contact, flat, Dimension::planar);
    EXPECT_LT(norm(cross(contact.normal, contact.tangent1) - contact.tangent2), 1e-14);
    // Turned by −90°: t × n is e_z.
    EXPECT_NEAR(cross(contact.tangent1, contact.normal).z, 1, 1e-14);
  }
}

TEST(NamesOfContacts, SayWhatTouches) {
  ModelBuilder machine(Dimension::spatial);
  machine.body("one").mass(1).inertia(1, 1, 1).free();
  machine.shape("floor").half_space();
  machine.shape("crate").on("one").box(1, 1, 1);
  const Model model = machine.build();
  State state = rest_state(model);
  state.q[2] = 0.5;
  Workspace workspace(model);
  compute_kinematics(model, state.q, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  ASSERT_EQ(contacts.size(), 4u);
  EXPECT_EQ(contact_name(model, contacts[3]), "crate on floor (corner 3)");
  EXPECT_TRUE(
      std::is_sorted(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) { return a.id < b.id; }));
  state.q[2] = 5;
  compute_kinematics(model, state.q, workspace);
  find_contacts(model, workspace, state.q, 1e-6, contacts);
  EXPECT_TRUE(contacts.empty());
}

TEST(Surfaces, ComeFromThePair) {
  ModelBuilder machine(Dimension::spatial);
  machine.surface("ice").friction(0.1, 0.05).restitution_table({{0.1, 0.9}, {1, 0.5}}).law(Law::newton);
  machine.body("one").mass(1).inertia(1, 1, 1).free();
  machine.shape("floor").half_space().surface("ice");
  machine.shape("ball").on("one").sphere(0.5);
  const Model model = machine.build();
  const State state = rest_state(model);
  Workspace workspace(model);
  compute_kinematics(model, state.q, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, state.q, 1, contacts);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contact_friction(model, contacts[0]).static_coefficient, 0.1);
  EXPECT_EQ(contact_friction(model, contacts[0]).kinetic_coefficient, 0.05);
  EXPECT_EQ(contact_law(model, contacts[0]), Law::newton);
  const Restitution restitution = contact_restitution(model, contacts[0]);
  EXPECT_EQ(restitution.kind, RestitutionKind::table);
  ASSERT_EQ(restitution.table.size(), 2u);
  EXPECT_EQ(restitution.table.data(), model.pairs[0].properties.table.data());
}

}  // namespace
