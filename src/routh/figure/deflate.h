// Compression as PNG files need it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace routh::internal {

// The bytes as a zlib stream [RFC 1950]: one block with the fixed Huffman code [RFC 1951, section 3.2.6].
std::string zlib_compress(std::span<const std::uint8_t> bytes);

std::uint32_t crc32(std::string_view bytes);
std::uint32_t adler32(std::span<const std::uint8_t> bytes);

}  // namespace routh::internal
