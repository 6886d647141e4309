// Numbers that are said on the command line in place of those of a file: `--set PATH=VALUE`, by the paths of studies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "routh/problem/problem_file.h"
#include "routh/scene/scene.h"

namespace routh {

// Before and after the first `mark`, without blanks around them. Throws UsageError; `form` says what is expected.
struct Halves {
  std::string_view first, second;
};
Halves split(const std::string& option, std::string_view text, char mark, const char* form);

// What a number on the command line stands for; an angle may be written as `20 deg`.
struct Quantity {
  std::string name;
  bool is_angle = false;
};
// Throws UsageError.
double read_quantity(const std::string& option, std::string_view text, const Quantity& quantity);

// Throw UsageError with the assignment that cannot be. Nothing happens without assignments.
void assign(const std::vector<std::string>& assignments, Scene& scene);
void assign(const std::vector<std::string>& assignments, ProblemFile& problem);

// `--set` was given for a file that has no such numbers: throws UsageError.
void refuse_assignments(const std::vector<std::string>& assignments, const char* what);

}  // namespace routh
