// Inside of hold_verdict: the border of rest in space, exactly.
//
// Near it the fit of rest_forces.h converges slowly: edges of a cone that are an angle ε apart lose ε² of friction, and
// what another edge gains is as small. At the border itself all is determined: with x the friction, or the load, that
// is asked for, forces λ and a motion u, w = Λ u, obey
//   Λᵀλ + p(x) = 0,   ‖u‖ = 1,   and at each contact one of
//   slips    λ = λ_n (1, −μ(x) w_t/‖w_t‖), w_n = μ(x) ‖w_t‖       unknown λ_n
//   pivots   w = 0                                              unknown λ
//   bears nothing
// as many equations as unknowns, solved by Newton's method from a fit beside the border. Not for users.
#pragma once

#include <functional>
#include <optional>

#include "routh/solvability/rest_forces.h"

namespace routh::internal {

// What is asked for: friction and load for a value x.
struct RestQuestion {
  std::function<Eigen::VectorXd(double)> friction;
  std::function<Eigen::VectorXd(double)> load;
};

// The border near `near`, from a fit at `outside`, where rest is not possible; nothing where Newton's method does not
// settle.
std::optional<double> exact_border(const RestForces& forces, const RestQuestion& question, double near, double outside);

}  // namespace routh::internal
