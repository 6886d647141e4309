// Nothing enters, whatever the shape: hulls of 3 to 500 corners, needles, plates, cylinders, ellipsoids and capsules,
// ten thousand times as long as thick at most, dropped on planes, boxes, edges, round things and each other. Judged by
// directions that prove how deep they are inside each other at most (support/overlap_proof.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulation/trial.h"
#include "support/overlap_proof.h"
#include "support/random_problems.h"

namespace random_drops {

namespace {

using namespace routh;
using testing_support::Convex;
using testing_support::Direction;
using testing_support::Random;
using testing_support::Trial;
using testing_support::Turn;
using testing_support::turned;

constexpr double deepest = 1e-6;  // [m] that anything may be inside anything

enum class Body { cloud, needle, plate, puck, stone, brick, wedge, box, coin, rod, egg, capsule, ball };
constexpr int body_count = 13;

struct Solid {
  Convex shape;
  std::string yaml;
  int first = -1;  // of its coordinates; −1: it stands still
  double reach = 0;

  void stand(const Eigen::VectorXd& q) {
    if (first < 0) return;
    for (int i = 0; i < 3; ++i) shape.place[static_cast<std::size_t>(i)] = q[first + i];
    for (int i = 0; i < 4; ++i) shape.turn[static_cast<std::size_t>(i)] = q[first + 3 + i];
  }
};

std::string list_of(const Direction& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x[0], x[1], x[2]); }

Solid mesh_of(std::vector<Direction> points) {
  Direction middle = {};
  for (const Direction& p : points)
    for (std::size_t i = 0; i < 3; ++i) middle[i] += p[i] / static_cast<double>(points.size());
  Solid solid;
  solid.yaml = "kind: mesh, vertices: [";
  for (Direction& p : points) {
    for (std::size_t i = 0; i < 3; ++i) p[i] -= middle[i];
    solid.yaml += list_of(p) + ", ";
    solid.reach = std::max(solid.reach, std::hypot(p[0], p[1], p[2]));
  }
  solid.yaml += "]";
  solid.shape.corners = std::move(points);
  return solid;
}

Solid box_of(const Direction& half) {
  std::vector<Direction> points;
  for (int i = 0; i < 8; ++i)
    points.push_back({(i & 1 ? 1 : -1) * half[0], (i & 2 ? 1 : -1) * half[1], (i & 4 ? 1 : -1) * half[2]});
  Solid solid = mesh_of(points);
  solid.yaml = "kind: box, size: " + list_of({2 * half[0], 2 * half[1], 2 * half[2]});
  return solid;
}

Solid round_of(Body body, const Direction& half) {
  Solid solid;
  solid.shape.half = half;
  solid.reach = std::hypot(half[0], half[1], half[2]);
  const double r = half[0], length = 2 * half[2];
  if (body == Body::coin || body == Body::rod) {
    solid.shape.kind = Convex::Kind::cylinder;
    solid.yaml = fmt::format("kind: cylinder, radius: {:.17g}, length: {:.17g}", r, length);
  } else if (body == Body::egg) {
    solid.shape.kind = Convex::Kind::ellipsoid;
    solid.yaml = "kind: ellipsoid, size: " + list_of({2 * half[0], 2 * half[1], 2 * half[2]});
  } else {
    solid.shape.corners = {{0, 0, -half[2]}, {0, 0, half[2]}};
    solid.shape.round = r;
    solid.reach = half[2] + r;
    solid.yaml = body == Body::ball ? fmt::format("kind: sphere, radius: {:.17g}", r)
                                    : fmt::format("kind: capsule, radius: {:.17g}, length: {:.17g}", r, length);
  }
  return solid;
}

Turn random_turn(Random& random) {
  Turn turn = {random.normal(), random.normal(), random.normal(), random.normal()};
  const double length = std::sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
  for (double& each : turn) each /= length;
  return turn;
}

// No wider than half a metre.
Solid random_solid(Random& random, Body body) {
  const double aspect = std::pow(10, -random.uniform(0, 4)), size = random.uniform(0.05, 0.2), thin = aspect * size;
  const auto corners = [&](double least) {
    return static_cast<int>(std::lround(std::pow(10, random.uniform(least, 2.7))));
  };
  std::vector<Direction> points;
  const auto ring = [&](int count, double radius, double z, double shift) {
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * M_PI * (i + shift) / count;
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  };
  const auto cloud = [&](int count, double x, double y, double z) {
    for (int i = 0; i < count; ++i)
      points.push_back({x * random.uniform(-1, 1), y * random.uniform(-1, 1), z * random.uniform(-1, 1)});
  };
  switch (body) {
    case Body::cloud:
      cloud(corners(0.6), 0.7 * size, 0.7 * size, 0.7 * size);
      break;
    case Body::needle:
      cloud(corners(0.6), size, thin, thin);
      break;
    case Body::plate:
      if (random.chance(0.2)) {
        cloud(corners(0.6), size, size, thin);
      } else {
        const int n = std::max(3, corners(0.5) / 2);
        ring(n, size, -thin, 0), ring(n, size, thin, random.chance(0.5) ? 0.5 : 0);
      }
      break;
    case Body::puck: {
      const int n = std::max(3, corners(0.5) / 2);
      ring(n, size, -0.3 * size, 0), ring(n, size * random.uniform(0.5, 1), 0.3 * size, random.chance(0.5) ? 0.5 : 0);
      break;
    }
    case Body::stone:
      for (int left = corners(0.6); left > 0; --left) {
        const double x = random.normal(), y = random.normal(), z = random.normal(), r = std::hypot(x, y, z);
        points.push_back({size * x / r, 0.8 * size * y / r, 0.6 * size * z / r});
      }
      break;
    case Body::brick:  // corners cut off: many lie in one plane
      for (int i = 0; i < 8; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
          Direction p = {(i & 1 ? 1 : -1) * size, (i & 2 ? 0.8 : -0.8) * size, (i & 4 ? 0.6 : -0.6) * size};
          p[axis] *= 0.8;
          points.push_back(p);
        }
      break;
    case Body::wedge:  // sharp along one edge
      points = {{-size, 0, size}, {size, 0, size},   {-size, thin, 0},
                {size, thin, 0},  {-size, -thin, 0}, {size, -thin, 0}};
      break;
    case Body::box:
      return box_of({size, size * std::pow(aspect, random.uniform()), thin});
    case Body::coin:
      return round_of(body, {size, size, thin});
    case Body::rod:
      return round_of(body, {thin, thin, size});
    case Body::egg:
      return round_of(body, {size, size * std::pow(aspect, random.uniform()), std::max(thin, 1e-2 * size)});
    case Body::capsule:
      return round_of(body, {thin, thin, size});
    case Body::ball:
      return round_of(body, {0.5 * size, 0.5 * size, 0});
  }
  return mesh_of(std::move(points));
}

// As of a box about it, with no axis ten times as hard to turn about as another, as if it were stiffened within.
std::string inertia_of(const Solid& solid) {
  Direction half = solid.shape.half;
  for (const Direction& p : solid.shape.corners)
    for (std::size_t i = 0; i < 3; ++i) half[i] = std::max(half[i], std::abs(p[i]) + solid.shape.round);
  Direction square = {};
  for (std::size_t i = 0; i < 3; ++i)
    square[i] = std::max(half[i], 0.3 * solid.reach) * std::max(half[i], 0.3 * solid.reach) / 3;
  return list_of({square[1] + square[2], square[0] + square[2], square[0] + square[1]});
}

enum class Ground { floor, slope, table, border, strip, ridge, stone, log, other };  // other: one that moves as well
constexpr int ground_count = 9;

struct Drop {
  std::string text;
  std::vector<Solid> solids;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  double until = 0;
};

Drop random_drop(Random& random, Body body, Ground ground) {
  Drop drop;
  drop.solids.push_back(random_solid(random, body));
  drop.solids[0].first = 0;
  double height = 0;
  std::string shapes;
  const auto add_ground = [&](Solid solid, const Direction& place, const Turn& turn) {
    solid.shape.place = place, solid.shape.turn = turn;
    shapes += fmt::format(
        "g{}: {{{}, at: {{position: {}, rotation: {{quaternion: [{:.17g}, {:.17g}, {:.17g}, {:.17g}]}}}}, surface: "
        "s}}, ",
        drop.solids.size(), solid.yaml, list_of(place), turn[0], turn[1], turn[2], turn[3]);
    drop.solids.push_back(std::move(solid));
  };
  const auto about = [](double angle, std::size_t axis) {
    Turn turn = {std::cos(angle / 2), 0, 0, 0};
    turn[axis + 1] = std::sin(angle / 2);
    return turn;
  };
  Solid plane;
  plane.shape.kind = Convex::Kind::half_space;
  plane.yaml = "kind: half_space";
  switch (ground) {
    case Ground::floor:
    case Ground::other:
      add_ground(plane, {}, {1, 0, 0, 0});
      break;
    case Ground::slope:
      add_ground(plane, {}, about(random.uniform(-0.6, 0.6), 1));
      break;
    case Ground::table:
      add_ground(box_of({0.25, 0.25, 0.1}), {0.02, 0.01, -0.1}, {1, 0, 0, 0});
      break;
    case Ground::border:
      add_ground(box_of({0.25, 0.25, 0.1}), {0.25, 0.01, -0.1}, about(random.uniform(-0.3, 0.3), 2));
      break;
    case Ground::strip: {  // the top of a solid without a bottom
      Solid strip = box_of({0.1, 0.2, 5});
      for (Direction& corner : strip.shape.corners) corner[2] -= 5;
      strip.yaml = "kind: strip, width: 0.2, depth: 0.4";
      add_ground(std::move(strip), {random.uniform(-0.1, 0.1), 0.1, 0}, about(random.uniform(-0.3, 0.3), 2));
      break;
    }
    case Ground::ridge:  // its edge is up
      add_ground(box_of({0.1, 0.3, 0.1}), {0, 0, -0.1 * std::sqrt(2)}, about(M_PI / 4, 1));
      break;
    case Ground::stone:
      add_ground(random_solid(random, Body::stone), {0, 0, -0.1}, {1, 0, 0, 0});
      break;
    case Ground::log:
      if (random.chance(0.5))
        add_ground(round_of(Body::rod, {0.1, 0.1, 0.2}), {0, 0, -0.1}, about(M_PI / 2, random.chance(0.5) ? 0 : 1));
      else
        add_ground(round_of(Body::egg, {0.1, 0.2, 0.15}), {0, 0, -0.15}, {1, 0, 0, 0});
      break;
  }
  height = 1.3 * drop.solids[0].reach + 0.01 + 0.1 * random.uniform() + (ground == Ground::stone ? 0.1 : 0);
  drop.pairs = {{0, 1}};
  if (ground == Ground::other) {
    drop.solids.push_back(random_solid(random, static_cast<Body>(random.below(body_count))));
    drop.solids[2].first = 7;
    drop.pairs = {{0, 1}, {2, 1}, {0, 2}};
  }
  std::string bodies, position, velocity;
  for (std::size_t i = 0; i < drop.solids.size(); ++i) {
    const Solid& it = drop.solids[i];
    if (it.first < 0) continue;
    bodies +=
        fmt::format("  b{}: {{mass: 1, inertia: {}, joint: {{kind: free}}, shapes: {{o{}: {{{}, surface: s}}}}}}\n", i,
                    inertia_of(it), i, it.yaml);
    const Turn turn = random.chance(0.3) ? Turn{1, 0, 0, 0} : random_turn(random);
    const double below = i == 0 ? 0 : height + drop.solids[0].reach;
    position += fmt::format("b{}: [0.01, 0, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}], ", i,
                            below + (i == 0 ? height : it.reach + 0.05), turn[0], turn[1], turn[2], turn[3]);
    const double fast = random.chance(0.2) ? 20 : 3;  // [rad/s]
    velocity +=
        fmt::format("b{}: [{:.17g}, 0, {:.17g}, {:.17g}, {:.17g}, {:.17g}], ", i, random.uniform(-0.3, 0.3),
                    random.uniform(-2, 0), fast * random.normal(), fast * random.normal(), fast * random.normal());
  }
  drop.text = fmt::format(
      "surfaces: {{s: {{friction: {:.17g}, restitution: {:.17g}}}}}\nbodies:\n{}world: {{shapes: {{{}}}}}\n"
      "state: {{position: {{{}}}, velocity: {{{}}}}}\n",
      random.chance(0.2) ? 0 : random.uniform(0.05, 0.8), random.chance(0.2) ? 0 : random.uniform(0, 0.7), bodies,
      shapes, position, velocity);
  drop.until = 0.4;
  return drop;
}

struct Outcome {
  SimulationStatus status = SimulationStatus::ready;
  double depth = 0;
  long looked = 0;
};

Outcome watched_run(Drop& drop) {
  SimulationOptions options;
  options.engine = EngineKind::events;
  options.max_steps = 1000;
  Trial run(drop.text, options);
  Outcome outcome;
  std::vector<Direction> last(drop.pairs.size(), Direction{0, 0, 1});
  const auto judge = [&](const Eigen::VectorXd& q, double time) {
    for (Solid& solid : drop.solids) solid.stand(q);
    for (std::size_t i = 0; i < drop.pairs.size(); ++i) {
      const auto [a, b] = drop.pairs[i];
      const double depth = proven_depth(drop.solids[a].shape, drop.solids[b].shape, deepest, last[i]);
      if (depth > deepest && outcome.depth <= deepest) ADD_FAILURE() << depth << " m inside at " << time << " s";
      outcome.depth = std::max(outcome.depth, depth);
      ++outcome.looked;
    }
  };
  double last_event = -1;
  run.simulator.on_event([&](const Event& event) {
    if (event.time != last_event) judge(event.position, event.time);
    last_event = event.time;
  });
  run.simulator.on_sample(4e-3, 0, [&](const Sample& sample) { judge(sample.state.q, sample.state.time); });
  outcome.status = run.to(drop.until);
  if (outcome.status == SimulationStatus::overlapping) ADD_FAILURE() << run.simulator.message();
  return outcome;
}

TEST(RandomDrops, NothingEnters) {
  const int count = testing_support::scaled(52, 13);
  long looked = 0;
  int unfinished = 0;
  for (int i = 0; i < count; ++i) {
    const auto seed = static_cast<std::uint64_t>(24'000'000 + i);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random(seed);
    Drop drop = random_drop(random, static_cast<Body>(i % body_count), static_cast<Ground>(i % ground_count));
    const Outcome outcome = watched_run(drop);
    looked += outcome.looked;
    if (outcome.status != SimulationStatus::ready) ++unfinished;
  }
  RecordProperty("unfinished", unfinished);
  EXPECT_LE(unfinished, 1 + count / 10);  // by the limit of steps
  EXPECT_GT(looked, 50 * count);
}

// The judge: two alike, one on the other along an axis of theirs, overlap by what is known.
TEST(OverlapProof, TellsMoreFromLess) {
  constexpr double enough = 1e-6;
  Random random(5150);
  for (int i = 0; i < 140; ++i) {
    const Body kinds[] = {Body::ball, Body::coin, Body::rod, Body::egg, Body::capsule, Body::box, Body::puck};
    const Body kind = kinds[i % 7];
    const Solid solid = random_solid(random, kind);
    Convex a = solid.shape, b = solid.shape;
    a.turn = b.turn = random_turn(random);
    const Direction up = turned(a.turn, {0, 0, 1}), down = {-up[0], -up[1], -up[2]};
    const Direction top = b.lowest(down), bottom = a.lowest(up);
    double height = 0;
    for (std::size_t k = 0; k < 3; ++k) height += (top[k] - bottom[k]) * up[k];
    const bool deep = i % 2 == 1;
    const double overlap = deep ? 1.1 * enough : 0.9 * enough;
    for (std::size_t k = 0; k < 3; ++k) a.place[k] = (height - overlap) * up[k];
    Direction n = turned(random_turn(random), {0, 0, 1});
    const double proven = proven_depth(a, b, enough, n);
    SCOPED_TRACE(fmt::format("problem {}, kind {}", i, i % 7));
    if (!deep) {
      EXPECT_LE(proven, enough);
    } else if (height > 10 * overlap && kind != Body::rod && kind != Body::capsule && kind != Body::egg) {
      EXPECT_GT(proven, enough);  // no other way out is shorter
    }
  }
}

}  // namespace

}  // namespace random_drops
