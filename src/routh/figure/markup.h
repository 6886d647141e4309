// Text with sub- and superscripts taken apart, and what of it is UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace routh::internal {

enum class TextLevel { line, subscript, superscript };

// Scripts are smaller by this factor, and shifted (downwards positive) by a share of the size of the line.
inline constexpr double script_size = 0.72;
inline constexpr double subscript_shift = 0.26;
inline constexpr double superscript_shift = -0.36;

struct TextRun {
  TextLevel level = TextLevel::line;
  std::string text;
};

// `v_{n} [m/s]` as three runs. A brace that is never closed is plain text; empty runs on the line are left out.
std::vector<TextRun> split_markup(std::string_view markup);

// Length in bytes of the well-formed UTF-8 character that begins at `at`, or 0.
std::size_t character_length(std::string_view text, std::size_t at);
// The text with bytes that are not UTF-8 and control characters other than tabs and ends of lines replaced by U+FFFD.
std::string well_formed(std::string_view text);

}  // namespace routh::internal
