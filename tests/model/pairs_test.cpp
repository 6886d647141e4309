// Which shapes may touch, and with which surface.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "model/samples.h"
#include "routh/model/builder.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::on_line;
using testing_support::refusal;

constexpr double inf = std::numeric_limits<double>::infinity();

using Names = std::set<std::pair<std::string, std::string>>;

Names pairs_of(const Model& model) {
  Names names;
  for (const ShapePair& pair : model.pairs)
    names.emplace(model.shapes[pair.first].name, model.shapes[pair.second].name);
  return names;
}

void add_free(ModelBuilder& machine, const std::string& name) { machine.body(name).mass(1).inertia(1, 1, 1).free(); }

// base (welded to the world) – arm – hand, plate welded to the hand; a crate flies. Each carries a ball; the world too.
void add_machine(ModelBuilder& machine) {
  machine.body("base").fixed();
  machine.body("arm").mass(1).inertia(1, 1, 1).revolute("base");
  machine.body("hand").mass(1).inertia(1, 1, 1).revolute("arm").at(1, 0);
  machine.body("plate").fixed("hand");
  add_free(machine, "crate");
  for (const char* body : {"world", "base", "arm", "hand", "plate", "crate"})
    machine.shape(fmt::format("{}_ball", body)).on(body).sphere(0.1);
}

// All but: base with the world (neither moves), base with arm and arm with hand (neighbours), plate with hand (one
// link). The crate hangs from the world and may touch it.
TEST(Pairs, SkipNeighboursAndWhatCannotMove) {
  ModelBuilder machine(Dimension::spatial);
  add_machine(machine);
  const Names expected = {{"world_ball", "arm_ball"},   {"world_ball", "hand_ball"}, {"world_ball", "plate_ball"},
                          {"world_ball", "crate_ball"}, {"base_ball", "hand_ball"},  {"base_ball", "plate_ball"},
                          {"base_ball", "crate_ball"},  {"arm_ball", "plate_ball"},  {"arm_ball", "crate_ball"},
                          {"hand_ball", "crate_ball"},  {"plate_ball", "crate_ball"}};
  const Model model = machine.build();
  EXPECT_EQ(pairs_of(model), expected);
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    EXPECT_LT(model.pairs[i].first, model.pairs[i].second);
    if (i > 0) {
      EXPECT_LT(std::pair(model.pairs[i - 1].first, model.pairs[i - 1].second),
                std::pair(model.pairs[i].first, model.pairs[i].second));
    }
  }
}

TEST(Pairs, AreFilteredByShapeAndByBody) {
  ModelBuilder machine(Dimension::spatial);
  add_machine(machine);
  const Names all = pairs_of(machine.build());
  machine.shape("finger").on("hand").point().at(1, 0);
  machine.include("arm", "hand").exclude("crate", "arm_ball").exclude("world", "plate").exclude("finger", "crate_ball");
  machine.exclude("finger", "base").exclude("finger", "arm_ball").include("hand_ball", "arm");
  Names expected = all;
  expected.erase({"arm_ball", "crate_ball"});
  expected.erase({"world_ball", "plate_ball"});
  expected.emplace("arm_ball", "hand_ball");
  expected.emplace("world_ball", "finger");
  EXPECT_EQ(pairs_of(machine.build()), expected);
}

TEST(Pairs, OfAShapeAndABodyWithOneName) {
  ModelBuilder machine(Dimension::spatial);
  add_free(machine, "a");
  add_free(machine, "b");
  machine.shape("a").on("a").sphere(1);
  machine.shape("b").on("b").sphere(1);
  machine.exclude("a", "b");
  EXPECT_TRUE(machine.build().pairs.empty());
  machine.shape("c").on("a").sphere(1);  // now `a` may mean one shape or two
  const auto error = refusal(machine.description());
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(), "error: contacts: 'a' is the name of a shape and of a body; rename one of them");
}

TEST(Pairs, IncludingWhatCannotMoveIsRefused) {
  ModelBuilder machine(Dimension::spatial);
  add_machine(machine);
  machine.include("plate_ball", "hand");
  const auto error = refusal(machine.description());
  ASSERT_TRUE(error);
  EXPECT_NE(error->message().find("'plate_ball' and 'hand' cannot move against each other"), std::string::npos);
}

// What each kind can touch, written out.
MeshDescription tetrahedron() {
  ModelBuilder machine(Dimension::spatial);
  const Vector3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  machine.shape("mesh").mesh(corners);
  return machine.description().shapes.back().mesh;
}

