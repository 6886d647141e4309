#include "routh/figure/deflate.h"

#include <algorithm>
#include <array>
#include <vector>

namespace routh::internal {

namespace {

constexpr std::size_t window = 32768;
constexpr std::size_t shortest_match = 3;
constexpr std::size_t longest_match = 258;
constexpr int longest_chain = 48;  // earlier places tried for a match

// Lengths and distances come in classes: a code, and extra bits that count on from the class's base.
struct CodeClass {
  int base = 0;
  int extra_bits = 0;
};
constexpr std::array<CodeClass, 29> length_classes{
    {{3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1}, {13, 1},
     {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3}, {59, 3},
     {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}}};
constexpr std::array<CodeClass, 30> distance_classes{
    {{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},     {9, 2},     {13, 2},
     {17, 3},    {25, 3},    {33, 4},    {49, 4},     {65, 5},     {97, 5},    {129, 6},   {193, 6},
     {257, 7},   {385, 7},   {513, 8},   {769, 8},    {1025, 9},   {1537, 9},  {2049, 10}, {3073, 10},
     {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}}};

class BitWriter {
 public:
  // The lowest bit first.
  void bits(std::uint32_t value, int count) {
    held_ |= static_cast<std::uint64_t>(value) << held_count_;
    held_count_ += count;
    while (held_count_ >= 8) {
      out_ += static_cast<char>(held_ & 0xFFu);
      held_ >>= 8;
      held_count_ -= 8;
    }
  }
  // Huffman codes go in with their highest bit first.
  void code(std::uint32_t value, int count) {
    std::uint32_t turned = 0;
    for (int i = 0; i < count; ++i) turned |= ((value >> i) & 1u) << (count - 1 - i);
    bits(turned, count);
  }
  std::string finish() {
    if (held_count_ > 0) bits(0, 8 - held_count_);
    return std::move(out_);
  }

 private:
  std::string out_;
  std::uint64_t held_ = 0;
  int held_count_ = 0;
};

// The fixed code of a literal byte, of the end (256) or of a class of lengths (257 …).
void put_symbol(BitWriter& out, std::uint32_t symbol) {
  if (symbol < 144) return out.code(0x30 + symbol, 8);
  if (symbol < 256) return out.code(0x190 + symbol - 144, 9);
  if (symbol < 280) return out.code(symbol - 256, 7);
  out.code(0xC0 + symbol - 280, 8);
}

template <class Classes>
std::size_t class_of(const Classes& classes, std::size_t value) {
  const auto after = std::upper_bound(
      classes.begin(), classes.end(), value,
      [](std::size_t wanted, const CodeClass& c) { return wanted < static_cast<std::size_t>(c.base); });
  return static_cast<std::size_t>(after - classes.begin()) - 1;
}

void put_match(BitWriter& out, std::size_t length, std::size_t distance) {
  const std::size_t l = class_of(length_classes, length);
  put_symbol(out, static_cast<std::uint32_t>(257 + l));
  out.bits(static_cast<std::uint32_t>(length) - static_cast<std::uint32_t>(length_classes[l].base),
           length_classes[l].extra_bits);
  const std::size_t d = class_of(distance_classes, distance);
  out.code(static_cast<std::uint32_t>(d), 5);
  out.bits(static_cast<std::uint32_t>(distance) - static_cast<std::uint32_t>(distance_classes[d].base),
           distance_classes[d].extra_bits);
}

struct Match {
  std::size_t length = 0;
  std::size_t distance = 0;
};

// Finds earlier copies of what comes next, through chains of places with the same three bytes.
class Matcher {
 public:
  explicit Matcher(std::span<const std::uint8_t> bytes) : bytes_(bytes), head_(table_size, nowhere), before_(window) {}

  Match find(std::size_t at) const {
    Match best;
    if (at + shortest_match > bytes_.size()) return best;
    const std::size_t limit = std::min(longest_match, bytes_.size() - at);
    std::size_t place = head_[key(at)];
    for (int tries = 0; tries < longest_chain && place != nowhere && at - place <= window; ++tries) {
      std::size_t length = 0;
      while (length < limit && bytes_[place + length] == bytes_[at + length]) ++length;
      if (length > best.length) best = {length, at - place};
      if (length == limit) break;
      const std::size_t next = before_[place % window];
      if (next == nowhere || next >= place) break;
      place = next;
    }
    return best.length >= shortest_match ? best : Match{};
  }
  void remember(std::size_t at) {
    if (at + shortest_match > bytes_.size()) return;
    before_[at % window] = head_[key(at)];
    head_[key(at)] = at;
  }

 private:
  static constexpr std::size_t table_size = 1u << 15;
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::size_t key(std::size_t at) const {
    const std::uint32_t three = bytes_[at] | (static_cast<std::uint32_t>(bytes_[at + 1]) << 8) |
                                (static_cast<std::uint32_t>(bytes_[at + 2]) << 16);
    return (three * 2654435761u) >> 17;
  }

  std::span<const std::uint8_t> bytes_;
  std::vector<std::size_t> head_;    // the last place with this key
  std::vector<std::size_t> before_;  // the place before it, for the places of the window
};

}  // namespace

std::string zlib_compress(std::span<const std::uint8_t> bytes) {
  BitWriter out;
  out.bits(0x78, 8);  // deflate, a window of 32 KiB
  out.bits(0x01, 8);
  out.bits(1, 1);  // the last block
  out.bits(1, 2);  // with the fixed code
  Matcher matcher(bytes);
  for (std::size_t at = 0; at < bytes.size();) {
    const Match match = matcher.find(at);
    if (match.length == 0)
      put_symbol(out, bytes[at]);
    else
      put_match(out, match.length, match.distance);
    const std::size_t length = std::max<std::size_t>(match.length, 1);
    for (std::size_t i = 0; i < length; ++i) matcher.remember(at + i);
    at += length;
  }
  put_symbol(out, 256);
  std::string stream = out.finish();
  const std::uint32_t check = adler32(bytes);
  for (int shift = 24; shift >= 0; shift -= 8) stream += static_cast<char>((check >> shift) & 0xFFu);
  return stream;
}

std::uint32_t crc32(std::string_view bytes) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    table[n] = n;
    for (int k = 0; k < 8; ++k) table[n] = (table[n] & 1u) != 0 ? 0xEDB88320u ^ (table[n] >> 1) : table[n] >> 1;
  }
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char byte : bytes) crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFu] ^ (crc >> 8);
  return crc ^ 0xFFFFFFFFu;
}

std::uint32_t adler32(std::span<const std::uint8_t> bytes) {
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t byte : bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return (b << 16) | a;
}

}  // namespace routh::internal
