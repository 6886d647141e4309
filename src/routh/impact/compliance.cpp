#include "routh/impact/compliance.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/compliance_parts.h"
#include "routh/impact/tolerances.h"
#include "routh/math/elementary.h"

namespace routh {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

bool is_positive(double x) { return x > 0 && x < unlimited; }
bool is_not_negative(double x) { return x >= 0 && x < unlimited; }

constexpr const char* positive = "must be positive, and finite";
constexpr const char* not_negative = "must be zero or positive, and finite";

double unit_length(double mass, double speed, double stiffness, double p) {
  return elementary::pow(mass * speed * speed / stiffness, 1 / (p + 1));
}

ComplianceViolation check_bodies(const Compliance& c) {
  const bool yields = c.kind != ComplianceKind::hertz;
  for (const ElasticBody& body : c.bodies) {
    if (!(body.young > 0)) return {"young", body.young, "must be positive"};
    if (!(body.poisson > -1 && body.poisson <= 0.5)) return {"poisson", body.poisson, "must lie in (-1, 0.5]"};
    if (yields && !(body.yield > 0)) return {"yield", body.yield, "must be positive"};
    if (!(body.radius > 0)) return {"radius", body.radius, "must be positive"};
  }
  const auto& [first, second] = c.bodies;
  if (std::isinf(first.young) && std::isinf(second.young)) return {"young", unlimited, "must be finite for one body"};
  if (std::isinf(first.radius) && std::isinf(second.radius))
    return {"radius", unlimited, "must be finite for one body: the two planes have no radius of contact"};
  if (yields && std::isinf(first.yield) && std::isinf(second.yield))
    return {"yield", unlimited, "must be finite for one body"};
  if (!is_positive(c.mass)) return {"mass", c.mass, positive};
  if (!is_not_negative(c.loss_time)) return {"loss_time", c.loss_time, not_negative};
  const internal::HertzContact contact = hertz_contact(c);
  const double widest = contact.modulus * contact.radius;
  if (!is_positive(contact.stiffness) || !is_positive(widest))
    return {"young", first.young, "gives, with the radii, a stiffness beyond the range of a double; check the units"};
  // At yield a/R = πp_y/(2E*) must be small, or Hertz's theory has ended before.
  if (yields && !(contact.pressure < contact.modulus)) {
    return {"yield", contact.yield_stress, "is too large for E*: the bodies would not yield but crumple"};
  }
  if (!is_positive(valid_speeds(c).high))
    return {"mass", c.mass, "gives speeds beyond the range of a double; check the units"};
  if (c.kind == ComplianceKind::johnson && !(valid_speeds(c).low < valid_speeds(c).high))
    return {"yield", contact.yield_stress,
            "is too large for E*: no impact within the range of radii is wholly plastic"};
  // ³⁄₂ A v/L at 1 m/s; it grows as v^{1/5}.
  if (1.5 * c.loss_time / unit_length(c.mass, 1, contact.stiffness, 1.5) > 1 / tolerances::table_first_loss)
    return {"loss_time", c.loss_time, "is so long that nothing rebounds at any speed"};
  for (const double speed : {yields ? yield_speed(c) : valid_speeds(c).high, valid_speeds(c).high}) {
    const CompliantImpact impact = compliant_impact(c, speed);
    if (!is_positive(speed) || !(impact.restitution >= 0) || !is_positive(*impact.duration) ||
        !is_positive(*impact.peak_force))
      return {"mass", c.mass, "gives, with the other numbers, ones beyond the range of a double; check the units"};
  }
  return {};
}

// Speeds in L/v, forces in m v²/L, of the unit L = (m v²/k)^{1/(p+1)}.
CompliantImpact with_units(const internal::ViscousImpact& unit, double mass, double speed, double length) {
  CompliantImpact out;
  out.restitution = unit.restitution;
  out.duration = unit.duration * length / speed;
  out.peak_force = unit.peak_force * mass * speed * speed / length;
  out.indentation = unit.indentation * length;
  return out;
}

// λ v of the laws with p = q.
double loss_number(const Compliance& c, double speed) {
  if (c.kind == ComplianceKind::lankarani_nikravesh) return 0.75 * (1 - c.restitution) * (1 + c.restitution);
  return c.damping / c.stiffness * speed;
}

CompliantImpact separable_impact(const Compliance& c, double speed) {
  const double d = loss_number(c, speed);
  CompliantImpact out;
  out.restitution = internal::hunt_crossley_restitution(d);
  if (c.mass == 0 || c.stiffness == 0) return out;
  const double e = out.restitution;
  out = with_units(internal::integrate({c.exponent, c.exponent, d}), c.mass, speed,
                   unit_length(c.mass, speed, c.stiffness, c.exponent));
  out.restitution = e;
  return out;
}

CompliantImpact hertz_impact(const Compliance& c, double speed) {
  const internal::HertzContact contact = hertz_contact(c);
  const double length = unit_length(c.mass, speed, contact.stiffness, 1.5);
  return with_units(internal::integrate({1.5, 0.5, 1.5 * c.loss_time * speed / length}), c.mass, speed, length);
}

double restitution_alone(const Compliance& c, double speed) {
  if (c.kind == ComplianceKind::hunt_crossley || c.kind == ComplianceKind::lankarani_nikravesh)
    return internal::hunt_crossley_restitution(loss_number(c, speed));
  return compliant_impact(c, speed).restitution;
}

// Where a table that begins at e = 1 leaves it, and where it ends: beyond the speed that leaves next to nothing the
// end value does.
SpeedRange tabulated(const Compliance& c) {
  SpeedRange range = valid_speeds(c);
  switch (c.kind) {
    case ComplianceKind::hunt_crossley: {
      const double slowness = loss_number(c, 1);
      return {tolerances::table_first_loss / slowness, tolerances::table_last_loss / slowness};
    }
    case ComplianceKind::hertz: {
      // d = ³⁄₂ A v/L ∝ v^{1/5}.
      const internal::HertzContact contact = hertz_contact(c);
      const double at_one = 1.5 * c.loss_time / unit_length(c.mass, 1, contact.stiffness, 1.5);
      const auto speed = [&](double d) {
        return elementary::pow(std::min(d / at_one, tolerances::table_ratio_max), 5);
      };
      range.high = std::min(range.high, speed(tolerances::table_last_loss));
      range.low = std::min(speed(tolerances::table_first_loss), range.high / 2);
      return range;
    }
    case ComplianceKind::thornton:
      range.low = std::min(yield_speed(c), range.high / 2);
      return range;
    case ComplianceKind::spring_dashpot:
    case ComplianceKind::lankarani_nikravesh:
    case ComplianceKind::johnson:
      return range;
  }
  return range;
}

// Points between two until the straight line is as near as it shall be, at the middle of the speeds and of their
// logarithms.
void refine(const Compliance& c, const RestitutionPoint& low, const RestitutionPoint& high, int depth,
            std::vector<RestitutionPoint>& table) {
  const auto off = [&](double speed, double e) {
    const double share = (speed - low.speed) / (high.speed - low.speed);
    return std::abs(low.coefficient + share * (high.coefficient - low.coefficient) - e);
  };
  const double middle = std::sqrt(low.speed) * std::sqrt(high.speed), mean = 0.5 * (low.speed + high.speed);
  const double e = restitution_alone(c, middle);
  if (depth > 0 && middle > low.speed && middle < high.speed &&
      std::max(off(middle, e), off(mean, restitution_alone(c, mean))) > tolerances::table_restitution_error) {
    refine(c, low, {middle, e}, depth - 1, table);
    refine(c, {middle, e}, high, depth - 1, table);
    return;
  }
  table.push_back(high);
}

}  // namespace

