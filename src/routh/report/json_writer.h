// JSON text that may stand inside a <script> element.
//
// `<`, `>`, `&`, U+2028 and U+2029 become escapes wherever they occur, so no text can end the element; bytes that are
// no UTF-8 become U+FFFD; NaN and infinity become null. Long lists of numbers are packed (viewer/FORMAT.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "routh/impact/problem.h"
#include "routh/math/spatial.h"
#include "routh/problem/json_stream.h"

namespace routh::internal {

// The JSON text with `<`, `>`, `&`, U+2028 and U+2029 as escapes: they stand in strings only.
std::string script_safe(std::string_view json);

class JsonWriter : public JsonStream {
 public:
  JsonWriter() : JsonStream(text_) {}

  // As many digits as a float has: for what is drawn, and for long tables.
  void short_number(double value);
  void short_number(std::string_view key, double value);
  // [n, t1, t2] and [x, y, z].
  void vector(std::string_view key, const ContactVector& v);
  void vector(std::string_view key, const Vector3& v);
  void short_vector(const ContactVector& v);
  void short_vector(std::string_view key, const ContactVector& v);
  void short_vector(std::string_view key, const Vector3& v);

  // {"type", "shape", "base64"}: rows × columns, or a flat list.
  void packed(std::string_view key, std::span<const float> values, std::size_t rows, std::size_t columns);
  void packed(std::string_view key, std::span<const double> values);
  void packed(std::string_view key, std::span<const std::int32_t> values);
  void packed(std::string_view key, std::span<const std::uint8_t> values);

  std::string result() const { return script_safe(text_); }

 private:
  void packed(std::string_view key, const char* type, std::string_view bytes, std::span<const std::size_t> shape);

  std::string text_;
};

// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace routh::internal
