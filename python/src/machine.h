// A model as Python holds it: with the scene it came from, shared by whoever uses it.
#pragma once

#include <memory>

#include "arguments.h"
#include "routh/scene/scene.h"

namespace routh::python {

struct Machine {
  Scene scene;
  std::string text;  // of the scene, complete: what run files hold
  std::string path;  // of the file it was read from; else empty

  const Model& model() const { return scene.model; }
};
using MachinePointer = std::shared_ptr<const Machine>;

// Both are state.q and state.v for `model`; throws InputError otherwise.
void check_state(const Model& model, const State& state);
// The scene's own state for None.
State read_state(const Machine& machine, py::handle value);
// Shapes must not overlap by more than is allowed, as the program demands of a scene.
void refuse_overlaps(const Machine& machine, const State& state);

// By name or by number.
int read_body(const Model& model, py::handle value);

}  // namespace routh::python
