// How HDF5 writes to the disk: by a driver of ours, which never tells HDF5 of a failure.
//
// When HDF5 cannot write while it closes a file, it keeps a broken entry and crashes when the program ends
// (github.com/h5py/h5py/issues/914). So a write that fails is kept in memory and noted in `error`; whoever writes looks
// at it after each operation and gives the file up, which HDF5 then closes in peace.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace routh::internal::hdf {

struct WriteTarget {
  int descriptor = -1;                                           // open for reading and writing; not closed here
  int error = 0;                                                 // errno of the first failure
  std::vector<std::pair<std::uint64_t, std::string>> unwritten;  // where, and the bytes, in order
};

// Makes files that are opened with this property list write to `target`, which must outlive them.
void write_through(std::int64_t access_properties, WriteTarget& target);

}  // namespace routh::internal::hdf
