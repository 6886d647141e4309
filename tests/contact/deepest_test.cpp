// Shapes that overlap have many separations that are the greatest nearby, of which the greatest of all counts: thin and
// long shapes against a search in extended precision, and poses in which it was missed.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/shape_oracle.h"
#include "routh/mesh/hull.h"

namespace {

using namespace routh;
using namespace testing_support;

PosedShape thin_shape(Random& random, ShapeKind kind) {
  PosedShape shape = random_shape(random, kind, Dimension::spatial);
  const auto thin = [&] { return std::pow(10, -random.uniform(0, 2.5)); };
  shape.radius *= thin();
  shape.length *= thin();
  shape.half_extents = {thin() * shape.half_extents.x, shape.half_extents.y, thin() * shape.half_extents.z};
  return shape;
}

class Deepest : public testing::TestWithParam<std::pair<ShapeKind, ShapeKind>> {};

// No direction separates the two better than the normal of their nearest contact does, which separates them by its gap.
TEST_P(Deepest, NoDirectionSeparatesBetter) {
  const auto [first, second] = GetParam();
  Random random(2401);
  for (int i = 0; i < scaled(60, 10); ++i) {
    const PosedShape a = thin_shape(random, first);
    PosedShape b = thin_shape(random, second);
    const double depth = std::pow(10, -random.uniform(1.5, 6));
    move_to_gap(a, b, -depth, random);
    const auto contacts = contacts_of(a, b);
    ASSERT_FALSE(contacts.empty());
    const PairContact& found = nearest(contacts);
    EXPECT_LE(double(greatest_separation(a, b, random)), found.gap + 1e-8) << describe(a) << '\n' << describe(b);
    EXPECT_NEAR(double(separation(a, b, widened(found.normal))), found.gap, 1e-8) << describe(a) << '\n' << describe(b);
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, Deepest,
                         testing::Values(std::pair{ShapeKind::mesh, ShapeKind::cylinder},
                                         std::pair{ShapeKind::mesh, ShapeKind::ellipsoid},
                                         std::pair{ShapeKind::capsule, ShapeKind::ellipsoid},
                                         std::pair{ShapeKind::capsule, ShapeKind::cylinder},
                                         std::pair{ShapeKind::box, ShapeKind::cylinder},
                                         std::pair{ShapeKind::box, ShapeKind::ellipsoid},
                                         std::pair{ShapeKind::cylinder, ShapeKind::cylinder},
                                         std::pair{ShapeKind::cylinder, ShapeKind::ellipsoid},
                                         std::pair{ShapeKind::ellipsoid, ShapeKind::ellipsoid}));

Pose pose_of(const Vector3& position, double w, double x, double y, double z) {
  const double size = std::sqrt(w * w + x * x + y * y + z * z);
  return {rotation_matrix({w / size, x / size, y / size, z / size}), position};
}

// The depths are those of a polytope within the difference of the two, grown in extended precision until it was known
// to 2e-8.
TEST(Deepest, ThinEllipsoidOnANeedle) {
  PosedShape a;
  a.kind = ShapeKind::ellipsoid;
  a.half_extents = {0.02119167295550594 / 2, 0.22385145227206935 / 2, 0.048819220534542247 / 2};
  a.pose = pose_of({0.025214738394837004, 0.0015527550808303015, 0.013078593749376177}, 0.49318337167663885,
                   -0.81056354948948895, 0.275735511452729, 0.15403513191660223);
  PosedShape b;
  b.kind = ShapeKind::capsule;
  b.radius = 0.0035796501061719915, b.length = 0.19283495976713697;
  b.pose = pose_of({}, 0.75654737982744569, 0.22551319613593804, 0.27898702945854997, -0.54675963442693421);
  EXPECT_NEAR(nearest(contacts_of(a, b)).gap, -0.0008664, 1e-7);
}

TEST(Deepest, SplinterOnAThinEllipsoid) {
  const std::vector<Vector3> points = {{-0.044448821059614119, -5.0623001414187045e-05, -3.964020464271737e-05},
                                       {-0.16762324478573398, -1.548401164277268e-05, 7.5588160783372831e-05},
                                       {-0.13870054918614841, 6.4140796848230786e-06, 7.011748898221776e-05},
                                       {-0.12674143118989786, -5.7246156629114715e-05, -1.1399507222102682e-05},
                                       {-0.0030289380662981372, -8.5229163355816254e-07, -0.00012074677752514388},
                                       {0.1702174637183215, 7.5191731811172485e-05, -4.6333456805374558e-06},
                                       {-0.14790513893194365, -3.5179061828320934e-05, -5.0352541613602561e-05},
                                       {0.1240293338604269, 3.8180560128817864e-05, -4.519673770850149e-05},
                                       {0.16515765344690797, -2.2231918319152669e-05, -3.2220015203616977e-05}};
  const auto hull = convex_hull(points).polyhedron;
  PosedShape a;
  a.kind = ShapeKind::mesh;
  a.hull = hull.get();
  a.pose = pose_of({0.027431663936796587, -0.014927048933389631, 0.0092723506080411387}, 1, 0, 0, 0);
  PosedShape b;
  b.kind = ShapeKind::ellipsoid;
  b.half_extents = {0.29110103357308331 / 2, 0.17740439046942619 / 2, 0.015235914351255698 / 2};
  b.pose = pose_of({}, 0.4873773207555116, -0.27563731474754988, -0.39663301703094925, -0.72744049085328348);
  EXPECT_NEAR(nearest(contacts_of(a, b)).gap, -1.163e-07, 3e-8);
}

}  // namespace
