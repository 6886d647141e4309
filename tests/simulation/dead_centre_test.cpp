// Slip that passes through zero because of the posture, not because friction halts it: the machine goes on.
#include <gtest/gtest.h>

#include <cmath>

#include "trial.h"

namespace {

using namespace routh;
using testing_support::Trial;

constexpr double crank_arm = 0.3, rod_length = 1.0, rod_com = 0.5, crank_com = 0.05, crank_mass = 2, rod_mass = 1;
constexpr double crank_inertia = 0.3, rod_inertia = 0.08, earth_pull = 9.81, crank_friction = 0.3, depth = 0.2;

struct Crank {
  double angle[2];  // of the crank and of the rod, both from the horizontal
  double rate[2];
};

// A crank whose rod rubs with its tip on the floor. `scale`: of lengths and gravity, which leaves the times as they
// are.
std::string crank_scene(const Crank& start, double scale, bool spatial) {
  const double s = scale;
  const auto along = [&](double x) {
    return spatial ? fmt::format("[{:.17g}, 0, 0]", x) : fmt::format("[{:.17g}, 0]", x);
  };
  const auto inertia = [&](double x) {
    return spatial ? fmt::format("[{0:.17g}, {0:.17g}, {0:.17g}]", x) : fmt::format("{:.17g}", x);
  };
  const std::string axis = spatial ? ", axis: [0, 0, 1]" : "", z = spatial ? ", 0" : "";
  return fmt::format(
      R"(
dimension: {}
gravity: [0, {:.17g}{}]
surfaces: {{g: {{friction: {}, restitution: 0}}}}
world: {{shapes: {{floor: {{kind: half_space, at: [0, {:.17g}{}], normal: [0, 1{}]}}}}}}
bodies:
  crank: {{mass: {}, com: {}, inertia: {}, joint: {{kind: revolute{}}}}}
  rod: {{mass: {}, com: {}, inertia: {}, joint: {{kind: revolute, parent: crank, at: {}{}}},
    shapes: {{tip: {{kind: point, at: {}, surface: g}}}}}}
state: {{position: {{crank: {:.17g}, rod: {:.17g}}}, velocity: {{crank: {:.17g}, rod: {:.17g}}}}}
)",
      spatial ? "spatial" : "planar", -earth_pull * s, z, crank_friction, -depth * s, z, z, crank_mass,
      along(crank_com * s), inertia(crank_inertia * s * s), axis, rod_mass, along(rod_com * s),
      inertia(rod_inertia * s * s), along(crank_arm * s), axis, along(rod_length * s), start.angle[0],
      start.angle[1] - start.angle[0], start.rate[0], start.rate[1] - start.rate[0]);
}

Crank start_at(double angle, double rate) {
  Crank c{{angle, std::asin((-depth - crank_arm * std::sin(angle)) / rod_length)}, {rate, 0}};
  c.rate[1] = -crank_arm * std::cos(angle) * rate / (rod_length * std::cos(c.angle[1]));
  return c;
}

// M q̈ = Q + (J_n − μ sgn(slip) J_t)ᵀ λ with the constraint, by elimination.
void accelerate(const Crank& c, double out[2]) {
  const double sa = std::sin(c.angle[0]), ca = std::cos(c.angle[0]), sb = std::sin(c.angle[1]),
               cb = std::cos(c.angle[1]);
  const double wa = c.rate[0], wb = c.rate[1], k = rod_mass * crank_arm * rod_com;
  const double maa = crank_inertia + crank_mass * crank_com * crank_com + rod_mass * crank_arm * crank_arm,
               mbb = rod_inertia + rod_mass * rod_com * rod_com, mab = k * std::cos(c.angle[0] - c.angle[1]);
  const double bend = k * std::sin(c.angle[0] - c.angle[1]);
  const double qa = -bend * wb * wb - earth_pull * (crank_mass * crank_com + rod_mass * crank_arm) * ca,
               qb = bend * wa * wa - earth_pull * rod_mass * rod_com * cb;
  const double na = crank_arm * ca, nb = rod_length * cb, ta = -crank_arm * sa, tb = -rod_length * sb,
               sign = ta * wa + tb * wb > 0 ? 1 : -1;
  const double fa = na - crank_friction * sign * ta, fb = nb - crank_friction * sign * tb;
  const double det = maa * mbb - mab * mab;
  const auto solve = [&](double x, double y, double& a, double& b) {
    a = (mbb * x - mab * y) / det;
    b = (maa * y - mab * x) / det;
  };
  double free_a, free_b, push_a, push_b;
  solve(qa, qb, free_a, free_b);
  solve(fa, fb, push_a, push_b);
  const double wanted = crank_arm * sa * wa * wa + rod_length * sb * wb * wb;
  const double lambda = (wanted - na * free_a - nb * free_b) / (na * push_a + nb * push_b);
  ASSERT_GT(lambda, 0);
  out[0] = free_a + lambda * push_a;
  out[1] = free_b + lambda * push_b;
}

