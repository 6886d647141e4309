// Errors a user can act on: what was found, where, what is allowed, what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace routh {

// A place in a text. Lines and columns count from 1; 0 means "not known".
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

// Input that cannot be used. `what()` reads `file:line:col: error: message; remedy`.
class InputError : public std::runtime_error {
 public:
  InputError(Location where, const std::string& message, const std::string& remedy = {});

  const Location& where() const { return where_; }
  const std::string& message() const { return message_; }
  const std::string& remedy() const { return remedy_; }

 private:
  Location where_;
  std::string message_;
  std::string remedy_;
};

// A failure of the surroundings: a file that cannot be read or written, a full disk.
class RuntimeFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The text with control characters (ANSI escapes among them) written as \xNN and cut to a readable length, so
// that a hostile name in a file cannot drive a terminal.
std::string printable(const std::string& text, std::size_t max_length = 60);

}  // namespace routh
