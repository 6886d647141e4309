// What the terminal can show, and text made to fit it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace routh {

enum class ColourChoice { automatic, never };

struct Terminal {
  bool colour = false;      // standard output is a terminal and nothing forbids colour
  bool utf8 = false;        // the locale's encoding
  std::size_t columns = 0;  // 0: standard output is no terminal, or one that does not tell
};

// Reads the environment: the locale, NO_COLOR, TERM, and whether standard output is a terminal.
Terminal detect_terminal(ColourChoice choice);

enum class Tone { plain, strong, faint, good, bad, caution };

// The text wrapped in the escape codes of the tone, or as it is when there is no colour.
std::string paint(const Terminal& terminal, Tone tone, const std::string& text);

// The text as the terminal can show it: unchanged in UTF-8, otherwise with the symbols we use spelt in ASCII.
std::string encode(const Terminal& terminal, std::string_view utf8);

// Columns the text takes on a terminal.
std::size_t display_width(std::string_view utf8);
// Lines of at most `width` columns, broken at spaces; a longer word stands alone.
std::vector<std::string> wrap(std::string_view text, std::size_t width);
// The same as the terminal can show it, a line break after each.
std::string wrapped(const Terminal& terminal, std::string_view text, std::size_t width = 80, Tone tone = Tone::plain);

}  // namespace routh