ComplianceViolation check(const Compliance& c) {
  if (!is_not_negative(c.mass)) return {"mass", c.mass, positive};
  if (!is_not_negative(c.stiffness)) return {"stiffness", c.stiffness, positive};
  if (!is_not_negative(c.damping)) return {"damping", c.damping, not_negative};
  switch (c.kind) {
    case ComplianceKind::spring_dashpot:
      if (c.mass == 0) return {"mass", c.mass, positive};
      if (c.stiffness == 0) return {"stiffness", c.stiffness, positive};
      if (!is_positive(c.mass * c.stiffness) || !std::isfinite(c.damping * c.damping / (c.mass * c.stiffness)))
        return {"stiffness", c.stiffness,
                "gives, with mass and damping, numbers beyond the range of a double; check the units"};
      return {};
    case ComplianceKind::lankarani_nikravesh:
      if (!(c.restitution >= 0 && c.restitution <= 1)) return {"restitution", c.restitution, "must lie in [0, 1]"};
      [[fallthrough]];
    case ComplianceKind::hunt_crossley:
      if (c.kind == ComplianceKind::hunt_crossley && c.stiffness == 0) return {"stiffness", c.stiffness, positive};
      if (!(c.exponent >= 1 && c.exponent <= tolerances::force_exponent_max))
        return {"exponent", c.exponent, "must lie in [1, 10]"};
      if (!is_not_negative(loss_number(c, 1)) || (loss_number(c, 1) == 0 && c.damping > 0))
        return {"damping", c.damping,
                "gives, over the stiffness, a number beyond the range of a double; check the units"};
      return {};
    case ComplianceKind::hertz:
    case ComplianceKind::thornton:
    case ComplianceKind::johnson:
      return check_bodies(c);
  }
  return {};
}

