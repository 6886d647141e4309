// The derivative of an expression of a run by numbers of its scene: `routh gradient`.
//
// Quantities of the expression: final.position.DOF, final.velocity.DOF, energy.kinetic, .potential, .total (at the
// end), events.KIND.first, events.KIND.last, time. Paths of numbers: scene_parameter.h.
#pragma once

#include <optional>

#include "routh/scene/scene.h"
#include "routh/simulation/sensitivity.h"

namespace routh::internal {

struct GradientRequest {
  std::string of;
  std::vector<std::string> wrt;
  double until = 0;
  SimulationOptions options;
  bool differences = false;  // central differences of the run besides
};

struct GradientReport {
  struct Entry {
    std::string path;
    double value = 0;  // of the number
    double derivative = 0;
    double validity = 0;  // infinite: there is no event
    std::optional<double> difference;
  };
  double value = 0;            // of the expression
  std::vector<Entry> entries;  // empty where there is no derivative
  RunSensitivity run;          // columns: the numbers
};

// Throws InputError about expressions and paths, and where the run fails.
GradientReport run_gradient(const Scene& scene, const GradientRequest& request,
                            const std::function<bool()>& interrupt = {});

// With "schema".
std::string gradient_json(const GradientReport& report, const GradientRequest& request);

}  // namespace routh::internal
