// Several contacts that strike at once, from a problem file: smooth, without slip, and without rebound with friction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/impact/simultaneous.h"
#include "routh/problem/answer.h"
#include "routh/problem/contacts_answer.h"
#include "routh/problem/json_text.h"
#include "routh/problem/problem_file.h"

namespace routh::internal {

// Contacts with friction of which none rebounds: Signorini's condition and Coulomb's law on the true cone, all at once.
struct FrictionalAnswer {
  ContactsFile file;  // the machine as a frictional contact problem
  ContactsAnswer answer;
};
// Of a problem with tangential rows. None where a contact rebounds, or none has friction. Slip and stick have the
// kinetic coefficient; redundant contacts the impulses of least norm.
std::optional<FrictionalAnswer> solve_frictional(const SimultaneousProblem& problem);

struct SimultaneousAnswers {
  SimultaneousResult smooth;
  // Contacts that do not slip: their impulses may leave the friction cone, and then it says which would slip. None
  // where a surface moves: it would have to be followed.
  std::optional<SimultaneousResult> sticking;
  std::optional<FrictionalAnswer> frictional;  // nor this where a surface moves

  // The worst of them.
  Outcome outcome() const;
};
Outcome outcome_of(SimultaneousStatus status);

// What a person should know about a result, one sentence for each of its warnings, in their order.
std::vector<std::string> warning_sentences(const SimultaneousResult& result);

// Of a file with several `contacts`. Throws InputError when the mass matrix is not positive definite.
SimultaneousAnswers solve_several(const ProblemFile& file);

// {"schema": 1, "id": …, "smooth": {…}, "sticking": {…}, "frictional": {…}}
void append_several(std::string& out, const ProblemFile& file, const SimultaneousAnswers& answers);
// One result: {"status", "velocity", "impulse", "loop_multipliers", "rank", "rows", "energy", "contacts": […],
// "warnings": […]}, and "explanation" where there is no answer.
JsonText simultaneous_json(const SimultaneousResult& result);
// The object of `routh contacts`, with its rule; null where there is none.
JsonText frictional_json(const std::optional<FrictionalAnswer>& frictional);

}  // namespace routh::internal
