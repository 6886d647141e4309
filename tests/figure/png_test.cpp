// PNG files decode to the raster that was put in: by an inflate of their own, written from RFC 1951.
#include "routh/figure/png.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

#include "routh/figure/deflate.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Inflates one block with the fixed code; length and distance classes are computed, not taken from a table.
class Inflater {
 public:
  explicit Inflater(const std::string& data) : data_(data) {}

  Bytes run() {
    if (bits(1) != 1 || bits(2) != 1) throw std::runtime_error("not one last block with the fixed code");
    Bytes out;
    for (;;) {
      const unsigned s = symbol();
      if (s == 256) return out;
      if (s < 256) {
        out.push_back(static_cast<std::uint8_t>(s));
        continue;
      }
      const std::size_t length = value(s - 257, 4, 3, s == 285 ? 258u : 0u);
      const std::size_t distance = value(code(5), 2, 1, 0);
      if (distance > out.size() || distance > 32768) throw std::runtime_error("distance before the start");
      for (std::size_t i = 0; i < length; ++i) out.push_back(out[out.size() - distance]);
    }
  }
  std::size_t bytes_used() const { return (at_ + 7) / 8; }

 private:
  unsigned bits(unsigned count) {
    unsigned out = 0;
    for (unsigned i = 0; i < count; ++i, ++at_) {
      if (at_ / 8 >= data_.size()) throw std::runtime_error("the stream ends early");
      out |= ((static_cast<unsigned>(static_cast<unsigned char>(data_[at_ / 8])) >> (at_ % 8)) & 1u) << i;
    }
    return out;
  }
  unsigned code(unsigned count) {
    unsigned out = 0;
    for (unsigned i = 0; i < count; ++i) out = 2 * out + bits(1);
    return out;
  }
  unsigned symbol() {
    unsigned c = code(7);
    if (c <= 0x17) return 256 + c;
    c = 2 * c + bits(1);
    if (c >= 0x30 && c <= 0xBF) return c - 0x30;
    if (c >= 0xC0 && c <= 0xC7) return 280 + c - 0xC0;
    return 144 + 2 * c + bits(1) - 0x190;
  }
  // Classes in groups of `group`, the extra bits one more from the second group on.
  std::size_t value(unsigned index, unsigned group, unsigned first, unsigned special) {
    if (special != 0) return special;
    unsigned base = first;
    for (unsigned i = 0;; ++i) {
      const unsigned extra = i < 2 * group ? 0 : i / group - 1;
      if (i == index) return base + bits(extra);
      base += 1u << extra;
    }
  }

  const std::string& data_;
  std::size_t at_ = 0;
};

Bytes unzip(const std::string& stream) {
  const auto first = static_cast<unsigned char>(stream[0]), second = static_cast<unsigned char>(stream[1]);
  if (first != 0x78 || (256 * first + second) % 31 != 0) throw std::runtime_error("zlib header");
  const std::string body = stream.substr(2);
  Inflater inflater(body);
  Bytes out = inflater.run();
  if (inflater.bytes_used() + 4 != body.size()) throw std::runtime_error("length of the stream");
  unsigned long a = 1, b = 0;
  for (const std::uint8_t byte : out) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  unsigned long check = 0;
  for (std::size_t i = body.size() - 4; i < body.size(); ++i) check = 256 * check + static_cast<unsigned char>(body[i]);
  if (check != 65536 * b + a) throw std::runtime_error("Adler sum");
  return out;
}

// The remainder of the polynomial division, bit by bit.
std::uint32_t slow_crc(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool odd = ((crc ^ (static_cast<unsigned char>(c) >> bit)) & 1u) != 0;
      crc = (crc >> 1) ^ (odd ? 0xEDB88320u : 0u);
    }
  return ~crc;
}

struct Chunk {
  std::string type, data;
};
std::vector<Chunk> chunks_of(const std::string& png) {
  const auto number = [&](std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t i = at; i < at + 4; ++i) out = 256 * out + static_cast<unsigned char>(png.at(i));
    return out;
  };
  if (png.substr(0, 8) != "\x89PNG\r\n\x1a\n") throw std::runtime_error("signature");
  std::vector<Chunk> out;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t length = number(at);
    out.push_back({png.substr(at + 4, 4), png.substr(at + 8, length)});
    if (slow_crc(png.substr(at + 4, length + 4)) != number(at + 8 + length)) throw std::runtime_error("CRC");
    at += length + 12;
  }
  return out;
}

// Undoes the filters of the rows [PNG specification, section 9].
Bytes unfilter(const Bytes& rows, std::size_t row_bytes) {
  Bytes out, above(row_bytes, 0);
  for (std::size_t at = 0; at < rows.size(); at += row_bytes + 1) {
    Bytes row(row_bytes);
    for (std::size_t i = 0; i < row_bytes; ++i) {
      const int a = i < 3 ? 0 : row[i - 3], b = above[i], c = i < 3 ? 0 : above[i - 3];
      const int pa = std::abs(b - c), pb = std::abs(a - c), pc = std::abs(a + b - 2 * c);
      const std::array<int, 5> guess{0, a, b, (a + b) / 2, pa <= pb && pa <= pc ? a : pb <= pc ? b : c};
      row[i] = static_cast<std::uint8_t>(rows[at + 1 + i] + guess.at(rows[at]));
    }
    out.insert(out.end(), row.begin(), row.end());
    above = row;
  }
  return out;
}

