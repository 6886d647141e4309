// Thresholds of what answers are called, with what each bounds and who uses it. They change words, no number.
#pragma once

namespace routh::internal::tolerances {

// Velocities of a contact below this of the speed before, or below ten residuals where that is more, count as zero: it
// does not separate, it does not slip. contacts_answer.
inline constexpr double still_contact_relative = 1e-9;

}  // namespace routh::internal::tolerances
