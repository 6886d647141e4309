// The search for the contacts of two hulls: against every feature of both in extended precision, begun anywhere, and of
// mirrored and renumbered hulls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "contact/shape_oracle.h"
#include "routh/contact/posed_hull.h"
#include "routh/mesh/hull.h"

namespace {

using namespace routh;
using namespace testing_support;

Long dot_long(const LongVector& a, const LongVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LongVector minus(const LongVector& a, const LongVector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
LongVector cross_long(const LongVector& a, const LongVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The corners, edges and normals of a mesh where it stands.
struct Corners {
  std::vector<LongVector> points, normals;
  std::vector<std::pair<std::size_t, std::size_t>> edges;

  explicit Corners(const PosedShape& shape) {
    const auto row = [](const Vector3& r, const LongVector& v) { return dot_long(widened(r), v); };
    const Matrix3& R = shape.pose.rotation;
    const auto in_world = [&](const Vector3& of) {
      const LongVector v = widened(of);
      return LongVector{row(R.r0, v), row(R.r1, v), row(R.r2, v)};
    };
    for (const Vector3& v : shape.hull->vertices) {
      const LongVector p = in_world(v), o = widened(shape.pose.position);
      points.push_back({p.x + o.x, p.y + o.y, p.z + o.z});
    }
    for (const PolyhedronFace& face : shape.hull->faces) normals.push_back(in_world(face.normal));
    for (const PolyhedronEdge& edge : shape.hull->edges)
      edges.emplace_back(static_cast<std::size_t>(edge.from), static_cast<std::size_t>(edge.to));
  }
};

Long least_along(const std::vector<LongVector>& points, const LongVector& n) {
  Long least = dot_long(points[0], n);
  for (const LongVector& p : points) least = std::min(least, dot_long(p, n));
  return least;
}

// The greatest separation over every normal of a face and every common perpendicular of two edges.
Long over_all_axes(const Corners& a, const Corners& b) {
  Long most = -1e30L;
  const auto consider = [&](const LongVector& raw) {
    const Long length = std::sqrt(dot_long(raw, raw));
    if (length < 1e-7L) return;
    for (const Long sign : {1.0L, -1.0L}) {
      const LongVector n = {sign * raw.x / length, sign * raw.y / length, sign * raw.z / length};
      most = std::max(most, least_along(a.points, n) + least_along(b.points, {-n.x, -n.y, -n.z}));
    }
  };
  for (const LongVector& n : a.normals) consider(n);
  for (const LongVector& n : b.normals) consider(n);
  for (const auto& [i, j] : a.edges)
    for (const auto& [k, l] : b.edges)
      consider(cross_long(minus(a.points[j], a.points[i]), minus(b.points[l], b.points[k])));
  return most;
}

PosedShape mesh_of(const Polyhedron* hull, const Pose& pose) {
  PosedShape shape;
  shape.kind = ShapeKind::mesh;
  shape.hull = hull;
  shape.pose = pose;
  return shape;
}

// Nearer than a search over directions brings them.
void settle_at_gap(const PosedShape& a, PosedShape& b, double gap) {
  for (int round = 0; round < 4; ++round) {
    const PairContact contact = nearest(contacts_of(a, b));
    b.pose.position += (contact.gap - gap) * contact.normal;
  }
}

// Needles and discs, up to 10⁴ times as long as thick, some with faces of many corners.
const Polyhedron* thin_hull(Random& random, int kind) {
  static std::vector<std::shared_ptr<const Polyhedron>> kept;
  for (;;) {
    Vector3 size = {1, 1, 1};
    (kind % 2 == 0 ? size.x : size.y) = std::pow(10, random.uniform(-4, 0));
    size.z = std::pow(10, random.uniform(-4, 0));
    std::vector<Vector3> points;
    const int count = 4 + static_cast<int>(random.uniform(0, 40));
    for (int i = 0; i < count; ++i) {
      Vector3 v = {random.normal(), random.normal(), random.normal()};
      if (kind % 3 == 0) v = {std::round(v.x), std::round(v.y), std::round(v.z)};
      points.push_back({size.x * v.x, size.y * v.y, size.z * v.z});
    }
    const auto hull = convex_hull(points).polyhedron;
    if (!hull) continue;
    kept.push_back(hull);
    return hull.get();
  }
}

TEST(HullSearch, LeastDepthIsThatOfAllAxes) {
  constexpr std::uint64_t seed = 9201;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int overlapping = 0;
  for (int i = 0; i < scaled(80, 8); ++i) {
    SCOPED_TRACE(i);
    const bool thin = i % 4 < 2;
    const auto hull = [&] { return thin ? thin_hull(random, i) : random_hull(random); };
    const PosedShape a = mesh_of(hull(), random_pose(random, Dimension::spatial, thin ? 0.1 : 0.3));
    PosedShape b = mesh_of(hull(), random_pose(random, Dimension::spatial, thin ? 0.1 : 0.3));
    // Deep, and as deep as contacts are.
    if (i % 2 == 0) settle_at_gap(a, b, -1e-4);
    const PosedHull of_a = posed_hull(a), of_b = posed_hull(b);
    const NearestHulls nearest = nearest_hulls(of_a, of_b, unlimited);
    if (nearest.apart) continue;
    ++overlapping;
    const HullAxis cold = greatest_separation(of_a, of_b, {nearest.inside, std::nullopt});
    EXPECT_NEAR(cold.separation, static_cast<double>(over_all_axes(Corners(a), Corners(b))), 1e-13);
    // A good guess, and a bad one, change nothing.
    for (const Vector3& guess : {cold.normal, -cold.normal, Vector3{0, 0, 1}}) {
      const HullAxis warm = greatest_separation(of_a, of_b, {nearest.inside, guess});
      EXPECT_EQ(warm.separation, cold.separation);
      EXPECT_EQ(warm.feature_a, cold.feature_a);
      EXPECT_EQ(warm.feature_b, cold.feature_b);
    }
  }
  EXPECT_GT(overlapping, scaled(80, 8) / 2);
}

bool same_bits(const Vector3& a, const Vector3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool same_bits(std::span<const PairContact> a, std::span<const PairContact> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PairContact& x, const PairContact& y) {
    return x.gap == y.gap && x.feature_a == y.feature_a && x.feature_b == y.feature_b &&
           same_bits(x.normal, y.normal) && same_bits(x.point_a, y.point_a) && same_bits(x.point_b, y.point_b);
  });
}

double least_gap(const Manifold& manifold) {
  double least = unlimited;
  for (const PairContact& contact : manifold.contacts()) least = std::min(least, contact.gap);
  return least;
}

// What a search finds does not depend on where it began: neither a moment ago nor anywhere else.
TEST(HullSearch, BegunAnywhereItEndsTheSame) {
  constexpr std::uint64_t seed = 9202;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int looks = 0, unlike = 0;
  for (int i = 0; i < scaled(150, 15); ++i) {
    const ShapeKind kinds[] = {ShapeKind::mesh, ShapeKind::mesh, ShapeKind::box, ShapeKind::capsule, ShapeKind::sphere};
    const PosedShape a = mesh_of(random_hull(random), random_pose(random, Dimension::spatial, 0.3));
    PosedShape b = random_shape(random, kinds[i % 5], Dimension::spatial);
    // Apart, near, in a face and deep; now and then with parallel axes.
    if (i % 4 == 0) b.pose.rotation = a.pose.rotation;
    const double gaps[] = {0.3, 1e-3, -1e-4, -0.05};
    settle_at_gap(a, b, gaps[(i / 5) % 4]);
    const double margin = i % 3 == 0 ? 1e-2 : unlimited;
    const Vector3 turn = {random.normal(), random.normal(), random.normal()};
    const Vector3 way = {random.normal(), random.normal(), random.normal()};
    PairMemory memory, stale;
    for (int step = 0; step < 40; ++step, ++looks) {
      SCOPED_TRACE(fmt::format("pair {}, step {}", i, step));
      const double h = step % 10 == 9 ? 0.1 : 1e-3;
      b.pose.rotation = rotation_matrix(quaternion_from_rotation_vector(h * turn)) * b.pose.rotation;
      b.pose.position += (0.1 * h) * way;
      Manifold cold(margin), warm(margin), odd(margin);
      find_pair_contacts(a, b, cold);
      warm.set_memory(&memory);
      find_pair_contacts(a, b, warm);
      if (step == 5) stale = memory;
      odd.set_memory(&stale);
      find_pair_contacts(a, b, odd);
      if (step % 2 == 0) stale = {};
      for (const Manifold* other : {&warm, &odd}) {
        if (same_bits(cold.contacts(), other->contacts())) continue;
        // Rounding has chosen other features that are as near.
        ++unlike;
        ASSERT_EQ(cold.contacts().empty(), other->contacts().empty());
        if (!cold.contacts().empty()) {
          ASSERT_NEAR(least_gap(cold), least_gap(*other), 1e-13);
        }
      }
    }
  }
  EXPECT_LE(unlike, looks / 1000);
}

// Mirrored in the plane x = 0, and with their points in another order.
TEST(HullSearch, MirroredAndRenumberedIsTheSame) {
  constexpr std::uint64_t seed = 9203;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const auto mirrored = [](const Vector3& v) { return Vector3{-v.x, v.y, v.z}; };
  std::vector<std::shared_ptr<const Polyhedron>> kept;
  const auto image = [&](const PosedShape& of) {
    std::vector<Vector3> points;
    for (const Vector3& v : of.hull->vertices) points.push_back(mirrored(v));
    for (std::size_t i = points.size(); i > 1; --i)
      std::swap(points[i - 1], points[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i) - 0.001))]);
    kept.push_back(convex_hull(points).polyhedron);
    const Matrix3& R = of.pose.rotation;
    // M R M: the signs of what couples x with y and z.
    return mesh_of(kept.back().get(),
                   {{{R.r0.x, -R.r0.y, -R.r0.z}, {-R.r1.x, R.r1.y, R.r1.z}, {-R.r2.x, R.r2.y, R.r2.z}},
                    mirrored(of.pose.position)});
  };
  for (int i = 0; i < scaled(200, 20); ++i) {
    SCOPED_TRACE(i);
    const PosedShape a = mesh_of(random_hull(random), random_pose(random, Dimension::spatial, 0.3));
    PosedShape b = mesh_of(random_hull(random), random_pose(random, Dimension::spatial, 0.3));
    const double gaps[] = {0.2, 1e-3, -1e-4, -0.05};
    settle_at_gap(a, b, gaps[i % 4]);
    const auto here = contacts_of(a, b), there = contacts_of(image(a), image(b));
    ASSERT_NEAR(nearest(here).gap, nearest(there).gap, 1e-13);
    if (here.size() > 8 || there.size() > 8) continue;
    ASSERT_EQ(here.size(), there.size());
    for (const PairContact& contact : here) {
      const auto same_place = [&](const PairContact& other) {
        return norm(mirrored(other.point_a) - contact.point_a) < 1e-9 && std::abs(other.gap - contact.gap) < 1e-12 &&
               norm(mirrored(other.normal) - contact.normal) < 1e-9;
      };
      EXPECT_TRUE(std::any_of(there.begin(), there.end(), same_place));
    }
  }
}

