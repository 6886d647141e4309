// Tolerances and limits of an impact through springs: each with what it bounds, its unit or scale, and its users.
#pragma once

#include <limits>

#include "routh/impact/tolerances.h"

namespace routh::internal::tolerances {

// η² = k_n/k_t below which tangents are rigid: the answers differ by a few thousandths, and an impact would take a
// thousand oscillations and more. increment.
inline constexpr double tangential_compliance_min = 1e-6;
// Eigenvalue of the oscillation below which it is a drift, of the greatest: rounding. stick.
inline constexpr double still_mode_relative = 1e-15;
// A step towards the end of a sticking stretch that counts as none, of the time it took or of the shortest oscillation.
// stick.
inline constexpr double stick_event_relative = 4 * std::numeric_limits<double>::epsilon();
// Least first step from the friction cone, of 1/ω of the fastest oscillation: where the second derivative of the
// condition of slip vanishes too, nothing happens so soon. stick.
inline constexpr double cone_start_step = 1e-6;
// Steps of one sticking stretch; usual are 10 to 30. Drifts that never end need a limit. stick.
inline constexpr int stick_steps_max = 100000;
// Stretches of slip and stick in one impact: two for each oscillation of the stiffest tangent, with room to spare.
// increment.
inline constexpr int compliant_stretches_max = 20000;
// Points of the path of one sticking stretch, which is curved. increment.
inline constexpr int stick_points = 12;
// Slip that swerves: relative error of a step; first impulse and what is left of it that are taken straight, of that
// of the whole impact (their error is its square); share of the way to the end of restitution that a step takes; error
// with which an event is met; steps of one stretch, usual are 100. swerve.
inline constexpr double compliant_slip_error = 1e-12;
inline constexpr double straight_start_relative = 1e-8;
inline constexpr double straight_end_relative = 1e-7;
inline constexpr double share_to_end = 0.7;
inline constexpr double compliant_event_relative = 1e-12;
inline constexpr int compliant_event_trials = 100;
inline constexpr double compliant_step_min = 1e-18;  // of the whole impulse: no step is found
inline constexpr int compliant_slip_steps_max = 100000;

}  // namespace routh::internal::tolerances
