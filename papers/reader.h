// Reads the papers' data.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "papers/paper.h"
#include "routh/text/document.h"

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

// Papers among files that are sorted by path: those of a folder with an expected.yaml.
std::vector<PaperFiles> papers_of(std::vector<PaperFile> files);
// Papers in a folder: each subfolder with an expected.yaml. Throws RuntimeFailure when there is none.
std::vector<PaperFiles> papers_in(const std::string& directory);

// The numbers to compare with. Throws InputError.
Paper read_paper(const PaperFiles& files);

}  // namespace routh
