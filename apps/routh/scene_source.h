// Where a command gets its scene from: a scene or problem file as it is, a robot's file as the scene it makes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exit_code.h"
#include "options.h"
#include "routh/base/document.h"
#include "routh/robot/robot.h"

namespace routh {

// Warnings about a robot's file are said unless `verbosity` is quiet. Throws InputError, RuntimeFailure.
Document open_document(const std::string& path, Verbosity verbosity);
// The text of the scene such that it needs no other file: what a run keeps.
std::string scene_source(const std::string& path, Verbosity verbosity);

struct ConvertOptions {
  std::string file;
  std::string output;  // empty or `-`: standard output
  RobotOptions robot;
  Verbosity verbosity = Verbosity::normal;
};

// `routh convert`: a robot's file, or a scene that takes one, as a scene that is complete by itself.
ExitCode run_convert(const ConvertOptions& options);

}  // namespace routh
