// Contact geometry: hulls against each other, cold and warm, beside FCL's and Bullet's distances; a box on a plane; the
// broad phase of many spheres and of a robot's links.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench.h"
#include "geometry_peers.h"
#include "routh/contact/contact_search.h"
#include "routh/mesh/hull.h"
#include "routh/model/builder.h"
#include "support/random_problems.h"
#include "timing.h"

namespace {

using routh::Manifold;
using routh::PosedShape;
using routh::Vector3;
using testing_support::Random;

constexpr int pair_count = 32;
constexpr int steps = 40;  // of a slow motion
constexpr int rounds = 10;

struct Pair {
  PosedShape a, b;
  Vector3 turn, way;  // of b, per step
  routh::PairMemory memory;
};

using Hulls = std::vector<std::shared_ptr<const routh::Polyhedron>>;

Vector3 direction(Random& random) {
  const Vector3 v = {random.normal(), random.normal(), random.normal()};
  return (1 / norm(v)) * v;
}

PosedShape mesh_of(const std::shared_ptr<const routh::Polyhedron>& hull) {
  PosedShape shape;
  shape.kind = routh::ShapeKind::mesh;
  shape.hull = hull.get();
  return shape;
}

// Of points about an ellipsoid: as many triangles as asked for.
std::shared_ptr<const routh::Polyhedron> random_hull(Random& random, int faces) {
  const Vector3 size = {random.uniform(0.6, 1), random.uniform(0.6, 1), random.uniform(0.6, 1)};
  std::vector<Vector3> points;
  for (int i = 0; i < faces / 2 + 2; ++i) {
    const Vector3 d = direction(random);
    points.push_back({size.x * d.x, size.y * d.y, size.z * d.z});
  }
  return routh::convex_hull(points).polyhedron;
}

std::shared_ptr<const routh::Polyhedron> prism(int sides) {
  std::vector<Vector3> points;
  for (int i = 0; i < sides; ++i)
    for (const double z : {-0.2, 0.2})
      points.push_back({std::cos(2 * M_PI * i / sides), std::sin(2 * M_PI * i / sides), z});
  return routh::convex_hull(points).polyhedron;
}

routh::Matrix3 turned(const Vector3& by) { return rotation_matrix(routh::quaternion_from_rotation_vector(by)); }

void move_to_gap(Pair& pair, double gap) {
  for (int k = 0; k < 5; ++k) {
    Manifold manifold(routh::unlimited);
    find_pair_contacts(pair.a, pair.b, manifold);
    const routh::PairContact* nearest = nullptr;
    for (const routh::PairContact& each : manifold.contacts())
      if (!nearest || each.gap < nearest->gap) nearest = &each;
    pair.b.pose.position += (nearest->gap - gap) * nearest->normal;
  }
}

std::vector<Pair> random_pairs(Random& random, int faces, double gap, Hulls& kept) {
  std::vector<Pair> pairs;
  for (int i = 0; i < pair_count; ++i) {
    kept.push_back(random_hull(random, faces)), kept.push_back(random_hull(random, faces));
    Pair pair{
        mesh_of(kept[kept.size() - 2]), mesh_of(kept.back()), 1e-3 * direction(random), 2e-5 * direction(random), {}};
    pair.a.pose.rotation = turned(3.0 * direction(random)), pair.b.pose.rotation = turned(3.0 * direction(random));
    pair.b.pose.position = 3.0 * direction(random);
    move_to_gap(pair, gap);
    pairs.push_back(pair);
  }
  return pairs;
}

// Prisms on each other, face on face.
std::vector<Pair> stacked_pairs(Random& random, int sides, double gap, Hulls& kept) {
  kept.push_back(prism(sides));
  std::vector<Pair> pairs;
  for (int i = 0; i < pair_count; ++i) {
    Pair pair{mesh_of(kept.back()), mesh_of(kept.back()), {0, 0, 1e-3}, {1e-5, 0, 0}, {}};
    pair.b.pose = {turned({0, 0, random.uniform(-3, 3)}),
                   {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), -0.4 - gap}};
    pairs.push_back(pair);
  }
  return pairs;
}

