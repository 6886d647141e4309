#include "map_progress.h"

#include <unistd.h>

#include <cstdio>

namespace routh {

ProgressLine::ProgressLine(Verbosity verbosity)
    : wanted_(verbosity == Verbosity::normal && isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

void ProgressLine::show(double share) {
  const int percent = static_cast<int>(100 * share);
  if (!wanted_ || percent == shown_ || std::chrono::steady_clock::now() - start_ < std::chrono::milliseconds(500))
    return;
  std::fprintf(stderr, "\rmap: %d %%", percent);
  std::fflush(stderr);
  shown_ = percent;
}

void ProgressLine::clear() {
  if (shown_ < 0) return;
  std::fputs("\r            \r", stderr);
  std::fflush(stderr);
  shown_ = -1;
}

}  // namespace routh
