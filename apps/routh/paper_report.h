// A compared paper as a table for a terminal.
#pragma once

#include <string>

#include "papers/paper.h"
#include "terminal.h"

namespace routh {

std::string render(const Terminal& terminal, const ComparedPaper& paper);

}  // namespace routh
