// Reads an HDF5 file that bears a seal: a run, or the result of a study.
#pragma once

#include <functional>
#include <string>

#include "routh/base/error.h"
#include "routh/record/hdf5_file.h"

namespace routh::internal {

enum class Seal { wanted, ignored };

struct SealedReader {
  const char* what = "";                                              // `run file`, for messages
  const char* maker = "";                                             // `routh simulate`
  std::function<void(const hdf::Node& root, const Location&)> check;  // throws InputError for a file of another kind
  std::function<void(const hdf::Node& root)> read;
};

// Throws RuntimeFailure where the file cannot be read, InputError where it is of another kind or damaged.
void read_sealed_file(const std::string& path, Seal wanted, const SealedReader& reader);

// Whether the file can be read, is whole, and `is_kind` holds for its root; never throws.
bool is_sealed_file(const std::string& path, const std::function<bool(const hdf::Node& root)>& is_kind);

}  // namespace routh::internal
