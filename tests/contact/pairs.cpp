// Every pair of kinds against the definitions of the shapes: a contact is proved nearest by its own points and normal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/random_shape.h"
#include "contact/shape_oracle.h"

namespace {

using namespace routh;
using namespace testing_support;

struct Pair {
  ShapeKind a, b;
  Dimension dimension;
};

std::vector<Pair> solid_pairs() {
  const std::vector<ShapeKind> kinds = kinds_of(Touching::solid);
  std::vector<Pair> pairs;
  for (const ShapeKind a : kinds)
    for (const ShapeKind b : kinds) {
      if (!can_touch(a, b)) continue;
      pairs.push_back({a, b, Dimension::spatial});
      if (has_plane_form(a) && has_plane_form(b)) pairs.push_back({a, b, Dimension::planar});
    }
  return pairs;
}

// A pair without a line in the table would pass through one another, and nothing else would tell.
TEST(Pairs, EveryPairThatCanTouchHasItsFunction) {
  Random random(41);
  const auto shape_of = [&](ShapeKind kind) {
    PosedShape shape = random_shape(random, kind, Dimension::spatial);
    if (kind == ShapeKind::strip) shape.half_extents = {1e3, 1e3, 0};
    if (kind == ShapeKind::pin) shape.radius = 0.1;
    if (kind == ShapeKind::hole) shape.radius = 0.2;
    return shape;
  };
  for (const ShapeKind a : all_values<ShapeKind>)
    for (const ShapeKind b : all_values<ShapeKind>) {
      bool found = false;
      for (int i = 0; i < 20 && !found; ++i) found = !contacts_of(shape_of(a), shape_of(b)).empty();
      EXPECT_EQ(found, can_touch(a, b)) << name(a) << " and " << name(b);
    }
}

std::string label(const testing::TestParamInfo<Pair>& info) {
  return std::string(name(info.param.a)) + "_" + name(info.param.b) +
         (info.param.dimension == Dimension::planar ? "_planar" : "");
}

class Solids : public testing::TestWithParam<Pair> {};

double length(const Vector3& v) { return norm(v); }

// What holds of any contact: its points, normal and gap agree.
void expect_sound(const PairContact& contact) {
  EXPECT_NEAR(length(contact.normal), 1, 1e-14);
  EXPECT_LT(length(contact.point_a - contact.point_b - contact.gap * contact.normal), 1e-13);
}

// Both points belong to their shapes, so the distance is at most the gap; the normal separates the shapes by the gap,
// so it is at least that.
TEST_P(Solids, NearestContactOfShapesApartIsProved) {
  const auto [kind_a, kind_b, dimension] = GetParam();
  const std::uint64_t seed = 31;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  int apart = 0;
  for (int i = 0; i < scaled(400, 50); ++i) {
    const PosedShape a = random_shape(random, kind_a, dimension);
    PosedShape b = random_shape(random, kind_b, dimension);
    auto contacts = contacts_of(a, b);
    ASSERT_FALSE(contacts.empty());
    if (i % 2 == 0) {
      // All but touching.
      const PairContact far = nearest(contacts);
      b.pose.position += (far.gap - std::pow(10, random.uniform(-9, -2))) * far.normal;
      contacts = contacts_of(a, b);
    }
    const PairContact& least = nearest(contacts);
    if (least.gap <= 0) continue;
    ++apart;
    for (const PairContact& contact : contacts) expect_sound(contact);
    const double error = std::max({double(excess(a, least.point_a)), double(excess(b, least.point_b)),
                                   std::abs(double(separation(a, b, widened(least.normal)) - Long(least.gap)))});
    // The last digit of points a small gap apart turns the normal.
    ASSERT_LT(error, 1e-12 + 1e-17 / least.gap) << describe(a) << '\n' << describe(b) << "\ngap " << least.gap;
    // The others are real points too, and therefore no nearer.
    for (const PairContact& contact : contacts) {
      ASSERT_LT(double(excess(a, contact.point_a)), 1e-11);
      ASSERT_LT(double(excess(b, contact.point_b)), 1e-11);
    }
  }
  EXPECT_GT(apart, 20);
}

// At its border a strip is what a deep box in its place would be, by definitions of that box.
TEST_P(Solids, BorderOfAStripIsProved) {
  const auto [kind, other, dimension] = GetParam();
  if (other != ShapeKind::sphere || kind == ShapeKind::strip) return;
  const std::uint64_t seed = 33;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const bool planar = dimension == Dimension::planar;
  int apart = 0;
  for (int i = 0; i < scaled(100, 60); ++i) {
    PosedShape a = random_shape(random, kind, dimension), strip, box;
    strip.kind = ShapeKind::strip, box.kind = ShapeKind::box;
    strip.dimension = box.dimension = dimension;
    strip.half_extents = {0.75, planar ? 0 : i % 2 == 0 ? 0.6 : 30, 0};
    box.half_extents = {0.75, planar ? 40 : strip.half_extents.y, planar ? 0 : 40.0};
    strip.pose = box.pose = random_pose(random, dimension, 1);
    box.pose.position -= 40.0 * up_axis(strip);
    const double along = random.uniform(0.4, 1.6), height = random.uniform(-1, 1.2);
    a.pose.position = strip.pose * (planar ? Vector3{along, height, 0} : Vector3{along, random.uniform(-1, 1), height});
    const auto contacts = contacts_of(a, strip);
    ASSERT_FALSE(contacts.empty());
    const PairContact& least = nearest(contacts);
    for (const PairContact& contact : contacts) expect_sound(contact);
    if (least.gap <= 1e-9) continue;
    ++apart;
    const double error = std::max({double(excess(a, least.point_a)), double(excess(box, least.point_b)),
                                   std::abs(double(separation(a, box, widened(least.normal)) - Long(least.gap)))});
    ASSERT_LT(error, 1e-11) << describe(a) << '\n' << describe(strip) << "\ngap " << least.gap;
  }
  EXPECT_GT(apart, 5);
}

TEST_P(Solids, OverlapIsTheGreatestSeparation) {
  const auto [kind_a, kind_b, dimension] = GetParam();
  const std::uint64_t seed = 32;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int i = 0; i < scaled(12, 4); ++i) {
    const PosedShape a = random_shape(random, kind_a, dimension);
    PosedShape b = random_shape(random, kind_b, dimension);
    move_to_gap(a, b, -random.uniform(0.005, 0.1), random);
    const auto contacts = contacts_of(a, b);
    ASSERT_FALSE(contacts.empty());
    const Long greatest = greatest_separation(a, b, random);
    const bool supports = std::any_of(contacts.begin(), contacts.end(), [&](const PairContact& contact) {
      return std::abs(double(separation(a, b, widened(contact.normal)) - Long(contact.gap))) < 1e-12 &&
             contact.gap > double(greatest) - 1e-9;
    });
    EXPECT_TRUE(supports) << describe(a) << '\n'
                          << describe(b) << "\ngap " << nearest(contacts).gap << ", greatest separation "
                          << double(greatest);
    for (const PairContact& contact : contacts) expect_sound(contact);
  }
}