struct PairTimes {
  double cold = 1e30, warm = 1e30;  // [ns]
  std::vector<double> peers;        // [ns], then the worst difference of their distances from ours
  std::vector<double> difference;
  double contacts = 0;
};

double least_gap(const Manifold& manifold) {
  double least = routh::unlimited;
  for (const routh::PairContact& each : manifold.contacts()) least = std::min(least, each.gap);
  return least;
}

// All contacts, whatever their gaps, of pairs that move to and fro; the least time of a step over all pairs.
PairTimes time_pairs(std::vector<Pair> pairs, const std::vector<std::unique_ptr<bench::DistancePeer>>& peers) {
  PairTimes times;
  times.peers.assign(peers.size(), 1e30), times.difference.assign(peers.size(), 0);
  const double each = 1e9 / static_cast<double>(pairs.size());
  const auto timed = [&](const auto& f) {
    const double begin = bench::cpu_seconds();
    for (std::size_t i = 0; i < pairs.size(); ++i) f(pairs[i], i);
    return (bench::cpu_seconds() - begin) * each;
  };
  for (int step = 0; step < rounds * steps; ++step) {
    const double sense = step / steps % 2 == 0 ? 1 : -1;
    for (Pair& pair : pairs) {
      pair.b.pose.rotation = turned(sense * pair.turn) * pair.b.pose.rotation;
      pair.b.pose.position += sense * pair.way;
    }
    times.cold = std::min(times.cold, timed([&](Pair& pair, std::size_t) {
                            Manifold manifold(routh::unlimited);
                            find_pair_contacts(pair.a, pair.b, manifold);
                            bench::keep(manifold);
                          }));
    const double warm = timed([&](Pair& pair, std::size_t) {
      Manifold manifold(routh::unlimited);
      manifold.set_memory(&pair.memory);
      find_pair_contacts(pair.a, pair.b, manifold);
      bench::keep(manifold);
    });
    if (step > 0) times.warm = std::min(times.warm, warm);
    for (std::size_t k = 0; k < peers.size() && step % 4 == 0; ++k)
      times.peers[k] = std::min(times.peers[k], timed([&](Pair& pair, std::size_t i) {
                                  bench::keep(peers[k]->distance(i, pair.a.pose, pair.b.pose));
                                }));
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Manifold manifold(routh::unlimited);
    find_pair_contacts(pairs[i].a, pairs[i].b, manifold);
    times.contacts += static_cast<double>(manifold.contacts().size()) / static_cast<double>(pairs.size());
    for (std::size_t k = 0; k < peers.size(); ++k)
      times.difference[k] = std::max(
          times.difference[k], std::abs(peers[k]->distance(i, pairs[i].a.pose, pairs[i].b.pose) - least_gap(manifold)));
  }
  return times;
}

void run_pairs(const char* what, std::vector<Pair> pairs) {
  std::vector<std::unique_ptr<bench::DistancePeer>> peers;
  // FCL's distance of hulls that overlap is −1, by a search of its own.
  peers.push_back(bench::fcl_distances());
  peers.push_back(bench::bullet_distances());
  std::erase(peers, nullptr);
  for (const auto& peer : peers)
    for (const Pair& pair : pairs) peer->add(*pair.a.hull, *pair.b.hull);
  const PairTimes times = time_pairs(std::move(pairs), peers);
  std::printf("  %-28s cold %7.2f µs   warm %6.2f µs   %4.1f contacts", what, times.cold / 1e3, times.warm / 1e3,
              times.contacts);
  for (std::size_t k = 0; k < peers.size(); ++k)
    std::printf("   %s %7.2f µs, ratio %.2f / %.2f (differs by %.0e)", peers[k]->name(), times.peers[k] / 1e3,
                times.cold / times.peers[k], times.warm / times.peers[k], times.difference[k]);
  std::printf("\n");
}

