#include "routh/study/row_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

constexpr std::size_t rows_at_once = 4096;
constexpr std::string_view heading = "routh: rows of a study, 1\n\n\n\n\n\n\n";  // 32 bytes
static_assert(heading.size() % sizeof(double) == 0);

std::uint32_t sum_of(std::uint32_t before, std::span<const double> rows) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(rows.data()), rows.size_bytes()));
}

}  // namespace

void RowFile::fail(const char* what) const {
  throw RuntimeFailure(fmt::format("cannot {} '{}': {}", what, printable(path_, 200), std::strerror(errno)));
}

RowFile::RowFile(const std::string& path, std::size_t columns, const RowCount& kept) : path_(path), columns_(columns) {
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("write");
  bool empty = false;
  try {
    empty = size() == 0;
    prepare(kept);
  } catch (...) {
    close(descriptor_);
    if (empty) unlink(path.c_str());
    throw;
  }
}

// Of an ordinary file; nothing else can be the table.
std::uint64_t RowFile::size() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail("write");
  if (!S_ISREG(status.st_mode)) refuse();
  return static_cast<std::uint64_t>(status.st_size);
}

void RowFile::refuse() const {
  throw RuntimeFailure(fmt::format("'{}' is in the way: it is no table of a study; remove it, or write to another file",
                                   printable(path_, 200)));
}

void RowFile::prepare(const RowCount& kept) {
  const std::uint64_t present = size();
  std::string head(heading.size(), '\0');
  if (present >= head.size()) read_bytes(head.data(), head.size(), 0);
  if (present > 0 && head != heading) refuse();
  const std::uint64_t wanted = heading.size() + kept.rows * columns_ * sizeof(double);
  if (kept.rows > 0 && present < wanted)
    throw InputError({path_}, fmt::format("{} bytes where the checkpoint speaks of {}", present, wanted), "begin anew");
  const auto start = static_cast<off_t>(kept.rows > 0 ? wanted : 0);
  if (ftruncate(descriptor_, start) != 0 || lseek(descriptor_, start, SEEK_SET) != start) fail("write");
  if (start == 0) write_bytes(heading.data(), heading.size());
  rows_ = kept.rows;
  read([&](std::span<const double> rows) { sum_ = sum_of(sum_, rows); });
  if (sum_ != kept.sum)
    throw InputError({path_}, "the rows are not those that the checkpoint speaks of: the file is damaged",
                     "begin anew");
}

RowFile::~RowFile() {
  if (!in_memory()) close(descriptor_);
}

void RowFile::write_bytes(const void* from, std::size_t size) {
  const char* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t written = write(descriptor_, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write");
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

void RowFile::read_bytes(void* to, std::size_t size, std::uint64_t from) const {
  char* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = pread(descriptor_, at, size, static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("read");
    at += got;
    size -= static_cast<std::size_t>(got);
    from += static_cast<std::uint64_t>(got);
  }
}

void RowFile::append(std::span<const double> values) {
  rows_ += values.size() / columns_;
  if (in_memory()) {
    memory_.insert(memory_.end(), values.begin(), values.end());
    return;
  }
  sum_ = sum_of(sum_, values);
  write_bytes(values.data(), values.size_bytes());
}

void RowFile::sync() {
  if (!in_memory() && fdatasync(descriptor_) != 0) fail("write");
}

void RowFile::read(const std::function<void(std::span<const double>)>& take) const {
  if (in_memory()) return take(memory_);
  std::vector<double> buffer;
  for (std::uint64_t row = 0; row < rows_; row += rows_at_once) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows_at_once, rows_ - row));
    buffer.resize(count * columns_);
    read_bytes(buffer.data(), buffer.size() * sizeof(double), heading.size() + row * columns_ * sizeof(double));
    take(buffer);
  }
}

void RowFile::remove() {
  if (!in_memory()) unlink(path_.c_str());
}

}  // namespace routh::internal
