#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "interrupt.h"
#include "options.h"
#include "routh/base/error.h"
#include "routh/study/named_files.h"

namespace routh {

namespace {

// A closed stream would hand its number to the next file opened. It gets /dev/null in the wrong direction instead, so
// that using it fails.
void guard_stream(int descriptor, int wrong_direction) {
  if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) return;
  const int opened = open("/dev/null", wrong_direction);
  if (opened == descriptor || opened < 0) return;
  dup2(opened, descriptor);
  close(opened);
}

RuntimeFailure file_failure(const char* verb, const std::string& path, int error) {
  return RuntimeFailure(fmt::format("cannot {} '{}': {}", verb, printable(path, 200), std::strerror(error)));
}

// Closes and forgets a temporary file that was not renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target) : path_(target + ".XXXXXX") {
    descriptor_ = mkstemp(path_.data());
    if (descriptor_ < 0) throw file_failure("write", target, errno);
    set_unfinished_file(path_);
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
    set_unfinished_file({});
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }

  void rename_to(const std::string& target) {
    // mkstemp made it private; the user's mask decides for an ordinary file.
    const mode_t mask = umask(0);
    umask(mask);
    const bool moved = fchmod(descriptor_, 0666 & ~mask) == 0 && fsync(descriptor_) == 0 &&
                       std::rename(path_.c_str(), target.c_str()) == 0;
    if (!moved) throw file_failure("write", target, errno);
    path_.clear();
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

void write_all(int descriptor, const std::string& content, const std::string& path) {
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t written = write(descriptor, content.data() + done, content.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw file_failure("write", path, errno);
    done += static_cast<std::size_t>(written);
  }
}

void write_special_file(const std::string& path, const std::string& content) {
  const int descriptor = open(path.c_str(), O_WRONLY);
  if (descriptor < 0) throw file_failure("write", path, errno);
  try {
    write_all(descriptor, content, path);
  } catch (...) {
    close(descriptor);
    throw;
  }
  if (close(descriptor) != 0) throw file_failure("write", path, errno);
}

bool is_device(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto first = std::filesystem::weakly_canonical(std::filesystem::absolute(a, error), error);
  if (error) return false;
  const auto second = std::filesystem::weakly_canonical(std::filesystem::absolute(b, error), error);
  return !error && first == second;
}

bool is_file(const NamedFile& it) { return !it.path.empty() && it.path != "-" && !is_device(it.path); }

// Also what the inputs name. They are opened only where an output stands already: no other can be among them.
std::vector<NamedFile> all_inputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  std::vector<NamedFile> all = inputs;
  std::error_code error;
  const auto stands = [&](const NamedFile& it) { return is_file(it) && std::filesystem::exists(it.path, error); };
  if (std::none_of(outputs.begin(), outputs.end(), stands)) return all;
  for (const NamedFile& in : inputs)
    if (is_file(in))
      for (const std::string& path : files_named_by(in.path))
        all.push_back({fmt::format("a file that '{}' names", printable(in.path, 200)), path});
  return all;
}

}  // namespace

void refuse_overwriting(const std::vector<NamedFile>& named, const std::vector<NamedFile>& outputs) {
  const std::vector<NamedFile> inputs = all_inputs(named, outputs);
  for (auto out = outputs.begin(); out != outputs.end(); ++out) {
    if (!is_file(*out)) continue;
    for (const NamedFile& in : inputs)
      if (is_file(in) && same_file(in.path, out->path))
        throw UsageError(fmt::format("error: {} '{}' would replace {}; give another name", out->role,
                                     printable(out->path, 200), in.role));
    for (auto other = outputs.begin(); other != out; ++other)
      if (is_file(*other) && same_file(other->path, out->path))
        throw UsageError(fmt::format("error: {} and {} are the same file '{}'; give different names", other->role,
                                     out->role, printable(out->path, 200)));
  }
}

void prepare_streams() {
  guard_stream(STDIN_FILENO, O_WRONLY);
  guard_stream(STDOUT_FILENO, O_RDONLY);
  guard_stream(STDERR_FILENO, O_RDONLY);
  std::signal(SIGPIPE, SIG_DFL);
  watch_for_interrupt();
}

void write_stdout(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw RuntimeFailure(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void write_message(const std::string& text) { write_complaint("routh: " + text); }

void write_complaint(const std::string& text) { std::fputs((text + "\n").c_str(), stderr); }

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/._-+", c); };
  const bool option = text.starts_with('-');  // a file of that name is no option
  if (!text.empty() && !option && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string out = option ? "'./" : "'";
  for (const char c : printable(text, 200)) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void write_file(const std::string& path, const std::string& content) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw file_failure("write", path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_special_file(path, content);
  // A symbolic link stays a link: the file it leads to is replaced.
  char* resolved = exists ? realpath(path.c_str(), nullptr) : nullptr;
  const std::string target = resolved != nullptr ? resolved : path;
  std::free(resolved);
  TemporaryFile temporary(target);
  write_all(temporary.descriptor(), content, path);
  temporary.rename_to(target);
}

}  // namespace routh
