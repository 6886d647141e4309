// Thresholds of what the program shows, with what each bounds and who uses it. They change words and tables, no result.
#pragma once

namespace routh::internal::tolerances {

// Numbers below this of the scale of their table are shown as 0. impact_report, together_report,
// contacts_report, simulate_report.
inline constexpr double shown_zero_relative = 1e-12;
// Sums of a run's energies below this of the largest of them are rounding, and shown as 0. simulate_report.
inline constexpr double shown_rounding_relative = 1e-14;
// [m/s²] Accelerations below this are shown as 0. diagnose_command.
inline constexpr double shown_acceleration_min = 1e-9;
// [m/s] Departure of simultaneous contacts from their restitution that is mentioned. together_report.
inline constexpr double shown_residual_min = 1e-9;
// Velocities, joints or loops of a machine beyond which tables leave them to --all: more would not fit on a screen
// beside four contacts. together_report, scene_impact.
inline constexpr std::size_t shown_velocities_brief = 6;
// Width of a range of values that can be divided into bands, of the values. map_bands.
inline constexpr double band_range_relative = 1e-9;
// Impulses of joints and loops that stand out from rounding, of the impulse of the impact. scene_impact.
inline constexpr double shown_impulse_relative = 1e-9;
// Condition of D from which the program shows it: half of the digits are lost. impact_report.
inline constexpr double shown_condition_min = 1e8;
// A change of an effort below this share of the largest is shown as 0: the solver's rounding. hold_command.
inline constexpr double shown_effort_relative = 1e-9;
// Greatest share of friction that can be kept back: with all of it nothing holds. command_line.
inline constexpr double friction_reserve_max = 0.99;
// [m/s] Velocities below this are shown with one digit: their exponent takes the room. referee_command.
inline constexpr double shown_velocity_min = 1e-4;
// Sides of a map's axes in pictures [px]: from a thumbnail to a poster. map_request.
inline constexpr int picture_side_min = 120, picture_side_max = 4000;
// Levels that a map can be asked for: its letters and colours are told apart up to some twenty. map_request.
inline constexpr std::size_t map_levels_max = 20;

}  // namespace routh::internal::tolerances
