#include "routh/file/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

// Whether the file of this name is still the one that was opened: who held the lock before may have removed it.
bool still_stands(int descriptor, const std::string& path) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

// As every lock is: what holds something is somebody's, and would be lost with the lock.
bool is_empty_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::string& use) : path_(path) {
  while (true) {
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw RuntimeFailure(fmt::format("cannot write '{}': {}", printable(path, 200), std::strerror(errno)));
    if (!is_empty_file(descriptor_)) {
      close(descriptor_);
      throw RuntimeFailure(
          fmt::format("'{}' is in the way: it is no lock; remove it, or write to another file", printable(path, 200)));
    }
    // Where the file system knows no locks, there is none.
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(descriptor_);
      throw RuntimeFailure(
          fmt::format("'{}' is in use: {}; wait for it, or write to another file", printable(path, 200), use));
    }
    if (still_stands(descriptor_, path)) return;
    close(descriptor_);
  }
}

FileLock::~FileLock() {
  unlink(path_.c_str());  // before the lock goes: afterwards the file may be another's
  close(descriptor_);
}

}  // namespace routh::internal
