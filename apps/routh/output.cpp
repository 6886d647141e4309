#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "interrupt.h"
#include "options.h"
#include "routh/base/error.h"
#include "routh/base/nearest_word.h"
#include "routh/file/temporary_file.h"
#include "routh/record/run_info.h"
#include "routh/scene/named_files.h"

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

// Found only when it is written, it would cost all the work.
void refuse_without_place(const NamedFile& out) {
  if (out.path.empty() || out.path == "-") return;
  std::error_code error;
  const std::filesystem::path path = out.path, folder = path.parent_path();
  if (std::filesystem::is_directory(path, error))
    throw RuntimeFailure(
        fmt::format("{}: cannot write '{}': it is a folder; name a file in it", out.role, printable(out.path, 200)));
  if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    throw RuntimeFailure(fmt::format("{}: cannot write '{}': there is no folder '{}'; make it first", out.role,
                                     printable(out.path, 200), printable(folder.string(), 200)));
}

// What the file names; of a run, what its scene names.
std::vector<std::string> files_behind(const std::string& path) {
  const std::optional<RunScene> run = read_run_scene(path);
  return run ? files_named_by_scene(run->text, run->path) : files_named_by(path);
}

// Also what the inputs name. They are opened only where an output stands already: no other can be among them.
std::vector<NamedFile> all_inputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  std::vector<NamedFile> all = inputs;
  std::error_code error;
  const auto stands = [&](const NamedFile& it) { return is_file(it) && std::filesystem::exists(it.path, error); };
  if (std::none_of(outputs.begin(), outputs.end(), stands)) return all;
  for (const NamedFile& in : inputs)
    if (is_file(in))
      for (const std::string& path : files_behind(in.path))
        all.push_back({fmt::format("a file that '{}' names", printable(in.path, 200)), path});
  return all;
}

}  // namespace

void check_outputs(const std::vector<NamedFile>& named, const std::vector<NamedFile>& outputs) {
  for (const NamedFile& out : outputs) refuse_without_place(out);
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
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond the limit is a failed write like any other
  watch_for_interrupt();
  watch_for_lost_memory();
}

void write_stdout(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw RuntimeFailure(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void write_message(const std::string& text) { write_complaint("routh: " + text); }

void write_complaint(const std::string& text) { std::fputs((text + "\n").c_str(), stderr); }

std::string title_of(const std::string& name, const std::string& path) {
  return printable(name.empty() ? std::filesystem::path(path).filename().string() : name, 76);
}

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& candidates) {
  const std::string hint = nearest_hint(typed, candidates);
  return hint.empty() ? hint : "; " + hint;
}

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/._-+", c); };
  const bool option = text.starts_with('-');  // a file of that name is no option
  if (!text.empty() && !option && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string out = option ? "'./" : "'";
  for (const char c : printable(text, 200)) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void write_file(const std::string& path, const std::string& content) {
  if (is_special_file(path)) return write_whole_file(path, content);
  // An interrupt removes the file under its temporary name.
  struct Unmark {
    ~Unmark() { set_unfinished_file({}); }
  } unmark;
  std::optional<TemporaryFile> file;
  {
    const HoldInterrupts hold;
    file.emplace(path);
    set_unfinished_file(file->path());
  }
  file->write(content);
  file->move_to_target();
}

}  // namespace routh
