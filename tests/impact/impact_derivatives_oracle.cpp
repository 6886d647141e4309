#include "impact_derivatives_oracle.h"

#include <algorithm>
#include <cmath>

namespace testing_support {

namespace {

using Real = long double;

struct Values {
  Judged numbers{};
  int sequence = 0;  // differs where the phases do
};

Real& input(oracle::Problem& p, int k) {
  Real* const all[] = {&p.a,  &p.c1,  &p.c2,  &p.b11,        &p.b12,        &p.b22,
                       &p.vn, &p.vt1, &p.vt2, &p.mu_kinetic, &p.restitution};
  return *all[k];
}

std::optional<Values> march(const oracle::Problem& p, oracle::Law law) {
  const oracle::Answer a = solve(p, law);
  if (a.outcome != oracle::Outcome::solved) return std::nullopt;
  Values v;
  v.numbers = {a.vn, a.vt1, a.vt2, a.in, a.it1, a.it2, a.normal_work, a.tangential_work};
  v.sequence = a.halted + 2 * a.halted_in_restitution + 4 * a.stuck + 8 * a.restarted + 16 * a.recompressed;
  return v;
}

// The maps in extended precision: stick by elimination, slip by Newton's method from the direction of `near`.
std::optional<Values> map(const oracle::Problem& p, const routh::ImpactResult& near, Real stuck1, Real stuck2) {
  const bool planar = p.b22 == 0 && p.c2 == 0 && p.b12 == 0;
  const Real target = -p.restitution * p.vn;
  Real i[3] = {}, v[3] = {target, 0, 0};
  if (near.mode != routh::ImpactMode::sliding) {
    const bool still = near.mode == routh::ImpactMode::mean_slip_zero;
    v[1] = still ? -p.vt1 : stuck1, v[2] = still ? -p.vt2 : stuck2;
    const Real change[3] = {v[0] - p.vn, v[1] - p.vt1, v[2] - p.vt2};
    const Real d[3][3] = {{p.a, p.c1, p.c2}, {p.c1, p.b11, p.b12}, {p.c2, p.b12, p.b22}};
    if (planar) {
      const Real det = p.a * p.b11 - p.c1 * p.c1;
      i[0] = (p.b11 * change[0] - p.c1 * change[1]) / det, i[1] = (p.a * change[1] - p.c1 * change[0]) / det;
      v[2] = 0;
    } else {
      const auto minor = [&](int r, int c) {
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
        return d[r1][c1] * d[r2][c2] - d[r1][c2] * d[r2][c1];
      };
      const Real det = d[0][0] * minor(0, 0) + d[0][1] * minor(0, 1) + d[0][2] * minor(0, 2);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) i[r] += minor(c, r) * change[c] / det;
    }
  } else {
    const Real weight = near.law == routh::Law::classical ? 1 : 0.5L;
    Real x = -static_cast<Real>(near.impulse.t1), y = -static_cast<Real>(near.impulse.t2);
    if (near.impulse.t1 == 0 && near.impulse.t2 == 0) {  // without friction: the slip itself
      const Real in = (target - p.vn) / p.a;
      x = p.vt1 + weight * in * p.c1, y = p.vt2 + weight * in * p.c2;
    }
    Real size = std::hypot(x, y);
    if (size == 0) return std::nullopt;
    x /= size, y /= size;
    const Real mu = p.mu_kinetic;
    const auto f = [&](Real cx, Real cy) {
      const Real in = (target - p.vn) / (p.a - mu * (p.c1 * cx + p.c2 * cy));
      const Real r1 = p.vt1 + weight * in * (p.c1 - mu * (p.b11 * cx + p.b12 * cy));
      const Real r2 = p.vt2 + weight * in * (p.c2 - mu * (p.b12 * cx + p.b22 * cy));
      return cx * r2 - cy * r1;
    };
    for (int step = 0; !planar && step < 40; ++step) {
      const Real h = 1e-6L;
      const Real slope = (f(x - h * y, y + h * x) - f(x + h * y, y - h * x)) / (2 * h);
      const Real turn = -f(x, y) / slope;
      const Real nx = x - turn * y, ny = y + turn * x;
      size = std::hypot(nx, ny);
      x = nx / size, y = ny / size;
      if (std::fabs(turn) < 1e-18L) break;
    }
    i[0] = (target - p.vn) / (p.a - mu * (p.c1 * x + p.c2 * y));
    i[1] = -mu * i[0] * x, i[2] = -mu * i[0] * y;
    v[1] = p.vt1 + p.c1 * i[0] + p.b11 * i[1] + p.b12 * i[2];
    v[2] = p.vt2 + p.c2 * i[0] + p.b12 * i[1] + p.b22 * i[2];
  }
  Values out;
  out.numbers = {v[0],
                 v[1],
                 v[2],
                 i[0],
                 i[1],
                 i[2],
                 i[0] * (p.vn + v[0]) / 2,
                 (i[1] * (p.vt1 + v[1]) + i[2] * (p.vt2 + v[2])) / 2};
  return out;
}

std::optional<Values> solve_extended(const routh::ImpactProblem& problem, const oracle::Problem& p,
                                     const routh::ImpactResult& result) {
  if (routh::is_incremental(result.law)) return march(p, to_oracle(result.law));
  const Real et = result.law == routh::Law::unified ? problem.restitution.tangential : 0;
  return map(p, result, -et * p.vt1, -et * p.vt2);
}

Real scale_of(const oracle::Problem& p, int k) {
  switch (k) {
    case 1:
      return std::sqrt(p.a * p.b11);
    case 2:
      return std::sqrt(p.a * p.b22);
    case 4:
      return std::sqrt(p.b11 * p.b22);
    case 7:
    case 8:
      return std::fabs(p.vn) + std::hypot(p.vt1, p.vt2);
    default:
      return 1;
  }
}

Real step_size(oracle::Problem p, int k) {
  const Real x = input(p, k);
  return x != 0 ? std::fabs(x) : scale_of(p, k);
}

// Each kind of output has one size: the largest of its components, and of what any input makes of them.
Judged sizes_of(const oracle::Problem& p, const ReferenceDerivatives& reference) {
  Judged sizes{};
  for (std::size_t r = 0; r < judged_outputs; ++r) {
    sizes[r] = std::fabs(reference.values[r]);
    for (int k = 0; k < judged_inputs; ++k)
      sizes[r] = std::fmax(sizes[r], std::fabs(reference.rows[r][static_cast<std::size_t>(k)] * step_size(p, k)));
  }
  const auto share = [&](std::size_t from, std::size_t to) {
    const Real most = *std::max_element(sizes.begin() + from, sizes.begin() + to);
    std::fill(sizes.begin() + from, sizes.begin() + to, most);
  };
  share(0, 3), share(3, 6), share(6, 8);
  return sizes;
}

}  // namespace

