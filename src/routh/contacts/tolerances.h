// Tolerances and limits of the frictional contact problem. Contacts are in units of their own mobility (a third of the
// trace of their block of D), so that most are plain numbers.
#pragma once

namespace routh::internal::tolerances {

// --- The problem (contact_system)

// Of the powers of two by which D and v are divided: their inverses and quotients are numbers, too.
inline constexpr int unit_exponent = 1000;
// A contact whose mobility is below this share of the mean is moved by nothing and takes the mean as its scale; also
// the least slope of a smooth or slipping contact that can be pressed. one_contact.
inline constexpr double immovable_contact = 1e-14;
// Rounding of the natural map, of the terms it is the difference of: some dozens of units in the last place.
inline constexpr double residual_rounding = 1e-14;

// Rounding of the residual up to which a point counts as solved for it; and above which it decides: velocities then are
// what is left of impulses that much larger, and a residual, even of zero, says nothing.
inline constexpr double rounding_accepted = 1e-8, rounding_decides = 1e-6;
// Stands for infinite friction: p_n of a contact that slides nevertheless is within the tolerance of zero.
inline constexpr double holding_friction = 1e8;

// --- One contact (one_contact)

inline constexpr int one_contact_steps = 60;           // of regula falsi; bisection every fourth
inline constexpr double one_contact_relative = 1e-15;  // of ‖p_t‖ − μ p_n, of μ p_n
// Added to the diagonal of a block, of its mobility, so that singular ones can be inverted: below rounding of regular
// ones. block_factor.
inline constexpr double lift_relative = 1e-15;

// --- Newton's method (newton)

// The lift of D's diagonal, of the mobility: at the start, least, and how it falls after a full step and rises after
// one that did not help.
inline constexpr double newton_lift = 1e-8, newton_lift_least = 1e-13;
inline constexpr double newton_lift_falls = 0.1, newton_lift_rises = 10;
inline constexpr int newton_halvings = 12;       // of a step that does not lessen the residual
inline constexpr double newton_decrease = 1e-4;  // least decrease of its square, of the share of the step (Armijo)
inline constexpr int newton_halving_steps = 7;   // steps within which the residual must halve, after the first starts
// Of the residual that the options call enough, after a whole step: what is left there falls with the square of a step.
inline constexpr double enough_after_step = 0.1;
inline constexpr int newton_sweeps = 5;  // where no share of the step helps
// Steps over a kink on which the residual may rise. Of towers and capsules that stay at a kink otherwise as many are
// solved by 8.
inline constexpr int newton_watchdog = 20;

// --- D of low rank (low_rank)

// Contacts from which, and up to which, D is looked at; largest rank, of its rows. Measured: below, LU by blocks is as
// quick.
inline constexpr int low_rank_contacts_least = 16, low_rank_contacts_most = 100;
inline constexpr double low_rank_share = 0.35;
inline constexpr double low_rank_remainder = 1e-13;  // of D, rows in units of their contacts' mobility: rounding
inline constexpr double low_rank_lift = 1e-8;        // least lift: the root of rounding

// --- Interior points (interior_point)

inline constexpr double interior_gap_least = 1e-22;     // mean of x·y at which it ends, of the start's
inline constexpr double interior_fraction = 0.8;        // of the way to the boundary
inline constexpr double interior_step_least = 1e-7;     // share of a step below which it has stalled
inline constexpr int interior_halving_steps = 12;       // steps within which the residual must halve
inline constexpr double interior_step_corrected = 0.1;  // a shorter prediction says nothing of second order
inline constexpr double interior_centre_least = 0.1, interior_centre_most = 0.8;  // share of the gap aimed at
inline constexpr double interior_lift = 1e-13;  // of D's diagonal, for redundant bilateral rows

// --- Pyramids (pyramid)

inline constexpr int pyramid_contacts = 24;          // more take longer than the other methods together
inline constexpr int pyramid_contacts_uncapped = 8;  // up to which friction above `friction_cap` is taken as given, too
inline constexpr int pyramid_sides = 8;              // of a pyramid in space
inline constexpr int pyramid_rounds = 4;             // each with sides closer to where the last solution slides
inline constexpr double pyramid_narrowing = 0.3;     // of the angle between sides, from one round to the next
// Paths of Lemke's method: as it is, with more digits, then from other covering vectors. A prime, so that none of them
// is the first again.
inline constexpr int pyramid_lemke_paths = 11;
inline constexpr int pyramid_renewed_rows = 100;     // rows up to which more digits cost less than a second
inline constexpr int pyramid_lemke_paths_large = 4;  // with more rows, none of them with more digits
inline constexpr double pyramid_approach = 1e-6;     // left by a path, of the largest velocity: it has lost its digits
inline constexpr double pyramid_lift = 1e-12;        // of redundant bilateral rows, of their mobility

// --- Modes, case by case (mode_tree)

inline constexpr int tree_contacts = 8;        // 4⁸ cases at most if none is refuted early
inline constexpr int tree_bilateral = 8;       // blocks of bilateral rows: the cost of a case
inline constexpr int tree_cases_most = 20000;  // some seconds
// In space: cases, which are larger; sides of the pyramid about a cone that sticks; cosine of the least sector of
// directions of slip, a 256th of a turn; breach from which Newton's method is tried.
inline constexpr int tree_cases_sectors = 4000, tree_pyramid_sides = 16;
inline constexpr double tree_sector_cosine = 0.9997, tree_near = 0.03;
// Of impulses in units of velocity over mobility: laws obeyed to this, of the larger of one and the largest impulse.
inline constexpr double tree_breach = 1e-8;
// Impulses above this are what rounding makes of dependent columns.
inline constexpr double tree_impulse_most = 1e10;
// A case is refuted where y·v is below zero by this share of ‖y‖, and still is after what rounding leaves of the help
// of impulses of this size, of the velocity over the mobility.
inline constexpr double refuted_distance = 1e-7, refuted_impulse = 1e6;
inline constexpr double refuted_part = 1e-10;  // of ‖y‖, in rows where a y of a part is none of the whole: rounding

// --- Impulses of least norm (least_norm)

// ε, of the mean mobility: at first, where Newton is safe, and least; a round that leaves more than `slow` of the
// lack takes a smaller one, by the same factor.
inline constexpr double least_norm_lift = 1e-3, least_norm_lift_least = 1e-10, least_norm_slow = 0.1;
inline constexpr double least_norm_relative = 1e-13;  // residual of a round, of ‖b‖
inline constexpr double least_norm_velocity = 1e-14;  // residual aimed at beforehand
inline constexpr int least_norm_polish = 5;           // of Newton's steps for that
inline constexpr int least_norm_steps = 40;           // of Newton in a round
inline constexpr int least_norm_sweeps = 20;          // where no share of its step helps
inline constexpr int least_norm_rounds = 100;         // of raising b
inline constexpr double least_norm_lack = 1e-13;      // of D p − b, of ‖b‖: reached

// --- Forces of a motion (admissible_force)

// Eigenvalues of D below this, rows in units of their own √D, of the largest: redundant contacts.
inline constexpr double admissible_rank = 1e-10;
inline constexpr double admissible_motion = 1e-8;  // of D λ: how far other forces may be from the same motion
// Where Newton's method fails: rounds of raising b before it begins anew, steps of gradients in each, their ε; a round
// after the first few that leaves more than this share of the square of what is lacking is the last.
inline constexpr int admissible_rounds[] = {8, 40};
inline constexpr int admissible_steps = 100, admissible_rounds_min = 6;
inline constexpr double admissible_lift = 1e-3, admissible_stall = 0.8;
inline constexpr double admissible_norm = 1e-7;  // of ‖λ‖: forces that gradients find no shorter are the least

// --- Certificates (certificate)

inline constexpr int certificate_contacts = 60;    // up to which edges of cones are made one by one
inline constexpr int certificate_rounds = 60;      // of making them
inline constexpr double certificate_edge = 1e-12;  // help of an edge that is worth making, of ‖y‖ and the mobility
inline constexpr int certificate_steps = 4000;     // of projected gradients
inline constexpr int certificate_check = 50;       // steps between two tries of the proof
inline constexpr int certificate_powers = 30;      // for the largest eigenvalue
inline constexpr double certificate_relative = 1e-8;  // what an impulse may help, of ‖y‖ and the mobility
inline constexpr double certificate_loss = 1e-5;      // least −y·v, of ‖y‖‖v‖
inline constexpr double symmetric_relative = 1e-13;  // of ‖D‖: what rounding leaves of symmetry and of no eigenvalue

// --- Starts, and what is told of a solution (contacts_engine, contacts_starts, contacts_told)

inline constexpr int first_sweeps = 10;   // of Gauss and Seidel before Newton's first step
inline constexpr int later_sweeps = 200;  // between Newton's attempts where it has failed twice
inline constexpr int warm_steps = 12, first_steps = 40, later_steps = 100;  // of Newton after each start
inline constexpr int interior_steps = 100;                                  // of interior points
// Steps of Newton from the best point, over kinks; ρ of its equations, over the mobility, one after the other, and the
// spread of its logarithm where one is drawn after sweeps: another ρ has its kinks elsewhere. Measured: with ρ = 1
// alone two thirds as many of the capsules that stayed unsolved in other order and friction are solved.
inline constexpr int kink_steps = 200;
inline constexpr double kink_rho[] = {1, 3, 0.3}, kink_rho_spread = 1.5;
// Compliance of contacts that hold on to a start, of their mobility, and how it falls from round to round; most rounds;
// Newton's steps in each. Measured on a limp humanoid's hard steps: at 1e-3 the first round takes 2 to 8 steps and
// leaves a residual of 1e-5.
inline constexpr double proximity = 1e-3, proximity_falls = 0.1;
inline constexpr int proximity_rounds = 4, proximity_steps = 12;
// Friction above this is approached from here, by this factor: the cones are all but half-spaces, and what rounding
// leaves of the normal impulse of a contact that slides decides where a step goes. contacts_starts.
inline constexpr double friction_cap = 100, friction_cap_rises = 10;
// A contact with ‖p_t‖ this near to μ p_n, relative, slides: its impulse follows μ where that is raised.
inline constexpr double slides_relative = 1e-3;
// Contacts that become rigid: how ε falls from one to the least, and Newton's steps and residual of each stage.
inline constexpr double compliance_falls = 0.1, compliance_least = 1e-13, compliance_residual = 1e-8;
inline constexpr int compliance_steps = 20;
inline constexpr int compliance_contacts = 60;  // up to which other weights are tried: one way takes 13 stages
inline constexpr double compliance_spread = 4;  // of the logarithm of other weights, to both sides
// Residual at which interior points hand over to Newton's method.
inline constexpr double interior_handover = 1e-5;
// Contacts count as open or sliding where impulse or slip exceed this, of ‖v‖ in units of velocity.
inline constexpr double duty_relative = 1e-9;
// Impulses are not unique where the least eigenvalue of D on what contacts may do is below this, contacts in units of
// their mobility; the lift of the inverse iteration that finds it, and its rounds. A contact is at the edge of its cone
// within the last, of ‖v‖.
inline constexpr double unique_rank = 1e-10, unique_lift = 1e-12;
inline constexpr int unique_rounds = 3;
inline constexpr double duty_edge = 1e-8;
// Contacts up to which all solutions in the plane are looked for, 256 cases at most, and starts that are tried for
// another velocity where those are not and Lemke's method would serve.
inline constexpr int others_contacts = 4, others_starts = 4;
inline constexpr double same_velocity_relative = 1e-6;  // velocities further apart, of ‖v‖, are two solutions

// --- Sweeps without D (sweeps)

inline constexpr int sweeps_least = 2;        // also where the start is as good as asked for
inline constexpr double sweeps_rest = 1e-10;  // residual of a start that is left as it is
inline constexpr double sweeps_look = 3;      // change of a sweep, of the residual asked for, at which that is computed
inline constexpr int sweeps_idle = 4;         // for which a contact that stays open is not asked again
inline constexpr int sweeps_between_looks = 10;  // at most: a look costs as much as a sweep

// --- Operators (contact_system, block_factor)

// Rows up to which D is formed from an operator, by as many products: then every method serves, not Newton's alone.
inline constexpr int formed_operator_rows = 300;

inline constexpr int krylov_steps = 500;         // of biconjugate gradients for a Newton step
inline constexpr double krylov_relative = 1e-9;  // residual at which they end, of the right side
inline constexpr double krylov_usable = 1e-2;    // residual of a step that is still worth trying

}  // namespace routh::internal::tolerances
