// Simultaneous impact by brute force: every set of acting contacts, each by one matrix with all unknowns (complete
// pivoting). Shares nothing with the library but the problem.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "routh/impact/simultaneous.h"
#include "support/random_problems.h"

namespace testing_support {

// q̇⁺ with M (q̇⁺ − q̇⁻) = i_u + Cᵀλ, C q̇⁺ = c. C may have any rank if c is attainable.
Eigen::VectorXd velocity_of(const routh::SimultaneousProblem& problem, const Eigen::MatrixXd& rows,
                            const Eigen::VectorXd& target);

// Rows on top of each other.
Eigen::MatrixXd stacked(const Eigen::MatrixXd& above, const Eigen::MatrixXd& below);

// Every velocity that fulfils the law: some set of contacts departs as its rules say (the nearest attainable ones) and
// sticks, its normal impulses can be non-negative, all others depart no slower than their own rule; and where that
// leaves one approaching, the same again with zero for the rule of each.
std::vector<Eigen::VectorXd> all_answers(const routh::SimultaneousProblem& problem);

enum class RowFamily {
  independent,
  dependent,  // some contacts are combinations of others
  twins,      // some contacts repeat others
  opposed,    // some contacts are non-negative combinations of others, reversed
};
inline constexpr int row_family_count = 4;

// Up to 12 coordinates, 6 contacts, 3 bilateral rows that may depend on one another; no contact separates unless
// `family` is opposed or a chance of one in three for independent ones.
routh::SimultaneousProblem random_simultaneous(Random& random, RowFamily family);
// One or two random tangential rows for each contact.
void add_tangents(Random& random, routh::SimultaneousProblem& problem);

}  // namespace testing_support
