#include "routh/file/own_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "routh/base/error.h"

namespace routh::internal {

bool stands_as_ours(const std::string& path, std::string_view magic, const char* what) {
  if (!std::filesystem::exists(std::filesystem::symlink_status(path))) return false;
  std::string head(magic.size(), '\0');
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const bool read = descriptor >= 0 && pread(descriptor, head.data(), head.size(), 0) > 0;
  if (descriptor >= 0) close(descriptor);
  if (!read || head != magic)
    throw RuntimeFailure(fmt::format("'{}' is in the way: it is not {}; remove it, or write to another file",
                                     printable(path, 200), what));
  return true;
}

}  // namespace routh::internal
