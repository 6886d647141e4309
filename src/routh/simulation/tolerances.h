// Tolerances and limits of runs, by events and by steps. Engines compute in the machine's own units (model/in_units.h):
// the scales L, M and T of model/scales.h, each rounded to a power of two. So a number here without a unit of its own
// is a multiple of L (a gap, a depth, a way), T, L/T, L/T² or M L²/T², and an angle of 1 rad counts as L. h: the step.
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
// What K may gain in a step, of it, by what contacts change in v_m by way of the bias before a part is solved anew; or,
// where that is more, of the ½‖v⁺ − v‖² that the step loses where contacts act. And how often: each time leaves some
// h ω of it.
inline constexpr double bend_residual = 1e-6, bend_of_loss = 0.1;
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
// press one another far beyond their load get no further by rounding, and what it leaves is nanometres a step; the
// iterations after which the best point is taken.
inline constexpr double step_residual = 1e-8, step_residual_enough = 1e-5;
inline constexpr int step_iterations = 100;
// Contacts of an island up to which Newton's method is taken; above it sweeps, to the residual that the options ask for
// and this many at most. Towers and walls, through which sweeps are slow, are left to Newton's method after all, up to
// this size: factors of heaps in space fill up.
inline constexpr std::size_t newton_contacts_most = 60, newton_instead_most = 400;
inline constexpr int step_sweeps = 200;
// Overlap that is left to the next steps where it is the residual's, of the residual and L.
inline constexpr double overlap_of_residual = 0.1;
// Sweeps of a round in which contacts joined the problem: it begins with the impulses of the one before.
inline constexpr int joining_sweeps = 50;
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
// Steps of the event engine that each R pays for, of n degrees of freedom the first and the second over n³, and how
// many may be owed, over n³, where n counts up to `cheap_rows`: 21 and 2500 of one body, 0.9 and 39 of a humanoid. They
// are counted by what they cost (Engine::take_work), of which a step through R costs about half of one in free flight,
// and smooth motions take a tenth of one in R. So a robot that is driven by events costs a few times what steps would;
// small machines are followed to their digits even where that is dear beside R, for it is cheap.
inline constexpr double steps_each_resolution = 0.6, steps_each_small = 4320, steps_owed = 540000;
// Rows of the systems of an evaluation up to which they are not what it costs.
inline constexpr double cheap_rows = 24;
// Evaluations in an explicit step; a look at two shapes counts as one.
inline constexpr double evaluations_of_explicit = 16;

// --- Events (engine)

// After all that happens; its negative, before all.
inline constexpr double never = 1e300;
// Events are bounded in number within this time.
inline constexpr double burst_time = 1e-4;
// Moments this close are one instant: where contacts change their modes over and over, and where a jam is located.
inline constexpr double same_instant = 1e-12;
// Changes of modes at one instant after which contacts stay as they are, and for how long.
inline constexpr int chatter_changes = 12;
inline constexpr double chatter_calm = 1e-6;

// First step: the range. The longer one is also what the locator expects while no step is known.
inline constexpr double first_step_least = 1e-6, usual_step = 0.1;
// Steps: one that would have to be shorter ends the run; none is cut below the second because closed contacts drift or
// a strike or halt is expected.
inline constexpr double shortest_step = 1e-14, shortest_cut = 1e-7;
// Of the time to a strike, and of that to a halt of slip in space, where one is expected: the step.
inline constexpr double beyond_strike = 1.25, beyond_halt = 1.1;
// Steps without an event after which a run is asked whether it crawls, which it does with steps this long on average:
// a smooth motion that is long is none of that, however far its end is.
inline constexpr int crawling_steps = 20000;
inline constexpr double crawling_step = 1e-9;
// Speeds and accelerations of what rests; its contacts must not slip by more than `zero_speed`.
inline constexpr double resting = 1e-13;
// A step is ended by interpolation where its error is below this share of the tolerance.
inline constexpr double interpolation_share = 0.1;
// The end of a step is adjusted to an event: accelerations do nothing to a position in the square of this time; the
// last of a slip in space turns in this share of the step.
inline constexpr double negligible_time = 1e-9, slip_end_share = 1e-6;

// --- Rounding

