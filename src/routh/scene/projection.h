// A scene's machine as matrices for the projection: M, its loops as bilateral rows, the contacts that touch as
// unilateral ones, u − h, Ȧ q̇ and the restitutions at the speeds of approach.
#pragma once

#include "routh/contact/contact.h"
#include "routh/problem/projection_report.h"

namespace routh::internal {

// Problem, names and title; `examine` fills the rest. Contacts that separate are no constraints.
ProjectionReport projection_of_scene(const Model& model, const State& state, const TouchOptions& touch,
                                     Workspace& workspace);

// What strikes, as `diagnose_scene` asks about it: loops and contacts that rest are fixed rows. `names` are those of
// the contacts that strike.
struct SceneStrikes {
  RestitutionQuestion question;
  std::vector<std::string> names;
};
SceneStrikes strikes_of_scene(const Model& model, const State& state, const TouchOptions& touch, Workspace& workspace);

}  // namespace routh::internal
