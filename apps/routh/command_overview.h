// The commands by the question each answers: what `routh` and `routh help` show.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace routh {

std::string command_overview(const CLI::App& app);

}  // namespace routh
