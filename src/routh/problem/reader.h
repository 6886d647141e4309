// The strict reader of problem files.
#pragma once

#include <string>

#include "routh/problem/problem_file.h"
#include "routh/text/document.h"

namespace routh::internal {

// Throws InputError with the place of whatever is wrong. `file` is emptied first.
void read_problem(const Document& document, ProblemFile& file);
// A problem within another document; `name` stands for its file in messages.
void read_problem(const Node& node, const std::string& name, ProblemFile& file);
ProblemFile read_problem_text(std::string text, const std::string& name);
// Throws RuntimeFailure when the file cannot be opened or read.
ProblemFile read_problem_file(const std::string& path);

}  // namespace routh::internal
