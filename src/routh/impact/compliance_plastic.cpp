// Elastic contact of round bodies, and what yields.
//
// A Hertzian contact unloads from the force F and contact radius a over δ = 3F/(4E*a), gives back 2Fδ/5, and takes half
// the time of an elastic impact as fast.
#include <algorithm>
#include <cmath>

#include "routh/impact/compliance_parts.h"
#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

constexpr double pi = 3.14159265358979323846;

double five_halves(double x) { return x * x * std::sqrt(x); }

// ∫₀^θ sin^{−1/5}, by Gauss and Legendre in u = θ^{1/5}, in which it is smooth.
double sine_integral(double theta) {
  static constexpr std::array<double, 8> node = {0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863,
                                                 0.6178762444026437484, 0.7554044083550030339, 0.8656312023878317439,
                                                 0.9445750230732325761, 0.9894009349916499326};
  static constexpr std::array<double, 8> weight = {0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382,
                                                   0.1495959888165767321, 0.1246289712555338721, 0.0951585116824927848,
                                                   0.0622535239386478929, 0.0271524594117540949};
  const double end = elementary::pow(theta, 0.2);
  double sum = 0;
  for (std::size_t k = 0; k < node.size(); ++k)
    for (const double side : {-1.0, 1.0}) {
      const double u = 0.5 * end * (1 + side * node[k]), u5 = u * u * u * u * u;
      sum += weight[k] * 5 * u * u * u * elementary::pow(u5 / elementary::sin(u5), 0.2);
    }
  return 0.5 * end * sum;
}

struct Unloading {
  double energy, time;
};
Unloading unload(const HertzContact& contact, double mass, double force, double contact_radius) {
  const double depth = 3 * force / (4 * contact.modulus * contact_radius);
  const double energy = 0.4 * force * depth;
  return {energy, 0.8 * depth * sine_integral(pi / 2) / std::sqrt(2 * energy / mass)};
}

CompliantImpact elastic(const HertzContact& contact, double mass, double speed) {
  const double depth = elementary::pow(1.25 * mass * speed * speed / contact.stiffness, 0.4);
  CompliantImpact out;
  out.duration = 1.6 * depth / speed * sine_integral(pi / 2);
  out.peak_force = contact.stiffness * depth * std::sqrt(depth);
  out.indentation = depth;
  return out;
}

// Of a Hertzian contact with the indentation δ: ½ m v² = ²⁄₅ K δ^{5/2}.
double speed_to(const HertzContact& contact, double mass, double depth) {
  return std::sqrt(0.8 * contact.stiffness / mass * five_halves(depth));
}

double widest(const HertzContact& contact) { return tolerances::contact_radius_max * contact.least; }

}  // namespace

HertzContact hertz_contact(const Compliance& c) {
  HertzContact out;
  double softness = 0, curvature = 0;
  out.least = out.pressure = out.yield_stress = std::numeric_limits<double>::infinity();
  for (const ElasticBody& body : c.bodies) {
    softness += (1 - body.poisson * body.poisson) / body.young;
    curvature += 1 / body.radius;
    out.least = std::min(out.least, body.radius);
    const double pressure = routh::yield_pressure_ratio(body.poisson) * body.yield;
    if (pressure < out.pressure) out.pressure = pressure, out.yield_stress = body.yield;
  }
  out.modulus = 1 / softness;
  out.radius = 1 / curvature;
  out.stiffness = 4.0 / 3 * out.modulus * std::sqrt(out.radius);
  return out;
}

double yield_speed(const HertzContact& contact, double mass) {
  const double strain = pi * contact.pressure / (2 * contact.modulus);  // a/R where it yields
  return speed_to(contact, mass, strain * strain * contact.radius);
}

