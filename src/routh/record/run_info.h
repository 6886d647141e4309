// What a run file says about its machine and about how it was computed.
#pragma once

#include <optional>
#include <string>

#include "routh/record/run_file.h"

namespace routh::internal {

// Name, dimension, and names and units of coordinates and velocities.
void describe_coordinates(const Model& model, RunInfo& info);

// The scene that a run file holds, without the rest of the file. Nothing where there is none to be read. Never throws.
struct RunScene {
  std::string text, path;
};
std::optional<RunScene> read_run_scene(const std::string& path);

// As `read_run`, whatever the seal says: HDF5's own check sums alone decide. For tests of them.
RunData read_unsealed_run(const std::string& path);

}  // namespace routh::internal
