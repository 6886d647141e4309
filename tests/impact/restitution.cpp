// The coefficient of restitution: constant, falling linearly with the approach speed, or from a table.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "routh/impact/solve.h"
#include "support/compare.h"

namespace {

using namespace testing_support;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::Law;
using routh::RestitutionKind;
using routh::RestitutionPoint;
using routh::Status;
using routh::Warning;

ImpactProblem at_speed(double speed, RestitutionKind kind) {
  ImpactProblem p;
  p.inertia = routh::planar_inertia(1, 0, 1);
  p.velocity = {-speed, 0, 0};
  p.friction = {0.3, 0.3};
  p.restitution.kind = kind;
  return p;
}

// A central impact: v_n⁺ = e v_n⁻ under every law, so the coefficient can be read off the motion.
void expect_coefficient(const ImpactProblem& p, double e, bool in_range) {
  for (const Law law : routh::all_laws) {
    const ImpactResult r = solve_impact(p, law);
    ASSERT_EQ(r.status, Status::ok) << name(law);
    EXPECT_NEAR(r.restitution, e, 1e-15) << name(law);
    EXPECT_NEAR(r.relative_velocity.n, -e * (p.velocity.n - p.surface_velocity.n), 1e-15 * norm(p.velocity))
        << name(law);
    EXPECT_EQ(r.has(Warning::restitution_out_of_range), !in_range) << name(law);
  }
}

TEST(Restitution, Constant) {
  for (const double e : {0.0, 0.3, 1.0}) {
    ImpactProblem p = at_speed(2, RestitutionKind::constant);
    p.restitution.normal = e;
    expect_coefficient(p, e, true);
  }
}

TEST(Restitution, Linear) {
  for (const double speed : {1e-3, 0.5, 3.0}) {
    ImpactProblem p = at_speed(speed, RestitutionKind::linear);
    p.restitution.alpha = 0.2;
    expect_coefficient(p, 1 - 0.2 * speed, true);
  }
  ImpactProblem fast = at_speed(7, RestitutionKind::linear);
  fast.restitution.alpha = 0.2;
  expect_coefficient(fast, 0, false);
  ImpactProblem edge = at_speed(4, RestitutionKind::linear);
  edge.restitution.alpha = 0.25;
  expect_coefficient(edge, 0, true);
}

// The approach speed is the one relative to a moving surface.
TEST(Restitution, LinearOnAMovingSurface) {
  ImpactProblem p = at_speed(1, RestitutionKind::linear);
  p.surface_velocity.n = 0.5;
  p.restitution.alpha = 0.2;
  expect_coefficient(p, 1 - 0.2 * 1.5, true);
}

TEST(Restitution, Table) {
  const std::array<RestitutionPoint, 3> table{{{0.5, 0.9}, {1, 0.7}, {3, 0.1}}};
  const struct {
    double speed, e;
    bool in_range;
  } rows[] = {{0.5, 0.9, true}, {0.75, 0.8, true}, {1, 0.7, true},  {2, 0.4, true},
              {3, 0.1, true},   {0.1, 0.9, false}, {10, 0.1, false}};
  for (const auto& row : rows) {
    ImpactProblem p = at_speed(row.speed, RestitutionKind::table);
    p.restitution.table = table;
    expect_coefficient(p, row.e, row.in_range);
  }
}

TEST(Restitution, TableOfOnePoint) {
  const RestitutionPoint point{2, 0.6};
  ImpactProblem p = at_speed(2, RestitutionKind::table);
  p.restitution.table = {&point, 1};
  expect_coefficient(p, 0.6, true);
  p.velocity.n = -2.5;
  expect_coefficient(p, 0.6, false);
}

TEST(Restitution, BadModelsAreInvalid) {
  const auto expect_invalid = [](const ImpactProblem& p, const char* quantity) {
    const routh::Violation v = check(p);
    ASSERT_NE(v.rule, nullptr) << quantity;
    EXPECT_EQ(std::string(v.quantity), quantity);
    for (const Law law : routh::all_laws) EXPECT_EQ(solve_impact(p, law).status, Status::invalid);
  };
  for (const double alpha : {-0.1, HUGE_VAL, std::nan("")}) {
    ImpactProblem p = at_speed(1, RestitutionKind::linear);
    p.restitution.alpha = alpha;
    expect_invalid(p, "restitution.alpha");
  }
  const std::vector<std::vector<RestitutionPoint>> tables = {
      {},          {{1, 0.5}, {1, 0.4}}, {{2, 0.5}, {1, 0.4}},  {{-1, 0.5}},      {{1, 1.5}},
      {{1, -0.1}}, {{1, std::nan("")}},  {{std::nan(""), 0.5}}, {{HUGE_VAL, 0.5}}};
  for (const auto& table : tables) {
    ImpactProblem p = at_speed(1, RestitutionKind::table);
    p.restitution.table = table;
    expect_invalid(p, "restitution.table");
  }
}

}  // namespace
