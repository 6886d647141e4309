#include "routh/base/error.h"

#include <algorithm>

namespace routh {

namespace {

// Two digits: this layer does without a formatting library.
std::string hexadecimal(unsigned char byte) {
  constexpr const char* digits = "0123456789abcdef";
  return {digits[byte >> 4], digits[byte & 15]};
}

std::string headline(const Location& where, const std::string& message, const std::string& remedy) {
  std::string text = printable(where.file, 200);
  if (where.line > 0) text += ":" + std::to_string(where.line);
  if (where.line > 0 && where.column > 0) text += ":" + std::to_string(where.column);
  if (!text.empty()) text += ": ";
  text += "error: " + message;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

struct Character {
  std::size_t size = 0;  // in bytes; 0: no UTF-8
  unsigned code = 0;
};

Character character_at(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return {};
  unsigned code = lead & (0x7fu >> size);
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3f);
  }
  constexpr unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {size, code};
}

// Controls beyond ASCII, marks without a width, and marks that turn the direction of what follows: they command a
// terminal or show another text than there is.
bool commands(unsigned code) {
  return (code >= 0x80 && code < 0xa0) || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x2069) || code == 0xfeff;
}

}  // namespace

InputError::InputError(Location where, const std::string& message, const std::string& remedy)
    : std::runtime_error(headline(where, message, remedy)),
      where_(std::move(where)),
      message_(message),
      remedy_(remedy) {}

std::string printable(const std::string& text, std::size_t max_length) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() >= max_length) return out + "...";
    const Character character = character_at(text, i);
    if (character.size == 0)
      out += "\\x" + hexadecimal(static_cast<unsigned char>(text[i]));
    else if (character.code < 0x20 || character.code == 0x7f)
      out += "\\x" + hexadecimal(static_cast<unsigned char>(character.code));
    else if (commands(character.code))
      out += "\\u" + hexadecimal(static_cast<unsigned char>(character.code >> 8)) +
             hexadecimal(static_cast<unsigned char>(character.code & 0xff));
    else
      out += text.substr(i, character.size);
    i += std::max<std::size_t>(character.size, 1);
  }
  return out;
}

}  // namespace routh
