#include "routh/record/seal.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

constexpr std::string_view mark = "\nend of routh run\n\n\n";  // 20 bytes
static_assert(mark.size() + 12 == seal_size);

// All of that many bytes from a place of the file on, or nothing.
bool read_at(int descriptor, char* to, std::size_t count, std::uint64_t from) {
  while (count > 0) {
    const ssize_t got = pread(descriptor, to, count, static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    count -= static_cast<std::size_t>(got);
    from += static_cast<std::uint64_t>(got);
  }
  return true;
}

// The mark, the number of bytes and their CRC-32, little-endian; of the first `size` bytes of the file.
std::optional<std::string> seal_of(int descriptor, std::uint64_t size) {
  std::array<char, 1 << 16> buffer;
  auto sum = static_cast<std::uint32_t>(crc32_z(0, nullptr, 0));
  for (std::uint64_t at = 0; at < size;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size - at));
    if (!read_at(descriptor, buffer.data(), count, at)) return std::nullopt;
    sum = static_cast<std::uint32_t>(crc32_z(sum, reinterpret_cast<const Bytef*>(buffer.data()), count));
    at += count;
  }
  std::string seal(mark);
  for (int k = 0; k < 8; ++k) seal += static_cast<char>(size >> (8 * k) & 0xFFu);
  for (int k = 0; k < 4; ++k) seal += static_cast<char>(sum >> (8 * k) & 0xFFu);
  return seal;
}

}  // namespace

void seal_file(TemporaryFile& file) {
  const off_t size = lseek(file.descriptor(), 0, SEEK_END);
  const auto seal = size < 0 ? std::nullopt : seal_of(file.descriptor(), static_cast<std::uint64_t>(size));
  if (!seal) throw RuntimeFailure("cannot read back what was written: " + std::string(std::strerror(errno)));
  file.write(*seal);
}

SealState check_seal(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return SealState::absent;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::string seal(seal_size, '\0');
  if (size < seal_size || !read_at(descriptor, seal.data(), seal.size(), size - seal_size)) return SealState::absent;
  if (!seal.starts_with(mark)) return SealState::absent;
  return seal == seal_of(descriptor, size - seal_size) ? SealState::whole : SealState::broken;
}

}  // namespace routh::internal
