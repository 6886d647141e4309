// Contacts of machines: the rows of J against differences of the gap, the drift against differences of its rate.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "contact/random_shape.h"
#include "contact/shape_oracle.h"
#include "routh/contact/contact.h"
#include "routh/model/builder.h"

namespace {

using namespace routh;
using namespace testing_support;

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
  for (int i = 0; i < scaled(25, 25); ++i) {
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
  for (const ShapeKind a : all_values<ShapeKind>)
    for (const ShapeKind b : all_values<ShapeKind>) {
      if (!can_touch(a, b)) continue;
      all.push_back({a, b, Dimension::spatial});
      if (has_plane_form(a) && has_plane_form(b)) all.push_back({a, b, Dimension::planar});
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

}  // namespace
