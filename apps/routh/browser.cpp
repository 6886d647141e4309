#include "browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <filesystem>

#include "output.h"
#include "routh/base/error.h"

namespace routh {

std::string scratch_page() {
  return (std::filesystem::temp_directory_path() / fmt::format("routh-{}.html", ::getpid())).string();
}

void open_page(const std::string& path) {
  std::string opener = "xdg-open", file = std::filesystem::absolute(path).string();
  char* arguments[] = {opener.data(), file.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  const int fault = posix_spawnp(&child, opener.c_str(), &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (fault != 0)
    write_message(
        fmt::format("cannot open a browser: xdg-open is not installed; the page is {}", printable(file, 300)));
}

}  // namespace routh
