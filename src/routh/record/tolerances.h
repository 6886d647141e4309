// Tolerances of the record: each with what it bounds, its unit or scale, and its users.
#pragma once

namespace routh::internal::tolerances {

// By how much the quaternions of a checkpoint may differ from unit ones, summed over all: those of a run are unit to
// rounding. check_checkpoint.
inline constexpr double checkpoint_quaternion_error = 1e-6;

}  // namespace routh::internal::tolerances
