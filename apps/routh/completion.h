// Completion scripts for shells, generated from the command line itself so that they cannot fall behind it.
#pragma once

#include <string>

#include "routh/base/names.h"

namespace CLI {
class App;
}

namespace routh {

enum class Shell { bash, zsh, fish };
constexpr auto names_of(Shell) {
  return name_table<Shell>({{Shell::bash, "bash"}, {Shell::zsh, "zsh"}, {Shell::fish, "fish"}});
}

std::string completion_script(CLI::App& app, Shell shell);

}  // namespace routh
