#include "routh/file/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "routh/base/error.h"

namespace routh::internal {

namespace {

RuntimeFailure write_failure(const std::string& path, int error) {
  return RuntimeFailure(fmt::format("cannot write '{}': {}", printable(path, 200), std::strerror(error)));
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw write_failure(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// The file a link leads to; the path itself where there is nothing yet.
std::string resolved(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return path;
  if (S_ISDIR(status.st_mode)) throw write_failure(path, EISDIR);
  if (!S_ISREG(status.st_mode))
    throw RuntimeFailure(fmt::format("cannot write '{}': it is a device or a pipe, not a file", printable(path, 200)));
  char* real = realpath(path.c_str(), nullptr);
  const std::string target = real != nullptr ? real : path;
  std::free(real);
  return target;
}

// The name is safe only when its folder is on the disk, too. Some file systems know no such thing.
bool sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES;  // a folder that may be written but not read
  const bool synced = fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int error = errno;
  close(descriptor);
  errno = error;
  return synced;
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& target) : target_(resolved(target)), path_(target_ + ".XXXXXX") {
  descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
  if (descriptor_ < 0) throw write_failure(target, errno);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!path_.empty()) unlink(path_.c_str());
}

void TemporaryFile::write(std::string_view bytes) { write_all(descriptor_, bytes, target_); }

void TemporaryFile::move_to_target() {
  // mkostemp made it private; the user's mask decides for an ordinary file.
  const mode_t mask = umask(0);
  umask(mask);
  const bool moved = fchmod(descriptor_, 0666 & ~mask) == 0 && fsync(descriptor_) == 0 &&
                     std::rename(path_.c_str(), target_.c_str()) == 0;
  if (!moved) throw write_failure(target_, errno);
  path_.clear();
  if (!sync_folder(target_)) throw write_failure(target_, errno);
}

bool is_special_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void write_whole_file(const std::string& path, std::string_view bytes) {
  if (!is_special_file(path)) {
    TemporaryFile file(path);
    file.write(bytes);
    return file.move_to_target();
  }
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw write_failure(path, errno);
  try {
    write_all(descriptor, bytes, path);
  } catch (...) {
    close(descriptor);
    throw;
  }
  if (close(descriptor) != 0) throw write_failure(path, errno);
}

}  // namespace routh::internal
