// The native scene: a machine, its surfaces and its state as YAML. See docs/scene-file.md.
#pragma once

#include <string>
#include <vector>

#include "routh/contact/contact.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/state.h"
#include "routh/model/model.h"
#include "routh/robot/robot.h"
#include "routh/simulation/simulator.h"

namespace routh::internal {
class Document;  // text/document.h
}

namespace routh {

inline constexpr int scene_version = 1;

// Where the machine is described: in the scene itself, partly in a robot's file that the scene names, in a robot's file
// alone, or in no file as it stands, since numbers of it were changed.
enum class SceneOrigin { scene, scene_with_robot, robot, changed };

// A joint whose body is set down on a shape, from where the file puts it.
struct RestingStart {
  std::string joint, on;
  Location where;
};

// What a file says of a machine and its start, before the model is built: to write it again, or to change some of its
// numbers and build it anew without reading the file.
struct SceneDraft {
  SceneOrigin origin = SceneOrigin::scene;
  ModelDescription description;
  State state;                        // as the file says, loops not closed yet
  AssemblyOptions given;              // which of it the file says
  std::vector<RestingStart> resting;  // what is set down, in this order
  std::vector<RobotStart> start;      // what the robot's file says of it
  std::vector<std::string> warnings;  // about the robot's file
};

// What is said about a run: in the section `simulation` of a scene, or wherever else it can be said.
// Absent members leave it to who speaks next, and at last to what is usual.
struct SimulationSettings {
  std::optional<double> until;            // [s]
  std::optional<double> tolerance;        // of a step, relative
  std::optional<double> sample_interval;  // [s]
  std::optional<EngineKind> engine;
  std::optional<double> step;        // of the engine `stepping` [s]
  std::optional<double> residual;    // of the contact problems of large heaps in steps
  std::optional<double> resolution;  // of the engine `automatic` [s]
  std::optional<Law> law;            // in place of the laws of the pairs of surfaces
  std::optional<Integrator> integrator;
  std::optional<double> max_step;  // [s]
  std::optional<long> max_events, max_steps;
  std::optional<long long> seed;  // recorded only: a run has no randomness
};

struct Scene {
  Model model;
  State state;  // loops assembled
  TouchOptions touch;
  SimulationSettings simulation;      // what the section `simulation` says
  std::vector<std::string> warnings;  // `file:line:col: warning: …`
  SceneDraft draft;                   // what model and state were made of
};

// The ground under a robot's file that has none: the plane z = 0.
struct RobotGround {
  static constexpr double usual_friction = 1;  // as that of MuJoCo's geoms

  std::optional<double> friction;  // of a floor that is added; absent: none, unless something is to drop
  std::optional<double> drop;      // [m] of the lowest point over the ground, ≥ 0; absent: where the file puts it

  bool wanted() const { return friction || drop; }
};

// Whether the document is a scene: it has the key `routh`.
bool is_scene(const internal::Document& document);

// Throws InputError with the place of whatever is wrong, RuntimeFailure when the file cannot be read.
Scene read_scene(const internal::Document& document);
Scene read_scene_text(std::string text, const std::string& name);
Scene read_scene_file(const std::string& path);
// The scene of a robot's file, without a text in between: loops closed, lifted out of the floor, its own shapes that
// overlap excluded. Throws InputError with the place in the robot's file when no machine can be made of it.
Scene scene_of_robot(RobotFile robot, const RobotGround& ground = {});

// The engine's options; the scene's distance of touching is part of them.
SimulationOptions simulation_options(const SimulationSettings& settings, const TouchOptions& touch);

}  // namespace routh
