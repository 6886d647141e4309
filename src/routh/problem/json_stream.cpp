#include "routh/problem/json_stream.h"

#include "routh/problem/json_text.h"

namespace routh::internal {

std::string& JsonStream::place() {
  if (!first_) out_ += ',';
  first_ = false;
  return out_;
}

void JsonStream::key(std::string_view name) {
  append_text(place(), name);
  out_ += ':';
  first_ = true;
}

void JsonStream::begin_object() {
  place() += '{';
  first_ = true;
}
void JsonStream::begin_object(std::string_view name) {
  key(name);
  begin_object();
}
void JsonStream::end_object() {
  out_ += '}';
  first_ = false;
}
void JsonStream::begin_list() {
  place() += '[';
  first_ = true;
}
void JsonStream::begin_list(std::string_view name) {
  key(name);
  begin_list();
}
void JsonStream::end_list() {
  out_ += ']';
  first_ = false;
}

void JsonStream::text(std::string_view value) { append_text(place(), value); }
void JsonStream::text(std::string_view name, std::string_view value) {
  key(name);
  text(value);
}
void JsonStream::text_or_null(std::string_view name, std::string_view value) {
  if (value.empty()) return null(name);
  text(name, value);
}
void JsonStream::texts(std::string_view name, const std::vector<std::string>& values) {
  list(name, values, [&](const std::string& value) { text(value); });
}

void JsonStream::number(double value) { append_number(place(), value); }
void JsonStream::number(std::string_view name, double value) {
  key(name);
  number(value);
}
void JsonStream::flag(std::string_view name, bool value) {
  key(name);
  place() += value ? "true" : "false";
}
void JsonStream::null(std::string_view name) {
  key(name);
  place() += "null";
}

void JsonStream::raw(std::string_view json) { place() += json; }
void JsonStream::raw(std::string_view name, std::string_view json) {
  key(name);
  raw(json);
}
void JsonStream::members(std::string_view json) {
  if (!json.empty()) place() += json;
}

}  // namespace routh::internal
