// Two machines with one coordinate left while their contact slides, written out by hand from Lagrange's equations: the
// two-link arm of [Liu 2007] over a belt at rest, and the uniform rod of Painlevé. No code of the library is used.
#pragma once

#include <cmath>
#include <optional>

namespace sliding {

struct State {
  double A = 0, B = 0;        // v̇_n = A F + B
  double gain = 0, rest = 0;  // ẍ = gain F + rest
  double slip = 0;            // tangential velocity of the contact point
  double a = 0, c = 0;        // of the contact inertia
};

// Links of length 1 m and mass 1 kg, g = 9.8 m/s², no torques; the joint stands at height H over the belt, at rest.
//   T = 2/3 ω1² + 1/6 ω2² + 1/2 ω1 ω2 cos(θ1 − θ2),   V = −g (3/2 cos θ1 + 1/2 cos θ2)
//   tip: x = sin θ1 + sin θ2, y = −cos θ1 − cos θ2;   x-coordinate of the flow: θ1; θ2 = arccos(H − cos θ1) > 0
struct Arm {
  double friction = 0.5;
  double height = 5.0 / 3;

  std::optional<State> at(double theta1, double rate1) const {
    constexpr double g = 9.8;
    const double cosine = height - std::cos(theta1);
    if (!(std::abs(cosine) < 1)) return {};
    const double theta2 = std::acos(cosine);
    const double rate2 = -rate1 * std::sin(theta1) / std::sin(theta2);
    const double delta = theta1 - theta2;
    const double m11 = 4.0 / 3, m12 = std::cos(delta) / 2, m22 = 1.0 / 3, determinant = m11 * m22 - m12 * m12;
    const double q1 = -1.5 * g * std::sin(theta1) - 0.5 * rate2 * rate2 * std::sin(delta);
    const double q2 = -0.5 * g * std::sin(theta2) + 0.5 * rate1 * rate1 * std::sin(delta);
    const double n1 = std::sin(theta1), n2 = std::sin(theta2), t1 = std::cos(theta1), t2 = std::cos(theta2);
    State s;
    s.slip = rate1 * t1 + rate2 * t2;
    const double direction = rate1 * std::sin(theta2 - theta1) > 0 ? 1 : -1;
    const double w1 = n1 - friction * direction * t1, w2 = n2 - friction * direction * t2;
    const double u1 = (m22 * w1 - m12 * w2) / determinant, u2 = (m11 * w2 - m12 * w1) / determinant;
    const double f1 = (m22 * q1 - m12 * q2) / determinant, f2 = (m11 * q2 - m12 * q1) / determinant;
    s.A = n1 * u1 + n2 * u2;
    s.B = n1 * f1 + n2 * f2 + rate1 * rate1 * t1 + rate2 * rate2 * t2;
    s.gain = u1;
    s.rest = f1;
    s.a = (m22 * n1 * n1 - 2 * m12 * n1 * n2 + m11 * n2 * n2) / determinant;
    s.c = (m22 * n1 * t1 - m12 * (n1 * t2 + n2 * t1) + m11 * n2 * t2) / determinant;
    return s;
  }
};

// Mass 1, half-length 1, g = 9.8; the lower end slides towards +x, the centre of mass stands at (cos θ, sin θ) from it.
//   θ̈ = −3 (cos θ + μ sin θ) F,   v̇_n = (1 + 3 cos²θ + 3 μ sin θ cos θ) F + θ̇² sin θ − g
struct Rod {
  double friction = 1.4;

  std::optional<State> at(double theta, double rate) const {
    if (!(theta > 0 && theta < M_PI)) return {};
    State s;
    s.a = 1 + 3 * std::cos(theta) * std::cos(theta);
    s.c = -3 * std::sin(theta) * std::cos(theta);
    s.A = s.a - friction * s.c;
    s.B = rate * rate * std::sin(theta) - 9.8;
    s.gain = -3 * (std::cos(theta) + friction * std::sin(theta));
    s.rest = 0;
    s.slip = 1;  // fast enough not to end
    return s;
  }
};

}  // namespace sliding