void run_box_on_plane() {
  PosedShape box, plane;
  box.kind = routh::ShapeKind::box;
  box.half_extents = {0.5, 0.4, 0.3};
  box.pose.position = {0, 0, 0.301};
  plane.kind = routh::ShapeKind::half_space;
  double best = 1e30;
  for (int round = 0; round < 50; ++round) {
    constexpr int inner = 2000;
    const double begin = bench::cpu_seconds();
    for (int i = 0; i < inner; ++i) {
      Manifold manifold(0.01);
      find_pair_contacts(box, plane, manifold);
      bench::keep(manifold);
    }
    best = std::min(best, (bench::cpu_seconds() - begin) * 1e9 / inner);
  }
  std::printf("  %-28s %.0f ns (aim 100)\n", "box on a plane, 4 contacts", best);
}

void run_spheres(std::size_t count) {
  constexpr double radius = 0.05, margin = 1e-3, h = 1e-3;
  constexpr int calls = 200;
  routh::ModelBuilder machine(routh::Dimension::spatial);
  for (std::size_t i = 0; i < count; ++i) {
    machine.body(fmt::format("ball{}", i)).mass(1).inertia(1, 1, 1).free();
    machine.shape(fmt::format("ball{}", i)).on(fmt::format("ball{}", i)).sphere(radius);
  }
  const routh::Model model = machine.build();
  routh::State state = rest_state(model);
  Random random(61);
  // A third of the room is filled.
  const double side = std::cbrt(static_cast<double>(count) * 1.6e-3);
  for (int i = 0; i < static_cast<int>(count); ++i)
    for (int k = 0; k < 3; ++k) state.q[7 * i + k] = random.uniform(0, side), state.v[6 * i + k] = random.normal();
  routh::Workspace workspace(model);
  routh::ContactSearch search(model);
  std::vector<std::unique_ptr<bench::BroadPeer>> peers;
  peers.push_back(bench::fcl_broad_phase(radius, margin, count));
  peers.push_back(bench::bullet_broad_phase(radius, margin, count));
  std::erase(peers, nullptr);
  std::vector<routh::Contact> contacts;
  std::vector<double> ours;
  std::vector<double> theirs(peers.size(), 0);
  std::size_t found = 0;
  for (int call = 0; call < calls; ++call) {
    integrate(model, state.q, state.v, h, state.q);
    compute_kinematics(model, state.q, workspace);
    const double begin = bench::cpu_seconds();
    search.find(model, workspace, state.q, margin, contacts);
    ours.push_back(bench::cpu_seconds() - begin);
    found += contacts.size();
    std::vector<Vector3> centres;
    for (int i = 0; i < static_cast<int>(count); ++i)
      centres.push_back({state.q[7 * i], state.q[7 * i + 1], state.q[7 * i + 2]});
    for (std::size_t k = 0; k < peers.size(); ++k) {
      const double start = bench::cpu_seconds();
      bench::keep(peers[k]->pairs(centres));
      // The first call builds what the others use.
      if (call > 0) theirs[k] += (bench::cpu_seconds() - start) / (calls - 1);
    }
  }
  double mean = 0;
  for (int call = 1; call < calls; ++call) mean += ours[static_cast<std::size_t>(call)] / (calls - 1);
  const routh::ContactSearch::Counts& counts = search.counts();
  std::printf(
      "  %5zu spheres, %8zu pairs      mean %.3f ms with contacts, worst %.3f ms (first %.1f)   %.0f asked, %.0f "
      "contacts "
      "a call, %ld trees in %d",
      count, model.pairs.size(), 1e3 * mean, 1e3 * *std::max_element(ours.begin() + 1, ours.end()), 1e3 * ours[0],
      static_cast<double>(counts.asked) / calls, static_cast<double>(found) / calls, counts.trees, calls);
  for (std::size_t k = 0; k < peers.size(); ++k)
    std::printf("   %s %.3f ms, ratio %.2f", peers[k]->name(), 1e3 * theirs[k], mean / theirs[k]);
  std::printf("\n");
}

