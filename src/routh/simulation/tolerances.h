// Tolerances and limits of time stepping, and of the engine that steps through crowds. L, T: scales of the machine
// (model/scales.h); h: the step.
#pragma once

#include <Eigen/Core>

namespace routh::internal::tolerances {

// --- Positions (moreau_step)

// Overlap of shapes that a step leaves, of L; what is deeper is projected out before the next one.
inline constexpr double overlap_left_relative = 1e-6;
// |φ| of loops likewise, of L.
inline constexpr double loop_left_relative = 1e-9;
// A part of a step after which shapes overlap by this more than its contact problem left, of L, is taken again in
// halves, until it is this part of the step.
inline constexpr double overlap_most_relative = 5e-5, part_shortest = 0.02;
// Deepest overlap that is taken out before one step, of L: a shape that is deep in another comes out bit by bit.
inline constexpr double projection_most_relative = 1e-3;
// Natural residual of the problem of projections, of the overlaps.
inline constexpr double projection_residual = 1e-6;
// Contacts this near are looked at whatever the speeds, of L: positions move by less than this through forces alone.
inline constexpr double reach_least_relative = 1e-4;
// The reach of a step, of the distance that the fastest point goes in it: both shapes may move, and impulses of other
// contacts may turn them about.
inline constexpr double reach_factor = 2;
// Reach where a plane moves, whose points have no greatest speed; of L.
inline constexpr double reach_of_moving_plane = 1;
// Of the gap and of the smaller shape: how far two shapes may move while they approach, before their nearest points are
// looked for anew. Else a shape that passes beside another would be stopped by the plane between them.
inline constexpr double approach_of_gap = 0.5, approach_of_size = 0.5;

// Angle by which links may turn in a part of a step [rad].
inline constexpr double turn_most = 0.5;
// Change of v_m, in the norm of kinetic energy and of it, after which it is found: what is left of the gain of explicit
// Coriolis forces. And the rounds it may take; each leaves at most half of the turn in a part, where turns are larger
// the part is cut.
inline constexpr double middle_residual = 1e-9;
inline constexpr int middle_rounds = 20;
// Of v_m, likewise, what contacts may change in it by way of the bias before a part is solved anew: what K may gain in
// a step by it. And how often: each time leaves some h ω of it.
inline constexpr double bend_residual = 1e-6;
inline constexpr int bend_rounds = 3;

// The trace of h²ω² of a tree's springs (and h/τ of its dampers) up to which a step resolves their motion, a dozen
// steps in a period: it is taken in the middle of the step and keeps its energy. Beyond, at its end, where it is
// damped.
inline constexpr double stiffness_resolved = 0.25;

// Of the direct normal response, within which A is computed anew from M where springs and dampers stand in the step's.
inline constexpr double wedge_looked_at = 0.5;

// Energy that springs may store after a part beyond what its linear system knew, of the kinetic energy; else the
// part is taken again in halves, each of which has an eighth of it.
inline constexpr double spring_excess_most = 1e-4;

// A time asked for this near the end of a step, of h, is that end: ends of steps are rounded. stepping.
inline constexpr double step_end_relative = 1e-9;

// --- Strikes (moreau_step)

// A rebound that goes less far than this in a step is none, of L.
inline constexpr double rebound_seen_relative = 1e-9;
// Contacts that would strike within this part of the step after the first strike with it.
inline constexpr double same_strike_share = 1e-3;
// A contact strikes where it was to, if its gap is within this part of what it approaches in a step.
inline constexpr double strike_slack_share = 1e-2;
// Rows of D up to which contacts that strike at once advance by the compliant march: two contacts in space, four in the
// plane. Larger groups, most of them redundant, would cost it some ms; Newton's rule takes some µs.
inline constexpr Eigen::Index march_rows_max = 8;
// Steps of such a march; one that goes on longer (contacts that creep, or ring) would cost more than the rest of the
// step, and has Newton's rule.
inline constexpr int strike_march_steps_max = 200;
// Pieces of a step that strikes and fast approaches may cut it into; after them what strikes has no rebound.
inline constexpr int step_parts_max = 40;

// --- Contacts (moreau_step)

// Natural residual of the contact problem of a step; the one at which no further method is tried, for contacts that
// press one another far beyond their load get no further by rounding; the iterations after which the best point is
// taken.
inline constexpr double step_residual = 1e-8, step_residual_enough = 1e-6;
inline constexpr int step_iterations = 100;
// Contacts of an island up to which Newton's method is taken; above it sweeps, to the residual that the options ask for
// and this many at most. Towers and walls, through which sweeps are slow, are left to Newton's method after all, up to
// this size: factors of heaps in space fill up.
inline constexpr std::size_t newton_contacts_most = 60, newton_instead_most = 400;
inline constexpr int step_sweeps = 200;
// Overlap that is left to the next steps where it is the residual's, of the residual and L.
inline constexpr double overlap_of_residual = 0.1;
// Rounds in which contacts that were left out, but would overlap, join the problem.
inline constexpr int joining_rounds = 4;
// What rest may leave of the velocity that contacts would have without their impulses; what a contact at rest moves at
// least if another motion was found, of that velocity. And contacts of an island for which rest, and the least of all
// forces, are sought: beyond, the search costs more than the step.
inline constexpr double rest_residual = step_residual, rest_left = 1e-4;
inline constexpr std::size_t rest_contacts_most = 6;
// Impulse, of the greatest, below which a contact carries nothing.
inline constexpr double rest_share_least = 1e-6;

// Slip below this, of L/T, is stick: static friction counts, and so the mode is shown. And so is slip of a contact
// whose friction differed by this much, of itself, from the kinetic in the last step: it is what the residual left.
inline constexpr double stick_speed_relative = 1e-9, stick_force_relative = step_residual_enough;

// --- Crowds (automatic)

// The resolution R, of T at the usual tolerance: 1 ms for a machine of a metre, the step at which limp robots keep
// their energies to a few parts in a hundred.
inline constexpr double resolution_relative = 1.0 / 300;
// A crowd has at least so many contacts: one's series of bounces is summed, two rock, and their series ends alike.
// And at least two bodies: one that rocks on four corners does the same.
inline constexpr std::size_t crowd_contacts = 3;
// And more events than this for each, within R: what one strike of one contact makes (impact, zeno, stick).
inline constexpr std::size_t crowd_events_each = 3;
// Contacts must not have struck or closed for so many R before events are followed again, and at most so many after
// waits that were too short.
inline constexpr double calm_resolutions = 10, calm_resolutions_most = 1000;
// A wait was too short if events were followed for less than so many of it.
inline constexpr double followed_waits = 4;
// Steps of the event engine that each R pays for: a step of R costs as much as one or two of them, and smooth motions
// take a tenth of one. And how many may be owed, times the square of the degrees of freedom, with which the cost of a
// step grows, until the engine counts as stuck: 2500 of one body, 70 of a humanoid.
inline constexpr double steps_each_resolution = 20;
inline constexpr long work_most = 90000;

}  // namespace routh::internal::tolerances
