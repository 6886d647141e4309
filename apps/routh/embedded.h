// What is compiled into the program: the files of papers/ and examples/, the page of reports, and the engine of pages
// that compute.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace routh {

struct EmbeddedFile {
  const char* path;  // from the root of the repository: "papers/<paper>/<file>", "examples/<file>"
  const char* text;  // followed by a zero byte that `size` does not count
  std::size_t size;
};

// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

// The page of reports, a template: an HTML file with the line @ROUTH_DOCUMENT@. Empty where the program was built
// without it.
std::string embedded_page();

// The engine of pages that compute: WebAssembly, compressed by gzip. Empty where the program was built without it.
std::string embedded_engine();

}  // namespace routh
