#include "sweep_progress.h"

#include <fmt/format.h>

#include <string>

namespace routh {

namespace {

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

void SweepProgress::show(const StudyTotals& totals) {
  if (!line_.due()) return;
  const std::uint64_t done = totals.samples();
  const double rate = static_cast<double>(done - already_) / line_.elapsed();
  std::string text = fmt::format("{:5.1f} % of {} samples, {:.3g}/s",
                                 100 * static_cast<double>(done) / static_cast<double>(samples_), samples_, rate);
  if (rate > 0) text += fmt::format(", {} left", duration(static_cast<double>(samples_ - done) / rate));
  line_.show(text);
}

}  // namespace routh
