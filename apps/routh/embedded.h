// The files of papers/ and examples/ that are compiled into the program.
#pragma once

#include <cstddef>
#include <span>

namespace routh {

struct EmbeddedFile {
  const char* path;  // from the root of the repository: "papers/<paper>/<file>", "examples/<file>"
  const char* text;  // followed by a zero byte that `size` does not count
  std::size_t size;
};

// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace routh
