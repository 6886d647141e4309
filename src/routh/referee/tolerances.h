// Tolerances and limits of the compliant referee. Time in units of T₀ = 1/√(a k), speeds in units of the largest there
// is; the rest follows.
#pragma once

namespace routh::internal::tolerances {

// Relative error of a step. Rounding of what is compared with it is 1e-12 and less. compliant_contact.
inline constexpr double referee_integration = 1e-12;
// First step after an event, of T₀; the stepper finds the next ones. compliant_contact.
inline constexpr double referee_first_step = 1e-3;
// Halvings that locate an event to the last place of a step. compliant_contact.
inline constexpr int referee_bisections = 60;
// Speed of slip in space that counts as halted, and with which slip begins anew: the direction is lost at zero.
// compliant_contact.
inline constexpr double referee_halted_slip = 1e-9;
inline constexpr double referee_begun_slip = 1e-8;
// Time to the end of compression, of T₀: a jam grows as exp(t/T₀), from forces that are tiny at first.
// compliant_contact.
inline constexpr double referee_compression_max = 1e5;
// Time after it: a contact that lasts longer stays. compliant_contact.
inline constexpr double referee_restitution_max = 200;
// Acceleration that is left, of what presses, and velocity by which it would be gained in T₀, where a contact counts as
// at rest. compliant_contact.
inline constexpr double referee_rest = 1e-6;
inline constexpr int referee_steps_max = 200000;
// Step of the tangential spring, of T₀ and of the period of the stiffer direction: differences of 1e-6 are left.
// tangential_spring.
inline constexpr double referee_spring_step = 1e-3;
// Steps of one course, some seconds at most: tangents stiffer than some 10⁴ times the normal are given up.
// tangential_spring.
inline constexpr double referee_spring_steps_max = 2e7;
// Restitution below which a dashpot is not made stiffer. referee.
inline constexpr double referee_restitution_min = 1e-3;
// Difference from Routh's answer, of the largest speed, that counts as agreement, where the stiffest contact is near
// enough to its limit; and that of the stiffest two from one another up to which a limit is seen. referee.
inline constexpr double referee_agreement = 1e-3;
// Durations of the contacts that are tried unless others are asked for [s], each a tenth of the one before. referee.
inline constexpr double referee_first_duration = 1e-2;
inline constexpr int referee_durations = 6;
// Points of a step, and at most of a course, that are kept for pictures. compliant_contact, tangential_spring.
inline constexpr int referee_points_of_step = 8;
inline constexpr int referee_points_max = 4000;

}  // namespace routh::internal::tolerances