TEST(Pairs, OnlyOfKindsThatCanTouch) {
  const auto solid = [](ShapeKind kind) {
    return kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::box ||
           kind == ShapeKind::cylinder || kind == ShapeKind::ellipsoid || kind == ShapeKind::mesh;
  };
  const auto plane = [](ShapeKind kind) { return kind == ShapeKind::half_space || kind == ShapeKind::strip; };
  const auto touch = [&](ShapeKind a, ShapeKind b) {
    if (a == ShapeKind::pin || a == ShapeKind::hole || b == ShapeKind::pin || b == ShapeKind::hole)
      return (a == ShapeKind::pin && b == ShapeKind::hole) || (a == ShapeKind::hole && b == ShapeKind::pin);
    if (solid(a) || solid(b)) return true;
    return plane(a) != plane(b);  // a point and a plane
  };
  for (int i = 0; i < shape_kind_count; ++i)
    for (int j = 0; j < shape_kind_count; ++j) {
      ModelBuilder machine(Dimension::spatial);
      add_free(machine, "a");
      add_free(machine, "b");
      ModelDescription description = machine.description();
      const std::pair<const char*, int> carried[] = {{"a", i}, {"b", j}};
      for (const auto& [body, kind] : carried) {
        ShapeDescription shape;
        shape.name = shape.body = body;
        shape.kind = static_cast<ShapeKind>(kind);
        shape.radius = shape.length = 1;
        shape.half_extents = {1, 1, 1};
        if (shape.kind == ShapeKind::mesh) shape.mesh = tetrahedron();
        description.shapes.push_back(shape);
      }
      EXPECT_EQ(build_model(description).pairs.size(), touch(static_cast<ShapeKind>(i), static_cast<ShapeKind>(j)))
          << name(static_cast<ShapeKind>(i)) << " " << name(static_cast<ShapeKind>(j));
    }
}

TEST(Pairs, MoreThanCanBeNumberedAreRefused) {
  ModelBuilder machine(Dimension::spatial);
  add_free(machine, "a");
  add_free(machine, "b");
  for (int i = 0; i < 99'999; ++i) machine.shape(fmt::format("s{}", i)).on(i % 2 ? "a" : "b").sphere(1);
  const auto error = refusal(machine.description());  // 50,000 · 49,999 pairs
  ASSERT_TRUE(error);
  EXPECT_NE(error->message().find("more than 2147483647 pairs"), std::string::npos);
  EXPECT_NE(error->remedy().find("exclude"), std::string::npos);
}

// Each of 10,000 balls with every other and the floor: 50 million pairs, of which none is kept.
TEST(Pairs, OfTenThousandBodies) {
  ModelBuilder machine(Dimension::spatial);
  const int count = 9'999;
  machine.shape("floor").half_space();
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("b{}", i);
    add_free(machine, name);
    machine.shape(fmt::format("s{}", i)).on(name).sphere(1);
  }
  const ShapePairs& pairs = machine.build().pairs;
  const std::size_t balls = count, all = balls + balls * (balls - 1) / 2;
  ASSERT_EQ(pairs.size(), all);
  const ShapePair first = pairs[0], last = pairs[all - 1];
  EXPECT_EQ(std::pair(first.first, first.second), std::pair(0, 1));
  EXPECT_EQ(std::pair(last.first, last.second), std::pair(count - 1, count));
}

