// The oblique projection against a Cholesky-based solve of the same constrained accelerations.
#include <Eigen/Dense>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench.h"
#include "routh/math/oblique_projection.h"
#include "support/random_problems.h"
#include "timing.h"

namespace {

using namespace routh;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// M q̈ − Aᵀλ = force, A q̈ = b
struct Constrained {
  MatrixXd M, A;
  VectorXd force, b;
};

std::vector<Constrained> problems(int n, int m, int count) {
  testing_support::Random random(41);
  const auto fill = [&](auto& x) {
    for (double& value : x.reshaped()) value = random.normal();
  };
  std::vector<Constrained> all;
  for (int k = 0; k < count; ++k) {
    Constrained p{MatrixXd(n, n), MatrixXd(m, n), VectorXd(n), VectorXd(m)};
    fill(p.M);
    fill(p.A);
    fill(p.force);
    fill(p.b);
    p.M = (p.M * p.M.transpose() + n * MatrixXd::Identity(n, n)).eval();
    all.push_back(p);
  }
  return all;
}

// The yardstick: M = L Lᵀ, Y = L⁻¹Aᵀ, YᵀY = K Kᵀ. Its matrices are kept from call to call, as ours are.
struct Yardstick {
  Eigen::LLT<MatrixXd> mass, rows;
  MatrixXd Y, inner;
  VectorXd w, acceleration;

  void solve(const Constrained& p) {
    mass.compute(p.M);
    Y = p.A.transpose();
    mass.matrixL().solveInPlace(Y);
    inner.noalias() = Y.transpose() * Y;
    rows.compute(inner);
    w = p.force;
    mass.matrixL().solveInPlace(w);
    acceleration = w - Y * rows.solve(Y.transpose() * w - p.b);
    mass.matrixU().solveInPlace(acceleration);
  }
};

struct Times {
  double yardstick = 1e30, fast = 1e30, projector = 1e30, chosen = 1e30;
};

// The four in turn in every round, so that a slow spell of the machine falls on all.
Times measure(const std::vector<Constrained>& all) {
  const int n = static_cast<int>(all.front().M.rows()), m = static_cast<int>(all.front().A.rows());
  Yardstick yardstick;
  ObliqueProjection projection(n, m);
  VectorXd acceleration(n);
  const auto ours = [&](const Constrained& p) {
    projection.accelerate(p.force, p.b, acceleration);
    bench::keep(acceleration);
  };
  const auto least = [&](double& best, auto&& f) { best = std::min(best, bench::time_through(all, 1, f)); };
  Times t;
  for (int round = 0; round < 61; ++round) {
    least(t.yardstick, [&](const Constrained& p) {
      yardstick.solve(p);
      bench::keep(yardstick.acceleration);
    });
    least(t.fast, [&](const Constrained& p) {
      projection.compute_by(ProjectionPath::cholesky, p.M, p.A);
      ours(p);
    });
    least(t.projector, [&](const Constrained& p) {
      projection.compute_by(ProjectionPath::projector, p.M, p.A);
      ours(p);
    });
    least(t.chosen, [&](const Constrained& p) {
      projection.compute(p.M, p.A);
      ours(p);
    });
  }
  return t;
}

// How far the paths are apart, and how often `compute` takes the fast one.
void compare(const std::vector<Constrained>& all) {
  const int n = static_cast<int>(all.front().M.rows()), m = static_cast<int>(all.front().A.rows());
  ObliqueProjection one(n, m), other(n, m);
  VectorXd x(n), y(n);
  double apart = 0;
  int taken = 0;
  for (const Constrained& p : all) {
    taken += one.compute(p.M, p.A).path == ProjectionPath::cholesky;
    one.compute_by(ProjectionPath::cholesky, p.M, p.A);
    other.compute_by(ProjectionPath::projector, p.M, p.A);
    one.accelerate(p.force, p.b, x);
    other.accelerate(p.force, p.b, y);
    apart = std::max(apart, (x - y).norm() / y.norm());
  }
  std::printf("  %d of %d by the fast path; paths %.1e apart\n", taken, static_cast<int>(all.size()), apart);
}

}  // namespace

void bench::run_projection() {
  for (const auto& [n, m] : {std::pair{36, 24}, {12, 6}, {6, 3}}) {
    const std::vector<Constrained> all = problems(n, m, 50);
    const Times t = measure(all);
    std::printf("projection n = %d, m = %d: Cholesky KKT %.2f us; fast path %.2f us, ratio %.2f (aim 1.1); ", n, m,
                1e-3 * t.yardstick, 1e-3 * t.fast, t.fast / t.yardstick);
    std::printf("projector %.2f us, ratio %.2f (aim 4); chosen by itself %.2f us, ratio %.2f\n", 1e-3 * t.projector,
                t.projector / t.yardstick, 1e-3 * t.chosen, t.chosen / t.yardstick);
    compare(all);
  }
}
