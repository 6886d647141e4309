// A check sum of the whole run file behind its last HDF5 byte, looked at before HDF5 sees the file.
//
// HDF5 has check sums of its own, but takes a chunk of zeros with a zero check sum for sound, and when it meets damaged
// metadata it leaks and complains on standard error. Programs that change the file cut the seal off: a file without it
// is refused.
#pragma once

#include <string>

#include "routh/file/temporary_file.h"

namespace routh::internal {

inline constexpr std::size_t seal_size = 32;

// Appends the seal. Throws RuntimeFailure.
void seal_file(TemporaryFile& file);

enum class SealState {
  absent,
  whole,
  broken,  // the bytes before the seal are not those that were sealed
};
// Of a file that is open for reading.
SealState check_seal(int descriptor);

}  // namespace routh::internal