// Numbers, rows and what may touch agree with a list of all pairs, whatever is left out: bodies in a tree with shapes
// of all kinds in no order, welded bodies, filters by shape and by body.
TEST(Pairs, AreNumberedAsAListOfThem) {
  testing_support::Random random(2504);
  for (int round = 0; round < 20; ++round) {
    ModelBuilder machine(Dimension::spatial);
    std::vector<std::string> bodies = {"world"}, shapes;
    for (int i = 0; i < 8; ++i) {
      const std::string name = fmt::format("b{}", i), parent = bodies[static_cast<std::size_t>(random.below(i + 1))];
      auto body = machine.body(name);
      body.mass(1).inertia(1, 1, 1);
      if (random.chance(0.3))
        body.fixed(parent);
      else
        body.revolute(parent);
      bodies.push_back(name);
    }
    for (int i = 0; i < 40; ++i) {
      shapes.push_back(fmt::format("s{}", i));
      const std::string& body = bodies[static_cast<std::size_t>(random.below(static_cast<int>(bodies.size())))];
      const int kind = random.below(3);
      if (kind == 0) machine.shape(shapes.back()).on(body).sphere(1);
      if (kind == 1) machine.shape(shapes.back()).on(body).point();
      if (kind == 2) machine.shape(shapes.back()).on(body).half_space();
    }
    std::set<std::pair<std::string, std::string>> excluded;
    const auto any = [&]() -> std::string {
      const std::vector<std::string>& names = random.chance(0.5) ? bodies : shapes;
      return names[static_cast<std::size_t>(random.below(static_cast<int>(names.size())))];
    };
    for (int i = random.below(8); i > 0; --i) {
      const auto& [a, b] = *excluded.emplace(any(), any()).first;
      machine.exclude(a, b);
    }
    const Model model = machine.build();
    const auto is_called = [&](const Shape& shape, const std::string& name) {
      return shape.name == name || model.bodies[static_cast<std::size_t>(shape.body)].name == name;
    };
    const auto may_touch = [&](const Shape& a, const Shape& b) {
      const bool planes = a.kind == ShapeKind::half_space && b.kind == ShapeKind::half_space;
      const bool points = a.kind == ShapeKind::point && b.kind == ShapeKind::point;
      const auto hangs = [&](int child, int parent) {
        return parent > 0 && child > 0 && model.joints[static_cast<std::size_t>(child) - 1].parent == parent;
      };
      if (planes || points || a.link == b.link || hangs(a.body, b.body) || hangs(b.body, a.body)) return false;
      return std::none_of(excluded.begin(), excluded.end(), [&](const auto& names) {
        return (is_called(a, names.first) && is_called(b, names.second)) ||
               (is_called(b, names.first) && is_called(a, names.second));
      });
    };
    std::size_t number = 0;
    auto walked = model.pairs.begin();
    for (int i = 0; i < static_cast<int>(model.shapes.size()); ++i) {
      int row = 0;
      for (int j = 0; j < static_cast<int>(model.shapes.size()); ++j) {
        const auto found = model.pairs.find(i, j);
        const bool expected =
            i != j && may_touch(model.shapes[static_cast<std::size_t>(i)], model.shapes[static_cast<std::size_t>(j)]);
        ASSERT_EQ(found.has_value(), expected) << round << ": " << i << ", " << j;
        row += expected;
        if (!expected || j < i) continue;
        ASSERT_EQ(*found, static_cast<int>(number));
        const ShapePair pair = model.pairs[number], step = *walked;
        ASSERT_EQ(std::pair(pair.first, pair.second), std::pair(i, j));
        ASSERT_EQ(std::pair(step.first, step.second), std::pair(i, j));
        ++number;
        ++walked;
      }
      ASSERT_EQ(model.pairs.count_of(i), row);
    }
    ASSERT_EQ(number, model.pairs.size());
    ASSERT_TRUE(walked == model.pairs.end());
  }
}

