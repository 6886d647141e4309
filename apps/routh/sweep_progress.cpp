#include "sweep_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace routh {

namespace {

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

SweepProgress::SweepProgress(Verbosity verbosity, std::uint64_t samples, std::uint64_t already)
    : wanted_(verbosity == Verbosity::normal && isatty(STDERR_FILENO) == 1),
      samples_(samples),
      already_(already),
      begin_(std::chrono::steady_clock::now()),
      next_(begin_ + std::chrono::milliseconds(500)) {}

void SweepProgress::show(const StudyTotals& totals) {
  const auto now = std::chrono::steady_clock::now();
  if (!wanted_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const std::uint64_t done = totals.samples();
  const double rate = static_cast<double>(done - already_) / elapsed;
  std::string line = fmt::format("{:5.1f} % of {} samples, {:.3g}/s",
                                 100 * static_cast<double>(done) / static_cast<double>(samples_), samples_, rate);
  if (rate > 0) line += fmt::format(", {} left", duration(static_cast<double>(samples_ - done) / rate));
  const std::size_t width = line.size();
  line.resize(std::max(width, width_), ' ');
  std::fputs(("\r" + line).c_str(), stderr);
  std::fflush(stderr);
  width_ = width;
}

void SweepProgress::clear() {
  if (width_ == 0) return;
  std::fputs(("\r" + std::string(width_, ' ') + "\r").c_str(), stderr);
  std::fflush(stderr);
  width_ = 0;
}

}  // namespace routh
