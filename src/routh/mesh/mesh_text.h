// Words and numbers of a text in lines: what the readers of STL and OBJ share.
#pragma once

#include <string>
#include <string_view>

namespace routh::internal {

class MeshText {
 public:
  MeshText(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  // Whether there is another line.
  bool next_line();
  // The next word of the line; empty at its end. A backslash at the end joins the line after it.
  std::string_view word();
  // The next word as a finite number; `what` has it, for errors.
  double number(const char* what);

  [[noreturn]] void fail(const std::string& message, const std::string& remedy) const;

  int line() const { return line_; }
  const std::string& file() const { return file_; }

 private:
  bool join();

  std::string_view text_;
  const std::string& file_;
  std::string_view rest_;
  std::size_t at_ = 0, end_ = 0;
  int line_ = 0, joined_ = 0;
};

}  // namespace routh::internal
