// "Did you mean …?": spelling suggestions for names that are not known.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "routh/base/error.h"

namespace routh::internal {

// The candidate nearest to `word` by edit distance, or empty when none is near enough to be meant.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

// `did you mean 'x'?` of words, of things that have a `name` or of the keys of a map; `otherwise` where none is near.
template <class Things>
std::string nearest_hint(std::string_view word, const Things& things, const char* otherwise = "") {
  std::vector<std::string_view> names;
  for (const auto& thing : things) {
    if constexpr (requires { thing.name; })
      names.push_back(thing.name);
    else if constexpr (requires { thing.first; })
      names.push_back(thing.first);
    else
      names.push_back(thing);
  }
  const std::string_view near = nearest_word(word, names);
  return near.empty() ? otherwise : "did you mean '" + printable(std::string(near)) + "'?";
}

}  // namespace routh::internal
