#include "routh/study/row_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

constexpr std::size_t rows_at_once = 4096;

}  // namespace

void RowFile::fail(const char* what) const {
  throw RuntimeFailure(fmt::format("cannot {} '{}': {}", what, printable(path_, 200), std::strerror(errno)));
}

RowFile::RowFile(const std::string& path, std::size_t columns, std::uint64_t rows)
    : path_(path), columns_(columns), rows_(rows) {
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("write");
  const auto wanted = static_cast<off_t>(rows * columns * sizeof(double));
  const off_t size = lseek(descriptor_, 0, SEEK_END);
  if (size < wanted) {
    close(descriptor_);
    throw InputError({path},
                     fmt::format("{} bytes where the checkpoint speaks of {}", static_cast<long long>(size),
                                 static_cast<long long>(wanted)),
                     "begin anew");
  }
  if (ftruncate(descriptor_, wanted) != 0 || lseek(descriptor_, wanted, SEEK_SET) != wanted) {
    close(descriptor_);
    fail("write");
  }
}

RowFile::~RowFile() {
  if (!in_memory()) close(descriptor_);
}

void RowFile::append(std::span<const double> values) {
  rows_ += values.size() / columns_;
  if (in_memory()) {
    memory_.insert(memory_.end(), values.begin(), values.end());
    return;
  }
  const char* from = reinterpret_cast<const char*>(values.data());
  std::size_t left = values.size_bytes();
  while (left > 0) {
    const ssize_t written = write(descriptor_, from, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write");
    from += written;
    left -= static_cast<std::size_t>(written);
  }
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
    std::size_t done = 0;
    const std::size_t size = buffer.size() * sizeof(double);
    while (done < size) {
      const ssize_t got = pread(descriptor_, reinterpret_cast<char*>(buffer.data()) + done, size - done,
                                static_cast<off_t>(row * columns_ * sizeof(double) + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) fail("read");
      done += static_cast<std::size_t>(got);
    }
    take(buffer);
  }
}

void RowFile::remove() {
  if (!in_memory()) unlink(path_.c_str());
}

}  // namespace routh::internal
