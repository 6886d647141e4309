// Where a command gets its scene from: a scene or problem file as it is, a robot's file as the scene it makes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exit_code.h"
#include "options.h"
#include "routh/robot/robot.h"
#include "routh/text/document.h"

namespace routh {

// A file that a command was given, and how a robot in it is to be read.
struct SourceFile {
  std::string path;
  RobotOptions robot;
};

// Warnings about a robot's file are said unless `verbosity` is quiet. Throws InputError, RuntimeFailure, and UsageError
// when something was chosen about a robot and the file is none.
Document open_document(const SourceFile& file, Verbosity verbosity);
// The text of the scene such that it needs no other file: what a run keeps.
std::string scene_source(const SourceFile& file, Verbosity verbosity);

struct ConvertOptions {
  SourceFile file;
  std::string output;  // empty or `-`: standard output
  Verbosity verbosity = Verbosity::normal;
};

// `routh convert`: a robot's file, or a scene that takes one, as a scene that is complete by itself.
ExitCode run_convert(const ConvertOptions& options);

}  // namespace routh
