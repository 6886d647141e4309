#include "terminal.h"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace routh {

namespace {

// The symbols our output uses, and how they are spelt without them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> spellings{{
    {"μ", "mu"},    {"Δ", "d"},    {"q̇", "qdot"}, {"⁺", "+"}, {"⁻", "-"}, {"−", "-"},    {"→", "->"},   {"≤", "<="},
    {"≥", ">="},    {"°", " deg"}, {"·", "*"},    {"–", "-"}, {"—", "-"}, {"…", "..."},  {"ζ", "zeta"}, {"∞", "inf"},
    {"σ", "sigma"}, {"ε", "eps"},  {"²", "^2"},   {"é", "e"}, {"×", "x"}, {"ẋ", "xdot"}, {"─", "-"},    {"ᵀ", "^T"},
}};

const char* escape_code(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::strong:
      return "\x1b[1m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::good:
      return "\x1b[32m";
    case Tone::bad:
      return "\x1b[1;31m";
    case Tone::caution:
      return "\x1b[33m";
  }
  return "";
}

// Bytes of the character that begins with `first`.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xF0) return 4;
  return first >= 0xE0 ? 3 : 2;
}

}  // namespace

Terminal detect_terminal(ColourChoice choice) {
  Terminal terminal;
  std::setlocale(LC_CTYPE, "");
  terminal.utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool forbidden = (no_colour != nullptr && *no_colour != '\0') || choice == ColourChoice::never;
  const bool dumb = term == nullptr || std::strcmp(term, "dumb") == 0;
  terminal.colour = !forbidden && !dumb && isatty(STDOUT_FILENO) == 1;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) terminal.columns = size.ws_col;
  return terminal;
}

std::string paint(const Terminal& terminal, Tone tone, const std::string& text) {
  if (!terminal.colour || tone == Tone::plain || text.empty()) return text;
  return escape_code(tone) + text + "\x1b[0m";
}

std::string encode(const Terminal& terminal, std::string_view utf8) {
  if (terminal.utf8) return std::string(utf8);
  std::string out;
  while (!utf8.empty()) {
    std::size_t used = 0;
    for (const auto& [symbol, spelling] : spellings) {
      if (!utf8.starts_with(symbol)) continue;
      out += spelling;
      used = symbol.size();
      break;
    }
    if (used == 0) {
      const auto first = static_cast<unsigned char>(utf8.front());
      used = std::min(sequence_length(first), utf8.size());
      out += first < 0x80 ? utf8.front() : '?';
    }
    utf8.remove_prefix(used);
  }
  return out;
}

std::size_t display_width(std::string_view utf8) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if ((byte & 0xC0) == 0x80) continue;
    // Combining marks U+0300 to U+036F sit on the letter before them.
    const bool combining =
        byte == 0xCC || (byte == 0xCD && i + 1 < utf8.size() && static_cast<unsigned char>(utf8[i + 1]) < 0xB0);
    if (!combining) ++columns;
  }
  return columns;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width)
      lines.push_back(std::exchange(line, {}));
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string wrapped(const Terminal& terminal, std::string_view text, std::size_t width, Tone tone) {
  std::string lines;
  for (const std::string& line : wrap(text, width)) lines += paint(terminal, tone, encode(terminal, line)) + "\n";
  return lines;
}

}  // namespace routh