// Two units in the last place of a double. Gaps that are none, of the size of the machine; contacts that were let go
// may sink in by half as much again and more, so that none strikes where it was let go.
inline constexpr double gap_rounding = 5e-16;
// Twice that: of velocities, of the speeds; bounces that are not followed where they are in no geometric sequence, of
// the size of the machine; the moment of an event, of the step, or a tenth of it, of T, where that is more.
inline constexpr double rounding = 1e-15;
// What rounding leaves where many terms cancel, of the terms: works of impacts above zero, forces beside their cones,
// the slip of what cannot slip, turns of directions that are found by repetition, gaps that cannot be closed further.
inline constexpr double cancelled = 1e-12;
// Velocities that count as none, of the speeds that make them up.
inline constexpr double zero_speed = 1e-11;
// No one can see a way so short: slip that would halt within it has halted, and bounces in a geometric sequence that
// are lower are summed.
inline constexpr double unseen_distance = 1e-13;

// --- The event locator (watch, watch_bounds, watch_search)

// Of the step, a Newton step after which the next would change nothing.
inline constexpr double newton_last_share = 1e-8;
// Depth of what may stay unseen, and gap up to which contacts that were let go count as touching.
inline constexpr double unseen_depth = 1e-9;
// Contacts within this, besides the way of a step, are looked at.
inline constexpr double margin_least = 1e-3;
// The way to come, of that by the speeds there, for they may grow; and steps may grow by as much before the gaps at
// their start are looked at anew.
inline constexpr double speeds_grow = 2, spare_room = 4;
// Turns of a link between two looks at the gaps, and in a step: more could not be looked through [rad].
inline constexpr double look_turn_most = 0.7, step_turn_most = 20;
// Halvings of the time between two looks: in the billionth of a step no gap above zero closes by `unseen_depth`.
inline constexpr int look_halvings_most = 30;
// Looks on a step, so that they cannot double with each halving: all after which no more are taken for shapes that are
// held together, of which few steps take a hundred; and those at pairs that are not held. A step that is given up costs
// as much as some tens that are done.
inline constexpr long looks_most = 20000, entry_looks_most = 1000;
// Of the values between which an event was sought: what happens within it happens with the first.
inline constexpr double same_event_share = 1e-9;
// Of a pin in its hole, of the clearance: distance of the centres that stands for one that may vanish.
inline constexpr double pin_offset_least = 1e-3;
// Of the way back: where a parabola through a contact that was let go is taken.
inline constexpr double fall_looked_at = 1e-3;

// --- Closed contacts and loops (engine, closure, contact_motion)

// Gaps that are closed to rounding. What a step may open is half of `unseen_depth`, unless its tolerance is greater.
inline constexpr double closed_enough = 1e-14;
// Of what a row of velocities would do alone, what the others leave of it: this many tolerances, of a tolerance no
// smaller than the usual one; and its bound.
inline constexpr double row_share_tolerances = 1e3, row_share_most = 1e-2;
// Of its mobility, what a contact keeps in the motions that are left: to halt one that keeps less would stop others,
// and so would to take out a forbidden velocity below the second.
inline constexpr double halting_mobility = 1e-4, unseen_speed = 1e-8;
// Of the greatest mobility, the diagonal of D: one that is none.
inline constexpr double least_mobility = 1e-14;
// Rows closer than this to dependence, in units of their own √D, are dependent; those with pivots beyond the second by
// far are not.
inline constexpr double rank_relative = 1e-9, pivot_independent = 1e-5;
// A contact under another name is the same if it is this near, its gap no more than what a curved surface rises on that
// way (the square), and its normal turned by less (1 − cosine).
inline constexpr double same_contact_distance = 1e-4, same_contact_turn = 1e-6;

// --- Slip in space (engine_slip, contact_motion)

// Slip below this has halted; at an event or a fault, up to the second, or to the tolerance of a step where that is
// more. Below the second it creeps if it lasts for `beginning_step`.
inline constexpr double slip_rounding = 1e-9, creeping_speed = 1e-6;
// Below this it may halt, which it does if it would within `unseen_distance`; and it has hardly begun.
inline constexpr double halting_speed = 1e-5;
// Steps while the direction of a beginning slip is kept for a step.
inline constexpr double beginning_step = 1e-4;
// Below this the direction known from the step before counts for more.
inline constexpr double slip_faint = 1e-7;

// --- Instants (instant, moment)

