// Which samples of a long run a page shows.
#pragma once

#include <cstddef>
#include <vector>

#include "routh/record/run_file.h"

namespace routh::internal {

struct DecimationLimits {
  std::size_t samples = 4000;         // about so many are kept
  std::size_t event_samples = 20000;  // more where events want them, up to this
  std::size_t events = 20000;         // rows of the event table
};

struct Decimation {
  std::vector<std::size_t> samples;  // kept, increasing
  std::vector<std::size_t> events;   // kept, increasing
  std::size_t bare_events = 0;       // kept events whose samples are not

  // The position in `samples` of the first kept sample after an event; the last one where none follows.
  std::size_t sample_after(const RunData& run, const Event& event) const;
};

// Kept are the first and the last sample, those before and after each event, and the extremes of each energy and each
// coordinate in stretches of equal length, as many as the limit allows: a plot of what is kept has the outline of a
// plot of all. Where events alone want more samples than `event_samples`, every k-th event has its two.
Decimation decimate(const RunData& run, const DecimationLimits& limits);

// The samples about an event. Two or more of its time show the states before and after it; one alone shows the state
// whose velocities it has, else that before.
struct EventSamples {
  std::size_t before = 0, after = 0;
};
EventSamples samples_about(const std::vector<Sample>& samples, const Event& event);

}  // namespace routh::internal
