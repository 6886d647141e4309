#include "page_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <filesystem>

#include "embedded.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/report/page.h"
#include "routh/text/document.h"

namespace routh {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

}  // namespace

PageTemplate::PageTemplate(const PageOptions& options)
    : text_(options.template_file.empty() ? embedded_page() : read_text_file(options.template_file, most_bytes)) {
  if (text_.empty() && options.template_file.empty())
    throw RuntimeFailure(
        "this program was built without the page of reports: Node.js (18 or newer) with npm was missing, or npm "
        "failed. "
        "Install the packages nodejs and npm and build again (./run does both), or give a page built elsewhere with "
        "--page");
}

std::string PageTemplate::with(const std::string& document) const { return make_page(text_, document); }

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

void write_page(const PageOptions& options, const PageTemplate& page, const std::string& document) {
  write_file(options.html, page.with(document));
  if (options.show == ShowPage::in_browser) open_page(options.html);
}

}  // namespace routh