TEST_P(Solids, ExchangeTurnsTheNormalOnly) {
  const auto [kind_a, kind_b, dimension] = GetParam();
  Random random(33);
  for (int i = 0; i < scaled(100, 20); ++i) {
    const PosedShape a = random_shape(random, kind_a, dimension), b = random_shape(random, kind_b, dimension);
    const auto contacts = contacts_of(a, b, 3), exchanged = contacts_of(b, a, 3);
    ASSERT_EQ(contacts.empty(), exchanged.empty());
    if (contacts.empty()) continue;
    const PairContact &one = nearest(contacts), &other = nearest(exchanged);
    if (one.gap < -0.05) continue;  // deep inside the least depth may have several directions
    ASSERT_NEAR(one.gap, other.gap, 1e-12);
    ASSERT_LT(length(one.normal + other.normal), 1e-7) << describe(a) << '\n' << describe(b) << "\ngap " << one.gap;
  }
}

TEST_P(Solids, DoesNotDependOnWhereTheWorldIs) {
  const auto [kind_a, kind_b, dimension] = GetParam();
  Random random(34);
  for (int i = 0; i < scaled(100, 20); ++i) {
    PosedShape a = random_shape(random, kind_a, dimension), b = random_shape(random, kind_b, dimension);
    const auto contacts = contacts_of(a, b, 3);
    const Pose world = random_pose(random, dimension, 5);
    a.pose = world * a.pose, b.pose = world * b.pose;
    const auto moved = contacts_of(a, b, 3);
    ASSERT_EQ(contacts.size(), moved.size());
    if (contacts.empty() || nearest(contacts).gap < -0.05) continue;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      ASSERT_EQ(feature_code(contacts[k].feature_a, contacts[k].feature_b),
                feature_code(moved[k].feature_a, moved[k].feature_b));
      ASSERT_NEAR(contacts[k].gap, moved[k].gap, 1e-12);
      ASSERT_LT(length(world.rotation * contacts[k].normal - moved[k].normal), 1e-7);
      ASSERT_LT(length(world * contacts[k].point_a - moved[k].point_a), 1e-6);
    }
  }
}

