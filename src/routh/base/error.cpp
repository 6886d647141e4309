#include "routh/base/error.h"

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

}  // namespace

InputError::InputError(Location where, const std::string& message, const std::string& remedy)
    : std::runtime_error(headline(where, message, remedy)),
      where_(std::move(where)),
      message_(message),
      remedy_(remedy) {}

std::string printable(const std::string& text, std::size_t max_length) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool inside = (byte & 0xc0) == 0x80;  // a character of several bytes is not cut in two
    if (out.size() >= max_length + (inside ? 3 : 0)) return out + "...";
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte < 0x20 || byte == 0x7f) {
      out += "\\x" + hexadecimal(byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 … U+009F: control characters too
      out += "\\u00" + hexadecimal(next);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace routh
