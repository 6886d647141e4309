// Directions of beginning slip in space: v̇_t = κ σ with σ = (cos θ, sin θ) unknown, so r(θ) = σ⊥ᵀ v̇_t(θ) = 0.
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "routh/math/elementary.h"
#include "routh/math/small_roots.h"
#include "routh/solvability/mode_system.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal::mode_search {

namespace {

constexpr double pi = std::numbers::pi;

Eigen::Vector2d direction_of(double angle) { return {elementary::cos(angle), elementary::sin(angle)}; }
Eigen::Vector2d across(const Eigen::Vector2d& sigma) { return {-sigma.y(), sigma.x()}; }

struct Misalignment {
  Eigen::VectorXd residual;  // r of each unknown direction
  Eigen::MatrixXd slope;     // ∂r/∂θ
  double size = 1;
};

Eigen::VectorXd residual_of(const ScaledProblem& problem, const Combination& combination,
                            const std::vector<int>& unknown, const Eigen::VectorXd& acceleration) {
  Eigen::VectorXd residual(static_cast<Eigen::Index>(unknown.size()));
  for (std::size_t i = 0; i < unknown.size(); ++i)
    residual[static_cast<Eigen::Index>(i)] =
        across(combination.sigma(unknown[i])).dot(problem.tangent(acceleration, unknown[i]));
  return residual;
}

Eigen::Vector2d turned(const Eigen::Vector2d& sigma, double angle) {
  return (elementary::cos(angle) * sigma + elementary::sin(angle) * across(sigma)).normalized();
}

// Redundant contacts: the force of least norm changes also within the null forces. By differences, since exactness
// matters only to the speed of Newton's method.
void slope_by_differences(const ScaledProblem& problem, const Combination& combination, const std::vector<int>& unknown,
                          Misalignment& result) {
  constexpr double step = tolerances::direction_difference;
  for (std::size_t k = 0; k < unknown.size(); ++k) {
    Combination beside = combination;
    Eigen::Vector2d& sigma = beside.direction[static_cast<std::size_t>(unknown[k])];
    sigma = turned(sigma, step);
    const Eigen::VectorXd acceleration =
        problem.inertia * ModeSystem(problem, beside).least_force() + problem.free_acceleration;
    result.slope.col(static_cast<Eigen::Index>(k)) =
        (residual_of(problem, beside, unknown, acceleration) - result.residual) / step;
  }
}

// Turning σ_c by dθ changes the force by dλ_t = −μ λ_n σ⊥ dθ directly, and by G dy through K dy = −E D̃ dλ.
Misalignment misalignment(const ScaledProblem& problem, const Combination& combination,
                          const std::vector<int>& unknown) {
  const ModeSystem system(problem, combination);
  const Eigen::VectorXd force = system.least_force();
  const Eigen::VectorXd acceleration = problem.inertia * force + problem.free_acceleration;
  const Eigen::Index count = static_cast<Eigen::Index>(unknown.size());
  Misalignment result{residual_of(problem, combination, unknown, acceleration), Eigen::MatrixXd(count, count),
                      size_of(force, acceleration)};
  if (system.freedom() > 0) {
    slope_by_differences(problem, combination, unknown, result);
    return result;
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const int c = unknown[static_cast<std::size_t>(k)];
    const int row = problem.row(c);
    const Eigen::Vector2d push = -problem.kinetic_friction(c) * force[row] * across(combination.sigma(c));
    const Eigen::VectorXd direct = problem.inertia.middleCols(row + 1, 2) * push;
    const Eigen::VectorXd change = direct + problem.inertia * system.solve(direct);
    result.slope.col(k) = residual_of(problem, combination, unknown, change);
    result.slope(k, k) -= combination.sigma(c).dot(problem.tangent(acceleration, c));
  }
  return result;
}

// e^{iθ}
std::complex<double> unit_wave(double angle) { return {elementary::cos(angle), elementary::sin(angle)}; }

// p(θ) = det K(θ) r(θ) is a trigonometric polynomial of degree two: only the column of the one contact depends on θ,
// and linearly on (1, σ); by Cramer's rule det K · v̇ does so too, and r has one more factor σ⊥.
struct TrigonometricPolynomial {
  double mean = 0;
  std::array<std::complex<double>, 2> wave{};  // p = mean + Re Σ wave_k e^{ikθ}, k = 1, 2

