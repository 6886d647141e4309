// JSON written as text: the one place where numbers and strings get their form.
//
// `append_number` and `append_text` serve streams and pages, which `JsonStream` (json_stream.h) writes from front to
// back. `JsonText` is a value for documents that are put together from parts. Two forms are in use and kept, since
// people compare outputs: a stream writes 1 and \u000a, a document 1.0 and \n.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace routh::internal {

// The shortest digits that read back as the same double, or null when it is not finite; both zeros are 0.
void append_number(std::string& out, double value);
// The same for a float.
void append_number(std::string& out, float value);
// In quotes, with JSON's escapes. The text is UTF-8.
void append_text(std::string& out, std::string_view text);

inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD, for a byte that is no UTF-8

// One JSON value, held as its text. Lists and objects grow at their end; members keep their order.
class JsonText {
 public:
  using Member = std::pair<std::string_view, JsonText>;

  JsonText() : text_("null") {}
  JsonText(std::nullptr_t) : JsonText() {}
  template <std::same_as<bool> Flag>
  JsonText(Flag flag) : text_(flag ? "true" : "false") {}
  JsonText(double value);  // null where it is not finite
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) JsonText(Integer value) : text_(std::to_string(value)) {}
  JsonText(std::string_view text);
  JsonText(const std::string& text) : JsonText(std::string_view(text)) {}
  JsonText(const char* text) : JsonText(std::string_view(text)) {}
  // A list of whatever a JsonText can be made of.
  template <class Entry>
  JsonText(const std::vector<Entry>& entries) : JsonText(list()) {
    for (const Entry& entry : entries) push_back(entry);
  }

  static JsonText list(std::initializer_list<JsonText> entries = {});
  static JsonText object(std::initializer_list<Member> members = {});

  void push_back(const JsonText& entry);
  void add(std::string_view key, const JsonText& value);
  // Members that are written already: `"a":1,"b":2`.
  void add_members(std::string_view members);

  const std::string& text() const { return text_; }

 private:
  void grow();  // room for one more before the closing bracket

  std::string text_;
};

// A number that is null where it is not finite and never a negative zero; a list of such.
JsonText json_number(double value);
// The list of what `make` gives for each entry.
template <class Entries, class Make>
JsonText json_list(const Entries& entries, const Make& make) {
  JsonText list = JsonText::list();
  for (const auto& entry : entries) list.push_back(make(entry));
  return list;
}
template <class Numbers>
JsonText json_numbers(const Numbers& values) {
  return json_list(values, json_number);
}

}  // namespace routh::internal
