// What ranks say to each other.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

namespace routh {

// Blocks to compute; none: the study is over.
struct Assignment {
  std::uint64_t first_block = 0, blocks = 0;
};

enum MessageTag : int { tag_assignment = 1, tag_portion = 2 };

inline void send_assignment(const Assignment& assignment, int rank) {
  MPI_Send(&assignment, static_cast<int>(sizeof assignment), MPI_BYTE, rank, tag_assignment, MPI_COMM_WORLD);
}

// A message of any length; it has been seen by a probe.
inline std::string receive_bytes(const MPI_Status& status) {
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return bytes;
}

}  // namespace routh