  double operator()(double angle) const {
    return mean + (wave[0] * unit_wave(angle)).real() + (wave[1] * unit_wave(2 * angle)).real();
  }
};

std::vector<double> roots_of(const TrigonometricPolynomial& p) {
  constexpr int samples = 64;
  double top = 0, largest = 0;
  for (int k = 0; k < samples; ++k) {
    const double angle = 2 * pi * k / samples, value = std::abs(p(angle));
    if (value > largest) {
      largest = value;
      top = angle;
    }
  }
  std::vector<double> angles;
  if (!(largest > 0)) return angles;
  // θ = top − π + ψ and t = tan(ψ/2): the largest value lies at t = ∞, where there is therefore no root.
  const double shift = top - pi;
  const std::complex<double> w1 = p.wave[0] * unit_wave(shift), w2 = p.wave[1] * unit_wave(2 * shift);
  const double a0 = p.mean, a1 = w1.real(), b1 = -w1.imag(), a2 = w2.real(), b2 = -w2.imag();
  const std::array<double, 5> quartic{a0 + a1 + a2, 2 * b1 + 4 * b2, 2 * a0 - 6 * a2, 2 * b1 - 4 * b2, a0 - a1 + a2};
  for (const double t : real_roots(quartic)) angles.push_back(shift + 2 * elementary::atan(t));
  return angles;
}

}  // namespace

bool settle_directions(const ScaledProblem& problem, Combination& combination) {
  const std::vector<int> unknown = unknown_directions(problem, combination);
  if (unknown.empty()) return true;
  double last = 0;
  for (int step = 0; step < tolerances::direction_steps_max; ++step) {
    const Misalignment now = misalignment(problem, combination, unknown);
    const double error = now.residual.lpNorm<Eigen::Infinity>() / now.size;
    if (!std::isfinite(error) || !now.slope.allFinite()) return false;
    if (error <= tolerances::direction_residual ||
        (step > 0 && error <= tolerances::direction_residual_stalled && error >= 0.5 * last))
      return true;
    last = error;
    Eigen::VectorXd turn = -now.slope.fullPivLu().solve(now.residual);
    if (!turn.allFinite()) return false;
    const double length = turn.lpNorm<Eigen::Infinity>();
    if (length > tolerances::direction_turn_max) turn *= tolerances::direction_turn_max / length;
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      Eigen::Vector2d& sigma = combination.direction[static_cast<std::size_t>(unknown[i])];
      sigma = turned(sigma, turn[static_cast<Eigen::Index>(i)]);
    }
  }
  return last <= tolerances::mode_direction_relative;
}

std::optional<std::vector<Eigen::Vector2d>> possible_directions(const ScaledProblem& problem, Combination combination) {
  const std::vector<int> unknown = unknown_directions(problem, combination);
  const std::size_t contact = static_cast<std::size_t>(unknown.at(0));
  constexpr int samples = 8, offsets = 3;
  for (int offset = 0; offset < offsets; ++offset) {
    TrigonometricPolynomial p;
    bool regular = true;
    for (int k = 0; k < samples && regular; ++k) {
      const double angle = 0.31 * (1 + offset) + 2 * pi * k / samples;
      combination.direction[contact] = direction_of(angle);
      const ModeSystem system(problem, combination);
      regular = system.freedom() == 0;
      const Eigen::VectorXd acceleration = problem.inertia * system.force() + problem.free_acceleration;
      const double value = system.determinant() * residual_of(problem, combination, unknown, acceleration)[0];
      p.mean += value / samples;
      p.wave[0] += 2 * value / samples * unit_wave(-angle);
      p.wave[1] += 2 * value / samples * unit_wave(-2 * angle);
    }
    if (!regular) continue;
    std::vector<Eigen::Vector2d> directions;
    for (const double angle : roots_of(p)) directions.push_back(direction_of(angle));
    return directions;
  }
  return std::nullopt;
}

}  // namespace routh::internal::mode_search
