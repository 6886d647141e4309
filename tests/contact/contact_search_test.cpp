// The broad phase: along any motion the contacts of a search over all pairs, to the last bit, and fewer pairs looked
// at.
#include "routh/contact/contact_search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contact/random_shape.h"
#include "contact/shape_oracle.h"
#include "routh/model/builder.h"
#include "support/count_allocations.h"

namespace {

using namespace routh;
using namespace testing_support;

bool same(const Vector3& a, const Vector3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void expect_same(const std::vector<Contact>& found, const std::vector<Contact>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Contact &a = found[i], &b = expected[i];
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.gap, b.gap);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.body_a, b.body_a);
    EXPECT_EQ(a.body_b, b.body_b);
    EXPECT_EQ(a.direction, b.direction);
    EXPECT_TRUE(same(a.point_a, b.point_a) && same(a.point_b, b.point_b) && same(a.point, b.point));
    EXPECT_TRUE(same(a.normal, b.normal) && same(a.tangent1, b.tangent1) && same(a.tangent2, b.tangent2));
  }
}

constexpr ShapeKind solids[] = {ShapeKind::point,    ShapeKind::sphere,    ShapeKind::capsule, ShapeKind::box,
                                ShapeKind::cylinder, ShapeKind::ellipsoid, ShapeKind::mesh};

// Free bodies and short chains, each with a shape or two, over a floor, a strip and a box that stand still.
Model crowd(Random& random, Dimension dimension, int bodies) {
  const bool planar = dimension == Dimension::planar;
  ModelBuilder machine(dimension);
  for (int i = 0; i < bodies; ++i) {
    const std::string name = fmt::format("body{}", i), before = fmt::format("body{}", i - 1);
    BodyWriter body = machine.body(name);
    body.mass(1);
    planar ? body.inertia(1) : body.inertia(1, 1, 1);
    const bool hangs = i % 3 == 1;
    if (hangs && planar)
      body.revolute(before).at(0.4, 0.1).limits(-1, 1);
    else if (hangs)
      body.revolute(before).at(0.4, 0.1, 0.2).axis(0, 0.6, 0.8).limits(-1, 1);
    else if (planar)
      body.planar();
    else
      body.free();
    for (int k = 0; k < 1 + i % 2; ++k) {
      // In the plane there are no meshes.
      const auto kind = solids[static_cast<std::size_t>(random.uniform(0, planar ? 4.999 : 6.999))];
      write_shape(machine.shape(fmt::format("shape{}_{}", i, k)).on(name).at(random_pose(random, dimension, 0.3)),
                  planar && kind == ShapeKind::cylinder ? ShapeKind::box : kind, dimension, random);
    }
  }
  machine.shape("floor").half_space().at(random_pose(random, dimension, 0.5));
  write_shape(machine.shape("strip").at(random_pose(random, dimension, 1)), ShapeKind::strip, dimension, random);
  write_shape(machine.shape("block").at(random_pose(random, dimension, 1)), ShapeKind::box, dimension, random);
  return machine.build();
}

class Crowds : public testing::TestWithParam<Dimension> {};

TEST_P(Crowds, HaveTheContactsOfAllPairs) {
  constexpr std::uint64_t seed = 9101;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  long asked = 0, examined = 0, of_all = 0, found_in_all = 0;
  for (int scene = 0; scene < scaled(8, 2); ++scene) {
    Model model = crowd(random, GetParam(), 12);
    State state = rest_state(model);
    Workspace workspace(model);
    ContactSearch search(model);
    std::vector<Contact> found, expected;
    Eigen::VectorXd move(model.velocities);
    double reach = 3;
    for (int step = 0; step < 200; ++step) {
      SCOPED_TRACE(fmt::format("scene {}, step {}", scene, step));
      // Slow and steady most of the time, with turns of every size, leaps and rests.
      if (step % 25 == 0)
        for (int i = 0; i < model.velocities; ++i) move[i] = reach * random.normal();
      const double h = step % 25 == 0 ? 1 : step % 7 == 3 ? 0 : 1e-3 * std::pow(10.0, random.uniform(-3, 1));
      integrate(model, state.q, move, h, state.q);
      reach = 1;
      if (step == 120) place_shape(model, 0, random_pose(random, GetParam(), 1));
      if (step == 150) search.forget();
      compute_kinematics(model, state.q, workspace);
      const double margin = step % 40 == 39   ? unlimited
                            : step % 40 == 38 ? -0.01
                            : step % 40 == 37 ? 0
                                              : std::pow(10.0, random.uniform(-4, -0.5));
      search.find(model, workspace, state.q, margin, found);
      find_contacts(model, workspace, state.q, margin, expected);
      expect_same(found, expected);
      of_all += static_cast<long>(model.pairs.size());
      found_in_all += static_cast<long>(found.size());
      if (HasFailure()) return;
    }
    asked += search.counts().asked, examined += search.counts().examined;
  }
  EXPECT_GT(found_in_all, scaled(8, 2) * 200);
  EXPECT_LT(asked, of_all);
  EXPECT_LT(2 * examined, of_all);
}

