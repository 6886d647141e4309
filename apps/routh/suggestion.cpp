#include "suggestion.h"

#include <string_view>

#include "routh/base/nearest_word.h"

namespace routh {

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string_view match = nearest_word(typed, views);
  return match.empty() ? std::string() : "; did you mean '" + std::string(match) + "'?";
}

}  // namespace routh
