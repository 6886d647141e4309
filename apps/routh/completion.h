// Completion scripts for shells, generated from the command line itself so that they cannot fall behind it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace routh {

enum class Shell { bash, zsh, fish };

std::string completion_script(const CLI::App& app, Shell shell);

}  // namespace routh