CompliantImpact thornton_impact(const HertzContact& contact, double mass, double speed) {
  const double yields_at = yield_speed(contact, mass);
  if (!(speed > yields_at)) return elastic(contact, mass, speed);
  const double strain = pi * contact.pressure / (2 * contact.modulus), depth = strain * strain * contact.radius;
  const double yield_force = contact.stiffness * depth * std::sqrt(depth);
  // Beyond it F grows by πRp_y for each δ: a harmonic motion.
  const double stiffness = pi * contact.radius * contact.pressure, omega = std::sqrt(stiffness / mass);
  const double left = std::sqrt((speed - yields_at) * (speed + yields_at));
  const double force = elementary::hypot(yield_force, left * std::sqrt(stiffness * mass));
  const double flat = (2 * force + yield_force) / (2 * pi * contact.pressure);
  const double radius = 4 * contact.modulus / (3 * force) * flat * std::sqrt(flat);  // after it, flattened
  const double contact_radius = elementary::cbrt(0.75 * force * radius / contact.modulus);
  const Unloading back = unload(contact, mass, force, contact_radius);
  // The elastic part of the approach: with δ/δ_max = sin^{4/5}θ, t = ⁴⁄₅ δ_max/v ∫ sin^{−1/5}θ dθ.
  const double elastic_depth = elementary::pow(1.25 * mass * speed * speed / contact.stiffness, 0.4);
  CompliantImpact out;
  out.restitution = std::min(1.0, std::sqrt(2 * back.energy / mass) / speed);
  out.duration = 0.8 * elastic_depth / speed * sine_integral(elementary::asin(yields_at / speed)) +
                 elementary::atan2(left * mass * omega, yield_force) / omega + back.time;
  out.peak_force = force;
  out.indentation = depth + (force - yield_force) / stiffness;
  return out;
}

CompliantImpact johnson_impact(const HertzContact& contact, double mass, double speed) {
  // a² = 2Rδ, without pile-up: F = 2πR p_d δ.
  const double stiffness = 2 * pi * contact.radius * tolerances::plastic_pressure_ratio * contact.yield_stress;
  const double omega = std::sqrt(stiffness / mass), depth = speed / omega, force = depth * stiffness;
  const Unloading back = unload(contact, mass, force, std::sqrt(2 * contact.radius * depth));
  CompliantImpact out;
  out.restitution = std::min(1.0, std::sqrt(2 * back.energy / mass) / speed);
  out.duration = pi / (2 * omega) + back.time;
  out.peak_force = force;
  out.indentation = depth;
  return out;
}

SpeedRange hertz_speeds(const HertzContact& contact, double mass) {
  const double a = widest(contact);
  return {0, speed_to(contact, mass, a * a / contact.radius)};
}

SpeedRange thornton_speeds(const HertzContact& contact, double mass) {
  // Wider than at yield: F = F_y + πRp_y(δ − δ_y), and a² = Rδ stays.
  const double strain = pi * contact.pressure / (2 * contact.modulus), a = widest(contact);
  const double depth = strain * strain * contact.radius, beyond = a * a / contact.radius - depth;
  if (beyond <= 0) return hertz_speeds(contact, mass);
  const double yields_at = yield_speed(contact, mass);
  const double work = contact.stiffness * depth * std::sqrt(depth) * beyond +
                      0.5 * pi * contact.radius * contact.pressure * beyond * beyond;
  return {0, std::sqrt(yields_at * yields_at + 2 * work / mass)};
}

SpeedRange johnson_speeds(const HertzContact& contact, double mass) {
  // ½ m v² = π a⁴ p_d/(4R).
  const double pressure = tolerances::plastic_pressure_ratio * contact.yield_stress;
  const auto speed = [&](double a) { return a * a * std::sqrt(pi * pressure / (2 * contact.radius * mass)); };
  return {speed(tolerances::plastic_strain_ratio * contact.yield_stress * contact.radius / contact.modulus),
          speed(widest(contact))};
}

}  // namespace routh::internal

namespace routh {

double yield_pressure_ratio(double poisson) {
  // On the axis, at depth z = ζ a: σ_z = −p₀/(1 + ζ²), σ_r = −p₀{(1 + ν)(1 − ζ atan 1/ζ) − ½/(1 + ζ²)} [Johnson 1985,
  // eq. 3.45]. The difference has one maximum, in 0 < ζ < 1: golden section.
  const auto shear = [poisson](double zeta) {
    const double fall = 1 / (1 + zeta * zeta);
    return 1.5 * fall - (1 + poisson) * (1 - zeta * elementary::atan2(1, zeta));
  };
  constexpr double golden = 0.61803398874989484820;
  double low = 0, high = 1;
  for (int k = 0; k < internal::tolerances::compliance_bisections; ++k) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    (shear(left) < shear(right) ? low : high) = shear(left) < shear(right) ? left : right;
  }
  return 1 / shear(0.5 * (low + high));
}

}  // namespace routh
