// "Did you mean …?": spelling suggestions for names that are not known.
#pragma once

#include <span>
#include <string_view>

namespace routh::internal {

// The candidate nearest to `word` by edit distance, or empty when none is near enough to be meant.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace routh::internal
