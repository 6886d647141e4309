// The derivatives of expressions of a run by numbers of its scene: `routh gradient`, `routh.gradient`, `routh.jvp`.
//
// Quantities of the expressions: final.position.DOF, final.velocity.DOF, energy.kinetic, .potential, .total (at the
// end), events.KIND.first, events.KIND.last, time. Paths of numbers: scene_parameter.h.
#pragma once

#include <optional>

#include "routh/scene/scene.h"
#include "routh/simulation/sensitivity.h"

namespace routh::internal {

struct GradientRequest {
  std::vector<std::string> of;
  std::vector<std::string> wrt;
  std::vector<double> at;     // values of the numbers; empty: those of the scene
  std::vector<double> along;  // a change of the numbers: one derivative along it, in place of one by each
  double until = 0;
  SimulationOptions options;
  bool differences = false;  // central differences of the run besides
};

struct GradientReport {
  struct Entry {
    std::string path;                 // "direction" of the one along `along`
    double value = 0;                 // of the number
    std::vector<double> derivatives;  // one for each expression
    double validity = 0;              // infinite: there is no event
    std::vector<double> differences;  // empty: not asked for, or there are none
  };
  std::vector<double> values;  // of the expressions
  std::vector<Entry> entries;  // empty where there is no derivative
  RunSensitivity run;          // columns: the numbers
};

// Throws InputError about expressions and paths, and where the run fails.
GradientReport run_gradient(const Scene& scene, const GradientRequest& request,
                            const std::function<bool()>& interrupt = {});

// With "schema". Numbers where there is one expression, lists of them where there are several.
std::string gradient_json(const GradientReport& report, const GradientRequest& request);

}  // namespace routh::internal
