// What the derivatives of an impact are held against: differences of solvers in extended precision that share no code
// with the library, extrapolated from three steps.
#pragma once

#include <array>
#include <optional>

#include "routh/impact/impact_derivatives.h"
#include "support/random_problems.h"

namespace testing_support {

// Relative velocity after, impulse, W_n, W_t.
inline constexpr int judged_outputs = 8;
using Judged = std::array<long double, judged_outputs>;
// By the entries of D, the velocity, μ_k and e: the columns of ImpactInput up to `restitution`.
inline constexpr int judged_inputs = 11;

// Of any law; nothing where the extended solver gave up, or took another sequence of phases for one of the shaken
// problems.
struct ReferenceDerivatives {
  std::array<std::array<long double, judged_inputs>, judged_outputs> rows{};
  Judged values{};
  // How much the two finest extrapolations differ, of the same norm as `derivative_error`.
  double uncertainty = 0;
};
std::optional<ReferenceDerivatives> reference_derivatives(const routh::ImpactProblem& problem,
                                                          const routh::ImpactResult& result, double relative_step);

// The largest error of ∂f/∂x · x, of the output's size and of the largest such product in its row.
double derivative_error(const routh::ImpactProblem& problem, const routh::ImpactDerivatives& derivatives,
                        const ReferenceDerivatives& reference);

}  // namespace testing_support