std::optional<ReferenceDerivatives> reference_derivatives(const routh::ImpactProblem& problem,
                                                          const routh::ImpactResult& result, double relative_step) {
  const oracle::Problem p = to_oracle(problem);
  const bool planar = problem.inertia.dimension == routh::Dimension::planar;
  const auto base = solve_extended(problem, p, result);
  if (!base) return std::nullopt;
  ReferenceDerivatives out;
  std::array<std::array<Real, judged_inputs>, judged_outputs> spread{};
  out.values = base->numbers;
  for (int k = 0; k < judged_inputs; ++k) {
    if (planar && (k == 2 || k == 4 || k == 5 || k == 8)) continue;
    oracle::Problem q = p;
    const Real x = input(q, k), size = step_size(p, k);
    const bool one_side = k >= 9 && x == 0;  // friction and restitution begin there
    Judged slope[3];
    for (int level = 0; level < 3; ++level) {
      const Real h = size * static_cast<Real>(relative_step) / static_cast<Real>(1 << level);
      input(q, k) = x + h;
      const auto up = solve_extended(problem, q, result);
      input(q, k) = x - h;
      const auto down = one_side ? base : solve_extended(problem, q, result);
      if (!up || !down || (!one_side && up->sequence != base->sequence) || down->sequence != base->sequence)
        return std::nullopt;
      for (std::size_t r = 0; r < judged_outputs; ++r)
        slope[level][r] = (up->numbers[r] - down->numbers[r]) / (one_side ? h : 2 * h);
    }
    // Slip from rest costs v_t |v_t| of work: its differences err by odd powers of h, too.
    const bool every_power = one_side || ((k == 7 || k == 8) && x == 0);
    const Real first = every_power ? 2 : 4, second = every_power ? 4 : 16;
    for (std::size_t r = 0; r < judged_outputs; ++r) {
      const Real coarse = (first * slope[1][r] - slope[0][r]) / (first - 1);
      const Real fine = (first * slope[2][r] - slope[1][r]) / (first - 1);
      out.rows[r][static_cast<std::size_t>(k)] = (second * fine - coarse) / (second - 1);
      spread[r][static_cast<std::size_t>(k)] = std::fabs(fine - coarse) / (second - 1) * size;
    }
  }
  const Judged sizes = sizes_of(p, out);
  for (std::size_t r = 0; r < judged_outputs; ++r)
    for (const Real each : spread[r])
      if (each > 0) out.uncertainty = std::max(out.uncertainty, static_cast<double>(each / sizes[r]));
  return out;
}

double derivative_error(const routh::ImpactProblem& problem, const routh::ImpactDerivatives& derivatives,
                        const ReferenceDerivatives& reference) {
  const oracle::Problem p = to_oracle(problem);
  const Judged sizes = sizes_of(p, reference);
  Real worst = 0;
  for (std::size_t r = 0; r < judged_outputs; ++r)
    for (int k = 0; k < judged_inputs; ++k) {
      const Real ours = derivatives.rows[r][static_cast<std::size_t>(k)];
      const Real error = std::fabs(ours - reference.rows[r][static_cast<std::size_t>(k)]) * step_size(p, k);
      if (error > 0) worst = std::fmax(worst, error / sizes[r]);
    }
  return static_cast<double>(worst);
}

}  // namespace testing_support
