// Several contacts that strike at once, from a problem file: smooth, and without slip.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/impact/simultaneous.h"
#include "routh/problem/answer.h"
#include "routh/problem/problem_file.h"

namespace routh::internal {

struct SimultaneousAnswers {
  SimultaneousResult smooth;
  // Contacts that do not slip: their impulses may leave the friction cone, and then it says which would slip. None
  // where a surface moves: it would have to be followed.
  std::optional<SimultaneousResult> sticking;

  // The worse of the two.
  Outcome outcome() const;
};
Outcome outcome_of(SimultaneousStatus status);

// What a person should know about a result, one sentence for each of its warnings, in their order.
std::vector<std::string> warning_sentences(const SimultaneousResult& result);

// Of a file with several `contacts`. Throws InputError when the mass matrix is not positive definite.
SimultaneousAnswers solve_several(const ProblemFile& file);

// {"schema": 1, "id": …, "smooth": {…}, "sticking": {…}}
void append_several(std::string& out, const ProblemFile& file, const SimultaneousAnswers& answers);
// One result: {"status", "velocity", "impulse", "loop_multipliers", "rank", "rows", "energy", "contacts": […],
// "warnings": […]}, and "explanation" where there is no answer.
std::string simultaneous_json(const SimultaneousResult& result);

}  // namespace routh::internal