Crank integrate_crank(Crank c, double until) {
  constexpr int steps = 300000;
  const double h = until / steps;
  const auto shifted = [](const Crank& from, const Crank& rates, double by) {
    Crank to = from;
    for (int k = 0; k < 2; ++k) {
      to.angle[k] += by * rates.angle[k];
      to.rate[k] += by * rates.rate[k];
    }
    return to;
  };
  const auto rates_at = [](const Crank& at) {
    Crank rates{{at.rate[0], at.rate[1]}, {0, 0}};
    accelerate(at, rates.rate);
    return rates;
  };
  for (int i = 0; i < steps; ++i) {
    const Crank k1 = rates_at(c), k2 = rates_at(shifted(c, k1, h / 2)), k3 = rates_at(shifted(c, k2, h / 2)),
                k4 = rates_at(shifted(c, k3, h));
    c = shifted(shifted(shifted(shifted(c, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
  }
  return c;
}

TEST(DeadCentre, CrankGoesOn) {
  const Crank start = start_at(1, 5), exact = integrate_crank(start, 3);
  for (const double scale : {1.0, 1e-2, 1e3})
    for (const bool spatial : {false, true})
      for (const double tolerance : {1e-4, 1e-6, 1e-7, 1e-10}) {
        if (scale != 1 && tolerance > 1e-7) continue;  // which is of metres
        SimulationOptions options;
        options.tolerance = tolerance;
        Trial trial(crank_scene(start, scale, spatial), options);
        ASSERT_EQ(trial.to(3), SimulationStatus::ready);
        EXPECT_NEAR(trial.q(0), exact.angle[0], std::max(1e-4, 100 * tolerance))
            << "scale " << scale << (spatial ? ", spatial" : ", planar") << ", tolerance " << tolerance;
        EXPECT_NEAR(trial.v(0), exact.rate[0], std::max(1e-3, 1000 * tolerance));
      }
}

// In space slip passes by zero at a distance, and turns on the way. This arm lost all of its motion there, at some
// tolerances: the velocity is continuous, and the account, which has no closed form, the same for all of them.
TEST(DeadCentre, ArmGoesOn) {
  const Scene arm = read_scene_file(fmt::format("{}/scenes/dead_centre_arm.json", ROUTH_TEST_DATA));
  for (const double tolerance : {1e-6, 1e-8, 1e-9, 1e-10, 1e-11}) {
    SimulationOptions options;
    options.tolerance = tolerance;
    Trial trial(arm, options);
    ASSERT_EQ(trial.to(0.792), SimulationStatus::ready);
    ASSERT_NEAR(trial.v(2), 0.12, 0.005);
    ASSERT_EQ(trial.to(0.7925), SimulationStatus::ready);
    EXPECT_NEAR(trial.v(2), 0.118, 0.002) << tolerance;  // its acceleration is −10 rad/s² before and after
    ASSERT_EQ(trial.to(1.2), SimulationStatus::ready);
    EXPECT_NEAR(trial.simulator.energy().dissipated, 0.659628, 2e-6) << tolerance;
  }
}

}  // namespace
