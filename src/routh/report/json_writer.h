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

namespace routh::internal {

class JsonWriter {
 public:
  // Objects and lists; those with a key are members of an object, those without entries of a list.
  void begin_object();
  void begin_object(std::string_view key);
  void end_object();
  void begin_list();
  void begin_list(std::string_view key);
  void end_list();
  // A list in which write(entry) puts what stands for each entry; the same of objects, whose members it puts.
  template <class Entries, class Write>
  void list(std::string_view key, const Entries& entries, const Write& write) {
    begin_list(key);
    for (const auto& entry : entries) write(entry);
    end_list();
  }
  template <class Entries, class Write>
  void objects(std::string_view key, const Entries& entries, const Write& write) {
    list(key, entries, [&](const auto& entry) {
      begin_object();
      write(entry);
      end_object();
    });
  }

  void text(std::string_view value);
  void text(std::string_view key, std::string_view value);
  // Null where it is empty.
  void text_or_null(std::string_view key, std::string_view value);
  void texts(std::string_view key, const std::vector<std::string>& values);
  void number(double value);
  void number(std::string_view key, double value);
  // As many digits as a float has: for what is drawn, and for long tables.
  void short_number(double value);
  void short_number(std::string_view key, double value);
  void integer(std::string_view key, long long value);
  void flag(std::string_view key, bool value);
  void null(std::string_view key);
  // [n, t1, t2] and [x, y, z].
  void vector(std::string_view key, const ContactVector& v);
  void vector(std::string_view key, const Vector3& v);
  void short_vector(const ContactVector& v);
  void short_vector(std::string_view key, const ContactVector& v);
  void short_vector(std::string_view key, const Vector3& v);
  // A value that is JSON already; made safe.
  void raw(std::string_view key, std::string_view json);

  // {"type", "shape", "base64"}: rows × columns, or a flat list.
  void packed(std::string_view key, std::span<const float> values, std::size_t rows, std::size_t columns);
  void packed(std::string_view key, std::span<const double> values);
  void packed(std::string_view key, std::span<const std::int32_t> values);
  void packed(std::string_view key, std::span<const std::uint8_t> values);

  const std::string& result() const { return out_; }

 private:
  void separate();
  void key(std::string_view key);
  void quoted(std::string_view value);
  void packed(std::string_view key, const char* type, std::string_view bytes, std::span<const std::size_t> shape);

  std::string out_;
};

// The JSON text with `<`, `>`, `&`, U+2028 and U+2029 as escapes: they stand in strings only.
std::string script_safe(std::string_view json);

// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace routh::internal
