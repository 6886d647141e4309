// Characters of XML texts.
#pragma once

#include <string>
#include <string_view>

namespace routh::internal {

bool is_blank(char ch);
// Of names of elements and attributes. All characters beyond ASCII count as letters.
bool begins_name(char ch);
bool continues_name(char ch);

void append_utf8(std::string& out, unsigned code);
// The character that `#176` or `#xB0` stands for, as in `&#176;`; 0 when there is none.
unsigned referred_character(std::string_view reference);

}  // namespace routh::internal
