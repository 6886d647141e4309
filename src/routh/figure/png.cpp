#include "routh/figure/png.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "routh/figure/deflate.h"

namespace routh::internal {

namespace {

constexpr std::size_t pixel_bytes = 3;

void put_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xFFu);
}

void put_chunk(std::string& out, const char* type, const std::string& data) {
  put_number(out, static_cast<std::uint32_t>(data.size()));
  const std::string body = type + data;
  out += body;
  put_number(out, crc32(body));
}

// The neighbour, of left, above and upper left, that is nearest to left + above − upper left.
int paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left), to_above = std::abs(guess - above), to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

enum class Filter : std::uint8_t { none, sub, up, average, paeth };
constexpr std::array<Filter, 5> all_filters{Filter::none, Filter::sub, Filter::up, Filter::average, Filter::paeth};

int predict(Filter filter, int left, int above, int corner) {
  switch (filter) {
    case Filter::none:
      return 0;
    case Filter::sub:
      return left;
    case Filter::up:
      return above;
    case Filter::average:
      return (left + above) / 2;
    case Filter::paeth:
      return paeth(left, above, corner);
  }
  return 0;
}

// One row after a filter, its number in front; returns the sum of the bytes' sizes as signed numbers.
long filter_row(const std::uint8_t* row, const std::uint8_t* above, Filter filter, std::vector<std::uint8_t>& out) {
  out[0] = static_cast<std::uint8_t>(filter);
  long sum = 0;
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    const int left = i >= pixel_bytes ? row[i - pixel_bytes] : 0;
    const int up = above != nullptr ? above[i] : 0;
    const int corner = above != nullptr && i >= pixel_bytes ? above[i - pixel_bytes] : 0;
    out[i + 1] = static_cast<std::uint8_t>(row[i] - predict(filter, left, up, corner));
    sum += std::abs(static_cast<int>(static_cast<std::int8_t>(out[i + 1])));
  }
  return sum;
}

// All rows, each with the filter that leaves least; a row that no filter betters stays as it is.
std::vector<std::uint8_t> filter_rows(const Raster& raster) {
  const std::size_t bytes = static_cast<std::size_t>(raster.width) * pixel_bytes;
  std::vector<std::uint8_t> out, trial(bytes + 1), best(bytes + 1);
  out.reserve((bytes + 1) * static_cast<std::size_t>(raster.height));
  const std::uint8_t* above = nullptr;
  for (int y = 0; y < raster.height; ++y) {
    const std::uint8_t* row = raster.rgb.data() + static_cast<std::size_t>(y) * bytes;
    long least = std::numeric_limits<long>::max();
    for (const Filter filter : all_filters) {
      const long sum = filter_row(row, above, filter, trial);
      if (sum >= least) continue;
      least = sum;
      best.swap(trial);
      if (least == 0) break;
    }
    out.insert(out.end(), best.begin(), best.end());
    above = row;
  }
  return out;
}

}  // namespace

std::string encode_png(const Raster& raster) {
  assert(raster.width > 0 && raster.height > 0);
  assert(raster.rgb.size() ==
         static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height) * pixel_bytes);
  std::string out = "\x89PNG\r\n\x1a\n";
  std::string header;
  put_number(header, static_cast<std::uint32_t>(raster.width));
  put_number(header, static_cast<std::uint32_t>(raster.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // eight bits, RGB, deflate, the five filters, not interlaced
  put_chunk(out, "IHDR", header);
  if (raster.pixels_per_metre > 0 && raster.pixels_per_metre < 1e9) {
    std::string density;
    put_number(density, static_cast<std::uint32_t>(std::lround(raster.pixels_per_metre)));
    put_number(density, static_cast<std::uint32_t>(std::lround(raster.pixels_per_metre)));
    put_chunk(out, "pHYs", density + '\x01');
  }
  put_chunk(out, "IDAT", zlib_compress(filter_rows(raster)));
  put_chunk(out, "IEND", "");
  return out;
}

}  // namespace routh::internal
