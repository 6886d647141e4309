// Whether the contacts of a scene hold at its state, and what would change that.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "routh/contact/contact.h"
#include "routh/contact/contact_problem.h"
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/diagnosis.h"
#include "routh/solvability/effort.h"
#include "routh/solvability/energy_consistency.h"

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
// Slides from states around each of them, and from the present one, show where slip goes there [Liu 2007, Fig. 4].
struct SlipFlowReport {
  struct Slide {
    std::vector<double> time, x, rate;  // [s], from zero
    std::string end;                    // how it ends, and whether
    bool in_paradox = false;            // there, or too near to a singular point to tell
  };
  int dof = -1;  // whose coordinate is x
  FlowBox box;   // what was searched
  std::vector<SingularPoint> points;
  std::vector<Slide> slides;
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

// The contacts of a scene that rest, and the efforts on its machine: which change holds them, which lets them go.

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