// Links of hulls on a trunk and four limbs, all pairs that may touch.
routh::Model robot(Random& random, int limbs, int links, int faces) {
  routh::ModelBuilder machine(routh::Dimension::spatial);
  machine.body("trunk").mass(10).inertia(1, 1, 1).free();
  machine.shape("trunk").on("trunk").box(0.15, 0.3, 0.5);
  for (int limb = 0; limb < limbs; ++limb)
    for (int i = 0; i < links; ++i) {
      const std::string name = fmt::format("limb{}_{}", limb, i);
      const std::string parent = i == 0 ? "trunk" : fmt::format("limb{}_{}", limb, i - 1);
      auto body = machine.body(name);
      body.mass(1).inertia(0.01, 0.01, 0.01);
      if (i == 0)
        body.revolute(parent).at(0, limb % 2 == 0 ? 0.25 : -0.25, limb < 2 ? -0.3 : 0.25).axis(0, 1, 0);
      else
        body.revolute(parent).at(0, 0, -0.07).axis(i % 2 == 0 ? 0 : 1, i % 2 == 0 ? 1 : 0, 0);
      std::vector<Vector3> points;
      for (int k = 0; k < faces / 2 + 2; ++k) {
        const Vector3 d = direction(random);
        points.push_back({0.03 * d.x, 0.03 * d.y, 0.05 * d.z - 0.035});
      }
      machine.shape(name).on(name).mesh(points);
    }
  return machine.build();
}

// A motion of a machine by steps of 1 ms: the search, and all pairs one by one.
void run_robot(const char* what, const routh::Model& model, double bend) {
  constexpr int calls = 400;
  constexpr double margin = 5e-3;
  Random random(62);
  routh::State state = rest_state(model);
  Eigen::VectorXd rate(model.velocities);
  for (int i = 0; i < model.velocities; ++i) {
    rate[i] = random.normal();
    if (i >= 6) state.q[i + 1] = bend;
  }
  routh::Workspace workspace(model);
  routh::ContactSearch search(model);
  std::vector<routh::Contact> contacts;
  double ours = 0, plain = 0;
  std::size_t found = 0;
  for (int call = 0; call < calls; ++call) {
    integrate(model, state.q, rate, call < calls / 2 ? 1e-3 : -1e-3, state.q);
    compute_kinematics(model, state.q, workspace);
    const double begin = bench::cpu_seconds();
    search.find(model, workspace, state.q, margin, contacts);
    const double middle = bench::cpu_seconds();
    if (call > 0) ours += (middle - begin) / (calls - 1);
    found += contacts.size();
    const std::size_t size = contacts.size();
    find_contacts(model, workspace, state.q, margin, contacts);
    plain += (bench::cpu_seconds() - middle) / calls;
    if (contacts.size() != size) std::exit((std::fprintf(stderr, "error: the searches do not agree\n"), 1));
  }
  const routh::ContactSearch::Counts& counts = search.counts();
  const auto a_call = [](long count) { return static_cast<double>(count) / calls; };
  std::printf(
      "  %-28s %5zu pairs   search %7.1f µs   all pairs %7.1f µs   %.0f asked, %.1f measured, %.1f examined, %.1f "
      "contacts a call\n",
      what, model.pairs.size(), 1e6 * ours, 1e6 * plain, a_call(counts.asked), a_call(counts.measured),
      a_call(counts.examined), static_cast<double>(found) / calls);
}

}  // namespace

void bench::run_geometry() {
  std::printf(
      "geometry: all contacts of a pair, least over %d steps of %d pairs; ratios are cold / warm of the peer's "
      "distance\n",
      rounds * steps, pair_count);
  Random random(60);
  Hulls kept;
  for (const int faces : {20, 100, 500})
    for (const double gap : {0.1, 1e-3, -1e-4, -0.05}) {
      const std::string what = fmt::format("{} faces, gap {}", faces, gap);
      run_pairs(what.c_str(), random_pairs(random, faces, gap, kept));
    }
  for (const int sides : {4, 12, 48}) {
    const std::string what = fmt::format("prisms of {} sides, gap 1e-3", sides);
    run_pairs(what.c_str(), stacked_pairs(random, sides, 1e-3, kept));
  }
  run_box_on_plane();
  for (const std::size_t count : {100, 300, 1000}) run_spheres(count);
  run_robot("60 links of 36 faces, loose", robot(random, 4, 15, 36), 0.05);
  run_robot("60 links of 36 faces, folded", robot(random, 4, 15, 36), 0.6);
  run_robot("12 links of 250 faces, folded", robot(random, 2, 6, 250), 0.9);
  std::printf("\n");
}
