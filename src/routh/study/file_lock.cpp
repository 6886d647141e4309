#include "routh/study/file_lock.h"

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
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::string& use) : path_(path) {
  while (true) {
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw RuntimeFailure(fmt::format("cannot write '{}': {}", printable(path, 200), std::strerror(errno)));
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
