// A model as Python holds it: with the scene it came from, shared by whoever uses it.
#pragma once

#include <memory>

#include "arguments.h"
#include "routh/scene/scene.h"

namespace routh::python {

struct Machine {
  Scene scene;
  std::string text;      // of the scene: what run files hold, with `path`, from whose folder it names meshes
  std::string path;      // of the file it was read from; else empty
  std::string complete;  // the same scene wherever it is read: files of meshes by their absolute paths

  const Model& model() const { return scene.model; }
};
using MachinePointer = std::shared_ptr<const Machine>;

// Text and scene are known; `name` is where the text came from.
void complete_text(Machine& machine, const std::string& name);

// Both are state.q and state.v for `model`; throws InputError otherwise.
void check_state(const Model& model, const State& state);
// The scene's own state for None.
State read_state(const Machine& machine, py::handle value);
// Shapes must not overlap by more than is allowed, as the program demands of a scene.
void refuse_overlaps(const Machine& machine, const State& state);

// q of the model, with quaternions that show a rotation: any length but zero.
VectorArgument read_coordinates(const Model& model, py::handle value, const char* name = "q");
void check_quaternions(const Model& model, const Eigen::Ref<const Eigen::VectorXd>& q, const char* name);

// By name or by number.
int read_body(const Model& model, py::handle value);

}  // namespace routh::python
