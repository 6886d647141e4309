#include "support/random_problems.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <stdexcept>

namespace testing_support {

double test_scale() {
  static const double scale = [] {
    const char* text = std::getenv("ROUTH_TEST_SCALE");
    const double value = text ? std::strtod(text, nullptr) : 1.0;
    return value > 0 && std::isfinite(value) ? value : 1.0;
  }();
  return scale;
}

int scaled(int count, int at_least) { return std::max(at_least, static_cast<int>(std::lround(count * test_scale()))); }

Random::Random(std::uint64_t seed) {
  for (auto& word : state_) {
    seed += 0x9e3779b97f4a7c15u;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    word = z ^ (z >> 31);
  }
}

std::uint64_t Random::bits() {
  const auto rotate = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
  const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }
int Random::below(int count) { return static_cast<int>(uniform() * count); }
bool Random::chance(double probability) { return uniform() < probability; }

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * M_PI * uniform());
}

namespace {

// D of a free body of mass m, inverse inertia K (its frame is the contact's) struck at r: 1/m − [r]× K [r]×.
routh::ContactInertia struck_body(double mass, const double (&k)[3][3], const double (&r)[3]) {
  const double s[3][3] = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
  double d[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double sum = i == j ? 1 / mass : 0;
      for (int p = 0; p < 3; ++p) {
        for (int q = 0; q < 3; ++q) sum += s[i][p] * k[p][q] * s[j][q];
      }
      d[i][j] = sum;
    }
  }
  return routh::spatial_inertia(d[0][0], d[0][1], d[0][2], d[1][1], d[1][2], d[2][2]);
}

void random_axes(Random& random, double (&axes)[3][3]) {
  for (auto& row : axes) {
    for (double& x : row) x = random.normal();
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < i; ++j) {
      double along = 0;
      for (int k = 0; k < 3; ++k) along += axes[i][k] * axes[j][k];
      for (int k = 0; k < 3; ++k) axes[i][k] -= along * axes[j][k];
    }
    double length = std::sqrt(axes[i][0] * axes[i][0] + axes[i][1] * axes[i][1] + axes[i][2] * axes[i][2]);
    for (double& x : axes[i]) x /= length;
  }
}

routh::ContactInertia random_body(Random& random, Family family) {
  double axes[3][3];
  random_axes(random, axes);
  double inertia[3] = {1.0 / 12, 1.0 / 12, random.uniform(0.001, 0.05)};
  double r[3];
  if (family == Family::rod) {
    for (int i = 0; i < 3; ++i) r[i] = axes[2][i] / 2;
  } else {
    for (double& j : inertia) j = random.uniform(0.02, 0.4);
    for (double& x : r) x = random.normal();
  }
  if (r[0] > 0) {  // the contact point lies below the centre of mass
    for (double& x : r) x = -x;
  }
  double k[3][3] = {};
  for (int p = 0; p < 3; ++p) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) k[i][j] += axes[p][i] * axes[p][j] / inertia[p];
    }
  }
  return struck_body(1, k, r);
}

routh::ContactInertia random_gram(Random& random) {
  const int columns = 3 + random.below(4);
  double d[3][3] = {};
  for (int l = 0; l < columns; ++l) {
    const double g[3] = {random.normal(), random.normal(), random.normal()};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) d[i][j] += g[i] * g[j] / columns;
    }
  }
  return routh::spatial_inertia(d[0][0], d[0][1], d[0][2], d[1][1], d[1][2], d[2][2]);
}

routh::ContactInertia random_coupled(Random& random) {
  const double angle = random.uniform(0, 2 * M_PI);
  const double b1 = random.uniform(0.3, 3), b2 = random.uniform(0.3, 3);
  const double co = std::cos(angle), si = std::sin(angle);
  const double b11 = b1 * co * co + b2 * si * si, b22 = b1 * si * si + b2 * co * co, b12 = (b1 - b2) * co * si;
  // c = b g with gᵀ b g = 1 − ε of a
  double g1 = random.normal(), g2 = random.normal();
  const double a = random.uniform(0.3, 2);
  const double square = b11 * g1 * g1 + 2 * b12 * g1 * g2 + b22 * g2 * g2;
  const double factor = std::sqrt(a * (1 - std::pow(10, random.uniform(-3, -0.3))) / square);
  g1 *= factor, g2 *= factor;
  return routh::spatial_inertia(a, b11 * g1 + b12 * g2, b12 * g1 + b22 * g2, b11, b12, b22);
}

routh::ContactInertia random_inertia(Random& random, Family family) {
  switch (family) {
    case Family::rod:
    case Family::body:
      return random_body(random, family);
    case Family::gram:
      return random_gram(random);
    case Family::coupled:
      return random_coupled(random);
    case Family::near_planar: {
      const routh::ContactInertia d = random_gram(random);
      const double tilt = std::pow(10, random.uniform(-9, -1));
      return routh::spatial_inertia(d.a, d.c1, d.c2 * tilt, d.b11, d.b12 * tilt, d.b22);
    }
  }
  throw std::logic_error("family");
}

