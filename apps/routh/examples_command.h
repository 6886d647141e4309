// `routh examples`: the scenes of examples/, which travel inside the program.
#pragma once

#include <string>
#include <vector>

#include "exit_code.h"
#include "options.h"
#include "terminal.h"

namespace routh {

enum class Overwrite { refuse, allow };

struct ExamplesOptions {
  std::string name;    // the scene to copy out; empty: list them
  std::string output;  // file or folder to write, "-" for standard output; empty: NAME.yaml in the current folder
  Overwrite overwrite = Overwrite::refuse;
  OutputFormat format = OutputFormat::table;
};

// What the comment at the top of a scene says of it: its first line is the title, `#` alone ends a paragraph.
struct ExampleScene {
  std::string name;  // of the file, without .yaml
  std::string title;
  std::vector<std::string> paragraphs;
  std::string text;  // the whole file
};

// Sorted by name.
std::vector<ExampleScene> embedded_examples();

ExitCode run_examples(const ExamplesOptions& options, const Terminal& terminal);

}  // namespace routh
