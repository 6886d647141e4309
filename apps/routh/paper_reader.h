// Reads the papers' data: from the program itself, or from a folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "paper.h"

namespace routh {

struct PaperFile {
  std::string path;
  std::string text;
};

// The files of one paper by name, among them expected.yaml.
struct PaperFiles {
  std::string folder;  // its name, "elkaranshawy-2025"
  std::map<std::string, PaperFile> files;

  // Throws InputError when the paper lacks it.
  const PaperFile& file(const std::string& name) const;
};

// Papers compiled into the program, sorted by name.
std::vector<PaperFiles> embedded_papers();
// Papers in a folder: each subfolder with an expected.yaml. Throws RuntimeFailure when there is none.
std::vector<PaperFiles> papers_in(const std::string& directory);

// The numbers to compare with. Throws InputError.
Paper read_paper(const PaperFiles& files);

}  // namespace routh
