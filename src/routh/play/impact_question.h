// One impact as a page asks it again with other numbers: the program writes it, the engine of the page answers it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/contact/contact.h"
#include "routh/problem/problem_file.h"

namespace routh::internal {

// A machine with one contact, or a contact alone (`delassus`, `contact_velocity`); the others are empty.
struct ImpactQuestion {
  using Rows = std::vector<std::vector<double>>;

  Rows mass_matrix, jacobian, bilateral;
  std::vector<double> velocity, external_impulse;
  Rows delassus;
  std::vector<double> contact_velocity, surface_velocity;
  SurfaceProperties surface;  // its law: none asks all of them
  int pressed = 0;            // 1: other forces press the bodies together
};

// `load` as the solver found it: a file may say the forces instead.
ImpactQuestion question_of(const ProblemFile& file, Load load);
// A contact of a machine that strikes as if it were alone. Nothing at the limit of a joint: it has no tangents.
std::optional<ImpactQuestion> question_of(const Model& model, const State& state, const Contact& contact,
                                          const ImpactProblem& problem, std::optional<Law> law, Workspace& workspace);
// As a problem file that says the same.
ProblemFile problem_of(const ImpactQuestion& question);

// To the bit and back. The latter throws InputError for what such a text does not say.
std::string question_json(const ImpactQuestion& question);
ImpactQuestion question_from_json(const std::string& text);

// What the document of an impact has as `data` and `paths`, for the question in `text`. Throws InputError where the
// numbers break a rule.
std::string impact_answer(const std::string& text);

}  // namespace routh::internal