SpeedRange valid_speeds(const Compliance& c) {
  switch (c.kind) {
    case ComplianceKind::spring_dashpot:
    case ComplianceKind::hunt_crossley:
    case ComplianceKind::lankarani_nikravesh:
      return {};
    case ComplianceKind::hertz:
      return hertz_speeds(hertz_contact(c), c.mass);
    case ComplianceKind::thornton:
      return thornton_speeds(hertz_contact(c), c.mass);
    case ComplianceKind::johnson:
      return johnson_speeds(hertz_contact(c), c.mass);
  }
  return {};
}

double yield_speed(const Compliance& c) {
  switch (c.kind) {
    case ComplianceKind::thornton:
    case ComplianceKind::johnson:
      return internal::yield_speed(hertz_contact(c), c.mass);
    case ComplianceKind::spring_dashpot:
    case ComplianceKind::hunt_crossley:
    case ComplianceKind::lankarani_nikravesh:
    case ComplianceKind::hertz:
      return unlimited;
  }
  return unlimited;
}

CompliantImpact compliant_impact(const Compliance& c, double speed) {
  CompliantImpact out;
  switch (c.kind) {
    case ComplianceKind::spring_dashpot: {
      const double length = speed * std::sqrt(c.mass / c.stiffness);
      out = with_units(internal::spring_dashpot(c.damping / std::sqrt(c.mass * c.stiffness)), c.mass, speed, length);
      break;
    }
    case ComplianceKind::hunt_crossley:
    case ComplianceKind::lankarani_nikravesh:
      out = separable_impact(c, speed);
      break;
    case ComplianceKind::hertz:
      out = hertz_impact(c, speed);
      break;
    case ComplianceKind::thornton:
      out = thornton_impact(hertz_contact(c), c.mass, speed);
      break;
    case ComplianceKind::johnson:
      out = johnson_impact(hertz_contact(c), c.mass, speed);
      break;
  }
  const SpeedRange range = valid_speeds(c);
  out.in_range = speed >= range.low && speed <= range.high;
  return out;
}

Restitution to_restitution(const Compliance& c, std::vector<RestitutionPoint>& table) {
  Restitution out;
  table.clear();
  const SpeedRange range = tabulated(c);
  const bool lossless = c.kind == ComplianceKind::hunt_crossley && loss_number(c, 1) == 0;
  if (lossless || std::isinf(range.high)) {
    out.normal = restitution_alone(c, 1);
    return out;
  }
  out.kind = RestitutionKind::table;
  if (c.kind != ComplianceKind::johnson) table.push_back({0, 1});
  const RestitutionPoint first{range.low, restitution_alone(c, range.low)};
  const RestitutionPoint last{range.high, restitution_alone(c, range.high)};
  table.push_back(first);
  refine(c, first, last, tolerances::table_halvings_max, table);
  out.table = table;
  return out;
}

}  // namespace routh
