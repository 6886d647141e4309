// Tolerances and limits of the march of several contacts. It works in scaled units: the greatest speed and the greatest
// entry of D are near 1, so that most are plain numbers.
#pragma once

namespace routh::internal::tolerances {

// --- The problem (together)

// Asymmetry of D that is refused, of its largest entry; also what is added to D in units of its diagonal, and the least
// pivot it must then have.
inline constexpr double march_asymmetry_relative = 1e-9, march_indefinite_relative = 1e-9;
// Approach of a contact that nothing moves which may be rounding, of the greatest speed.
inline constexpr double march_immovable_approach = 1e-6;
// Stands for infinite friction. together, together_modes, together_relax
inline constexpr double march_friction_max = 1e10;
// Mobility along the surface, of that along the normal, below which a contact has no friction to speak of.
inline constexpr double march_tangent_mobility_min = 1e-14;
// Speeds that count as rest, of the greatest: the rounding that the problem states, within these bounds.
inline constexpr double march_rest_speed_min = 1e-12, march_rest_speed_max = 1e-4;

// --- The march (together)

// Where it is given up. together
inline constexpr int march_events_max = 1000, march_steps_max = 20'000;
inline constexpr int march_standing_max = 60;     // steps of no length in a row
inline constexpr double march_time_max = 5000;    // about quarter periods of the liveliest contact
inline constexpr double march_impulse_max = 1e6;  // of the greatest speed over the contact's mobility: self-stress
// After so many steps without an event the speed that counts as rest is raised tenfold, up to this share of the
// greatest approach: slip that creeps would be followed without end.
inline constexpr int march_quiet_steps = 200;
inline constexpr double march_creep_share = 1e-3;
inline constexpr double march_end_residual = 1e-12;    // of the contact problem that ends a march, of the speed
inline constexpr double march_gain_relative = 1e-11;   // energy gained, of that put in, that is rounding
inline constexpr double march_seed_deflection = 1e-9;  // of a contact that touches without approach and is pressed
// Contacts that jam one by way of the other: steps of inverse iteration, and the share that counts as none.
inline constexpr int march_wedge_iterations = 8;
inline constexpr double march_wedge_share_min = 1e-9;

// --- Events (together_events)

inline constexpr int march_event_samples = 6;            // of a step, between which signs are compared
inline constexpr double march_starting_slip_max = 1e-7;  // speed until which slip that begins is taken as straight
inline constexpr double march_slip_fall_max = 0.1;       // of the speed of slip in one step, in space
inline constexpr double march_path_share = 0.02;         // of the greatest speed: points of a path that is kept
inline constexpr double march_stiffness_max = 1e20;      // a spring this stiff is a stop
inline constexpr double march_cone_excess = 1e-9;        // of the friction allowed, at which slip begins
inline constexpr double march_cone_rounding = 1e-13;     // the same, of the greatest force
inline constexpr double march_lift_off_force = 1e-10;    // tension at which a held contact opens, of the greatest force
inline constexpr double march_event_time = 2e-16;        // to which an event is located, of its time
inline constexpr double march_cone_reached =
    1 - 1e-6;  // share of its friction at which a contact counts as at its limit
inline constexpr double march_straight_drift_max = 1e-8;  // sine by which slip that gains speed may leave its direction

// --- Modes (together_modes)

inline constexpr double march_rank_relative = 1e-11;  // of the rows that stick or stay closed
// Excess over the cone, of friction and of the greatest force: less than that of the event, so that none is found
// twice.
inline constexpr double march_mode_cone_excess = 5e-10, march_mode_cone_rounding = 1e-14;
inline constexpr double march_acceleration_relative = 1e-9;   // that counts as none, of the greatest; together_relax
inline constexpr double march_acceleration_rounding = 1e-13;  // the same, of the greatest force
inline constexpr double march_tension_relative = 1e-11;       // that counts as none, of the greatest force
inline constexpr double march_tension_tie = 1 - 1e-9;         // share of the greatest tension that opens along with it
// Slip this slow whose direction changes this little goes straight to its halt: the error is their product.
inline constexpr double march_halting_slip_max = 1e-7, march_halting_turn_max = 1e-5;
// Slip this slow that gains speed along its own direction, but for this part, stays on it: friction turns it back
// within a time in proportion to its speed, which a series would have to follow step by step.
inline constexpr double march_gain_turn_max = 1e-3;
inline constexpr double march_speed_rounding = 1e-15;
// Contacts of one rigid body halt together, but for rounding: once one rests, others this slow do too.
inline constexpr double march_joint_halt_speed = 1e-10;
inline constexpr double march_shared_friction =
    0.9;  // of its friction, that a contact gives while others can give more
inline constexpr int march_mode_rounds = 7;

// --- Relaxation (together_relax)

inline constexpr int march_sweeps_max = 2000, march_sweeps_held_max = 1000;  // the second with held contacts
// Change of a sweep, of the greatest rate, at which it ends. Nearly equal tangents (the two ends of a rod on a floor)
// creep: beyond so many sweeps the second is enough.
inline constexpr double march_sweep_change = 1e-12, march_sweep_change_late = 1e-10;
inline constexpr int march_sweeps_early = 50;
inline constexpr double march_rate_max = 1e12;  // diverged
// Slightly less friction than allowed, so that a contact found beyond its limit does begin to slip; at its rim.
inline constexpr double march_cautious_friction = 1 - 1e-7, march_cone_rim = 1 - 1e-9;
inline constexpr double march_spare_friction = 0.999999;  // share above which a contact has none to spare
inline constexpr double march_open_force = 1e-12;         // of the greatest force
// The disk: least eigenvalue, of the largest; excess of the radius; steps of Newton's method.
inline constexpr double march_disk_curvature_min = 1e-14, march_disk_relative = 1e-15;
inline constexpr int march_disk_steps = 60;

// --- Series (together_series)

// What a step may leave out, its greatest length, and the longest pace, in units of time. choose_step
inline constexpr double march_series_error = 1e-15;  // of a step
inline constexpr double march_step_max = 8;          // in paces
inline constexpr double march_pace_max = 1e12;
// A seed that grows slowly, as at the edge of a jam, may take its time as long as it is no larger than this: a jam with
// A → 0 has v_n = √|A| x, and all of its impulse, of order one, while both are small.
inline constexpr double march_seedling_deflection = 1e-2, march_seedling_speed = 1e-6;
inline constexpr int march_approach_samples = 12;  // of a step, for the greatest approach

// --- The rule of a run (run_rule)

// Off-diagonal entries of D that couple two contacts, in units of their own √D.
inline constexpr double coupling_least = 1e-12;
// Departures and residuals of Newton's rule that are rounding, of the speeds.
inline constexpr double newton_residual = 1e-9;
// Contacts among which the projection tries every set that sticks, 2ⁿ; more of them have the march to turn to.
inline constexpr int projection_searched = 3;

}  // namespace routh::internal::tolerances
