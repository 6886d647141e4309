// Characters of XML texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace routh::internal {

bool is_blank(char ch);
// Of names of elements and attributes. All characters beyond ASCII count as letters.
bool begins_name(char ch);
bool continues_name(char ch);

// Length of the UTF-8 sequence at the beginning of `text`; 0 when it is malformed, overlong, a surrogate or beyond
// U+10FFFF.
std::size_t sequence_length(std::string_view text);
void append_utf8(std::string& out, unsigned code);
// The character that `#176` or `#xB0` stands for, as in `&#176;`; 0 when there is none.
unsigned referred_character(std::string_view reference);

}  // namespace routh::internal