void random_surface(Random& random, routh::ImpactProblem& problem) {
  const double mu = random.chance(0.05) ? 0 : random.uniform(0, random.chance(0.5) ? 1 : 3);
  problem.friction = {mu * (random.chance(0.3) ? 1 : random.uniform(1, 1.3)), mu};
  problem.restitution.normal = random.chance(0.05) ? 0 : random.chance(0.05) ? 1 : random.uniform();
}

}  // namespace

routh::ImpactProblem random_spatial(Random& random, Family family) {
  routh::ImpactProblem problem;
  problem.inertia = random_inertia(random, family);
  problem.velocity.n = -(0.05 + std::fabs(random.normal()));
  if (!random.chance(1.0 / 12)) {
    const double speed = random.chance(0.1) ? 0.01 : random.chance(0.2) ? 10 : 2;
    problem.velocity.t1 = speed * random.normal();
    problem.velocity.t2 = speed * random.normal();
    if (family == Family::near_planar) problem.velocity.t2 *= std::pow(10, random.uniform(-9, -1));
  }
  random_surface(random, problem);
  return problem;
}

routh::ImpactProblem random_spatial(Random& random) {
  return random_spatial(random, static_cast<Family>(random.below(family_count)));
}

routh::Restitution random_restitution(Random& random, routh::RestitutionKind kind, double speed) {
  routh::Restitution restitution;
  restitution.kind = kind;
  switch (kind) {
    case routh::RestitutionKind::constant:
      restitution.normal = random.uniform();
      break;
    case routh::RestitutionKind::linear:
      restitution.alpha = random.uniform() / speed;
      break;
    case routh::RestitutionKind::table: {
      static std::deque<std::array<routh::RestitutionPoint, 3>> kept;
      restitution.table = kept.emplace_back(std::array<routh::RestitutionPoint, 3>{
          {{0, random.uniform()}, {speed * random.uniform(), random.uniform()}, {speed, random.uniform()}}});
      break;
    }
  }
  return restitution;
}

routh::ImpactProblem random_planar(Random& random) {
  routh::ImpactProblem problem;
  const double a = random.uniform(0.2, 3), b = random.uniform(0.2, 3);
  const double share = random.chance(0.5) ? random.uniform(-1, 1) : 1 - std::pow(10, random.uniform(-4, -1));
  problem.inertia = routh::planar_inertia(a, share * std::sqrt(a * b) * (random.chance(0.5) ? 1 : -1), b);
  problem.velocity.n = -(0.05 + std::fabs(random.normal()));
  if (!random.chance(1.0 / 12)) problem.velocity.t1 = random.normal() * (random.chance(0.2) ? 10 : 1);
  random_surface(random, problem);
  return problem;
}

oracle::Problem to_oracle(const routh::ImpactProblem& problem) {
  const routh::ContactInertia& d = problem.inertia;
  oracle::Problem p;
  p.a = d.a, p.c1 = d.c1, p.c2 = d.c2, p.b11 = d.b11, p.b12 = d.b12, p.b22 = d.b22;
  p.vn = static_cast<oracle::Real>(problem.velocity.n) - problem.surface_velocity.n;
  p.vt1 = static_cast<oracle::Real>(problem.velocity.t1) - problem.surface_velocity.t1;
  p.vt2 = static_cast<oracle::Real>(problem.velocity.t2) - problem.surface_velocity.t2;
  p.mu_static = problem.friction.static_coefficient;
  p.mu_kinetic = problem.friction.kinetic_coefficient;
  p.restitution = problem.restitution.normal;
  p.pressed = problem.load == routh::Load::pressed;
  return p;
}

oracle::Law to_oracle(routh::Law law) {
  switch (law) {
    case routh::Law::newton:
      return oracle::Law::newton;
    case routh::Law::poisson:
      return oracle::Law::poisson;
    case routh::Law::energetic:
      return oracle::Law::energetic;
    case routh::Law::unified:
    case routh::Law::classical:
      break;
  }
  throw std::logic_error("the oracle marches Newton, Poisson and energetic only");
}

routh::ImpactProblem turned(const routh::ImpactProblem& problem, double angle) {
  const double co = std::cos(angle), si = std::sin(angle);
  const auto turn = [&](routh::ContactVector v) {
    return routh::ContactVector{v.n, co * v.t1 - si * v.t2, si * v.t1 + co * v.t2};
  };
  const routh::ContactInertia& d = problem.inertia;
  routh::ImpactProblem result = problem;
  const double b11 = co * co * d.b11 - 2 * co * si * d.b12 + si * si * d.b22;
  const double b22 = si * si * d.b11 + 2 * co * si * d.b12 + co * co * d.b22;
  const double b12 = co * si * (d.b11 - d.b22) + (co * co - si * si) * d.b12;
  result.inertia = routh::spatial_inertia(d.a, co * d.c1 - si * d.c2, si * d.c1 + co * d.c2, b11, b12, b22);
  result.velocity = turn(problem.velocity);
  result.surface_velocity = turn(problem.surface_velocity);
  return result;
}

}  // namespace testing_support