// Many shapes that never meet cost no more than they are: 100,000 on one body above a floor.
TEST(Pairs, ManyShapesOnOneBody) {
  ModelBuilder machine(Dimension::spatial);
  add_free(machine, "cloud");
  for (int i = 0; i < 99'999; ++i) machine.shape(fmt::format("s{}", i)).on("cloud").sphere(1);
  machine.shape("floor").half_space();
  EXPECT_EQ(machine.build().pairs.size(), 99'999u);
}

// Two balls on two free bodies, with the surfaces `a` and `b`, either of which may be missing.
class SurfacePairs : public testing::Test {
 protected:
  SurfacePairs() : machine(Dimension::spatial) {
    for (const char* name : {"a", "b"}) add_free(machine, fmt::format("body_{}", name));
  }
  void surfaces(const std::string& first, const std::string& second) {
    machine.shape("ball_a").on("body_a").sphere(1).surface(first);
    machine.shape("ball_b").on("body_b").sphere(1).surface(second);
  }
  SurfaceProperties meet() const { return machine.build().pairs.at(0).properties; }

  ModelBuilder machine;
};

TEST_F(SurfacePairs, WithoutSurfaceAreSmoothAndDead) {
  surfaces("", "");
  EXPECT_EQ(meet().friction.static_coefficient, 0);
  EXPECT_EQ(meet().restitution.normal, 0);
  EXPECT_EQ(meet().restitution.kind, RestitutionKind::constant);
  EXPECT_FALSE(meet().law);
}

TEST_F(SurfacePairs, OneSurfaceCounts) {
  machine.surface("a").friction(0.5, 0.4).restitution_table({{0, 0.9}, {1, 0.5}}).law(Law::poisson);
  surfaces("", "a");
  EXPECT_EQ(meet().friction.kinetic_coefficient, 0.4);
  EXPECT_EQ(meet().table.size(), 2u);
  EXPECT_EQ(meet().law, Law::poisson);
}

TEST_F(SurfacePairs, TheSameSurfaceCounts) {
  machine.surface("a").friction(0.5, 0.4).restitution_alpha(0.1);
  surfaces("a", "a");
  EXPECT_EQ(meet().friction.static_coefficient, 0.5);
  EXPECT_EQ(meet().restitution.kind, RestitutionKind::linear);
  EXPECT_EQ(meet().restitution.alpha, 0.1);
}

TEST_F(SurfacePairs, DifferentSurfacesAreCombined) {
  machine.surface("a").friction(0.9, 0.4).restitution(0.7).tangential_restitution(-0.5);
  machine.surface("b").friction(0.4, 0.1).restitution(0.3).tangential_restitution(0.2).law(Law::newton);
  surfaces("a", "b");
  EXPECT_DOUBLE_EQ(meet().friction.static_coefficient, 0.6);
  EXPECT_DOUBLE_EQ(meet().friction.kinetic_coefficient, 0.2);
  EXPECT_EQ(meet().restitution.normal, 0.3);
  EXPECT_EQ(meet().restitution.tangential, -0.5);
  EXPECT_EQ(meet().law, Law::newton);
}

TEST_F(SurfacePairs, ZeroWinsOverInfinity) {
  machine.surface("a").friction(inf, 0);
  machine.surface("b").friction(inf);
  surfaces("a", "b");
  EXPECT_EQ(meet().friction.static_coefficient, inf);
  EXPECT_EQ(meet().friction.kinetic_coefficient, 0);
}

TEST_F(SurfacePairs, KineticNeverExceedsStatic) {
  machine.surface("a").friction(0.1 + 0.2);
  machine.surface("b").friction(0.7);
  surfaces("a", "b");
  EXPECT_LE(meet().friction.kinetic_coefficient, meet().friction.static_coefficient);
  EXPECT_NEAR(meet().friction.kinetic_coefficient, std::sqrt(0.3 * 0.7), 1e-15);
}

TEST_F(SurfacePairs, AnOverrideDecides) {
  machine.surface("a").friction(0.9).restitution_table({{0, 1}}).law(Law::newton);
  machine.surface("b").friction(0.4).law(Law::poisson);
  machine.surface_pair("b", "a").friction(0.2, 0.1).restitution(0.9).law(Law::unified);
  surfaces("a", "b");
  EXPECT_EQ(meet().friction.static_coefficient, 0.2);
  EXPECT_EQ(meet().restitution.normal, 0.9);
  EXPECT_EQ(meet().law, Law::unified);
  machine.surface_pair("a", "a").friction(0.05);
  machine.shape("other").on("body_b").sphere(1).surface("a");
  EXPECT_EQ(machine.build().pairs.at(1).properties.friction.static_coefficient, 0.05);
}

TEST_F(SurfacePairs, LawsThatDifferAreRefused) {
  machine.surface("a").law(Law::newton);
  machine.surface("b").law(Law::poisson);
  surfaces("a", "b");
  ModelDescription description = machine.description();
  description.shapes[1].surface_where = on_line(9);
  const auto error = refusal(description);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where().line, 9);
  EXPECT_EQ(error->message(),
            "shape 'ball_b': it may touch 'ball_a', and the surfaces 'a' and 'b' cannot be combined: one asks for the "
            "law newton, the other for poisson");
  EXPECT_EQ(error->remedy(), "add `surface_pairs: [{between: [a, b], friction: …, restitution: …}]`");
  machine.exclude("ball_a", "ball_b");  // what never touches may differ
  EXPECT_FALSE(refusal(machine.description()));
}

TEST_F(SurfacePairs, SpeedDependentRestitutionIsNotCombined) {
  machine.surface("a").restitution_alpha(0.2);
  machine.surface("b");
  surfaces("a", "b");
  const auto error = refusal(machine.description());
  ASSERT_TRUE(error);
  EXPECT_NE(error->message().find("the restitution of 'a' depends on the speed"), std::string::npos);
}

// The stored properties hold no view; the one that is made looks at the copy it is made from.
TEST_F(SurfacePairs, TablesSurviveCopies) {
  const std::vector<RestitutionPoint> table = {{0, 0.9}, {2, 0.5}};
  machine.surface("a").restitution_table(table);
  surfaces("a", "a");
  Model copy;
  {
    ModelDescription description = machine.description();
    description.surfaces[0].properties.restitution.table = table;  // a view of something that goes away
    const Model model = build_model(description);
    copy = model;
  }
  const SurfaceProperties& properties = copy.pairs.at(0).properties;
  EXPECT_TRUE(properties.restitution.table.empty());
  const Restitution restitution = restitution_of(properties);
  ASSERT_EQ(restitution.table.size(), 2u);
  EXPECT_EQ(restitution.table.data(), properties.table.data());
  EXPECT_EQ(restitution.table[1].coefficient, 0.5);
}

}  // namespace
}  // namespace routh
