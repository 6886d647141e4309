// Tolerances and limits of deciding whether contacts hold: each with what it bounds, its unit or scale, and its users.
//
// Contact problems are scaled to D with a diagonal of order one, so that most bounds are plain numbers. Defaults that a
// user may set stay with their options (RestitutionLimits, SingularSearch, SemidefiniteLimits, enumerated_planar and
// enumerated_spatial); `widest_friction` in single_contact.h stands for infinity and is no tolerance.
#pragma once

#include <cstddef>

namespace routh::internal::tolerances {

// --- Verdicts of one contact

// A speed below this share of the speeds it is the difference of counts as zero. diagnosis; scene/diagnosis,
// scene/map_source.
inline constexpr double zero_speed_relative = 1e-12;
// A = a − μcᵀσ or B = f_n within this of its terms is marginal: what D or f known to sixteen digits can lose.
// slip_verdict.
inline constexpr double marginal_relative = 1e-12;
// Slip after an impact that is not mentioned, of the slip before. diagnosis_words.
inline constexpr double unmentioned_slip_relative = 1e-9;
// A tangential acceleration below this share of the terms it is the sum of does not set a contact slipping.
// rest_verdict.
inline constexpr double incipient_slip_relative = 1e-13;
// Directions of incipient slip, zeros of a trigonometric polynomial, of its largest value: slope worth a Newton step,
// residual at which the root has been reached, and Newton steps from a compass point or from a root of the quartic.
// rest_verdict.
inline constexpr double slip_direction_slope = 1e-8;
inline constexpr double slip_direction_residual = 1e-13;
inline constexpr int slip_direction_steps = 4;
inline constexpr int slip_direction_polish_steps = 2;

// --- The impact of greatest loss or gain (worst_stick)

inline constexpr double loss_relative = 1e-14;        // a loss below this share of its terms is zero
inline constexpr int edge_bisections = 60;            // brings an interval to rounding
inline constexpr int multiplier_steps_max = 200;      // bisections
inline constexpr double multiplier_relative = 1e-15;  // least multiplier, of the trace of b, and width of its bracket

// --- Modes of several contacts, scaled (contact_modes, mode_*)

// A contact or generator with a diagonal of D below this, of the largest, is moved by no force and has no scale of its
// own. contact_modes, mode_system.
inline constexpr double immovable_relative = 1e-14;
// What remains of a unit column after projection counts as zero below this. contact_modes, mode_system, mode_force,
// struck_form, restitution_set.
inline constexpr double unit_column_rank = 1e-10;
// To which an answer must fulfil the definition, of forces and accelerations. mode_system, mode_search, mode_force.
inline constexpr double mode_answer_relative = 1e-9;
// A force outside its cone by more is cut off; well below the answer's tolerance, so that cutting ends. mode_force.
inline constexpr double mode_cut_relative = 0.05 * mode_answer_relative;
// Directions of slip solved to this when Newton's steps are used up. mode_directions.
inline constexpr double mode_direction_relative = 0.1 * mode_answer_relative;
// Normal accelerations within this of zero keep their mode when an answer is settled. mode_system.
inline constexpr double mode_settled_factor = 10;
// Accelerations closer than this are the same solution. mode_system, mode_enumeration.
inline constexpr double same_solution_relative = 1e-7;
// Modes read from a solution with pyramids; coarser, because a pyramid is no cone. mode_search.
inline constexpr double pyramid_modes_relative = 1e-8;
// Inequalities are relaxed by this, so that a set of a single point is not empty by rounding. mode_force.
inline constexpr double mode_relaxation_relative = 1e-11;
inline constexpr int cone_cut_rounds_max = 60;  // mode_force
inline constexpr int mode_repairs_max = 8;      // mode_search
inline constexpr int pyramid_paths = 8;         // of Lemke's method, with other pyramids. mode_search
// Newton's method for directions of slip (mode_directions): difference of its slope and longest step [rad], residual at
// which it ends at once or when it no longer halves.
inline constexpr double direction_difference = 1e-6;
inline constexpr double direction_turn_max = 0.5;
inline constexpr int direction_steps_max = 30;
inline constexpr double direction_residual = 1e-15;
inline constexpr double direction_residual_stalled = 1e-12;

// --- Can several contacts hold (rest_forces, other_motions, hold_verdict), in the scaled units of modes

// What is left of a diagonal of D, in Cholesky's method: the row depends on others. rest_forces.
inline constexpr double rest_rank = 1e-12;
// A remainder below this share of what must be held, and of the forces that hold it, is rounding. rest_forces.
inline constexpr double rest_shortfall = 1e-13;
inline constexpr double rest_shortfall_of_force = 1e-15;
// By which the proof against rest may break its inequality w_n ≥ μ ‖w_t‖, of the motion. rest_forces.
inline constexpr double rest_edge_relative = 1e-13;
// Edges of the cones in space: rounds in which some are added, and how many a contact has, on average, before those
// that carry nothing are dropped. rest_forces.
inline constexpr int rest_rounds_max = 200;
inline constexpr int rest_edges_per_contact = 40;
// Friction, or a factor of it, at which rest is tried last: where it is possible there, it counts as possible at every
// friction; and the greatest. hold_verdict.
inline constexpr double rest_friction_min = 1e-5;
inline constexpr double rest_friction_max = 1e9;
// Borders of rest (hold_verdict): evaluations; width that is rounding, of the first bracket; distance from which a
// secant that ends inside is exact to its square; a shortfall just outside, of what must be held, that shows that rest
// ends with forces that grow without bound.
inline constexpr int rest_border_steps_max = 200;
inline constexpr double rest_border_width = 1e-15;
inline constexpr double rest_border_secant = 1e-6;
inline constexpr double rest_border_beside = 1e-8;
inline constexpr double rest_border_jump = 1e-5;
// The border of rest in space (rest_border, hold_verdict): shares of the greatest force below which a contact bears
// nothing and of the motion below which it pivots; difference of slopes; residual, of the unknowns; steps; how far from
// the border the first fit is taken, and how far from its first value it may end, both relative.
inline constexpr double border_bears = 1e-6;
inline constexpr double border_pivots = 1e-5;
inline constexpr double border_difference = 1e-7;
inline constexpr double border_residual = 1e-13;
inline constexpr int border_steps_max = 20;
inline constexpr double border_beside = 1e-3;
inline constexpr double border_agreement = 1e-3;
// A load this many times what it adds to counts as without limit. hold_verdict.
inline constexpr double rest_load_max = 1e6;
// Motions: the least that is told from rest (beyond `same_solution_relative`), one that is fading, step of its slope,
// of the friction. other_motions.
inline constexpr double motion_least = 1e-6;
inline constexpr double motion_fading = 1e-3;
inline constexpr double motion_slope_step = 1e-6;
inline constexpr int motion_bisections = 40;
inline constexpr std::size_t motion_combinations_max = 2000;
// Motions of more contacts in space than are enumerated: starts, and the cosine of directions of slip that are one.
// motion_starts.
inline constexpr int motion_starts = 24;
inline constexpr double motion_same_direction = 0.9;
// Friction, or a factor of it, at which motions are tried: first, ratios of steps, and one that stands for no bound.
// other_motions.
inline constexpr double motion_friction_first = 1e-2;
inline constexpr double motion_ratio_planar = 1.15;
inline constexpr double motion_ratio_spatial = 3;
inline constexpr double motion_first_share = 2.0 / 3;  // in space, of the least friction for rest
inline constexpr double motion_friction_max = 1e3;
// Two thresholds closer than this, of the larger, are told as one. hold_words.
inline constexpr double same_threshold_relative = 1e-7;
// Friction of contacts that slip, tried for a change between jamming and sliding: ratio of steps and their number to
// either side, bisections of the last. hold_verdict.
inline constexpr double jam_friction_ratio = 1.2;
inline constexpr int jam_friction_steps = 40;
inline constexpr int jam_bisections = 45;

// --- Efforts that hold contacts (effort, effort_rates), in scaled units

// Root of the weight of a force beside an effort: small, so that forces without a price settle in a few rounds of the
// proximal point method; its square is far above rounding.
inline constexpr double effort_force_weight = 1e-2;
// What an effort does to contacts per root of its price, of the greatest: below, rounding of the dearer efforts would
// hide it, and equations that only they can fulfil would be called impossible; its square is below rounding, so that
// prices beyond it change nothing but the cost. effort
inline constexpr double effort_response_share = 1e-8;
// Rounds of that method and of planes at cones, change of the efforts at which they end, and by which a force may leave
// its cone, of all unknowns.
inline constexpr int effort_rounds_max = 300;
inline constexpr double effort_settled = 1e-13;
inline constexpr double effort_cone_relative = 1e-12;
// Ends of ranges: growth of the distance at which one is looked for, and of that distance, by which a point nearest to
// it may miss it and still count as it.
inline constexpr double effort_reach_growth = 1e3;
inline constexpr double effort_reached = 1e-9;
inline constexpr double effort_untold = 1e-9;  // a change below this share of the largest is not said. effort_words

// --- Sets of restitution (restitution_set, restitution_box, struck_form)

inline constexpr double equal_columns = 1e-12;       // unit columns nearer than this are equal. restitution_set
inline constexpr double right_angle_cosine = 1e-12;  // of unit columns that are not coupled. restitution_box
inline constexpr double unit_mass_pivot = 1e-13;     // of M scaled to unit diagonal: singular. restitution_set
inline constexpr double row_space_rank = 1e-12;      // of all rows, of the largest pivot. restitution_set
inline constexpr double printed_eigenvalue_relative = 1e-10;  // condition (55) as printed. restitution_set
inline constexpr double lmi_scaling_slack = 1e-6;  // of the scaling 1; the solver's own accuracy. restitution_set
// ‖T‖² may exceed one by this and, for each unit of the condition of X, by this. struck_form.h.
inline constexpr double growth_rounding = 1e-10;
inline constexpr double growth_rounding_of_condition = 1e-14;
// restitution_box: contacts whose 2ⁿ corners are all tried, passes over them, bisections towards one.
inline constexpr int box_corner_contacts_max = 10;
inline constexpr int box_passes_max = 100;
inline constexpr int box_bisections = 50;

// --- Linear matrix inequalities (semidefinite; SemidefiniteLimits has what a caller may set)

inline constexpr double lmi_gap_accepted = 1e-6;        // of the range of bᵀy, where no step helps any more
inline constexpr double lmi_symmetry_relative = 1e-12;  // of the largest entry
inline constexpr double lmi_symmetry_min = 1e-300;      // so that a matrix of zeros is symmetric

// --- The flow of slip in the plane of (x, rate), in units of its box (slip_flow, flow_gradient, slide)

inline constexpr double one_sided_agreement = 0.1;  // slopes of both sides, of the larger: smooth. flow_gradient
// Singular points (slip_flow).
inline constexpr double newton_difference = 1e-6;
inline constexpr double jacobian_difference = 1e-5;  // errors of second order and of rounding are about equal
inline constexpr double same_singular_point = 1e-7;
inline constexpr double singular_step = 1e-9;         // Newton's last step
inline constexpr double singular_step_exact = 1e-15;  // ends Newton's method
inline constexpr double singular_step_max = 0.05;     // longer steps are cut
inline constexpr int singular_steps_max = 50;
inline constexpr double singular_residual = 1e-7;  // of the largest |A|, |B| on the grid
inline constexpr double box_edge_slack = 1e-12;
inline constexpr double can_vanish_spare = 0.1;  // of a patch's range, for what its biquadratic leaves out
inline constexpr int patch_refinements = 7;      // halvings of a patch of two by two cells
inline constexpr std::size_t patches_max = 50000;
inline constexpr std::size_t singular_neighbours_of = 1000;  // points around which others are looked for
inline constexpr int flow_cells_max = 10000;                 // of a grid, in each direction
inline constexpr double side_eigenvector = 1e-6;             // component α of a unit eigenvector: on the side α = 0
inline constexpr double equal_eigenvalues = 1e-7;            // of the square of the half trace; zero, of the size of K
// Slide along the flow: Dormand-Prince of order 5 (slide).
inline constexpr double slide_error = 1e-10;        // of a step
inline constexpr double slide_error_floor = 1e-18;  // so that the next step is finite
inline constexpr double slide_step_first = 1e-4;
inline constexpr double slide_step_max = 0.02;
inline constexpr double slide_step_min = 1e-14;    // to which the end is located
inline constexpr double slide_step_stuck = 1e-12;  // ends the slide; a jump of the flow is stepped over by 1e-10
inline constexpr int slide_steps_max = 100000;
inline constexpr int slide_bisections = 60;
inline constexpr double slide_look_ahead = 1e-6;    // at what stopped it
inline constexpr double near_singular = 1e-6;       // a Newton step this short leads to a singular point
inline constexpr double near_singular_flow = 1e-3;  // of the largest |A|, |B|: farther, none is near

// --- Least value along a path: Brent's method (least_on_path)

inline constexpr int brent_steps_max = 150;      // golden section alone reaches rounding in about 80
inline constexpr double brent_relative = 2e-16;  // of |x|
inline constexpr double brent_absolute = 1e-16;  // of the interval
// [s] A limit of time beyond this is none: the clock must not overflow. restitution_set.
inline constexpr double time_limit_max = 1e8;

}  // namespace routh::internal::tolerances
