// What a map shows of a contact: a verdict, whose kinds are regions, or a number.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "routh/map/verdict_map.h"
#include "routh/solvability/diagnosis.h"

namespace routh::internal {

enum class MapQuantity {
  // Verdicts.
  verdict,         // ContactVerdict: strikes, slides, jams, …
  slip_mode,       // M_s¹ … M_s⁴ of the present slip [Liu 2007, Table 1]
  admissible,      // AdmissibleRegion for the velocity [Aghili 2020, eq. 41]
  every_velocity,  // whether some velocity of approach gains, or slip can jam
  impact_mode,     // how the incremental impact goes: Mode
  energy,          // whether the impact under the chosen law gains
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
inline constexpr int map_quantity_count = 15;

// Words for the command line and for keys: `mode`, `jamming-friction`, …
std::string_view name(MapQuantity quantity);
std::optional<MapQuantity> map_quantity(std::string_view name);
bool is_verdict(MapQuantity quantity);
// The names of the kinds of a verdict, by kind; empty for a number.
std::span<const std::string_view> kind_names(MapQuantity quantity);
// With `_{}` and `^{}`, for a picture: "μ^{*}".
std::string_view symbol(MapQuantity quantity);
std::string_view unit(MapQuantity quantity);

// Of a verdict: its kind, and the number that decides it (A, e* − e, …). Of a number: kind 0 and the number.
// Kind −1: it does not exist there.
MapValue read_quantity(MapQuantity quantity, const AccelerationProblem& problem, FreeAcceleration known, Law law);

}  // namespace routh::internal
