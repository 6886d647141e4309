#include "progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace routh {

ProgressLine::ProgressLine(Verbosity verbosity)
    : wanted_(verbosity == Verbosity::normal && isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()),
      next_(begin_ + std::chrono::milliseconds(500)) {}

void ProgressLine::show(const std::string& text) {
  next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  std::string line = text;
  line.resize(std::max(text.size(), width_), ' ');
  std::fputs(("\r" + line).c_str(), stderr);
  std::fflush(stderr);
  width_ = text.size();
}

void ProgressLine::clear() {
  if (width_ == 0) return;
  std::fputs(("\r" + std::string(width_, ' ') + "\r").c_str(), stderr);
  std::fflush(stderr);
  width_ = 0;
}

double ProgressLine::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

}  // namespace routh
