// Tolerances of the record: each with what it bounds, its unit or scale, and its users.
#pragma once

#include <cstddef>

namespace routh::internal::tolerances {

// By how much the quaternions of a checkpoint may differ from unit ones, summed over all: those of a run are unit to
// rounding. check_checkpoint.
inline constexpr double checkpoint_quaternion_error = 1e-6;

// [bytes] What must be free before HDF5 is called, which does not stand it when memory ends: its caches of 1 MiB for
// each data set that is open, and what it takes on its first call, some 4 MiB in all for a run. hdf5_file.
inline constexpr std::size_t hdf5_memory = std::size_t{32} << 20;

}  // namespace routh::internal::tolerances