// Every shape with a reach of its own, some as far as the crowd is wide, most of them short.
TEST_P(Crowds, HaveTheContactsThatTheirShapesReach) {
  constexpr std::uint64_t seed = 9103;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  std::size_t found_in_all = 0, left_out = 0;
  for (int scene = 0; scene < scaled(4, 2); ++scene) {
    const Model model = crowd(random, GetParam(), 12);
    State state = rest_state(model);
    Workspace workspace(model);
    ContactSearch search(model);
    std::vector<double> reach(model.shapes.size());
    std::vector<Contact> found, expected;
    Eigen::VectorXd move(model.velocities);
    for (int step = 0; step < 100; ++step) {
      SCOPED_TRACE(fmt::format("scene {}, step {}", scene, step));
      if (step % 25 == 0)
        for (int i = 0; i < model.velocities; ++i) move[i] = (step == 0 ? 3 : 1) * random.normal();
      integrate(model, state.q, move, step % 25 == 0 ? 1 : 1e-2 * random.uniform(0, 1), state.q);
      compute_kinematics(model, state.q, workspace);
      if (step % 3 == 0)
        for (double& each : reach) each = random.uniform(0, 1) < 0.1 ? 1 : std::pow(10.0, random.uniform(-4, -1));
      const double limits = random.uniform(0, 0.5);
      search.find(model, workspace, state.q, reach, limits, found);
      find_contacts(model, workspace, state.q, 2, expected);
      const std::size_t near = expected.size();
      std::erase_if(expected, [&](const Contact& it) {
        return it.gap > (it.kind == ContactKind::limit ? limits
                                                       : reach[static_cast<std::size_t>(it.shape_a)] +
                                                             reach[static_cast<std::size_t>(it.shape_b)]);
      });
      expect_same(found, expected);
      found_in_all += found.size();
      left_out += near - expected.size();
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(found_in_all, 1000u);
  EXPECT_GT(left_out, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Crowds, testing::Values(Dimension::planar, Dimension::spatial),
                         [](const auto& instance) { return std::string(name(instance.param)); });

// Where all fall at some metres a second, and one shoots through them, each is asked about its neighbours only.
TEST(ContactSearch, ListsNeighboursOfFastShapes) {
  const auto asked_of_each = [](int side) {
    ModelBuilder machine(Dimension::spatial);
    const int count = side * side * side;
    for (int i = 0; i < count; ++i) {
      machine.body(fmt::format("ball{}", i)).mass(1).inertia(1, 1, 1).free();
      machine.shape(fmt::format("ball{}", i)).on(fmt::format("ball{}", i)).sphere(0.05);
    }
    const Model model = machine.build();
    State state = rest_state(model);
    for (int i = 0; i < count; ++i) {
      state.q[7 * i] = 0.115 * (i % side), state.q[7 * i + 1] = 0.115 * (i / side % side);
      state.q[7 * i + 2] = 0.115 * (i / (side * side)), state.v[6 * i + 2] = -4;
    }
    state.v[2] = -100;
    Workspace workspace(model);
    ContactSearch search(model);
    constexpr double h = 5e-3;
    std::vector<double> reach;
    for (int i = 0; i < count; ++i) reach.push_back(i == 0 ? h * 100 : h * 4);
    std::vector<Contact> found;
    for (int step = 0; step < 20; ++step) {
      integrate(model, state.q, state.v, h, state.q);
      compute_kinematics(model, state.q, workspace);
      search.find(model, workspace, state.q, reach, 0, found);
    }
    return static_cast<double>(search.counts().asked) / (20.0 * count);
  };
  // Spheres 0.115 m apart whose skins are of their radius have less than a hundred neighbours.
  EXPECT_LT(asked_of_each(8), 100);
  EXPECT_LT(asked_of_each(14), 100);
}

// Spheres that swarm in a box, without a floor.
TEST(ContactSearch, AsksFewOfMany) {
  ModelBuilder machine(Dimension::spatial);
  constexpr int count = 300;
  for (int i = 0; i < count; ++i) {
    machine.body(fmt::format("ball{}", i)).mass(1).inertia(1, 1, 1).free();
    machine.shape(fmt::format("ball{}", i)).on(fmt::format("ball{}", i)).sphere(0.1);
  }
  const Model model = machine.build();
  Random random(9102);
  State state = rest_state(model);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) state.q[7 * i + k] = random.uniform(0, 1.5), state.v[6 * i + k] = random.normal();
  Workspace workspace(model);
  ContactSearch search(model);
  std::vector<Contact> found, expected;
  const auto look = [&](int step) {
    integrate(model, state.q, state.v, 1e-3, state.q);
    compute_kinematics(model, state.q, workspace);
    search.find(model, workspace, state.q, 1e-3, found);
    if (step % 10 != 0) return;
    find_contacts(model, workspace, state.q, 1e-3, expected);
    expect_same(found, expected);
  };
  for (int step = 0; step < 100; ++step) look(step);
  EXPECT_GT(found.size(), 50u);
  const ContactSearch::Counts& counts = search.counts();
  EXPECT_LT(counts.asked, 100l * 40 * count);
  EXPECT_LT(counts.trees, 40);
  if (!testing_support::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  // Lists grow by halves: soon none has to.
  EXPECT_LT(count_allocations([&] {
              for (int step = 1; step < 10; ++step) look(step);
            }),
            10);
}

// Bars that turn about their middles, which stay: their ends meet.
TEST(ContactSearch, TurningBringsShapesTogether) {
  constexpr std::uint64_t seed = 9104;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  ModelBuilder machine(Dimension::spatial);
  constexpr int count = 12;
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("bar{}", i);
    const Vector3 axis = {random.normal(), random.normal(), random.normal()};
    machine.body(name)
        .mass(1)
        .inertia(1, 1, 1)
        .revolute()
        .at(0.8 * (i % 3), 0.8 * (i / 3 % 2), 0.5 * (i / 6))
        .axis(axis.x, axis.y, axis.z);
    if (i % 3 == 0)
      machine.shape(name).on(name).capsule(0.05, 1.4);
    else
      machine.shape(name).on(name).box(1.5, 0.1, 0.05);
  }
  const Model model = machine.build();
  State state = rest_state(model);
  for (int i = 0; i < count; ++i) state.v[i] = random.normal();
  Workspace workspace(model);
  ContactSearch search(model);
  std::vector<Contact> found, expected;
  long in_all = 0;
  for (int step = 0; step < scaled(1500, 300); ++step) {
    SCOPED_TRACE(step);
    integrate(model, state.q, state.v, 2e-3, state.q);
    compute_kinematics(model, state.q, workspace);
    search.find(model, workspace, state.q, 1e-3, found);
    find_contacts(model, workspace, state.q, 1e-3, expected);
    expect_same(found, expected);
    if (HasFailure()) return;
    in_all += static_cast<long>(found.size());
  }
  EXPECT_GT(in_all, 1000);
  EXPECT_LT(2 * search.counts().examined, search.counts().calls * static_cast<long>(model.pairs.size()));
}

TEST(BoxTree, FindsEveryOverlapOnce) {
  Random random(9103);
  for (const int count : {0, 1, 2, 5, 100, 400}) {
    std::vector<Box> boxes;
    for (int i = 0; i < count; ++i) {
      const auto place = [&] { return i % 10 == 0 ? 0.5 : random.uniform(0, 1); };
      const auto size = [&] { return i % 7 == 0 ? 0 : random.uniform(0, i % 31 == 0 ? 0.8 : 0.2); };
      const Vector3 low = {place(), place(), place()};
      boxes.push_back({low, low + Vector3{size(), size(), size()}});
    }
    BoxTree tree;
    tree.build(boxes);
    std::vector<BoxTree::Pair> found;
    tree.find_overlaps(found);
    std::vector<std::pair<int, int>> pairs, expected;
    for (const BoxTree::Pair& it : found) pairs.emplace_back(it.first, it.second);
    std::sort(pairs.begin(), pairs.end());
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j) {
        const Box &a = boxes[static_cast<std::size_t>(i)], &b = boxes[static_cast<std::size_t>(j)];
        const auto apart = [](double l, double h, double m, double k) { return h < m || k < l; };
        if (!apart(a.low.x, a.high.x, b.low.x, b.high.x) && !apart(a.low.y, a.high.y, b.low.y, b.high.y) &&
            !apart(a.low.z, a.high.z, b.low.z, b.high.z))
          expected.emplace_back(i, j);
      }
    EXPECT_EQ(pairs, expected) << count;
  }
}

}  // namespace
