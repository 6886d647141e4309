// The problems kept in tests/data/impact, each of which once broke something, against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "support/compare.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;
using nlohmann::json;
using routh::ImpactProblem;
using routh::ImpactResult;
using routh::Law;

double number(const json& value) {
  return value.is_string() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

ImpactProblem read(const std::filesystem::path& path) {
  std::ifstream file(path);
  const json text = json::parse(file);
  const json& d = text.at("delassus");
  ImpactProblem p;
  if (d.size() == 2) {
    p.inertia = routh::planar_inertia(d[0][0], d[0][1], d[1][1]);
  } else {
    p.inertia = routh::spatial_inertia(d[0][0], d[0][1], d[0][2], d[1][1], d[1][2], d[2][2]);
  }
  const json& v = text.at("contact_velocity");
  p.velocity = {v[0], v[1], v.size() > 2 ? v[2].get<double>() : 0};
  const json& friction = text.at("friction");
  const bool pair = friction.is_object();
  p.friction = {number(pair ? friction.at("static") : friction), number(pair ? friction.at("kinetic") : friction)};
  p.restitution.normal = text.at("restitution");
  if (text.value("pressed", false)) p.load = routh::Load::pressed;
  return p;
}

std::vector<std::filesystem::path> kept_problems() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(ROUTH_TEST_DATA "/impact")) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(KeptProblems, AgreeWithTheOracle) {
  const auto paths = kept_problems();
  ASSERT_GE(paths.size(), 20u);
  for (const auto& path : paths) {
    const ImpactProblem p = read(path);
    oracle::Problem marched = to_oracle(p);
    double allowed = 1e-10;
    if (std::isinf(p.friction.kinetic_coefficient)) {  // the oracle knows it as a limit only
      marched.mu_static = marched.mu_kinetic = 1e9L;
      allowed = 1e-6;
    }
    for (const Law law : incremental_laws) {
      if (law == Law::newton && p.velocity.n == 0) continue;  // undefined
      SCOPED_TRACE(testing::Message() << path.filename() << ' ' << name(law));
      const ImpactResult r = solve_impact(p, law);
      oracle::Options exact;
      exact.rank_tolerance = 0;  // the digits of D as they stand
      const oracle::Answer answer = solve(marched, to_oracle(law), exact);
      ASSERT_EQ(answer.outcome, oracle::Outcome::solved);
      EXPECT_TRUE(all_finite(r));
      const double error = errors(p, r, answer).worst();
      const double digits = 100 * sensitivity(marched, to_oracle(law));  // what the digits of the input carry
      const bool flagged = r.has(routh::Warning::ill_conditioned) || r.status == routh::ImpactStatus::ill_conditioned;
      if (flagged && (answer.dip < 1e-12L || error > 1e-10)) continue;
      EXPECT_EQ(r.status, routh::ImpactStatus::ok);
      EXPECT_LE(error, std::max(allowed, digits)) << "dip " << double(answer.dip);
      // The ledger closes to 1e-12 of the energy that the contact exchanges.
      const double speed = norm(p.velocity) + norm(r.velocity);
      EXPECT_NEAR(r.energy.change, r.energy.normal_work + r.energy.tangential_work,
                  std::max(1e-12, digits) * norm(r.impulse) * speed);
    }
  }
}

}  // namespace