// Gaps that close within rounding of one another, of the size of the machine. And to which contacts that chattered may
// sink in while they stay as they are.
inline constexpr double touch_rounding = 1e-10;
// What is left of an approach after an impact of several, of the speeds: what next to nothing moves.
inline constexpr double approach_left = 1e-3;
// A tangential impact begins on the edge of the jam, where rounding decides: friction is raised by this, and tenfold
// each time; or the load presses so long that it adds this much to velocities, of the greatest slip. A jump of
// velocities, of the speeds, below which an impact only gave that back.
inline constexpr double jam_seed = 1e-8;
// Contacts that can hold no longer give way: friction is less by the first, and by a hundred times as much until one
// does, below the second; rounding decides which is the first. And slip that halts where friction could just hold
// it sticks, by a hundred times the first more friction.
inline constexpr double friction_edge = 1e-9, friction_edge_most = 1e-2;
// No pull brings a bounce back sooner.
inline constexpr double strongest_pull = 1e12;
// Slip under infinite friction halts at once: in this time.
inline constexpr double infinite_friction_time = 1e-8;
// A moment under the load: times what it adds to velocities, a change that the load did not make; of that, a velocity
// that is none.
inline constexpr double moment_jam_factor = 1e4, moment_zero_share = 1e-3;

// --- Other motions and recorded forces (other_motion, recorded_force)

// Contacts up to which another motion is looked for, and starts: beyond, it would take longer than the modes did.
// Accelerations closer than this, of those without forces, are one motion.
inline constexpr int other_motion_contacts = 12, other_motion_starts = 12;
inline constexpr double other_motion_distance = 1e-4;
// Of D λ: how far the motion of other forces may be from that of the run. Of ‖λ‖: forces no longer than the least by
// this are the least.
inline constexpr double recorded_motion_relative = 1e-8;

// --- Energy accounts (simulator)

// [J], where nothing moves: accounts are judged in the user's units.
inline constexpr double energy_nothing = 1e-14;
// Of K, what an impact may gain unseen by its law: rounding leaves up to 1e-12.
inline constexpr double energy_unseen = 1e-9;
// Of the turnover, corrections and imbalances that matter; the latter as the errors of so many steps.
inline constexpr double energy_large = 1e-6, imbalance_steps = 1e3;
// Of the turnover, as a multiple of the tolerance, no smaller than the usual one: steps open what is closed, and to
// close it again lifts the machine.
inline constexpr double lifted_tolerances = 100;
// Of fixed steps, in place of the tolerance: five parts in a hundred are seen.
inline constexpr double stepping_accuracy = 5e-5;

// --- Sensitivities (mode_flow, sensitivity)

// [m] or [rad], [m/s] or [rad/s]: of differences of fourth order of smooth closed forms: what they leave out and what
// rounding adds are both about 1e-13.
inline constexpr double sensitivity_step = 0x1p-11;
inline constexpr double sensitivity_refinement = 16;          // by which steps are made shorter
inline constexpr double sensitivity_smooth = 1e-5;            // relative: formulas of second and fourth order agree so
inline constexpr double sensitivity_step_shortest = 1e-6;     // beyond, rounding would count more
inline constexpr double sensitivity_parameter_step = 0x1p-9;  // the same for parameters, of their size
inline constexpr double sensitivity_rank = 1e-10;       // of rows of closed contacts and loops, of the largest pivot
inline constexpr double slip_without_direction = 1e-8;  // [m/s]: slower slip in space has the direction it began with
inline constexpr double sensitivity_tolerance_relative = 1e-12;  // of steps of the variational equations
inline constexpr double sensitivity_step_least = 1e-14;          // [s]: shorter steps of it end the derivatives
inline constexpr double sensitivity_steps_max = 200'000;         // of the whole run
inline constexpr double sensitivity_first_step = 1e-3;           // [s], of the variational equations
inline constexpr double sensitivity_impact_step = 0x1p-13;       // of impacts, whose errors are greater: of q and |q̇|
inline constexpr double sensitivity_repeated = 1e-6;    // relative: what was repeated beside the run is the same
inline constexpr double validity_most = 1e6;            // of a parameter's size, or of one: farther is no bound
inline constexpr double before_halt = 1e-8;             // [s]: a slip in space is followed so close to its halt
inline constexpr double grazing_depth_relative = 1e-9;  // of the size of positions: what a neighbour would miss
inline constexpr double kink_relative = 0.02;           // of one-sided slopes that differ: a border of modes

}  // namespace routh::internal::tolerances
