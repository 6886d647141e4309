// A compared paper as a table for a terminal, as Markdown and as JSON.
#pragma once

#include <span>
#include <string>

#include "paper.h"
#include "terminal.h"

namespace routh {

std::string render(const Terminal& terminal, const ComparedPaper& paper);
std::string to_markdown(const ComparedPaper& paper);
std::string to_json(std::span<const ComparedPaper> papers);

// "82 numbers: 81 agree, 1 documented misprint, 0 mismatches"
std::string summary(const ComparedPaper& paper);

}  // namespace routh
