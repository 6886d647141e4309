// What strikes at the state of a scene, and what each law says of it.
#pragma once

#include <optional>

#include "routh/contact/simultaneous_strike.h"
#include "routh/contact/strike.h"
#include "routh/problem/answer.h"
#include "routh/problem/several_contacts.h"

namespace routh::internal {

// One contact that strikes, as if it were alone.
struct StrikeAnswer {
  Contact contact;
  ProblemAnswer answer;                             // velocities and loop impulses in joint coordinates
  std::vector<std::vector<Wrench>> joint_impulses;  // by law, then by joint; see reactions.h
};

// All contacts that touch, in one impact.
struct TogetherAnswer {
  std::vector<Contact> contacts;
  SimultaneousAnswers answers;
};

struct SceneAnswer {
  State state;  // before the impact
  std::vector<StrikeAnswer> strikes;
  std::optional<TogetherAnswer> together;  // when something strikes and at least two contacts touch
  TouchReport touch;                       // all that touches

  // The worst of the strikes.
  Outcome outcome() const;
};

// Solves for `law`; if it is empty, for the law that the pair of surfaces names; if that is none either, for all laws.
// The answers view the model's tables: it must outlive them.
SceneAnswer solve_strikes(const Model& model, const State& state, const TouchOptions& options, std::optional<Law> law,
                          Workspace& workspace);

}  // namespace routh::internal
