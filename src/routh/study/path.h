// The name of a parameter or quantity: `surfaces.floor.friction`, `velocity[1]`, `state.position.'left knee'`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "routh/base/error.h"

namespace routh::internal {

// A word, or an entry of a list.
struct PathPart {
  std::string word;  // empty: an entry
  int entry = -1;

  bool is(std::string_view text) const { return entry < 0 && word == text; }
  // Of a contact vector: n, t1, t2 or their entries; −1: none of them.
  int direction() const { return is("n") ? 0 : is("t1") ? 1 : is("t2") ? 2 : entry; }
};

struct StudyPath {
  std::vector<PathPart> parts;
  std::string text;  // as written
  Location where;

  std::size_t size() const { return parts.size(); }
  const PathPart& operator[](std::size_t k) const { return parts[k]; }
  // Whether the parts are exactly these words.
  bool is(std::initializer_list<std::string_view> words) const;
  // The same without its first part.
  StudyPath tail() const;
};

inline constexpr std::size_t max_path_parts = 8;

// Throws InputError at `where`.
StudyPath parse_path(std::string_view text, const Location& where);

// Throws InputError about a path that means nothing here.
[[noreturn]] void refuse(const StudyPath& path, const std::string& why, const std::string& remedy = {});
// "; did you mean 'x'?", or the first few candidates: the end of a message about an unknown name.
std::string known_names(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace routh::internal
