// A machine's matrices seen through the oblique projection: P, S, R, M_c, forces and impact [Aghili 2019], and which
// restitutions its contacts admit, (53) to (56). From a problem file, or from matrices alone; as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/base/error.h"
#include "routh/impact/projection.h"
#include "routh/problem/json_text.h"
#include "routh/problem/problem_file.h"
#include "routh/solvability/energy_consistency.h"

namespace routh::internal {

struct ProjectionReport {
  std::string title;
  Location where;  // of what is refused
  ProjectionProblem problem;
  Projection projection;
  std::optional<RestitutionAnswer> restitution;  // where there are unilateral rows with a restitution
  std::vector<std::string> coordinates, rows;    // names; bilateral rows first
};

// The machine of a problem file with one contact or several: their normal rows are the unilateral ones, `bilateral` the
// others, `force` is u − h, `restitution` that at the speeds of approach there are. Throws InputError where the file
// has no machine, or `surface_velocity`.
ProjectionProblem projection_problem(const ProblemFile& file);

// Fills what follows from `problem`; missing names are made up. Throws InputError where the matrices are refused.
void examine(ProjectionReport& report);

// Which restitutions are admissible, with all unilateral rows striking.
RestitutionAnswer admissible_restitution(const ProjectionProblem& problem);
JsonText restitution_members(const RestitutionAnswer& answer);

inline constexpr int projection_schema = 1;
std::string projection_json(const ProjectionReport& report);

// What a person should know, one sentence each.
std::vector<std::string> projection_sentences(const ProjectionReport& report);
std::vector<std::string> restitution_sentences(const RestitutionAnswer& answer);

}  // namespace routh::internal
