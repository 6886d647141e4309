#include "support/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "support/random_problems.h"

namespace testing_support {

double norm(const routh::ContactVector& v) { return std::hypot(v.n, v.t1, v.t2); }

double distance(const routh::ContactVector& v, const routh::ContactVector& w) {
  return std::hypot(v.n - w.n, v.t1 - w.t1, v.t2 - w.t2);
}

routh::ContactVector relative_before(const routh::ImpactProblem& problem) {
  const routh::ContactVector &v = problem.velocity, &s = problem.surface_velocity;
  return {v.n - s.n, v.t1 - s.t1, v.t2 - s.t2};
}

double Errors::worst() const { return std::max({impulse, velocity, work}); }

namespace {

using oracle::Real;

Real length(Real x, Real y, Real z) { return std::sqrt(x * x + y * y + z * z); }

Errors compare(const oracle::Problem& before, const oracle::Answer& x, const oracle::Answer& y) {
  const Real impulse = length(x.in, x.it1, x.it2);
  const Real speed = std::fmax(length(before.vn, before.vt1, before.vt2), length(x.vn, x.vt1, x.vt2));
  const auto ratio = [](Real error, Real scale) {
    return static_cast<double>(error == 0 ? 0 : scale > 0 ? error / scale : HUGE_VALL);
  };
  Errors e;
  e.impulse = ratio(length(x.in - y.in, x.it1 - y.it1, x.it2 - y.it2), impulse);
  e.velocity = ratio(length(x.vn - y.vn, x.vt1 - y.vt1, x.vt2 - y.vt2), speed);
  e.work = ratio(std::fabs(x.normal_work - y.normal_work) + std::fabs(x.tangential_work - y.tangential_work),
                 impulse * speed);
  return e;
}

}  // namespace

Errors errors(const routh::ImpactProblem& problem, const routh::ImpactResult& result, const oracle::Answer& answer) {
  oracle::Answer own;
  own.in = result.impulse.n, own.it1 = result.impulse.t1, own.it2 = result.impulse.t2;
  own.vn = result.relative_velocity.n, own.vt1 = result.relative_velocity.t1, own.vt2 = result.relative_velocity.t2;
  own.normal_work = result.energy.normal_work, own.tangential_work = result.energy.tangential_work;
  return compare(to_oracle(problem), answer, own);
}

double sensitivity(const oracle::Problem& problem, oracle::Law law) {
  const oracle::Answer base = solve(problem, law);
  Random random(1);
  double worst = 0;
  for (int trial = 0; trial < 8; ++trial) {
    oracle::Problem p = problem;
    for (Real* x : {&p.a, &p.c1, &p.c2, &p.b11, &p.b12, &p.b22, &p.vn, &p.vt1, &p.vt2, &p.mu_kinetic}) {
      *x *= 1 + 0x1p-52L * static_cast<Real>(random.uniform(-1, 1));
    }
    p.mu_static = std::fmax(p.mu_static, p.mu_kinetic);
    worst = std::max(worst, compare(problem, base, solve(p, law)).worst());
  }
  return worst;
}

std::string describe(const routh::ImpactProblem& problem) {
  std::string text = oracle::describe(to_oracle(problem));
  if (problem.inertia.dimension == routh::Dimension::planar) text += " planar";
  return text;
}

std::string to_json(const routh::ImpactProblem& p, routh::Law law) {
  const routh::ContactInertia& d = p.inertia;
  char text[1024];
  if (d.dimension == routh::Dimension::planar) {
    std::snprintf(text, sizeof text,
                  "{\"delassus\": [[%.17g, %.17g], [%.17g, %.17g]], \"contact_velocity\": [%.17g, %.17g], ", d.a, d.c1,
                  d.c1, d.b11, p.velocity.n, p.velocity.t1);
  } else {
    std::snprintf(text, sizeof text,
                  "{\"delassus\": [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]], "
                  "\"contact_velocity\": [%.17g, %.17g, %.17g], ",
                  d.a, d.c1, d.c2, d.c1, d.b11, d.b12, d.c2, d.b12, d.b22, p.velocity.n, p.velocity.t1, p.velocity.t2);
  }
  std::string result = text;
  const routh::ContactVector& surface = p.surface_velocity;
  if (norm(surface) != 0) {
    std::snprintf(text, sizeof text, "\"surface_velocity\": [%.17g, %.17g", surface.n, surface.t1);
    result += text;
    if (d.dimension == routh::Dimension::spatial) {
      std::snprintf(text, sizeof text, ", %.17g", surface.t2);
      result += text;
    }
    result += "], ";
  }
  std::snprintf(text, sizeof text,
                "\"friction\": {\"static\": %.17g, \"kinetic\": %.17g}, \"restitution\": %.17g, \"law\": \"%s\"}",
                p.friction.static_coefficient, p.friction.kinetic_coefficient, p.restitution.normal, name(law));
  return result + text;
}

namespace {

// Every number of a result, in a fixed order.
template <class Visit>
void visit_numbers(const routh::ImpactResult& r, Visit visit) {
  const auto vector = [&](const routh::ContactVector& v) { visit(v.n), visit(v.t1), visit(v.t2); };
  visit(r.restitution);
  vector(r.velocity), vector(r.relative_velocity), vector(r.impulse);
  visit(r.energy.normal_work), visit(r.energy.tangential_work), visit(r.energy.supplied), visit(r.energy.change);
  for (const routh::Phase& phase : r) {
    visit(phase.normal_impulse), visit(phase.direction_t1), visit(phase.direction_t2);
    vector(phase.velocity);
  }
}

}  // namespace

bool all_finite(const routh::ImpactResult& result) {
  bool finite = result.phase_count >= 0 && result.phase_count <= routh::ImpactResult::max_phases;
  visit_numbers(result, [&](double x) { finite = finite && std::isfinite(x); });
  return finite;
}

bool same_bits(const routh::ImpactResult& x, const routh::ImpactResult& y) {
  if (x.law != y.law || x.status != y.status || x.mode != y.mode || x.warnings != y.warnings ||
      x.phase_count != y.phase_count || x.energy.consistent != y.energy.consistent) {
    return false;
  }
  for (int i = 0; i < x.phase_count; ++i) {
    if (x.begin()[i].kind != y.begin()[i].kind || x.begin()[i].stage != y.begin()[i].stage) return false;
  }
  double left[16 + 6 * routh::ImpactResult::max_phases], right[16 + 6 * routh::ImpactResult::max_phases];
  std::size_t nx = 0, ny = 0;
  visit_numbers(x, [&](double v) { left[nx++] = v; });
  visit_numbers(y, [&](double v) { right[ny++] = v; });
  return nx == ny && std::memcmp(left, right, nx * sizeof(double)) == 0;
}

}  // namespace testing_support
