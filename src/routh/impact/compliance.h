// Where restitution comes from: one body of the effective mass m runs normally into another, through a law of contact
// force F(δ, δ̇), δ the indentation. The contact ends where F returns to zero: it never pulls.
//
//   spring_dashpot      F = k δ + c δ̇                     e = exp(−2ψ cot ψ), cos ψ = c/(2√(k m)), whatever the speed
//                       [Schwager and Pöschel 2007]
//   hunt_crossley       F = k δⁿ (1 + λ δ̇), λ = c/k        exact: h(λ v) = h(−e λ v), h(x) = x − ln(1 + x)
//                       [Hunt and Crossley 1975; their e = 1 − 2λv/3 is its first order]
//   lankarani_nikravesh λ = 3(1 − e₀²)/(4 v)               the e that comes out where e₀ is put in
//                       [Lankarani and Nikravesh 1990]
//   hertz               F = K δ^{3/2} + ³⁄₂ A K √δ δ̇        K = ⁴⁄₃ E* √R; A [s] the time of viscous loss; integrated
//                       [Hertz 1882; Kuwabara and Kono 1987; Brilliantov et al. 1996]
//   thornton            elastic to the yield speed, then p ≤ p_y; unloads elastically [Thornton 1997]
//   johnson             wholly plastic, mean pressure 3Y; unloads elastically [Johnson 1985, §11.4]
//
// 1/E* = Σ (1 − ν²)/E, 1/R = Σ 1/R_i. Yield begins below the surface, at the greatest pressure p_y where the stress on
// the axis of Hertz's field reaches Y (1.61 Y for ν = 0.3). v_y: ½ m v_y² = π⁵ R³ p_y⁵/(60 E*⁴).
//
// The speed is the one that compression reaches, m = 1/D_nn of the contact without friction.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh {

enum class ComplianceKind { spring_dashpot, hunt_crossley, lankarani_nikravesh, hertz, thornton, johnson };
// The keys under which files and Python give them.
constexpr auto names_of(ComplianceKind) {
  return name_table<ComplianceKind>({
      {ComplianceKind::spring_dashpot, "spring_dashpot"},
      {ComplianceKind::hunt_crossley, "hunt_crossley"},
      {ComplianceKind::lankarani_nikravesh, "lankarani_nikravesh"},
      {ComplianceKind::hertz, "hertz"},
      {ComplianceKind::thornton, "thornton"},
      {ComplianceKind::johnson, "johnson"},
  });
}

struct ElasticBody {
  double young = std::numeric_limits<double>::infinity();   // E [Pa] > 0; infinite: rigid
  double poisson = 0.3;                                     // ν in (−1, 0.5]
  double yield = std::numeric_limits<double>::infinity();   // Y [Pa] > 0; thornton, johnson
  double radius = std::numeric_limits<double>::infinity();  // [m], where they touch; infinite: plane
};

struct Compliance {
  ComplianceKind kind = ComplianceKind::spring_dashpot;
  double mass = 0;         // m [kg] > 0; 0: not known, which hunt_crossley and lankarani_nikravesh do without
  double stiffness = 0;    // k [N/mⁿ] > 0; 0: not known, which lankarani_nikravesh does without
  double damping = 0;      // c [N s/m] or [N s/mⁿ⁺¹], ≥ 0
  double exponent = 1.5;   // n ≥ 1; hunt_crossley, lankarani_nikravesh
  double restitution = 0;  // e₀ in [0, 1]; lankarani_nikravesh
  double loss_time = 0;    // A [s] ≥ 0; hertz
  std::array<ElasticBody, 2> bodies;
};

// `rule` is null when none is broken; `key` is that of files.
struct ComplianceViolation {
  const char* key = nullptr;
  double value = 0;
  const char* rule = nullptr;
};
ComplianceViolation check(const Compliance& compliance);

struct CompliantImpact {
  double restitution = 1;
  // Absent where mass or stiffness are not known.
  std::optional<double> duration;     // of the contact [s]
  std::optional<double> peak_force;   // [N]
  std::optional<double> indentation;  // greatest [m]
  bool in_range = true;
};
// An impact at `speed` > 0 [m/s] under a law that breaks no rule.
CompliantImpact compliant_impact(const Compliance& compliance, double speed);

// The speeds for which the law is meant [m/s]: contact radii up to a fifth of the body's; johnson from where the
// plastic zone has come to the surface all around (E* a = 30 Y R).
struct SpeedRange {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
};
SpeedRange valid_speeds(const Compliance& compliance);
// v_y of thornton and johnson [m/s]; infinite for others.
double yield_speed(const Compliance& compliance);
// p_y/Y of a body: 1/max over the axis of |σ_z − σ_r|/p₀.
double yield_pressure_ratio(double poisson);

// e as the laws of impact take it: constant, or a table over the valid speeds whose straight pieces are off by some
// 2e-6 at most. `table` holds what the result sees.
Restitution to_restitution(const Compliance& compliance, std::vector<RestitutionPoint>& table);

}  // namespace routh
