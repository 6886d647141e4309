// JSON written from front to back, onto the end of a text: objects, lists and their commas. The forms of numbers and
// strings are those of json_text.h.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace routh::internal {

class JsonStream {
 public:
  explicit JsonStream(std::string& out) : out_(out) {}
  JsonStream(const JsonStream&) = delete;
  JsonStream& operator=(const JsonStream&) = delete;

  // Objects and lists; those with a key are members of an object, those without entries of a list.
  void begin_object();
  void begin_object(std::string_view name);
  void end_object();
  void begin_list();
  void begin_list(std::string_view name);
  void end_list();
  // A list in which write(entry) puts what stands for each entry; the same of objects, whose members it puts.
  template <class Entries, class Write>
  void list(std::string_view name, const Entries& entries, const Write& write) {
    begin_list(name);
    for (const auto& entry : entries) write(entry);
    end_list();
  }
  template <class Entries, class Write>
  void objects(std::string_view name, const Entries& entries, const Write& write) {
    list(name, entries, [&](const auto& entry) {
      begin_object();
      write(entry);
      end_object();
    });
  }

  void text(std::string_view value);
  void text(std::string_view name, std::string_view value);
  // Null where it is empty.
  void text_or_null(std::string_view name, std::string_view value);
  void texts(std::string_view name, const std::vector<std::string>& values);
  void number(double value);
  void number(std::string_view name, double value);
  template <class Numbers>
  void numbers(const Numbers& values) {
    begin_list();
    for (const double value : values) number(value);
    end_list();
  }
  template <class Numbers>
  void numbers(std::string_view name, const Numbers& values) {
    key(name);
    numbers(values);
  }
  template <std::integral Integer>
  void integer(Integer value) {
    place() += std::to_string(value);
  }
  template <std::integral Integer>
  void integer(std::string_view name, Integer value) {
    key(name);
    integer(value);
  }
  void flag(std::string_view name, bool value);
  void null(std::string_view name);
  // A value, or members of an object, that are JSON already.
  void raw(std::string_view json);
  void raw(std::string_view name, std::string_view json);
  void members(std::string_view json);
  // Of the value that comes next.
  void key(std::string_view name);

 protected:
  // The place of a value that is appended to the text next.
  std::string& place();

 private:
  std::string& out_;
  bool first_ = true;  // nothing stands before in this object or list, or a key does
};

}  // namespace routh::internal
