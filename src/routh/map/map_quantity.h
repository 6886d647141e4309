// What a map shows of a contact: a verdict, whose kinds are regions, or a number.
#pragma once

#include <span>
#include <string_view>

#include "routh/base/names.h"
#include "routh/map/verdict_map.h"
#include "routh/solvability/diagnosis.h"

namespace routh::internal {

enum class MapQuantity {
  // Verdicts.
  verdict,          // ContactVerdict: strikes, slides, jams, …
  slip_mode,        // M_s¹ … M_s⁴ of the present slip [Liu 2007, Table 1]
  admissible,       // AdmissibleRegion for the velocity [Aghili 2020, eq. 41]
  every_velocity,   // whether some velocity of approach gains, or slip can jam
  impact_mode,      // how the incremental impact goes: ImpactMode
  energy,           // whether the impact under the chosen law gains
  restitution_set,  // whether some velocity gains with these restitutions of several contacts [Aghili 2019]
  // Numbers.
  A,
  B,
  normal_force,
  friction_demand,    // ‖λ_t‖/λ_n that sticking asks for
  stick_friction,     // μ_c
  impact_friction,    // μ_cr(e)
  jamming_friction,   // μ*
  restitution_bound,  // e*(v)
  energy_ratio,       // (W_n + W_t)/T of the contact
};
constexpr auto names_of(MapQuantity) {
  return name_table<MapQuantity>({
      {MapQuantity::verdict, "verdict"},
      {MapQuantity::slip_mode, "mode"},
      {MapQuantity::admissible, "admissible"},
      {MapQuantity::every_velocity, "every-velocity"},
      {MapQuantity::impact_mode, "impact"},
      {MapQuantity::energy, "energy"},
      {MapQuantity::restitution_set, "restitution-set"},
      {MapQuantity::A, "A"},
      {MapQuantity::B, "B"},
      {MapQuantity::normal_force, "normal-force"},
      {MapQuantity::friction_demand, "friction-demand"},
      {MapQuantity::stick_friction, "stick-friction"},
      {MapQuantity::impact_friction, "impact-friction"},
      {MapQuantity::jamming_friction, "jamming-friction"},
      {MapQuantity::restitution_bound, "restitution-bound"},
      {MapQuantity::energy_ratio, "energy-ratio"},
  });
}

bool is_verdict(MapQuantity quantity);
// The names of the kinds of a verdict, by kind; empty for a number.
std::span<const std::string_view> kind_names(MapQuantity quantity);
// Their colours, #rrggbb: what holds is blue, what lets go pale, an impact yellow, what is ambiguous or gains orange,
// what jams or has no answer dark red, what is not known grey. No two of a verdict are alike in grey, or to readers
// without red or green.
std::span<const std::string_view> kind_colours(MapQuantity quantity);
// With `_{}` and `^{}`, for a picture: "μ^{*}".
std::string_view symbol(MapQuantity quantity);
std::string_view unit(MapQuantity quantity);
// What the number at a point is: of a verdict the one that decides it.
struct MapNumber {
  std::string_view name, unit;
};
MapNumber number_of(MapQuantity quantity);

// Of a verdict: its kind, and the number that decides it (A, e* − e, …). Of a number: kind 0 and the number.
// Kind −1: it does not exist there.
MapValue read_quantity(MapQuantity quantity, const AccelerationProblem& problem, FreeAcceleration known, Law law);

}  // namespace routh::internal
