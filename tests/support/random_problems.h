// Seeded random impacts, in families that reach every regime.
#pragma once

#include <cstdint>

#include "routh/impact/solve.h"
#include "support/oracle.h"

namespace testing_support {

// ROUTH_TEST_SCALE multiplies the number of random problems; 1 by default.
double test_scale();
// `count` problems at scale 1, and never fewer than `at_least`.
int scaled(int count, int at_least = 1);

// splitmix64 seeding xoshiro256**: the same stream on every machine and library.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint64_t bits();
  double uniform();  // [0, 1)
  double uniform(double low, double high);
  double normal();
  int below(int count);  // 0 … count − 1
  bool chance(double probability);

 private:
  std::uint64_t state_[4];
};

enum class Family {
  rod,          // thin rod, contact at one end
  body,         // box-like body with a random contact point
  gram,         // D = A Aᵀ, A random 3×k
  near_planar,  // tiny coupling out of the plane, tiny out-of-plane slip
  coupled,      // ‖c‖ near its bound √(a b): jams for ordinary friction
};
inline constexpr int family_count = 5;

// A random approaching spatial impact of the family: μ_k in [0, 3], μ_s/μ_k in [1, 1.3], e in [0, 1], one in twelve
// with v_t = 0.
routh::ImpactProblem random_spatial(Random& random, Family family);
routh::ImpactProblem random_spatial(Random& random);
routh::ImpactProblem random_planar(Random& random);
// Restitution of this form, without warnings up to the speed; its table is kept until the end of the tests.
routh::Restitution random_restitution(Random& random, routh::RestitutionKind kind, double speed);

// The problem as the oracle reads it (constant restitution, surface at rest or not).
oracle::Problem to_oracle(const routh::ImpactProblem& problem);
oracle::Law to_oracle(routh::Law law);

// The same problem with its tangent frame turned by `angle`.
routh::ImpactProblem turned(const routh::ImpactProblem& problem, double angle);

inline constexpr routh::Law incremental_laws[] = {routh::Law::newton, routh::Law::poisson, routh::Law::energetic};

}  // namespace testing_support
