// Several contacts in one impact, for a reader: who strikes, rests or is released, impulses, energy. At most 80
// columns.
#pragma once

#include <string>
#include <vector>

#include "routh/problem/several_contacts.h"
#include "terminal.h"

namespace routh {

struct TogetherReport {
  std::string title;
  std::vector<std::string> contacts;    // names
  std::vector<std::string> velocities;  // names of the degrees of freedom
  const SimultaneousAnswers* answers = nullptr;
};

std::string render(const Terminal& terminal, const TogetherReport& report);

}  // namespace routh
