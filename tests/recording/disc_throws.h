// Throws of a disc onto a floor in closed form, with noise: between strikes parabolas and constant spin, at each strike
// v_n⁺ = −e v_n, and Coulomb's impulse of a disc with I = m r²/2, whose slip s = v_t + r ω changes by 3 p_t/m:
//   p_t = −μ m (1 + e) |v_n| sign(s) while that leaves slip, else −m s/3.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "routh/recording/recording.h"
#include "support/random_problems.h"

namespace throws_support {

inline constexpr double radius = 0.05, gravity = 9.81;

struct DiscStart {
  double x = 0, y = 0.3, angle = 0, vx = 1, vy = 0, w = 0;
};

// The pose at `time` after a start above the floor y = 0.
inline DiscStart disc_at(DiscStart s, double time, double friction, double restitution) {
  for (double left = time;;) {
    const double drop = s.y - radius;
    const double fall = (s.vy + std::sqrt(s.vy * s.vy + 2 * gravity * drop)) / gravity;
    const double h = std::fmin(fall, left);
    s.x += s.vx * h;
    s.y += s.vy * h - gravity * h * h / 2;
    s.angle += s.w * h;
    s.vy -= gravity * h;
    left -= h;
    if (left <= 0) return s;
    s.y = radius;
    const double slip = s.vx + radius * s.w, most = friction * (1 + restitution) * std::fabs(s.vy);
    const double change = -std::copysign(std::fmin(most, std::fabs(slip) / 3), slip);  // of v_t
    s.vx += change;
    s.w += change * 2 / radius;  // m r / I = 2/r
    s.vy = -restitution * s.vy;
  }
}

inline DiscStart random_start(testing_support::Random& random) {
  return {0,
          random.uniform(0.25, 0.4),
          random.uniform(-1, 1),
          random.uniform(0.5, 2),
          random.uniform(-0.5, 0.5),
          random.uniform(-10, 30)};
}

inline routh::internal::Recording record(const DiscStart& start, double friction, double restitution, double noise,
                                         testing_support::Random& random) {
  routh::internal::Recording out;
  for (int k = 0; k < 150; ++k) {
    const double t = k / 250.0;
    const DiscStart s = disc_at(start, t, friction, restitution);
    Eigen::VectorXd q(3);
    q << s.x + noise * random.normal(), s.y + noise * random.normal(), s.angle + noise / radius * random.normal();
    out.times.push_back(t);
    out.q.push_back(q);
    out.where.push_back({"disc.csv", k + 2, 1});
  }
  return out;
}

inline const std::string disc_scene = R"(
routh: 1
dimension: planar
surfaces: {floor: {friction: 0.3, restitution: 0.5}}
bodies:
  disc:
    mass: 0.2
    inertia: 0.00025
    joint: {kind: planar}
    shapes: {disc: {kind: sphere, radius: 0.05, surface: floor}}
world: {shapes: {floor: {kind: half_space}}}
state: {position: {disc: [0, 1, 0]}}
)";

}  // namespace throws_support
