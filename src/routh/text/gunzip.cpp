#include "routh/text/gunzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "routh/base/error.h"

namespace routh::internal {

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, const std::string& name, std::size_t max_bytes) {
  z_stream stream = {};
  constexpr int gzip_window = 15 + 16;
  if (inflateInit2(&stream, gzip_window) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &inflateEnd);
  std::string text;
  char chunk[1 << 16];
  std::size_t given = 0;
  while (true) {
    if (stream.avail_in == 0) {
      const std::size_t part = std::min<std::size_t>(bytes.size() - given, std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + given));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(part);
      given += part;
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    const int code = inflate(&stream, Z_NO_FLUSH);
    text.append(chunk, sizeof chunk - stream.avail_out);
    if (text.size() > max_bytes)
      throw InputError({name, 0, 0}, fmt::format("the file holds more than {} bytes", max_bytes), "make it smaller");
    const bool used_up = stream.avail_in == 0 && given == bytes.size();
    if (code == Z_STREAM_END) {
      if (used_up) return text;
      inflateReset(&stream);  // several compressed files in a row are one
    } else if (code != Z_OK || (used_up && stream.avail_out > 0)) {
      throw InputError({name, 0, 0}, used_up ? "the compressed file is cut off" : "the compressed file is damaged",
                       "copy it again");
    }
  }
}

}  // namespace routh::internal
