#include "routh/record/seal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

#include "routh/figure/deflate.h"

namespace routh::internal {

namespace {

// A file as bytes in memory; empty where that is not possible.
class MappedFile {
 public:
  explicit MappedFile(int descriptor) {
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0 || status.st_size <= 0) return;
    size_ = static_cast<std::size_t>(status.st_size);
    memory_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  }
  ~MappedFile() {
    if (memory_ != MAP_FAILED) munmap(memory_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const {
    return memory_ == MAP_FAILED ? std::string_view() : std::string_view(static_cast<const char*>(memory_), size_);
  }

 private:
  void* memory_ = MAP_FAILED;
  std::size_t size_ = 0;
};

constexpr std::string_view mark = "\nend of routh run\n\n\n";  // 20 bytes
static_assert(mark.size() + 12 == seal_size);

// The mark, the number of bytes and their CRC-32, little-endian.
std::string seal_of(std::string_view bytes) {
  std::string seal(mark);
  for (int k = 0; k < 8; ++k) seal += static_cast<char>(static_cast<std::uint64_t>(bytes.size()) >> (8 * k) & 0xFFu);
  const std::uint32_t sum = crc32(bytes);
  for (int k = 0; k < 4; ++k) seal += static_cast<char>(sum >> (8 * k) & 0xFFu);
  return seal;
}

}  // namespace

void seal_file(TemporaryFile& file) {
  const MappedFile content(file.descriptor());
  if (content.bytes().empty()) return;  // a file system without mmap: HDF5's own check sums remain
  const std::string seal = seal_of(content.bytes());
  lseek(file.descriptor(), 0, SEEK_END);
  file.write(seal);
}

SealState check_seal(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const MappedFile file(descriptor);
  if (descriptor >= 0) close(descriptor);
  const std::string_view bytes = file.bytes();
  if (bytes.size() < seal_size) return SealState::absent;
  const std::string_view seal = bytes.substr(bytes.size() - seal_size);
  if (!seal.starts_with(mark)) return SealState::absent;
  return seal == seal_of(bytes.substr(0, bytes.size() - seal_size)) ? SealState::whole : SealState::broken;
}

}  // namespace routh::internal
