#include "routh/robot/xml_characters.h"

namespace routh::internal {

namespace {

bool is_xml_character(unsigned code) {
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0xd800) ||
         (code >= 0xe000 && code <= 0x10ffff && code != 0xfffe && code != 0xffff);
}

}  // namespace

bool is_blank(char ch) { return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r'; }

bool begins_name(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_' || ch == ':' ||
         static_cast<unsigned char>(ch) >= 0x80;
}

bool continues_name(char ch) { return begins_name(ch) || (ch >= '0' && ch <= '9') || ch == '-' || ch == '.'; }

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

unsigned referred_character(std::string_view reference) {
  if (!reference.starts_with('#')) return 0;
  reference.remove_prefix(1);
  const bool hexadecimal = reference.starts_with('x');
  if (hexadecimal) reference.remove_prefix(1);
  unsigned code = 0;
  for (const char ch : reference) {
    unsigned digit = 0;
    if (ch >= '0' && ch <= '9')
      digit = static_cast<unsigned>(ch - '0');
    else if (hexadecimal && ch >= 'a' && ch <= 'f')
      digit = static_cast<unsigned>(ch - 'a' + 10);
    else if (hexadecimal && ch >= 'A' && ch <= 'F')
      digit = static_cast<unsigned>(ch - 'A' + 10);
    else
      return 0;
    code = code * (hexadecimal ? 16 : 10) + digit;
    if (code > 0x10ffff) return 0;
  }
  return is_xml_character(code) ? code : 0;
}

}  // namespace routh::internal
