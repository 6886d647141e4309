// The texts of the project's own files, and parts of them.
#pragma once

#include <set>
#include <string>

#include "routh/text/document.h"

namespace testing_support {

using Words = std::set<std::string>;

inline std::string source(const std::string& path) { return ROUTH_TEST_DATA "/../../" + path; }
inline std::string content(const std::string& path) { return routh::read_text_file(source(path), 1 << 22); }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// From where it begins to the next `end` after that; all of a text where nothing is said.
struct Part {
  std::string begin, end;
};

// Empty where the text has no such part.
inline std::string part_of(const std::string& text, const Part& part) {
  const std::size_t begin = text.find(part.begin);
  if (begin == std::string::npos) return {};
  if (part.end.empty()) return text.substr(begin);
  return text.substr(begin, text.find(part.end, begin + part.begin.size()) - begin);
}

}  // namespace testing_support
