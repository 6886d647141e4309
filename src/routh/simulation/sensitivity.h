// How the end of a run depends on its start and on parameters: Φ = ∂x(T)/∂x(0), ∂x(T)/∂p, and the times of events.
//
// Between events the variational equations are integrated beside the motion, in the modes of the run. At an event
// g(x, t) = 0 with reset R the derivative jumps [Aizerman and Gantmakher 1958; Leine and Nijmeijer 2004]:
//
//   δt = −(g_x δx + g_p)/ġ      δx⁺ = R_x (δx⁻ + f⁻ δt) + R_p − f⁺ δt
//
// Where there is no derivative, or only one of one side, a note says where and why; nothing returned is NaN.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "routh/simulation/simulator.h"

namespace routh {

// A number on which machine and start depend. `at` makes both for a value of it, and throws InputError where there is
// none: derivatives are then taken from the other side.
struct RunParameter {
  struct Case {
    Model model;
    State start;
  };
  std::string name;
  double value = 0;
  std::function<Case(double)> at;
  bool changes_model = true;  // false: the start alone, of one machine, and nothing is differenced on the way
};

enum class SensitivityDoubt {
  grazing,           // two shapes hardly strike: neighbours miss, and the derivative grows like 1/√(depth)
  simultaneous,      // several contacts close at once: the derivative depends on their order
  mode_border,       // slip and stick, or phases of an impact, change over: the slopes of the two sides differ
  start_in_contact,  // the start is on a constraint: its variations are taken along it
  crowd,             // steps through a crowd of events: the rest has no derivative here
  paradox,           // a tangential impact: entering it has no derivative
  not_followed,      // the motion could not be repeated beside the run
};
constexpr auto names_of(SensitivityDoubt) {
  return name_table<SensitivityDoubt>({
      {SensitivityDoubt::grazing, "grazing"},
      {SensitivityDoubt::simultaneous, "simultaneous"},
      {SensitivityDoubt::mode_border, "mode_border"},
      {SensitivityDoubt::start_in_contact, "start_in_contact"},
      {SensitivityDoubt::crowd, "crowd"},
      {SensitivityDoubt::paradox, "paradox"},
      {SensitivityDoubt::not_followed, "not_followed"},
  });
}

struct SensitivityNote {
  SensitivityDoubt doubt = SensitivityDoubt::grazing;
  double time = 0;
  std::string text;
};

// Columns: the start's tangents, first of q (by degree of freedom, as in dynamics/derivatives.h), then of q̇, if asked
// for; then the parameters.
struct RunSensitivity {
  SimulationStatus status = SimulationStatus::ready;
  std::string message;  // of a run that failed
  State state;          // at the end
  // False: there is no derivative from `lost` on, and the matrices are empty; a note says why.
  bool exists = true;
  double lost = 0;
  Eigen::MatrixXd position, velocity;  // n rows: tangents of q and q̇ at the end
  // By column: as far as this change of it the order of events stays the same, to first order; infinite where nothing
  // bounds it.
  Eigen::VectorXd validity;
  struct EventTime {
    double time = 0;
    EventKind kind = EventKind::impact;
    Eigen::RowVectorXd change;
    bool known = true;  // false: the time of this event has no derivative here, and `change` is zero
  };
  std::vector<EventTime> events;
  std::vector<SensitivityNote> notes;
};

enum class StartTangents { none, all };

RunSensitivity run_sensitivity(const Model& model, const State& start, double until, const SimulationOptions& options,
                               const std::vector<RunParameter>& parameters, StartTangents tangents = StartTangents::all,
                               const std::function<bool()>& interrupt = {});

}  // namespace routh
