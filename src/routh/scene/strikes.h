// What strikes at the state of a scene, and what each law says of it.
#pragma once

#include <optional>

#include "routh/contact/contact.h"
#include "routh/contact/contact_problem.h"
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

// The spring of a contact in the march, beside those of the others. One that is named without what stands in
// parentheses ("box on floor") is all contacts of that pair of shapes.
struct ContactStiffness {
  std::string contact;
  double ratio = 1;  // > 0
};

struct StrikeOptions {
  std::optional<Law> law;  // empty: that of the pair of surfaces; if it names none either, all laws
  SimultaneousRule rule = SimultaneousRule::run;
  std::vector<ContactStiffness> stiffness = {};  // a later one holds; contacts that are not named have 1
};
// Why `stiffness` cannot be meant for these contacts: a number, or a name that none of them has. Empty: it can.
std::string stiffness_fault(const Model& model, std::span<const Contact> contacts,
                            std::span<const ContactStiffness> stiffness);
// The answers view the model's tables: it must outlive them.
SceneAnswer solve_strikes(const Model& model, const State& state, const TouchOptions& touch,
                          const StrikeOptions& options, Workspace& workspace);

enum class Beside { no, yes };  // whether what stands beside the answers of the rule is sought, too
// Contacts of a scene in one impact, by a rule; where they march each by `law` or, if that is empty, by its own. Its
// `stiffness` is without fault.
SimultaneousAnswers solve_contacts_at_once(const Model& model, const State& state, std::span<const Contact> contacts,
                                           const StrikeOptions& options, Beside beside, Workspace& workspace);
// One law at a contact whose problem is the last of the builder, with what the machine does.
LawAnswer solve_strike(const Model& model, const ImpactProblem& problem, Law law, ContactProblemBuilder& builder);

}  // namespace routh::internal
