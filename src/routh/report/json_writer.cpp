#include "routh/report/json_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "routh/problem/json_text.h"
#include "routh/text/text_guard.h"

namespace routh::internal {

namespace {

constexpr std::string_view line_separator = "\xE2\x80\xA8", paragraph_separator = "\xE2\x80\xA9";

// What is written in place of a character inside a string of a script, or nothing where it may stay.
std::string_view escape_in_script(std::string_view character) {
  if (character == "<") return "\\u003c";
  if (character == ">") return "\\u003e";
  if (character == "&") return "\\u0026";
  if (character == line_separator) return "\\u2028";
  if (character == paragraph_separator) return "\\u2029";
  return {};
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  static_assert(std::endian::native == std::endian::little);
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 50);
  std::size_t kept = 0;  // what stands before it is copied
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t size = character_size(json, at);
    const std::string_view escape = size == 0 ? replacement_character : escape_in_script(json.substr(at, size));
    const std::size_t next = at + (size == 0 ? 1 : size);
    if (!escape.empty()) {
      out += json.substr(kept, at - kept);
      out += escape;
      kept = next;
    }
    at = next;
  }
  return out += json.substr(kept);
}

std::string base64(std::string_view bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = (group << 8) | (k < count ? static_cast<unsigned char>(bytes[at + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? letters[(group >> (18 - 6 * k)) & 63u] : '=';
  }
  return out;
}

void JsonWriter::short_number(double value) {
  const auto shorter = static_cast<float>(value);
  if (!std::isfinite(shorter)) return number(value);
  append_number(place(), shorter);
}
void JsonWriter::short_number(std::string_view name, double value) {
  key(name);
  short_number(value);
}
void JsonWriter::vector(std::string_view name, const ContactVector& v) { numbers(name, std::array{v.n, v.t1, v.t2}); }
void JsonWriter::vector(std::string_view name, const Vector3& v) { numbers(name, std::array{v.x, v.y, v.z}); }
void JsonWriter::short_vector(const ContactVector& v) {
  begin_list();
  for (const double entry : {v.n, v.t1, v.t2}) short_number(entry);
  end_list();
}

void JsonWriter::short_vector(std::string_view name, const ContactVector& v) {
  key(name);
  short_vector(v);
}
void JsonWriter::short_vector(std::string_view name, const Vector3& v) {
  short_vector(name, ContactVector{v.x, v.y, v.z});
}

void JsonWriter::packed(std::string_view name, const char* type, std::string_view bytes,
                        std::span<const std::size_t> shape) {
  begin_object(name);
  text("type", type);
  begin_list("shape");
  for (const std::size_t size : shape) integer(static_cast<long long>(size));
  end_list();
  text("base64", base64(bytes));
  end_object();
}

void JsonWriter::packed(std::string_view name, std::span<const float> values, std::size_t rows, std::size_t columns) {
  packed(name, "f32", bytes_of(values), std::array{rows, columns});
}
void JsonWriter::packed(std::string_view name, std::span<const double> values) {
  packed(name, "f64", bytes_of(values), std::array{values.size()});
}
void JsonWriter::packed(std::string_view name, std::span<const std::int32_t> values) {
  packed(name, "i32", bytes_of(values), std::array{values.size()});
}
void JsonWriter::packed(std::string_view name, std::span<const std::uint8_t> values) {
  packed(name, "u8", bytes_of(values), std::array{values.size()});
}

}  // namespace routh::internal
