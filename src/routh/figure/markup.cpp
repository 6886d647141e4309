#include "routh/figure/markup.h"

#include <algorithm>
#include <cstdint>

namespace routh::internal {

namespace {

// The bits of a character whose length is known to be right.
std::uint32_t decode(std::string_view text, std::size_t at, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  if (length == 1) return byte(at);
  std::uint32_t code = byte(at) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (byte(at + i) & 0x3Fu);
  return code;
}

}  // namespace

std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  const std::uint32_t code = decode(text, at, length);
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool forbidden = (code >= 0xD800 && code <= 0xDFFF) || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return overlong || forbidden ? 0 : length;
}

std::string well_formed(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    const bool control = (first < 0x20 && first != '\t' && first != '\n' && first != '\r') || first == 0x7F;
    out += length == 0 || control ? "\uFFFD" : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::vector<TextRun> split_markup(std::string_view markup) {
  std::vector<TextRun> out;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) out.push_back({TextLevel::line, plain});
    plain.clear();
  };
  std::size_t at = 0;
  while (at < markup.size()) {
    const bool opens = (markup[at] == '_' || markup[at] == '^') && at + 1 < markup.size() && markup[at + 1] == '{';
    const std::size_t close = opens ? markup.find('}', at) : std::string_view::npos;
    if (close == std::string_view::npos) {
      plain += markup[at++];
      continue;
    }
    flush();
    out.push_back({markup[at] == '_' ? TextLevel::subscript : TextLevel::superscript,
                   std::string(markup.substr(at + 2, close - at - 2))});
    at = close + 1;
  }
  flush();
  return out;
}

}  // namespace routh::internal
