// The contacts of a scene that rest, and the efforts on its machine: which change holds them, which lets them go.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "routh/contact/touches.h"
#include "routh/solvability/effort_report.h"

namespace routh {

// An effort: the generalised force along a degree of freedom [N or N m], by the name of that, or the multiple of a
// force that the scene applies, by its name.
struct EffortTerms {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double price = 1;
};

struct HoldOptions {
  // Empty: the degrees of freedom with drives or efforts; where none has, all but those of bases that float.
  std::vector<std::string> efforts;
  std::vector<EffortTerms> terms;      // limits and prices, of efforts among them
  std::optional<double> normal_force;  // reserve [N]; absent: a hundredth of the force scale of the machine
  double reserve = 0;                  // share of static friction kept back
};

struct SceneHold {
  State state;
  std::vector<Contact> contacts;                   // that rest; none: nothing below is set
  int striking = 0;                                // contacts that approach: an impact decides of them first
  std::vector<std::string> names, efforts, units;  // of contacts; of efforts, "1" of a multiple
  EffortProblem problem;
  EffortReport report;
};

// Throws InputError for names that are not known.
SceneHold hold_scene(const Model& model, const State& state, const TouchOptions& touch, const HoldOptions& options,
                     Workspace& workspace);

std::vector<std::string> hold_words(const SceneHold& hold);

}  // namespace routh