Bytes decode(const std::string& png, const Raster& expected) {
  std::string data;
  const std::vector<Chunk> chunks = chunks_of(png);
  EXPECT_EQ(chunks.front().type, "IHDR");
  EXPECT_EQ(chunks.back().type, "IEND");
  std::string header;
  for (const int size : {expected.width, expected.height})
    for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>((size >> shift) & 0xFF);
  EXPECT_EQ(chunks.front().data, header + std::string("\x08\x02\x00\x00\x00", 5));
  for (const Chunk& chunk : chunks)
    if (chunk.type == "IDAT") data += chunk.data;
  return unfilter(unzip(data), 3 * static_cast<std::size_t>(expected.width));
}

Raster blank(int width, int height) {
  Raster raster;
  raster.width = width;
  raster.height = height;
  raster.rgb.assign(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 255);
  return raster;
}

TEST(Png, SumsAreTheKnownOnes) {
  // The check value of CRC-32 for "123456789", and Adler's sum for "Wikipedia".
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);
  const std::string text = "Wikipedia";
  EXPECT_EQ(adler32(Bytes(text.begin(), text.end())), 0x11E60398u);
}

TEST(Png, DecodesToTheSameNoise) {
  testing_support::Random random(20260101);
  for (int k = 0; k < testing_support::scaled(20, 3); ++k) {
    Raster raster = blank(1 + random.below(70), 1 + random.below(50));
    // From flat to wild: the filters and literals of both code lengths all occur.
    const int levels = 1 + random.below(256);
    for (std::uint8_t& byte : raster.rgb) byte = static_cast<std::uint8_t>(random.below(levels));
    EXPECT_EQ(decode(encode_png(raster), raster), raster.rgb) << raster.width << " x " << raster.height;
  }
}

TEST(Png, DecodesLongRunsAndFarCopies) {
  // A row of noise repeated: copies at a distance of a row, up to the size of the window and beyond it.
  testing_support::Random random(7);
  for (const int width : {300, 9000, 10921, 10922, 10923, 12000}) {
    Raster raster = blank(width, 5);
    const std::size_t row = 3 * static_cast<std::size_t>(width);
    for (std::size_t i = 0; i < row; ++i) raster.rgb[i] = static_cast<std::uint8_t>(random.below(256));
    for (std::size_t i = 0; i < row; ++i) raster.rgb[2 * row + i] = raster.rgb[i];
    for (std::size_t i = 0; i < row; ++i) raster.rgb[3 * row + i] = static_cast<std::uint8_t>(random.below(4) * 60);
    EXPECT_EQ(decode(encode_png(raster), raster), raster.rgb) << width;
  }
}

TEST(Png, EveryLengthAndDistanceComesBack) {
  testing_support::Random random(11);
  Bytes bytes;
  // Stretches of each length, copied from random places behind.
  for (int k = 0; k < 3000; ++k) {
    const auto length = static_cast<std::size_t>(1 + k % 300);
    const bool copy = bytes.size() > length && random.chance(0.7);
    const std::size_t from = copy ? bytes.size() - length -
                                        static_cast<std::size_t>(random.below(
                                            static_cast<int>(std::min<std::size_t>(bytes.size() - length, 40000))))
                                  : 0;
    for (std::size_t i = 0; i < length; ++i)
      bytes.push_back(copy ? bytes[from + i] : static_cast<std::uint8_t>(random.below(256)));
  }
  const std::string stream = zlib_compress(bytes);
  EXPECT_EQ(unzip(stream), bytes);
  EXPECT_LT(stream.size(), bytes.size() * 3 / 4);
  EXPECT_EQ(unzip(zlib_compress(Bytes{})), Bytes{});
  EXPECT_EQ(unzip(zlib_compress(Bytes{1})), Bytes{1});
  EXPECT_EQ(unzip(zlib_compress(Bytes(100000, 9))), Bytes(100000, 9));
}

TEST(Png, ACopyReachesBackTheWindowAndNoFarther) {
  testing_support::Random random(13);
  for (const std::size_t gap : {32767u, 32768u, 32769u}) {
    Bytes bytes;
    for (std::size_t i = 0; i < gap; ++i) bytes.push_back(static_cast<std::uint8_t>(random.below(256)));
    for (std::size_t i = 0; i < 200; ++i) bytes.push_back(bytes[i]);
    EXPECT_EQ(unzip(zlib_compress(bytes)), bytes) << gap;
  }
}

TEST(Png, AFlatPictureIsSmallAndTheSameBytesComeAgain) {
  const Raster raster = blank(2000, 1000);
  const std::string png = encode_png(raster);
  EXPECT_LT(png.size(), 50'000u);
  EXPECT_EQ(png, encode_png(raster));
  EXPECT_EQ(decode(png, raster), raster.rgb);
}

TEST(Png, SaysItsPrintSize) {
  Raster raster = blank(2, 2);
  EXPECT_EQ(encode_png(raster).find("pHYs"), std::string::npos);
  raster.pixels_per_metre = 11811;
  EXPECT_EQ(chunks_of(encode_png(raster)).at(1).data, std::string("\x00\x00\x2E\x23\x00\x00\x2E\x23\x01", 9));
}

}  // namespace
}  // namespace routh
