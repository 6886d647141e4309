// Reads the papers' data: from the program itself, or from a folder.
#pragma once

#include <string>
#include <vector>

#include "paper.h"
#include "papers_elkaranshawy.h"

namespace routh {

// The files of one paper, as text.
struct PaperFiles {
  std::string folder;  // its name, "elkaranshawy-2025"
  std::string expected_name;
  std::string expected;
  std::string machine_name;
  std::string machine;
};

// Papers compiled into the program, sorted by name.
std::vector<PaperFiles> embedded_papers();
// Papers in a folder: each subfolder with an expected.yaml. Throws RuntimeFailure when there is none.
std::vector<PaperFiles> papers_in(const std::string& directory);

// Throw InputError.
Paper read_paper(const PaperFiles& files);
DoublePendulum read_pendulum(const PaperFiles& files);

}  // namespace routh
