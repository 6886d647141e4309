// What a text must be before a YAML parser sees it.
//
// A parser recurses or queues tokens with the nesting of its input and is slow on huge tokens, so sizes are bounded
// here, by one pass that keeps no more than a few counters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace routh::internal {

struct TextLimits {
  std::size_t max_bytes = std::size_t{16} << 20;
  int max_depth = 64;                             // of lists and maps within each other
  std::size_t max_token = std::size_t{64} << 10;  // bytes of one value
  std::size_t max_nodes = std::size_t{2} << 20;   // values in all
};

// Throws InputError when `text` is empty, is not UTF-8, holds control characters, nests too deeply, leaves a quote or a
// bracket open or exceeds another limit. Removes a byte-order mark, and joins the surrogate pairs of JSON escapes
// (\ud83d\ude00), which YAML does not know, into one escape.
void guard_text(std::string& text, const std::string& file, const TextLimits& limits);

// How many bytes the UTF-8 character at `at` has; 0 where it is malformed, overlong, a surrogate or beyond U+10FFFF.
std::size_t character_size(std::string_view text, std::size_t at);

}  // namespace routh::internal
