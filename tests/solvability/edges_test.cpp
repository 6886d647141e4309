// Verdicts on the edges A = 0 and B = 0 of Liu's table. Every λ_n ≥ 0 with A λ_n + B ≥ 0 and λ_n (A λ_n + B) = 0 is a
// solution; how many there are is counted here by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "routh/map/map_quantity.h"
#include "routh/solvability/diagnosis.h"
#include "routh/solvability/diagnosis_words.h"
#include "support/random_problems.h"

namespace edges_test {
namespace {

using routh::AccelerationProblem;
using routh::ContactVerdict;
using routh::FreeAcceleration;
using routh::Law;
using routh::MapQuantity;
using routh::SlipMode;

// a = 1, c = 1, b = 2 along the slip: A = 1 − μ. In space with a second tangent that takes no part.
AccelerationProblem sliding(double mu, double B, bool spatial) {
  AccelerationProblem p;
  p.contact.inertia = spatial ? routh::spatial_inertia(1, 1, 0, 2, 0, 1.5) : routh::planar_inertia(1, 1, 2);
  p.contact.velocity = {0, 1, 0};
  p.contact.friction = {mu, mu};
  p.contact.restitution.normal = 0.5;
  p.free_acceleration = {B, 0.3, 0};
  return p;
}

std::string words(const AccelerationProblem& p) {
  std::string text;
  for (const std::string& sentence : routh::diagnosis_sentences(diagnose(p, FreeAcceleration::given), {}))
    text += sentence + "\n";
  return text;
}

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

struct Edge {
  double mu, B;
  SlipMode mode;
  ContactVerdict verdict;
  bool unique;
};
constexpr Edge edges[] = {
    {1, 1, SlipMode::detaches, ContactVerdict::detaches, true},              // A = 0 < B
    {1.5, 0, SlipMode::detaches, ContactVerdict::detaches, true},            // A < 0 = B
    {0.5, 0, SlipMode::detaches, ContactVerdict::detaches, true},            // A > 0 = B
    {1, 0, SlipMode::indeterminate, ContactVerdict::false_cohesion, false},  // any force
    {1, -1, SlipMode::inconsistent, ContactVerdict::jams, true},
    {1.5, 1, SlipMode::indeterminate, ContactVerdict::false_cohesion, false},
    {1.5, -1, SlipMode::inconsistent, ContactVerdict::jams, true},
    {0.5, 1, SlipMode::detaches, ContactVerdict::detaches, true},
    {0.5, -1, SlipMode::slides, ContactVerdict::slides, true},
};

TEST(Edges, Verdicts) {
  for (const bool spatial : {false, true})
    for (const Edge& edge : edges) {
      SCOPED_TRACE(testing::Message() << edge.mu << ' ' << edge.B << ' ' << spatial);
      const AccelerationProblem p = sliding(edge.mu, edge.B, spatial);
      const routh::ContactDiagnosis d = diagnose(p, FreeAcceleration::given);
      EXPECT_EQ(d.sliding.mode, edge.mode);
      EXPECT_EQ(d.verdict, edge.verdict);
      EXPECT_EQ(d.sliding.A, 1 - edge.mu);
      EXPECT_EQ(d.sliding.normal_force, edge.mode == SlipMode::slides ? 2 : 0);
      EXPECT_EQ(d.sliding.marginal, edge.mu == 1 || edge.B == 0);
      EXPECT_EQ(says(words(p), "not unique"), !edge.unique) << words(p);
      const auto map = [&](MapQuantity quantity) {
        return read_quantity(quantity, p, FreeAcceleration::given, Law::energetic).kind;
      };
      EXPECT_EQ(map(MapQuantity::slip_mode), static_cast<int>(edge.mode));
      EXPECT_EQ(map(MapQuantity::verdict), static_cast<int>(edge.verdict));
    }
}

TEST(Edges, Words) {
  for (const bool spatial : {false, true}) {
    const std::string lets_go = words(sliding(1, 1, spatial));
    EXPECT_TRUE(says(lets_go, "pull the bodies apart at B = 1")) << lets_go;
    for (const double mu : {0.5, 1.5}) {
      const std::string still = words(sliding(mu, 0, spatial));
      EXPECT_TRUE(says(still, "Touches without force")) << still;
      EXPECT_FALSE(says(still, "pull the bodies apart at")) << still;
      EXPECT_FALSE(says(still, "λ_n")) << still;
    }
    const std::string any = words(sliding(1, 0, spatial));
    EXPECT_TRUE(says(any, "every normal force obeys the laws")) << any;
    for (const double B : {-1.0, 1.0})
      for (const double beyond : {0.0, 1e-6, 1e-9, 1e-12}) {
        const std::string text = words(sliding(1 + beyond, B, spatial));
        EXPECT_FALSE(says(text, "friction 1 exceeds 1")) << text;
        EXPECT_FALSE(says(text, "friction 1 exceeds μ* = 1:")) << text;
      }
    EXPECT_TRUE(says(words(sliding(1.000001, -1, spatial)), "kinetic friction 1.000001 exceeds 1,"));
    EXPECT_TRUE(says(words(sliding(0.9999999, -1, spatial)), "rose to 1 (now 0.9999999)"));
    const std::string edge = words(sliding(1, -1, spatial));
    EXPECT_TRUE(says(edge, "A = 0")) << edge;
    EXPECT_FALSE(says(edge, "normal impulse 0 ")) << edge;
  }
}

// At rest under forces that neither press nor pull.
TEST(Edges, AtRestWithoutForce) {
  for (const bool spatial : {false, true}) {
    AccelerationProblem p = sliding(0.3, 0, spatial);
    p.contact.velocity = {};
    const routh::ContactDiagnosis d = diagnose(p, FreeAcceleration::given);
    EXPECT_EQ(d.verdict, ContactVerdict::detaches);
    EXPECT_TRUE(says(words(p), "Touches without force")) << words(p);
  }
}

// The impact of a jam at A = 0 is the limit of those beyond, also where μ = a/cᵀσ was rounded.
TEST(Edges, JamIsTheLimit) {
  for (const bool spatial : {false, true})
    for (const double mu : {1.0, std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0), 1.000001}) {
      const AccelerationProblem p = sliding(mu, -1, spatial);
      const routh::ContactDiagnosis poisson = diagnose(p, FreeAcceleration::given, Law::poisson);
      const routh::ContactDiagnosis energetic = diagnose(p, FreeAcceleration::given, Law::energetic);
      EXPECT_EQ(poisson.verdict, ContactVerdict::jams);
      EXPECT_NEAR(poisson.impact.impulse.n, 1.5, 1e-5);
      EXPECT_NEAR(poisson.impact.relative_velocity.n, 0.25, 1e-5);
      EXPECT_NEAR(energetic.impact.impulse.n, 1, 2e-3);
      EXPECT_NEAR(energetic.impact.relative_velocity.n, 0, 1e-3);
    }
}

// Random D, with μ computed as a/cᵀσ: always on the edge.
TEST(Edges, RoundedFriction) {
  constexpr std::uint64_t seed = 20260415;
  testing_support::Random random(seed);
  for (int k = 0; k < testing_support::scaled(300); ++k) {
    AccelerationProblem p;
    p.contact = k % 2 == 0 ? random_planar(random) : random_spatial(random);
    const routh::ContactInertia& d = p.contact.inertia;
    const double t1 = p.contact.velocity.t1, t2 = p.contact.velocity.t2, speed = std::hypot(t1, t2);
    const double along = (d.c1 * t1 + d.c2 * t2) / speed;
    if (!(along > 1e-3 * std::hypot(d.c1, d.c2))) continue;
    p.contact.velocity.n = 0;
    p.contact.friction = {d.a / along, d.a / along};
    SCOPED_TRACE(testing::Message() << "seed " << seed << " problem " << k);
    p.free_acceleration = {-1, 0, 0};
    EXPECT_EQ(diagnose(p, FreeAcceleration::given).verdict, ContactVerdict::jams);
    p.free_acceleration = {1, 0, 0};
    EXPECT_EQ(diagnose(p, FreeAcceleration::given).verdict, ContactVerdict::detaches);
  }
}

}  // namespace
}  // namespace edges_test
