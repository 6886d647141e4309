#include "routh/impact/surface_check.h"

#include <cmath>

namespace routh::internal {

namespace {

using Quantity = SurfaceQuantity;

constexpr const char* not_negative = "must be zero or positive";
constexpr const char* fraction = "must lie in [0, 1]";

struct Words {
  const char *name, *key, *remedy;
};

Words words_of(SurfaceQuantity quantity) {
  switch (quantity) {
    case Quantity::static_friction:
      return {"friction.static", "static", ""};
    case Quantity::kinetic_friction:
      return {"friction.kinetic", "kinetic", ""};
    case Quantity::restitution:
      return {"restitution", "normal", ""};
    case Quantity::tangential_restitution:
      return {"restitution.tangential", "tangential", ""};
    case Quantity::alpha:
      return {"restitution.alpha", "alpha", ""};
    case Quantity::table:
      return {"restitution.table", "table", "give at least one pair of speed and coefficient"};
    case Quantity::table_speed:
      return {"restitution.table", "table", "sort the table by approach speed"};
    case Quantity::table_coefficient:
      return {"restitution.table", "table", ""};
  }
  return {"", "", ""};
}

bool is_fraction(double e) { return e >= 0 && e <= 1; }

SurfaceViolation check_table(std::span<const RestitutionPoint> table) {
  if (table.empty()) return {Quantity::table, 0, "must have at least one point"};
  for (std::size_t k = 0; k < table.size(); ++k) {
    const auto [speed, e] = table[k];
    if (!std::isfinite(speed)) return {Quantity::table_speed, speed, "must be a finite number", k};
    if (!(speed >= 0) || (k > 0 && !(speed > table[k - 1].speed)))
      return {Quantity::table_speed, speed, "must be zero or positive and exceed the speed before it", k};
    if (!is_fraction(e)) return {Quantity::table_coefficient, e, fraction, k};
  }
  return {};
}

}  // namespace

SurfaceViolation check_friction(const Friction& f) {
  if (!(f.static_coefficient >= 0)) return {Quantity::static_friction, f.static_coefficient, not_negative};
  if (!(f.kinetic_coefficient >= 0)) return {Quantity::kinetic_friction, f.kinetic_coefficient, not_negative};
  if (f.kinetic_coefficient > f.static_coefficient)
    return {Quantity::kinetic_friction, f.kinetic_coefficient, "must not exceed the static coefficient"};
  return {};
}

SurfaceViolation check_restitution(double e) {
  if (is_fraction(e)) return {};
  return {Quantity::restitution, e, fraction};
}

SurfaceViolation check_restitution(const Restitution& r) {
  if (!(r.tangential >= -1 && r.tangential <= 1))
    return {Quantity::tangential_restitution, r.tangential, "must lie in [-1, 1]"};
  switch (r.kind) {
    case RestitutionKind::constant:
      return check_restitution(r.normal);
    case RestitutionKind::linear:
      if (r.alpha >= 0 && std::isfinite(r.alpha)) return {};
      return {Quantity::alpha, r.alpha, "must be zero or positive, and finite"};
    case RestitutionKind::table:
      return check_table(r.table);
  }
  return {};
}

const char* name(SurfaceQuantity quantity) { return words_of(quantity).name; }
const char* key(SurfaceQuantity quantity) { return words_of(quantity).key; }
const char* remedy(SurfaceQuantity quantity) { return words_of(quantity).remedy; }

}  // namespace routh::internal