// A disc of many corners on another: nine contacts at most, and the same ones while it slides and tilts a little.
TEST(HullSearch, ContactsAreFewAndStay) {
  std::vector<Vector3> points;
  for (int i = 0; i < 48; ++i)
    for (const double z : {-0.1, 0.1})
      points.push_back({std::cos(0.1308996938995747 * i), std::sin(0.1308996938995747 * i), z});
  const auto disc = convex_hull(points).polyhedron;
  const PosedShape below = mesh_of(disc.get(), {});
  PosedShape above = mesh_of(disc.get(), {identity3, {0.3, 0.1, 0.2}});
  above.pose.rotation = rotation_matrix(quaternion_from_rotation_vector({0, 0, 0.03}));
  int changes = 0;
  std::vector<int> before;
  for (int step = 0; step < 200; ++step) {
    above.pose.position += Vector3{2e-6, 1e-6, 0};
    const Vector3 tilt = {1e-7 * ((step % 9) - 4), 1e-7 * ((step % 7) - 3), 0};
    PosedShape now = above;
    now.pose.rotation = rotation_matrix(quaternion_from_rotation_vector(tilt)) * above.pose.rotation;
    const auto contacts = contacts_of(now, below);
    EXPECT_LE(contacts.size(), 9u);
    EXPECT_GE(contacts.size(), 8u);
    std::vector<int> names;
    for (const PairContact& contact : contacts) names.push_back(feature_code(contact.feature_a, contact.feature_b));
    // The nearest changes with the tilt; the eight that reach farthest do not.
    std::vector<int> gone;
    std::set_difference(before.begin(), before.end(), names.begin(), names.end(), std::back_inserter(gone));
    changes += gone.size() > 1;
    before = names;
  }
  EXPECT_LE(changes, 4);
}

}  // namespace