// Moving b changes the least gap by no more than b's points move, whatever features take over on the way.
TEST_P(Solids, GapIsContinuousAcrossFeatures) {
  const auto [kind_a, kind_b, dimension] = GetParam();
  Random random(36);
  int looked = 0;
  for (int i = 0; i < scaled(8, 4); ++i) {
    const PosedShape a = random_shape(random, kind_a, dimension);
    PosedShape b = random_shape(random, kind_b, dimension);
    move_to_gap(a, b, random.uniform(0, 0.1), random);
    const Pose start = b.pose;
    const bool planar = dimension == Dimension::planar;
    const Vector3 turn =
        planar ? Vector3{0, 0, random.normal()} : Vector3{random.normal(), random.normal(), random.normal()};
    const double step = 1e-3, reach = bounding_radius(b) * length(turn) * step;
    double last = nearest(contacts_of(a, b)).gap;
    for (int k = 1; k < 1000; ++k) {
      b.pose.rotation = rotation_matrix(quaternion_from_rotation_vector((k * step) * turn)) * start.rotation;
      const double gap = nearest(contacts_of(a, b)).gap;
      if (gap > 0 && last > 0) {
        ++looked;
        ASSERT_LE(std::abs(gap - last), reach + 1e-9) << "step " << k << '\n' << describe(a) << '\n' << describe(b);
      }
      last = gap;
    }
  }
  EXPECT_GT(looked, 500);
}

INSTANTIATE_TEST_SUITE_P(EveryPair, Solids, testing::ValuesIn(solid_pairs()), label);

class OnPlanes : public testing::TestWithParam<Pair> {};

// Over a half-space the least height is that of the support plane.
TEST_P(OnPlanes, LeastHeightIsThatOfTheSupportPlane) {
  const auto [kind, plane_kind, dimension] = GetParam();
  Random random(35);
  for (int i = 0; i < scaled(200, 50); ++i) {
    const PosedShape shape = random_shape(random, kind, dimension);
    PosedShape plane;
    plane.kind = plane_kind, plane.dimension = dimension;
    plane.pose = random_pose(random, dimension, 1);
    plane.half_extents = {50, dimension == Dimension::spatial ? unlimited : 0, 0};
    const Vector3 up = up_axis(plane);
    const auto contacts = contacts_of(shape, plane), exchanged = contacts_of(plane, shape);
    ASSERT_FALSE(contacts.empty());
    ASSERT_EQ(contacts.size(), exchanged.size());
    const PairContact& least = nearest(contacts);
    const Vector3 down = -up;
    const double height = double(-support(shape, widened(down))) - dot(up, plane.pose.position);
    ASSERT_NEAR(least.gap, height, 1e-13) << describe(shape);
    ASSERT_NEAR(nearest(exchanged).gap, height, 1e-13);
    for (const PairContact& contact : contacts) {
      expect_sound(contact);
      ASSERT_LT(length(contact.normal - up), 1e-15);
      ASSERT_LT(double(excess(shape, contact.point_a)), 1e-13);
      ASSERT_LT(std::abs(dot(up, contact.point_b - plane.pose.position)), 1e-13);
    }
  }
}

std::vector<Pair> plane_pairs() {
  std::vector<Pair> pairs;
  for (const ShapeKind kind : kinds_of(Touching::solid))
    for (const ShapeKind plane : kinds_of(Touching::plane)) {
      pairs.push_back({kind, plane, Dimension::spatial});
      if (has_plane_form(kind)) pairs.push_back({kind, plane, Dimension::planar});
    }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(EveryShape, OnPlanes, testing::ValuesIn(plane_pairs()), label);

}  // namespace
