// Whether the contacts of a scene hold at its state, and what would change that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/contact/contact_problem.h"
#include "routh/contact/touches.h"
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/diagnosis.h"
#include "routh/solvability/hold_verdict.h"
#include "routh/solvability/restitution_set.h"

namespace routh {

// The nearest value of a coordinate, to one side, at which slip begins or ceases to jam.
struct PostureChange {
  int dof = -1;
  double value = 0;      // of its coordinate [rad] or [m]
  double threshold = 0;  // the friction at which slip jams there: equal to the contact's own μ_k
};

// The nearest value of a coordinate, to one side, at which rest of all contacts becomes possible or ceases to be.
struct RestPosture {
  int dof = -1;
  double value = 0;  // of its coordinate [rad] or [m]
};

// The slip of a contact that leaves the machine one degree of freedom: where A and B vanish together.
struct SlipFlowReport {
  int dof = -1;  // whose coordinate is x
  FlowBox box;   // what was searched
  std::vector<SingularPoint> points;
};

struct TouchDiagnosis {
  Contact contact;
  TouchKind kind = TouchKind::resting;
  ContactDiagnosis diagnosis;
  std::vector<PostureChange> changes;  // nearest first; the contact keeps touching where the machine allows it
  std::optional<SlipFlowReport> flow;  // of a resting contact that leaves one degree of freedom
  Eigen::MatrixXd cone;                // generators of the friction cone in configuration space, 2 or 24 columns
};

struct SceneDiagnosis {
  State state;
  Eigen::VectorXd free_motion;  // q̈ without contact forces
  std::vector<TouchDiagnosis> contacts;
  // Of all contacts that rest, together, when there are several.
  std::optional<ModesReport> together;
  std::vector<int> together_contacts;  // indices in `contacts`
  std::optional<HoldReport> hold;      // whether they hold; its loads are added generalised forces, see `hold_loads`
  std::vector<int> hold_loads;         // the degree of freedom of each
  std::vector<RestPosture> rest_postures;  // nearest first; all these contacts keep touching
  // When contacts strike: loops and contacts that rest as fixed rows, and whether these restitutions can gain energy.
  std::optional<RestitutionAnswer> restitution;
  int rows = 0, rank = 0;  // of all these rows
  TouchReport touch;
};

struct DiagnosisOptions {
  std::optional<Law> law;       // of the impact that follows; else the pair's own, else energetic
  bool search_postures = true;  // postures and singular points of the slip besides: a fraction of a second
};

SceneDiagnosis diagnose_scene(const Model& model, const State& state, const TouchOptions& touch,
                              const DiagnosisOptions& options, Workspace& workspace);

// The verdict on all resting contacts together in sentences; none where fewer than two rest.
std::vector<std::string> hold_sentences(const Model& model, const SceneDiagnosis& diagnosis);

// A contact as if it were alone, and the postures that would change its verdict.
std::vector<std::string> contact_sentences(const Model& model, const SceneDiagnosis& diagnosis,
                                           const TouchDiagnosis& touch);

}  // namespace routh
