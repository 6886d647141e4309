// Where a command gets its scene from: a scene's file, or a robot's file as the scene it makes.
#pragma once

#include <optional>
#include <string>

#include "options.h"
#include "routh/problem/problem_file.h"
#include "routh/robot/robot.h"
#include "routh/scene/scene.h"
#include "routh/text/document.h"

namespace routh {

// A file that a command was given, how a robot in it is to be read, and which numbers are to be others than in it.
struct SourceFile {
  std::string path;
  RobotOptions robot;
  RobotGround ground;            // under a robot
  std::vector<std::string> set;  // PATH=VALUE
  std::optional<double> at;      // [s] of a run: its state at this time; absent: at its end
};

// A file that was read: a scene, or another document (a problem file, a study).
struct OpenedFile {
  std::string path;
  std::optional<Scene> scene;
  std::optional<Document> document;  // not of a robot's file
  std::string text;                  // of the document
  std::vector<std::string> set;      // of a problem file: still to be taken
};

// Throws InputError, RuntimeFailure, and UsageError when something was chosen about a robot and the file is none.
OpenedFile open_file(const SourceFile& file);

// Throws InputError when the file is no scene: a study is for `routh sweep`, anything else as `remedy` says.
void require_scene(const OpenedFile& file, const char* remedy);
// The problem of a file that is no scene.
ProblemFile take_problem(const OpenedFile& file);
// The scene of the file, which has one. Its warnings are said unless `verbosity` is quiet.
Scene take_scene(OpenedFile& file, Verbosity verbosity);
// The same for a scene that is used as it stands: throws InputError where shapes overlap.
Scene take_checked_scene(OpenedFile& file, Verbosity verbosity);

// Says so when the machine falls and nothing can stop it.
void warn_of_free_fall(const Scene& scene, Verbosity verbosity);

// The text of the scene such that it needs no other file than those of meshes: what a run keeps.
std::string scene_source(const OpenedFile& file);

}  // namespace routh
