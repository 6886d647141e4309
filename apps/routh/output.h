// Writing results so that a failure is never silent.
#pragma once

#include <string>
#include <vector>

namespace routh {

// Prepares the process: closed standard streams fail instead of swallowing data, a closed pipe ends the program
// quietly, and an interrupt ends it with exit code 130.
void prepare_streams();

// Writes to standard output and flushes. Throws RuntimeFailure.
void write_stdout(const std::string& text);
// One line on standard error, `routh: ` before it.
void write_message(const std::string& text);
// The same without: `file:line:col: error: …`, as editors read it.
void write_complaint(const std::string& text);

// The heading of a report: what the file calls itself, or the name of the file.
std::string title_of(const std::string& name, const std::string& path);

// The text as one word of a shell's command line, quoted where it must be.
std::string shell_word(const std::string& text);

// "; did you mean 'x'?" when a candidate is near what was typed, or nothing: to end a message with.
std::string did_you_mean(const std::string& typed, const std::vector<std::string>& candidates);

// A file of a command and how its user calls it: `-o`, `the study`.
struct NamedFile {
  std::string role, path;
};
// Throws RuntimeFailure when an output has no folder to stand in or is one, UsageError when it is a file that is read,
// or one that such a file names (the robot and the meshes of a scene), or the same file as another output: to be called
// before any work. No path and `-` are no files; devices and pipes have nothing that could be lost.
void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

// Writes a whole file or none: to a temporary name beside it, then renamed. Devices and pipes are written directly.
// Throws RuntimeFailure.
void write_file(const std::string& path, const std::string& content);

}  // namespace routh
