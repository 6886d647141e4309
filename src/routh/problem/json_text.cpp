#include "routh/problem/json_text.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/detail/conversions/to_chars.hpp>

#include "routh/text/text_guard.h"

namespace routh::internal {

namespace {

template <class Real>
void append_real(std::string& out, Real value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  if (value == 0) {  // a negative zero too
    out += '0';
    return;
  }
  char digits[32];
  const char* end = fmt::format_to(digits, FMT_COMPILE("{}"), value);
  out.append(digits, static_cast<std::size_t>(end - digits));
}

// The short escape of a control character, or nothing.
char short_escape(char ch) {
  switch (ch) {
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

}  // namespace

void append_number(std::string& out, double value) { append_real(out, value); }
void append_number(std::string& out, float value) { append_real(out, value); }

void append_text(std::string& out, std::string_view text) {
  out += '"';
  std::size_t kept = 0;  // what stands before it is written
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool quoted = byte == '"' || byte == '\\';
    if (!quoted && byte >= 0x20 && byte != 0x7f) continue;
    out += text.substr(kept, at - kept);
    if (quoted)
      (out += '\\') += text[at];
    else
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    kept = at + 1;
  }
  out += text.substr(kept);
  out += '"';
}

JsonText::JsonText(double value) {
  if (!std::isfinite(value)) {
    text_ = "null";
    return;
  }
  // Documents have always had this form: 1.0, 1e-05, and in rare cases one digit more than needed.
  char digits[64];
  text_.assign(digits, nlohmann::detail::to_chars(digits, digits + sizeof digits, value));
}

JsonText::JsonText(std::string_view text) : text_("\"") {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    const char ch = text[at];
    if (size == 0) {
      text_ += replacement_character;
    } else if (size > 1) {
      text_ += text.substr(at, size);
    } else if (ch == '"' || ch == '\\') {
      text_ += '\\';
      text_ += ch;
    } else if (const char letter = short_escape(ch)) {
      text_ += '\\';
      text_ += letter;
    } else if (static_cast<unsigned char>(ch) < 0x20) {
      fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<unsigned>(ch));
    } else {
      text_ += ch;
    }
    at += size == 0 ? 1 : size;
  }
  text_ += '"';
}

JsonText JsonText::list(std::initializer_list<JsonText> entries) {
  JsonText list;
  list.text_ = "[]";
  for (const JsonText& entry : entries) list.push_back(entry);
  return list;
}

JsonText JsonText::object(std::initializer_list<Member> members) {
  JsonText object;
  object.text_ = "{}";
  for (const auto& [key, value] : members) object.add(key, value);
  return object;
}

void JsonText::grow() {
  const char bracket = text_.back();
  text_.pop_back();
  if (text_.size() > 1) text_ += ',';
  text_ += bracket;
}

void JsonText::push_back(const JsonText& entry) {
  grow();
  text_.insert(text_.size() - 1, entry.text_);
}

void JsonText::add(std::string_view key, const JsonText& value) {
  grow();
  text_.insert(text_.size() - 1, JsonText(key).text_ + ":" + value.text_);
}

void JsonText::add_members(std::string_view members) {
  grow();
  text_.insert(text_.size() - 1, members);
}

JsonText json_number(double value) { return value == 0 ? JsonText(0.0) : JsonText(value); }

}  // namespace routh::internal
